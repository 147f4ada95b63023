//! What a built-in is to everybody but the process that calls it. It stands in the built-in's row,
//! and whoever needs to know asks the row.

/// What a call of a built-in means to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// Its value comes from its arguments and the process's own state alone.
    Pure,
    /// The answer comes from outside: clock, files, environment, chance.
    Input,
    Send,
    Spawn,
    /// A spawn whose value has a reference beside the pid.
    SpawnMonitor,
    /// An exit signal to another process.
    Exit,
    /// It ties the process to others, or unties it.
    Tie(Tie),
    /// It is about a registered name.
    Name(Registration),
    /// It looks at other processes.
    Look(Look),
    /// It changes a flag of a process.
    Flag,
    GroupLeader,
    Timer(TimerUse),
    /// It is about a table: which part of it.
    Table(Part),
    /// It is about an array of words: which part of it.
    Words(Part),
    PersistentTerm,
    UniqueInteger,
    Output,
    /// What was written to files.
    Files,
    Halt,
    /// It answers in place of a function that is not interpreted.
    StandIn,
    /// A process of a recorded node asks what it does next.
    Outside,
    /// The call that a recording began with is over.
    Returned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    Link,
    Unlink,
    Monitor,
    Demonitor,
    Alias,
    Unalias,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    Register,
    Unregister,
    Whereis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Registered,
    Processes,
    ProcessInfo,
    IsAlive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerUse {
    Start,
    Cancel,
    Read,
}

/// Which part of a shared thing a call concerns. A key is its second argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    ReadKey,
    WriteKey,
    /// Its second argument is an object, which has its key inside.
    WriteObject,
}

impl Nature {
    /// Whether the answer is kept and given again when the past is replayed: it comes from
    /// outside, or tells what time has done or what everybody is.
    pub fn is_kept(self) -> bool {
        match self {
            Nature::Input => true,
            Nature::Look(look) => look != Look::IsAlive,
            Nature::Timer(use_of) => use_of != TimerUse::Start,
            _ => false,
        }
    }

    pub fn is_spawn(self) -> bool {
        matches!(self, Nature::Spawn | Nature::SpawnMonitor)
    }

    /// Whether it is about something that all processes of a node share and that a recording of
    /// one keeps the answers of.
    pub fn is_shared(self) -> bool {
        matches!(self, Nature::Table(_) | Nature::Words(_) | Nature::PersistentTerm)
    }
}
