//! The numbers by which a client names calls and values. They hold until the session moves.

use reverl_session::query::info::InfoAbout;
use reverl_session::query::term::TermSource;

/// A call of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRef {
    pub proc: u32,
    /// How many calls further out than the innermost.
    pub level: usize,
}

/// What has variables in it.
#[derive(Clone, Debug)]
pub enum Container {
    /// The variables of a call.
    Locals(FrameRef),
    /// The messages that wait.
    Mailbox { proc: u32 },
    /// The processes that a process is tied to.
    Ties { proc: u32 },
    /// The parts of a term.
    Parts { of: TermSource, path: Vec<usize> },
    /// Those of its parts that did not fit, from this one on.
    Rest { of: TermSource, path: Vec<usize>, from: usize },
}

impl Container {
    pub fn info(info: InfoAbout, proc: u32, path: Vec<usize>) -> Container {
        Container::Parts { of: TermSource::Info { info, proc }, path }
    }
}

/// What has been named since the last move.
#[derive(Default)]
pub struct References {
    frames: Vec<FrameRef>,
    containers: Vec<Container>,
    /// Places to go to.
    targets: Vec<(u32, u64)>,
    /// How many numbers were given out before: none is ever given out again.
    before: usize,
}

impl References {
    /// None of what was named is there any more.
    pub fn forget(&mut self) {
        let given = self.frames.len() + self.containers.len() + self.targets.len();
        *self = References { before: self.before + given, ..References::default() };
    }

    /// The number of the last of so many.
    fn number(&self, length: usize) -> i64 {
        (self.before + length) as i64
    }

    fn place(&self, number: i64) -> usize {
        usize::try_from(number).unwrap_or(0).wrapping_sub(self.before).wrapping_sub(1)
    }

    pub fn frame(&mut self, frame: FrameRef) -> i64 {
        self.frames.push(frame);
        self.number(self.frames.len())
    }

    pub fn container(&mut self, container: Container) -> i64 {
        self.containers.push(container);
        self.number(self.containers.len())
    }

    /// A step of a process that can be gone to.
    pub fn target(&mut self, proc: u32, step: u64) -> i64 {
        self.targets.push((proc, step));
        self.number(self.targets.len())
    }

    pub fn frame_of(&self, id: i64) -> Result<FrameRef, String> {
        self.frames.get(self.place(id)).copied().ok_or_else(|| gone("call", id))
    }

    pub fn container_of(&self, id: i64) -> Result<Container, String> {
        self.containers.get(self.place(id)).cloned().ok_or_else(|| gone("value", id))
    }

    pub fn target_of(&self, id: i64) -> Result<(u32, u64), String> {
        self.targets.get(self.place(id)).copied().ok_or_else(|| gone("place to go to", id))
    }
}

fn gone(what: &str, id: i64) -> String {
    format!("there is no {what} {id} any more: the session has moved since; ask for it again")
}
