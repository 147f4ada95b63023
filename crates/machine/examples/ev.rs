use reverl_machine::{Ending, Local, Process, Program, Stop};
use reverl_term::{Atom, Pid, Term, atoms};
fn main() {
    let file = std::env::args().nth(1).unwrap();
    let mut program = Program::new();
    let options = reverl_lang::options::Options::default();
    let mut sources = std::mem::take(&mut program.code.sources);
    let (module, problems) =
        reverl_lang::module::load_source(std::path::Path::new(&file), &options, &mut sources);
    program.code.sources = sources;
    for p in problems {
        println!("{p:?}");
    }
    let module = module.unwrap();
    program.load(&module);
    if std::env::args().nth(2).is_some() {
        for (i, x) in program.code.ins.iter().enumerate() {
            println!("{i} {} {:?}", x.weight, x.op);
        }
    }
    let fun = program.code.exported(module.name, Atom::new("main"), 0).expect("main/0");
    let pid = Pid { node: atoms::NONODE, id: 80, serial: 0, creation: 0 };
    let mut process = Process::start(&program, fun, vec![], Local::new(pid, Term::nil()));
    loop {
        match process.run(&program, u64::MAX) {
            Stop::Ended => break,
            Stop::Load(m) => {
                println!("load {}", m.name());
                program.set_missing(m);
            }
            _ => {
                println!("stop");
                return;
            }
        }
    }
    match process.ending().unwrap() {
        Ending::Value(v) => println!("{}", show(v)),
        Ending::Exception(e) => println!(
            "{:?} {} {}",
            e.class,
            show(&e.reason),
            show(&reverl_machine::raise::show_trace(&program.code, &e.trace))
        ),
    }
}
fn show(t: &Term) -> String {
    use reverl_term::View::*;
    match t.view() {
        Int(i) => i.to_string(),
        Float(f) => f.to_string(),
        Atom(a) => a.name().into(),
        Nil => "[]".into(),
        Cons(h, tl) => format!("[{}|{}]", show(h), show(tl)),
        Tuple(x) => format!("{{{}}}", x.iter().map(show).collect::<Vec<_>>().join(",")),
        _ => "?".into(),
    }
}
