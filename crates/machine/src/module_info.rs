//! `M:module_info/0,1`: every module has them without writing them.

use reverl_lang::code::{Code, ExprId, ExprInfo, FunId, FunInfo, FunKind, Ins, Op, Pc};
use reverl_lang::source::Span;
use reverl_term::{Atom, Term, atoms};

/// Adds both functions to a module that was just loaded; they ask `erlang:get_module_info`.
pub fn add(code: &mut Code, module: Atom) {
    let k = code.literal(Term::atom(module));
    let ask =
        |code: &mut Code, arity| code.import(atoms::ERLANG, Atom::new("get_module_info"), arity);
    let (all, one) = (ask(code, 1), ask(code, 2));
    function(code, module, 0, &[Op::Lit { d: 0, k }, Op::TailRemote { import: all, a0: 0 }]);
    let args = [Op::Lit { d: 1, k }, Op::Move { d: 2, s: 0 }];
    function(code, module, 1, &[args[0], args[1], Op::TailRemote { import: one, a0: 1 }]);
}

fn function(code: &mut Code, module: Atom, arity: u16, ops: &[Op]) {
    let id = FunId(code.funs.len() as u32);
    let entry = code.ins.len() as Pc;
    code.exprs.push(ExprInfo { span: Span::NONE, place: Span::NONE, fun: id });
    let at = ExprId(code.exprs.len() as u32 - 1);
    for op in ops {
        code.sub_start.push(code.substeps.len() as u32);
        code.ins.push(Ins { op: *op, weight: 0 });
        code.at.push(at);
    }
    code.funs.push(FunInfo {
        module,
        name: atoms::MODULE_INFO,
        arity,
        entry,
        end: code.ins.len() as Pc,
        registers: 4,
        kind: FunKind::Named,
        lambda: None,
        inlined: false,
        part_of: None,
        span: Span::NONE,
        handlers: vec![],
        receives: vec![],
        clauses: vec![],
        vars: vec![],
    });
    if let Some(info) = code.modules.get_mut(&module) {
        let key = (atoms::MODULE_INFO, u32::from(arity));
        info.exports.entry(key).or_insert(id);
        info.locals.entry(key).or_insert(id);
    }
}
