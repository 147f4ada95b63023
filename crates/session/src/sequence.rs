//! An execution as a sequence diagram: who created whom, who sent what to whom, who took it.
//! Events are numbered in the order in which they happened, the same in every form.

use crate::ask::own::{is_own, own_modules};
use crate::ask::{facts, question};
use crate::describe;
use crate::event::EventKind;
use crate::tree_svg::{self, escaped};
use reverl_analysis::declare::Kind;
use reverl_analysis::declare::tree::{self, NodeId, Tree};
use reverl_causal::{ActionKind, Chain, EventRef, ProcId, SignalId, System};

/// The events of the diagram: event number n is at index n - 1.
pub fn numbered(system: &System) -> Vec<EventRef> {
    system.execution().events().filter(|e| arrow(system, *e).is_some()).collect()
}

/// What one event draws.
enum Arrow {
    Create(ProcId, ProcId),
    Send(ProcId, Option<ProcId>, SignalId),
    Take(ProcId, SignalId),
    Timeout(ProcId),
    Exit(ProcId),
}

fn arrow(system: &System, event: EventRef) -> Option<Arrow> {
    let execution = system.execution();
    if event.chain() == Chain::Delivery || execution.proc(event.proc).is_system {
        return None;
    }
    let by = event.proc;
    let send = |k: u32| {
        let id = SignalId { from: by, k };
        let to = execution.signal(id).to();
        let to_system = to.is_some_and(|to| execution.proc(to).is_system);
        (!to_system).then_some(Arrow::Send(by, to, id))
    };
    match execution.action(event)?.what() {
        ActionKind::Send(k) => send(k),
        ActionKind::Receive(signal) => Some(Arrow::Take(by, signal)),
        ActionKind::Timeout => Some(Arrow::Timeout(by)),
        ActionKind::Assign(_) => None,
        ActionKind::Exit(_) => Some(Arrow::Exit(by)),
        ActionKind::Request(answered) => match answered.effect.spawned {
            Some(child) => Some(Arrow::Create(by, child)),
            None if describe::kind(system, event) == EventKind::Send => {
                answered.effect.signals.clone().next().and_then(send)
            }
            None => None,
        },
    }
}

fn arrows(system: &System) -> Vec<(usize, EventRef, Arrow)> {
    let events = numbered(system).into_iter().enumerate();
    events.filter_map(|(i, e)| Some((i + 1, e, arrow(system, e)?))).collect()
}

fn own(system: &System) -> Vec<ProcId> {
    let own = |p: &ProcId| !system.execution().proc(*p).is_system;
    system.execution().ids().filter(own).collect()
}

fn label(system: &System, proc: ProcId) -> String {
    let entry = system.execution().proc(proc).entry.mfa();
    format!("{} {}", describe::who(system, proc), describe::mfa(entry))
}

fn message(system: &System, id: SignalId) -> String {
    describe::short(&system.execution().signal(id).message)
}

fn exit_text(system: &System, proc: ProcId) -> String {
    match system.execution().proc(proc).exit() {
        Some(exited) => match &exited.value {
            Some(value) => format!("ends with {}", describe::short(value)),
            None => format!("exits: {}", describe::short(&exited.reason)),
        },
        None => String::new(),
    }
}

/// One line an event.
pub fn text(system: &System) -> String {
    let pid = |p: ProcId| describe::pid(system, p);
    let mut lines: Vec<String> = own(system).iter().map(|p| label(system, *p)).collect();
    for (n, event, arrow) in arrows(system) {
        let said = match arrow {
            Arrow::Create(by, child) => format!("{} ==> {}  created", pid(by), pid(child)),
            Arrow::Send(by, to, id) => {
                let to = to.map_or("nobody".into(), pid);
                format!("{} --> {to}  {}", pid(by), message(system, id))
            }
            Arrow::Take(by, id) => {
                format!("{} takes {}, from {}", pid(by), message(system, id), pid(id.from))
            }
            Arrow::Timeout(by) => format!("{} times out", pid(by)),
            Arrow::Exit(by) => format!("{} {}", pid(by), exit_text(system, by)),
        };
        let at = describe::event_place(system, event);
        lines.push(format!("{n:4}  {said}  {at}").trim_end().to_string());
    }
    lines.join("\n")
}

/// For pages that draw Mermaid.
pub fn mermaid(system: &System) -> String {
    let name = |p: ProcId| format!("P{}", p.0);
    let clean = |text: String| text.replace(['\n', ';', '#'], " ");
    let mut out = "sequenceDiagram\n".to_string();
    for p in own(system) {
        out += &format!("    participant {} as {}\n", name(p), clean(label(system, p)));
    }
    for (n, _, arrow) in arrows(system) {
        let line = match arrow {
            Arrow::Create(by, child) => {
                format!("{}->>{}: {n} created", name(by), name(child))
            }
            Arrow::Send(by, Some(to), id) => {
                format!("{}-){}: {n} {}", name(by), name(to), clean(message(system, id)))
            }
            Arrow::Send(by, None, id) => {
                format!("{}--x{}: {n} {} (lost)", name(by), name(by), clean(message(system, id)))
            }
            Arrow::Take(by, id) => {
                format!("Note over {}: {n} takes {}", name(by), clean(message(system, id)))
            }
            Arrow::Timeout(by) => format!("Note over {}: {n} times out", name(by)),
            Arrow::Exit(by) => {
                format!("Note over {}: {n} {}", name(by), clean(exit_text(system, by)))
            }
        };
        out += &format!("    {line}\n");
    }
    out
}

/// Who created whom, for Graphviz.
pub fn process_tree_dot(system: &System) -> String {
    let mut out = "digraph processes {\n    node [shape=box];\n".to_string();
    for p in own(system) {
        let text = label(system, p).replace('\\', "\\\\").replace('"', "\\\"");
        out += &format!("    p{} [label=\"{text}\"];\n", p.0);
        if let Some((parent, _)) = system.execution().proc(p).parent {
            out += &format!("    p{} -> p{};\n", parent.0, p.0);
        }
    }
    out + "}\n"
}

/// Who created whom, indented.
pub fn process_tree_text(system: &System) -> String {
    let line = |(depth, text): &(usize, String)| format!("{}{text}", "  ".repeat(*depth));
    process_tree(system).iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Who created whom, as a drawing.
pub fn process_tree_svg(system: &System) -> String {
    tree_svg::svg(&process_tree(system))
}

/// Every process with its depth, each behind who created it.
fn process_tree(system: &System) -> Vec<(usize, String)> {
    let all = own(system);
    let mut lines = vec![];
    let mut todo: Vec<(ProcId, usize)> = all
        .iter()
        .filter(|p| system.execution().proc(**p).parent.is_none())
        .map(|p| (*p, 0))
        .collect();
    while let Some((p, depth)) = todo.pop() {
        lines.push((depth, label(system, p)));
        let is_child = |c: &&ProcId| {
            system.execution().proc(**c).parent.is_some_and(|(parent, _)| parent == p)
        };
        todo.extend(all.iter().rev().filter(is_child).map(|c| (*c, depth + 1)));
    }
    lines
}

/// More calls than this are not drawn.
const MOST_CALLS: usize = 2_000;

/// Every computation with its depth, in order, and its call.
fn calls(system: &System) -> (Tree, Vec<(NodeId, usize, String)>) {
    let own = own_modules(&system.program().code);
    let tree = Tree::new(system, &|system, fun| is_own(&own, system, fun));
    let mut found = vec![];
    let mut todo: Vec<(NodeId, usize)> =
        tree.children(tree::ROOT).iter().rev().map(|id| (*id, 0)).collect();
    while let Some((id, depth)) = todo.pop() {
        if found.len() == MOST_CALLS {
            break;
        }
        let node = *tree.node(id);
        let text = match node.kind {
            Kind::Execution | Kind::Process => describe::who(system, node.proc),
            Kind::Receive | Kind::Blocked => {
                let span = facts::receive_span(system, node.entry);
                format!("receive at {}", question::place(system, span))
            }
            Kind::Call | Kind::Transition => {
                let facts = facts::facts(system, &node, None);
                let came_to = question::came_to(system, &facts.came_to);
                let came_to = came_to.lines().next().unwrap_or_default().trim_end_matches(':');
                let again = if node.kind == Kind::Call { "" } else { ", going on" };
                format!("{}{again}: {came_to}", question::call(system, node.fun, &facts.args))
            }
        };
        found.push((id, depth, text));
        todo.extend(tree.children(id).iter().rev().map(|c| (*c, depth + 1)));
    }
    (tree, found)
}

/// What called what, indented.
pub fn calls_text(system: &System) -> String {
    let (tree, all) = calls(system);
    let line =
        |(_, depth, text): &(NodeId, usize, String)| format!("{}{text}", "  ".repeat(*depth));
    let mut lines: Vec<String> = all.iter().map(line).collect();
    if tree.len() - 1 > all.len() {
        lines.push(format!("... and {} more", tree.len() - 1 - all.len()));
    }
    lines.join("\n")
}

/// What called what, as a drawing.
pub fn calls_svg(system: &System) -> String {
    let (_, all) = calls(system);
    let nodes: Vec<(usize, String)> =
        all.into_iter().map(|(_, depth, text)| (depth, text)).collect();
    tree_svg::svg(&nodes)
}

/// What called what, for Graphviz.
pub fn calls_dot(system: &System) -> String {
    let (tree, all) = calls(system);
    let mut out = "digraph calls {\n    node [shape=box];\n".to_string();
    for (id, _, text) in &all {
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        out += &format!("    n{} [label=\"{text}\"];\n", id.0);
        if let Some(parent) = tree.node(*id).parent.filter(|p| *p != tree::ROOT) {
            out += &format!("    n{} -> n{};\n", parent.0, id.0);
        }
    }
    out + "}\n"
}

const LANE: usize = 190;
const ROW: usize = 24;

/// A drawing that any browser shows.
pub fn svg(system: &System) -> String {
    let procs = own(system);
    let all = arrows(system);
    let x = |p: ProcId| procs.iter().position(|q| *q == p).unwrap_or(0) * LANE + LANE / 2;
    let (width, height) = (procs.len().max(1) * LANE, (all.len() + 3) * ROW);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <defs><marker id=\"a\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" \
         orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n"
    );
    let text = |x: usize, y: usize, anchor: &str, what: &str| {
        format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>\n", escaped(what))
    };
    for p in &procs {
        out += &text(x(*p), 14, "middle", &label(system, *p));
        out += &format!(
            "<line x1=\"{0}\" y1=\"20\" x2=\"{0}\" y2=\"{1}\" stroke=\"#999\"/>\n",
            x(*p),
            height - 6
        );
    }
    for (i, (n, _, arrow)) in all.iter().enumerate() {
        let y = (i + 2) * ROW;
        let line = |from: ProcId, to: ProcId, colour: &str, dash: &str| {
            format!(
                "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" \
                 stroke-dasharray=\"{dash}\" marker-end=\"url(#a)\"/>\n",
                x(from),
                x(to)
            )
        };
        let between = |a: ProcId, b: ProcId| (x(a) + x(b)) / 2;
        out += &match arrow {
            Arrow::Create(by, child) => {
                line(*by, *child, "#b00", "4 3")
                    + &text(between(*by, *child), y - 4, "middle", &format!("{n} created"))
            }
            Arrow::Send(by, Some(to), id) => {
                let what = format!("{n} {}", message(system, *id));
                line(*by, *to, "#000", "none") + &text(between(*by, *to), y - 4, "middle", &what)
            }
            Arrow::Send(by, None, id) => {
                let what = format!("{n} {} (lost)", message(system, *id));
                text(x(*by) + 6, y, "start", &what)
            }
            Arrow::Take(by, id) => {
                text(x(*by) + 6, y, "start", &format!("{n} takes {}", message(system, *id)))
            }
            Arrow::Timeout(by) => text(x(*by) + 6, y, "start", &format!("{n} times out")),
            Arrow::Exit(by) => {
                text(x(*by) + 6, y, "start", &format!("{n} {}", exit_text(system, *by)))
            }
        };
    }
    out + "</svg>\n"
}
