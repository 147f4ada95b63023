//! One Erlang process as a pure coroutine: it runs until it needs something from outside.
//!
//! Nothing here knows about schedules, files or time. Given the same answers a process takes the
//! same steps, so any moment of it can be had again by running from an earlier one.

use crate::mailbox::Mailbox;
use crate::program::Program;
use crate::raise::{Class, Exception, Raise};
use crate::stack::Stack;
use reverl_lang::code::{CodeId, FunId, Pc, Reg};
use reverl_term::{Map, Pid, Ref, Term};

pub struct Process {
    /// The code that its places are in.
    pub(crate) code: CodeId,
    pub(crate) stack: Stack,
    pub(crate) pc: Pc,
    pub(crate) steps: u64,
    pub(crate) state: State,
    ending: Option<Box<Ending>>,
    /// Where and at which step a watched instruction stopped it last.
    pub(crate) watched: Option<(Pc, u64)>,
    pub mailbox: Mailbox,
    pub local: Local,
}

/// State that only the process itself and its built-ins touch.
#[derive(Clone)]
pub struct Local {
    pub pid: Pid,
    pub dictionary: Map,
    pub group_leader: Term,
    pub trap_exit: bool,
    /// References and unique integers are numbered per process, so that taking steps of
    /// different processes in another order mints the same ones.
    pub minted: u64,
    pub flags: Map,
    /// Module, function and arguments that it was spawned with.
    pub initial_call: (reverl_term::Atom, reverl_term::Atom, u32),
}

impl Local {
    pub fn new(pid: Pid, group_leader: Term) -> Local {
        let nothing = reverl_term::atoms::UNDEFINED;
        Local {
            pid,
            dictionary: Map::new(),
            group_leader,
            trap_exit: false,
            minted: 0,
            flags: Map::new(),
            initial_call: (nothing, nothing, 0),
        }
    }

    fn mint(&mut self) -> u64 {
        self.minted += 1;
        self.minted
    }

    /// A new reference. Its second word names the process that made it.
    pub fn make_ref(&mut self) -> Term {
        let n = self.mint();
        let words = [(n & 0x3_FFFF) as u32, self.pid.id, (n >> 18) as u32];
        Term::reference(Ref { node: self.pid.node, creation: 0, words })
    }

    pub fn unique_integer(&mut self, positive: bool) -> Term {
        let n = (self.mint() << 24 | u64::from(self.pid.id & 0xFF_FFFF)) as i64;
        Term::int(if positive { n } else { n - 576_460_752_303_423_488 })
    }
}

/// Nothing in it must be dropped: it changes with every message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    /// A request was made; its answer goes where the instruction says.
    Asking(Answer),
    /// In a receive without a matching message.
    Waiting,
    /// `Process::ending` says how.
    Ended,
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
    Value(Term),
    Exception(Exception),
}

/// Why `run` came back.
pub enum Stop {
    /// The next instruction would pass the limit of steps.
    Limit,
    /// The next instruction is watched.
    Watched,
    /// `To ! Message`; to be answered.
    Send {
        to: Term,
        message: Term,
    },
    /// A built-in that needs the outside; to be answered.
    Request {
        builtin: u32,
        args: Vec<Term>,
    },
    /// The message was taken out of the mailbox by a receive.
    Received(crate::mailbox::Message),
    /// No message matches; `timeout` in milliseconds. Goes on after a delivery or `time_out`.
    Wait {
        timeout: Option<u64>,
    },
    /// A function of this module is called for the first time.
    Load(reverl_term::Atom),
    Ended,
    /// A limit of the machine (not of Erlang) was hit; the process cannot go on.
    OutOf(Resource),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Stack,
    Memory,
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
            mailbox: Mailbox::default(),
            local,
        }
    }

    /// A process in the middle of a function, with the registers that matter there.
    pub fn resume_at(program: &Program, pc: Pc, set: &[(Reg, Term)], local: Local) -> Process {
        let fun = program.code.fun_at(pc);
        let mut process = Process::start(program, fun, vec![], local);
        process.pc = pc;
        for (reg, value) in set {
            process.stack.terms[*reg as usize] = value.clone();
        }
        process
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn pc(&self) -> Pc {
        self.pc
    }

    #[inline]
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_deref()
    }

    pub(crate) fn end(&mut self, ending: Ending) {
        self.state = State::Ended;
        self.ending = Some(Box::new(ending));
    }

    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    pub fn depth(&self) -> usize {
        self.stack.depth()
    }

    /// The registers of the current frame.
    pub fn registers(&self) -> &[Term] {
        &self.stack.terms[self.stack.base..]
    }

    /// A copy that shares everything with the original, except that its mailbox is empty: what
    /// is in it belongs to the system's moment, not to the process's.
    pub fn snapshot(&mut self, program: &Program) -> Process {
        let registers = program.code.fun(program.code.fun_at(self.pc)).registers as usize;
        let stack = self.stack.freeze(registers);
        self.with_stack(stack)
    }

    /// What is left of a process that has ended: everything but its stack.
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
            mailbox: Mailbox::default(),
            local: self.local.clone(),
        }
    }

    /// The answer to the request that `run` stopped with.
    pub fn answer(&mut self, program: &Program, answer: Result<Term, Raise>) {
        match answer {
            Ok(value) => self.answer_value(program, value),
            Err(raise) => {
                let to = self.asked();
                self.raise_from_request(program, raise, to);
            }
        }
    }

    #[inline]
    pub fn answer_value(&mut self, program: &Program, value: Term) {
        match self.asked() {
            Answer::To(reg) => {
                let at = self.stack.base + reg as usize;
                self.stack.terms[at] = value;
                self.pc += 1;
            }
            Answer::Return(_) => self.return_value(program, value),
        }
    }

    #[inline]
    fn asked(&mut self) -> Answer {
        let State::Asking(to) = self.state else {
            panic!("an answer to a process that asked nothing");
        };
        self.state = State::Running;
        to
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
        if self.is_waiting() {
            self.state = State::Running;
        }
    }

    /// Ends the process from outside: an exit signal.
    pub fn kill(&mut self, reason: Term) {
        let trace = Term::nil();
        let exception = Exception { class: Class::Exit, reason, trace };
        self.end(Ending::Exception(exception));
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
