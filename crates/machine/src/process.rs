//! One Erlang process as a pure coroutine: it runs until it needs something from outside.
//!
//! Nothing here knows about schedules, files or time. Given the same answers a process takes the
//! same steps, so any moment of it can be reached again by running from an earlier one.

use crate::dictionary::Dictionary;
use crate::edition::Seen;
use crate::mailbox::Mailbox;
use crate::program::Program;
use crate::raise::{Class, Exception, Raise};
use crate::stack::Stack;
use crate::tracing::Marks;
use reverl_lang::code::{CodeId, FunId, Pc, Reg};
use reverl_term::{Map, Pid, Ref, Term};

/// One Erlang process.
pub struct Process {
    /// The code that its program counters point into.
    pub(crate) code: CodeId,
    pub(crate) stack: Stack,
    pub(crate) pc: Pc,
    pub(crate) steps: u64,
    pub(crate) state: State,
    ending: Option<Box<Ending>>,
    /// Where and at which step a watched instruction stopped it last.
    pub(crate) watched: Option<(Pc, u64)>,
    /// The instruction before this one, in a loop that watches.
    pub(crate) came_from: Pc,
    /// The open calls of which something is told when they are over.
    pub(crate) marks: Option<Box<Marks>>,
    /// The messages that were delivered and not yet received.
    pub mailbox: Mailbox,
    /// The state that only the process itself and its built-ins touch.
    pub local: Local,
}

/// State that only the process itself and its built-ins touch.
#[derive(Clone)]
pub struct Local {
    /// The identifier of the process.
    pub pid: Pid,
    /// The process dictionary.
    pub dictionary: Dictionary,
    /// The group leader, usually a pid.
    pub group_leader: Term,
    /// The flag `trap_exit`.
    pub trap_exit: bool,
    /// References and unique integers are numbered per process, so that taking steps of
    /// different processes in another order mints the same ones.
    pub minted: u64,
    /// The other flags that `process_flag/2` has set.
    pub flags: Map,
    /// The module, function and arity that it was spawned with.
    pub initial_call: (reverl_term::Atom, reverl_term::Atom, u32),
    /// Which versions of modules it calls.
    pub seen: Seen,
}

impl Local {
    /// The state of a process that begins.
    pub fn new(pid: Pid, group_leader: Term) -> Local {
        let nothing = reverl_term::atoms::UNDEFINED;
        Local {
            pid,
            dictionary: Dictionary::default(),
            group_leader,
            trap_exit: false,
            minted: 0,
            flags: Map::new(),
            initial_call: (nothing, nothing, 0),
            seen: None,
        }
    }

    /// The name of the node that the process runs on.
    pub fn node(&self) -> reverl_term::Atom {
        crate::edition::node_of(&self.seen, self.pid.node)
    }

    fn mint(&mut self) -> u64 {
        self.minted += 1;
        self.minted
    }

    /// A new reference. Its second word names the process that made it.
    pub fn make_ref(&mut self) -> Term {
        let n = self.mint();
        let words = [(n & 0x3_FFFF) as u32, self.pid.id, (n >> 18) as u32];
        let Pid { node, creation, .. } = self.pid;
        Term::reference(Ref { node, creation, ..Ref::local(words) })
    }

    /// A new integer, as `unique_integer/1` makes them without `monotonic`.
    pub fn unique_integer(&mut self, positive: bool) -> Term {
        let n = (self.mint() << 24 | u64::from(self.pid.id & 0xFF_FFFF)) as i64;
        Term::int(if positive { n } else { n - 576_460_752_303_423_488 })
    }
}

/// It changes with every message, so it must hold nothing that needs to be dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    /// A request was made (of this built-in, unless it is a send); its answer goes there.
    Asking {
        to: Answer,
        builtin: Option<u32>,
    },
    /// In a receive without a matching message.
    Waiting,
    /// `Process::ending` says how.
    Ended,
    /// The same; it was ended from outside, before its next instruction.
    Killed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    To(Reg),
    /// The request was a tail call: the answer is the function's value.
    Return(Reg),
}

/// How a process ended.
#[derive(Clone)]
pub enum Ending {
    /// Its function returned this value.
    Value(Term),
    /// An exception was not caught, or an exit signal arrived.
    Exception(Exception),
}

/// Why `run` stopped.
pub enum Stop {
    /// The next instruction would pass the limit of steps.
    Limit,
    /// The next instruction is watched.
    Watched,
    /// `To ! Message` must be answered.
    Send {
        /// The receiver: a pid, a name, or whatever the program has put there.
        to: Term,
        /// The message that is sent.
        message: Term,
    },
    /// A built-in needs something from outside and must be answered.
    Request {
        /// The number of the built-in, for `Program::builtin`.
        builtin: u32,
        /// The arguments of the call.
        args: Vec<Term>,
    },
    /// A receive took this message out of the mailbox.
    Received(crate::mailbox::Message),
    /// No message matches. The process goes on after a delivery or `time_out`.
    Wait {
        /// After how many milliseconds the `after` runs; `None` for never.
        timeout: Option<u64>,
    },
    /// A function of this module is called for the first time.
    Load(reverl_term::Atom),
    /// The process has ended; `Process::ending` says how.
    Ended,
    /// A limit of the machine (not of Erlang) was hit; the process cannot go on.
    OutOf(Resource),
}

/// What the machine can run out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The stack of a process is larger than `Limits::stack`.
    Stack,
    /// The machine needs more than `Limits::memory`.
    Memory,
    /// The process needs more than it has allowed itself (`max_heap_size`).
    Heap,
}

impl Process {
    /// A process that is about to run `fun` with `args` (and whatever a closure holds).
    pub fn start(program: &Program, fun: FunId, args: Vec<Term>, local: Local) -> Process {
        let info = program.code.fun(fun);
        Process {
            code: program.code.id(),
            stack: Stack::new(args, info.registers as usize),
            pc: info.entry,
            steps: 0,
            state: State::Running,
            ending: None,
            watched: None,
            came_from: 0,
            marks: None,
            mailbox: Mailbox::default(),
            local,
        }
    }

    /// A process in the middle of a function, with the registers that matter there.
    pub fn resume_at(program: &Program, pc: Pc, set: &[(Reg, Term)], local: Local) -> Process {
        let fun = program.code.fun_at(pc);
        let mut process = Process::start(program, fun, vec![], local);
        process.pc = pc;
        process.set_registers(set);
        process
    }

    /// Gives registers of the current frame other values: what would come of them?
    pub fn set_registers(&mut self, set: &[(Reg, Term)]) {
        for (reg, value) in set {
            self.stack.terms[self.stack.base + *reg as usize] = value.clone();
        }
    }

    /// A register of the current frame has another value from here on. That counts as a step: the
    /// moments before and after it are two.
    pub fn assign(&mut self, register: Reg, value: Term) {
        self.set_registers(&[(register, value)]);
        self.steps += 1;
        if self.is_waiting() {
            // What did not match before may match now.
            self.mailbox.rewind();
            if self.mailbox.current().is_some() {
                self.state = State::Running;
            }
        }
    }

    /// Something is told of it that is no deed of its own, which counts as a step.
    pub fn pass_step(&mut self) {
        self.steps += 1;
    }

    /// It goes on from here, whatever watches this instruction.
    pub fn stop_no_more_here(&mut self) {
        self.watched = Some((self.pc, self.steps));
    }

    /// It is here to stay: what watches this instruction stops it once more.
    pub fn stop_again_here(&mut self) {
        self.watched = None;
    }

    /// How many steps it has taken since it began.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The instruction that it executes next.
    pub fn pc(&self) -> Pc {
        self.pc
    }

    /// Whether it is in a receive without a matching message.
    #[inline]
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_deref()
    }

    /// Whether it was ended from outside, before its next instruction.
    pub fn was_killed(&self) -> bool {
        matches!(self.state, State::Killed)
    }

    pub(crate) fn end(&mut self, ending: Ending) {
        self.state = State::Ended;
        self.ending = Some(Box::new(ending));
    }

    /// Its stack.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// How many calls are below the current one.
    pub fn depth(&self) -> usize {
        self.stack.depth()
    }

    /// The registers of the current frame.
    pub fn registers(&self) -> &[Term] {
        &self.stack.terms[self.stack.base..]
    }

    /// A copy that shares everything with the original, except that its mailbox is empty: its
    /// messages belong to the state of the system, not to that of the process.
    pub fn snapshot(&mut self, program: &Program) -> Process {
        let registers = program.code.fun(program.code.fun_at(self.pc)).registers as usize;
        let stack = self.stack.freeze(registers);
        self.with_stack(stack)
    }

    /// The remains of a process that has ended: everything but its stack.
    pub fn husk(&self) -> Process {
        self.with_stack(Stack::default())
    }

    /// A copy of a snapshot.
    pub fn fork(&self) -> Process {
        self.with_stack(self.stack.share())
    }

    fn with_stack(&self, stack: Stack) -> Process {
        Process {
            code: self.code,
            stack,
            pc: self.pc,
            steps: self.steps,
            state: self.state,
            ending: self.ending.clone(),
            watched: None,
            came_from: self.came_from,
            marks: self.marks.clone(),
            mailbox: self.mailbox.only_kept(),
            local: self.local.clone(),
        }
    }

    /// The answer to the request that `run` stopped with.
    pub fn answer(&mut self, program: &Program, answer: Result<Term, Raise>) {
        match answer {
            Ok(value) => self.answer_value(program, value),
            Err(raise) => {
                let (to, builtin) = self.asked();
                self.raise_from_request(program, raise, to, builtin);
            }
        }
    }

    /// As `answer`, for a request that has a value.
    #[inline]
    pub fn answer_value(&mut self, program: &Program, value: Term) {
        match self.asked().0 {
            Answer::To(reg) => {
                let at = self.stack.base + reg as usize;
                self.stack.terms[at] = value;
                self.pc += 1;
            }
            Answer::Return(_) => self.return_value(program, value),
        }
    }

    #[inline]
    fn asked(&mut self) -> (Answer, Option<u32>) {
        let State::Asking { to, builtin } = self.state else {
            panic!("an answer to a process that asked nothing");
        };
        self.state = State::Running;
        (to, builtin)
    }

    /// The wait of a receive is over without a message: its `after` runs.
    pub fn time_out(&mut self) {
        assert!(self.is_waiting(), "a time-out of a process that does not wait");
        self.state = State::Running;
        self.pc += 1;
        self.mailbox.rewind();
    }

    /// A message has come; a waiting process looks at it when it runs again.
    #[inline]
    pub fn deliver(&mut self, message: crate::mailbox::Message) {
        self.mailbox.push(message);
        self.wake();
    }

    /// The same for a priority message.
    pub fn deliver_urgent(&mut self, message: crate::mailbox::Message) {
        self.mailbox.push_urgent(message);
        self.wake();
    }

    #[inline]
    fn wake(&mut self) {
        if self.is_waiting() {
            self.state = State::Running;
        }
    }

    /// Ends the process from outside: an exit signal.
    pub fn kill(&mut self, reason: Term) {
        let trace = Term::nil();
        let exception = Exception { class: Class::Exit, reason, trace };
        self.end(Ending::Exception(exception));
        self.state = State::Killed;
    }

    pub(crate) fn return_value(&mut self, program: &Program, value: Term) {
        match self.stack.frames.pop() {
            Some(frame) => {
                let base = self.stack.base;
                self.stack.terms[base] = value;
                self.stack.base = frame.base as usize;
                self.pc = frame.ret;
            }
            None => match self.stack.thaw(&program.code) {
                Some((ret, slot)) => {
                    self.stack.terms[slot] = value;
                    self.pc = ret;
                }
                None => self.end(Ending::Value(value)),
            },
        }
    }
}
