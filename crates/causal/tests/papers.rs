//! The worked examples of paper 002, with the very logs printed there.

use reverl_causal::plan::{self, Target};
use reverl_causal::*;
use reverl_term::{Atom, Term};

const C: ProcId = ProcId(1);
const S: ProcId = ProcId(2);
const P: ProcId = ProcId(3);

/// The names that the example gives to messages.
const MESSAGES: [(SignalId, &str); 3] = [
    (SignalId { from: C, k: 0 }, "l1"),
    (SignalId { from: C, k: 1 }, "l2"),
    (SignalId { from: P, k: 0 }, "l3"),
];

fn message(id: SignalId) -> &'static str {
    MESSAGES.iter().find(|(m, _)| *m == id).map_or("?", |(_, name)| name)
}

/// Example 2.5, Fig. 4: the second request arrives at the server before the first.
fn faulty_derivation() -> System {
    let mut system = reverl_programs::named("events/client_server").system();
    system.set_arrivals(Arrivals::Queued);
    let run = |proc| Step::Run { proc, until: Until::Steps(u64::MAX) };
    let deliver = |k, to| Step::Deliver { signal: SignalId { from: C, k }, to };
    for step in [run(C), run(S), run(P), deliver(0, P), run(P), deliver(1, S), run(S)] {
        assert!(system.enabled().contains(&step), "{step:?} is enabled");
        system.step(&step).expect("what is enabled can happen");
    }
    system
}

/// The log of one process up to a cut, in the notation of Def. 3.1.
fn log(execution: &Execution, cut: &Cut, proc: ProcId) -> String {
    let p = execution.proc(proc);
    let inside = p.actions.range(0..p.actions_at(cut.place(proc).steps));
    let name = |p| match p {
        S => "s",
        P => "p",
        _ => "?",
    };
    let items = inside.filter_map(|a| match a.what() {
        ActionKind::Send(k) => Some(format!("send({})", message(SignalId { from: proc, k }))),
        ActionKind::Receive(id) => Some(format!("rec({})", message(id))),
        ActionKind::Request(answered) => {
            answered.effect.spawned.map(|child| format!("spawn({})", name(child)))
        }
        ActionKind::Timeout | ActionKind::Assign(_) | ActionKind::Exit(_) => None,
    });
    format!("({})", items.collect::<Vec<_>>().join(", "))
}

// papers: 002 | Example 2.5 | the running example and its error | run
#[test]
fn example_2_5_the_server_ends_with_error() {
    let system = faulty_derivation();
    let exit = system.execution().proc(S).exit().expect("it ended");
    assert_eq!(exit.value, Some(Term::atom(Atom::new("error"))));
    assert!(system.execution().proc(C).exit().is_none(), "the client waits for ever");
}

// papers: 002 | Def. 3.1, Example 3.2 | the log of an execution | log PID
#[test]
fn example_3_2_its_logs() {
    let system = faulty_derivation();
    let end = Cut::end(system.execution());
    let log = |p| log(system.execution(), &end, p);
    assert_eq!(log(C), "(spawn(s), spawn(p), send(l1), send(l2))");
    assert_eq!(log(S), "(rec(l2))");
    assert_eq!(log(P), "(rec(l1), send(l3))");
}

/// The event with which a process took a message.
fn receive(execution: &Execution, proc: ProcId, id: SignalId) -> EventRef {
    let taken = execution.signal(id).receive().expect("it was received");
    EventRef::action(proc, taken as usize)
}

fn send(execution: &Execution, id: SignalId) -> EventRef {
    EventRef::action(id.from, execution.signal(id).sent_by() as usize)
}

/// Fig. 6: after ten steps the server waits, l3 is there and matches, but it cannot be received:
/// the log says l2. Only with the sending of l2 does the receive come back.
// papers: 002 | Example 4.1 | a replay waits for the message of its log | redo
#[test]
fn example_4_1_a_replay_waits_for_the_message_of_the_log() {
    let system = faulty_derivation();
    let execution = system.execution();
    let start = Cut::start(execution);
    let [_, (l2, _), (l3, _)] = MESSAGES;
    // The proxy's part first, with its causes: the client up to the sending of l1.
    let ten = plan::redo(execution, &start, Target::Event(send(execution, l3))).to;
    assert_eq!(log(execution, &ten, C), "(spawn(s), spawn(p), send(l1))");
    assert_eq!(log(execution, &ten, P), "(rec(l1), send(l3))");
    assert_eq!(log(execution, &ten, S), "()");
    let taken = receive(execution, S, l2);
    let plan = plan::redo(execution, &ten, Target::Event(taken));
    assert!(plan.events.contains(&send(execution, l2)), "it needs l2 to be sent");
    let arrivals: Vec<&str> = plan
        .events
        .iter()
        .filter(|e| e.chain() == Chain::Delivery)
        .map(|e| message(execution.proc(e.proc).deliveries[e.index() as usize].signal))
        .collect();
    assert_eq!(arrivals, ["l2"], "and nothing else: l3 stays where it is");
    assert_eq!(log(execution, &plan.to, S), "(rec(l2))");
}

/// Fig. 8: undoing the sending of l2 first undoes its receiving, and nothing of the proxy.
// papers: 002 | Example 4.2 | the send that led to an error is undone | undo send
#[test]
fn example_4_2_undoing_the_send_that_led_to_the_error() {
    let system = faulty_derivation();
    let execution = system.execution();
    let end = Cut::end(execution);
    let (l2, _) = MESSAGES[1];
    let plan = plan::undo(execution, &end, Target::Event(send(execution, l2)));
    let order: Vec<EventRef> = plan.events.clone();
    let place = |e: EventRef| order.iter().position(|o| *o == e).expect("undone");
    assert!(place(receive(execution, S, l2)) < place(send(execution, l2)));
    assert!(order.iter().all(|e| e.proc != P), "the proxy has nothing to do with it");
    assert_eq!(log(execution, &plan.to, C), "(spawn(s), spawn(p), send(l1))");
    assert_eq!(log(execution, &plan.to, S), "()");
    assert_eq!(log(execution, &plan.to, P), "(rec(l1), send(l3))");
}
