//! The debugger: a session with breakpoints, which carries out commands. Every face that takes
//! commands, typed or as data, sits on it.

mod alone;
mod at_stops;
mod breaks;
mod commands;
mod completions;
mod explore;
mod frames;
mod hit_counts;
mod line;
mod looks;
mod marks;
mod moves;
mod node_changes;
mod notes;
mod parse;
mod race;
mod raised;
mod reply;
mod running;
mod settings;
mod spec;
mod table;
mod undo;
mod what_if;
mod words;

pub use breaks::Breakpoint;
pub use commands::{Command, CommandKind};
pub use completions::Completions;
pub use parse::{CommandInput, logged_place, parse, parse_target};
pub(crate) use race::cut_before;
pub use reply::{
    AnswerAtStop, Displayed, EndOfRun, Move, MoveKind, Note, PlanVerb, PlanView, Reply,
};
pub use spec::*;
pub use table::{COMMANDS, CommandRow, find};

use crate::dialogue::Dialogue;
use crate::error::{CommandError, HostError};
use crate::query::{Detail, failure, process};
use crate::session::{Moved, Refused, Session};
use crate::viewpoint::MomentSpec;
use crate::walk::CodeScope;
use crate::{describe, target};
use reverl_causal::{ProcId, Target};
use reverl_machine::Watch;

/// A session with what a user adds to it: a current process, breakpoints, settings, a dialogue.
pub struct Debugger {
    pub session: Session,
    breakpoints: Vec<Breakpoint>,
    breakpoints_made: usize,
    last_stop: Option<running::LastStop>,
    /// The commands of the breakpoint at which a move has ended.
    due: Vec<Command>,
    /// The expressions that are displayed after each move, with their numbers.
    displays: Vec<(usize, String)>,
    displays_made: usize,
    /// The call that looks are about, if it is not the innermost.
    chosen_call: Option<frames::ChosenCall>,
    host: Box<dyn Host>,
    /// When messages arrive, also after a restart.
    pub(crate) delivery: DeliveryMode,
    /// In which code moves by lines and calls can end.
    pub(crate) code_scope: CodeScope,
    /// How many of the events' outputs were already shown.
    shown_events: usize,
    pub finished: bool,
    /// The questions that are being answered.
    pub dialogue: Option<Dialogue>,
}

/// What the face knows and the debugger does not: how the program was given, and files.
pub trait Host {
    /// The same program again, from its beginning.
    fn fresh(&self) -> Result<Session, HostError>;
    fn save(&self, session: &Session, path: &str) -> Result<(), HostError>;
    fn open(&self, path: &str) -> Result<Session, HostError>;
}

/// What a command has to say.
type Answered = Result<Reply, CommandError>;

impl Debugger {
    pub fn new(session: Session, host: Box<dyn Host>) -> Debugger {
        let mut debugger = Debugger {
            session,
            breakpoints: vec![],
            breakpoints_made: 0,
            last_stop: None,
            due: vec![],
            displays: vec![],
            displays_made: 0,
            chosen_call: None,
            host,
            delivery: DeliveryMode::Instant,
            code_scope: CodeScope::default(),
            shown_events: 0,
            finished: false,
            dialogue: None,
        };
        debugger.take_up_noted();
        debugger
    }

    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// Carries out one typed line.
    pub fn command(&mut self, text: &str) -> Answered {
        if text.trim().is_empty() {
            return Ok(Reply::Nothing {});
        }
        self.carry_out(&parse(text)?)
    }

    /// Carries out a command, and after a move what is due then. One that is refused leaves the
    /// session as it was.
    pub fn carry_out(&mut self, command: &Command) -> Answered {
        self.due.clear();
        let reply = self.carry_out_alone(command)?;
        Ok(self.with_what_is_due(reply))
    }

    fn carry_out_alone(&mut self, command: &Command) -> Answered {
        match command {
            Command::Step { count, unit, process } => self.step(*count, *unit, process),
            Command::Next { count, process } => self.next(*count, process),
            Command::Finish { process } => self.finish(process),
            Command::Continue { process } => self.continue_(process),
            Command::ReverseStep { count, unit, process } => {
                self.reverse_step(*count, *unit, process)
            }
            Command::ReverseNext { count, process } => self.reverse_next(*count, process),
            Command::ReverseFinish { count, process } => self.reverse_finish(*count, process),
            Command::ReverseContinue { all, process } => self.reverse_continue(*all, process),
            Command::Run { choices } => self.run(*choices),
            Command::Back { count } => self.back(*count),
            Command::Deliver { what } => self.deliver(what),
            Command::Choose(chosen) => self.choose(chosen),
            Command::Take(chosen) => self.take(chosen),
            Command::Explore { most } => self.explore(*most),
            Command::Adopt { file } => self.adopt(file),
            Command::Undo { target, dry_run: false } => self.undo(target),
            Command::Redo { target, dry_run: false } => self.redo(target),
            Command::Alone { command } => self.alone(command),
            Command::UndoOne { process } => self.undo_one(process),
            Command::RedoOne { process } => self.redo_one(process),
            Command::Goto { process, step } => self.goto(process, *step),
            Command::GotoMark { name } => self.goto_mark(name),
            Command::GotoFailure { which } => self.goto_failure(*which),
            Command::GotoOrigin { expression } => self.goto_origin(expression),
            Command::Mark { name } => self.mark(name),
            Command::Unmark { name } => self.unmark(name),
            Command::Note { event, text } => self.note(event, text),
            Command::Unnote { number } => self.unnote(*number),
            Command::Process { process } => {
                let proc = target::process(&self.session, process)?;
                Ok(self.arrived(proc, MoveKind::Stayed, vec![]))
            }
            Command::Up { count } => self.up(*count),
            Command::Down { count } => self.down(*count),
            Command::Frame { level } => self.frame(*level),
            Command::Branch { name } => self.switch_branch(name),
            Command::Break(spec) => self.add_breakpoint(spec),
            Command::Watch { expression } => self.watch(expression),
            Command::Ignore { id, count } => self.ignore(*id, *count),
            Command::Commands { id, commands } => self.set_commands(*id, commands),
            Command::Display { expression: Some(expression) } => self.display(expression),
            Command::Undisplay { id } => self.undisplay(*id),
            Command::Until { place } => self.until(place),
            Command::Delete { id } => self.delete_breakpoints(*id),
            Command::Set(setting) => self.set(setting),
            Command::Save { file } => self.save(file),
            Command::Load { file } => self.load(file),
            Command::Restart => self.restart(),
            Command::Quit => {
                self.finished = true;
                Ok(Reply::Nothing {})
            }
            _ => Ok(self.look(command, self.session.current)?),
        }
    }

    /// After a fault: what the command had set up for itself does not stay.
    pub fn recover(&mut self) {
        self.session.system.watch = Watch::default();
        self.session.set_interrupt(None);
    }

    /// The process that a command is about: the one it names, or the current one.
    fn subject(&self, process: &Option<ProcessRef>) -> Result<ProcId, CommandError> {
        match process {
            Some(process) => Ok(target::process(&self.session, process)?),
            None => Ok(self.session.current),
        }
    }

    fn refused(&self, why: Refused, proc: ProcId) -> CommandError {
        match why {
            Refused::InTheWay(event) => {
                CommandError::InTheWay(describe::event_line(&self.session.system, event))
            }
            why => CommandError::Refused { who: describe::who(&self.session.system, proc), why },
        }
    }

    /// Where we are now, after a move.
    fn arrived(&mut self, proc: ProcId, moved: MoveKind, notes: Vec<Note>) -> Reply {
        self.arrived_by(proc, moved, Passed { notes, ..Passed::default() })
    }

    fn arrived_by(&mut self, proc: ProcId, moved: MoveKind, passed: Passed) -> Reply {
        self.session.current = proc;
        let here = process::here(&self.session.now(), proc);
        let Passed { notes, plan, .. } = passed;
        let (displayed, answers) = (vec![], vec![]);
        Reply::Move(Box::new(Move { moved, notes, plan, here, displayed, answers }))
    }

    /// As `arrived_by`, but where a breakpoint has ended the way, if one has.
    fn arrived_passing(&mut self, proc: ProcId, moved: MoveKind, passed: Passed) -> Reply {
        self.arrived_by(passed.stopped_in.unwrap_or(proc), moved, passed)
    }

    /// The first things to show of a session: what went wrong in it, if something has happened
    /// already, and where it begins. A recording that has not been walked in yet begins at the
    /// moment of its failure, in the process that failed.
    pub fn greetings(&mut self) -> Vec<Reply> {
        let report = failure::report(&self.session, 0, Detail::Whole);
        let has_failed = report.count > 0 || report.departed.is_some();
        let has_begun = self.session.execution().event_count() > 0;
        let moment = report.card.as_ref().and_then(|card| card.moment.clone());
        let is_whole = report.departed.is_none() && self.session.is_at_end();
        let first = (has_begun && has_failed).then(|| Reply::Failure(Box::new(report)));
        let here = match moment {
            Some(MomentSpec::Step { proc, step }) if has_begun && is_whole => {
                let proc = ProcId(proc);
                let plan = self.session.plan_undo(Target::Steps(proc, step));
                self.session.carry_out(&plan);
                self.arrived(proc, MoveKind::Undone, vec![])
            }
            _ => self.arrived(self.session.system.main, MoveKind::Stayed, vec![]),
        };
        first.into_iter().chain([here]).collect()
    }
}

/// What was met on the way.
#[derive(Default)]
struct Passed {
    notes: Vec<Note>,
    plan: Option<PlanView>,
    /// The process in which a breakpoint has ended the way.
    stopped_in: Option<ProcId>,
}

impl Passed {
    fn by(note: Note) -> Passed {
        Passed { notes: vec![note], ..Passed::default() }
    }

    fn of(moved: &Moved) -> Passed {
        Passed { notes: branch_note(moved).into_iter().collect(), ..Passed::default() }
    }

    fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.plan.is_none()
    }
}

fn branch_note(moved: &Moved) -> Option<Note> {
    match moved {
        Moved::Branched(branch) => Some(Note::BranchOpened { branch: branch.clone() }),
        Moved::Replayed | Moved::Ran => None,
    }
}
