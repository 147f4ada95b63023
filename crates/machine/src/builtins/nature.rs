//! What a built-in means to everybody but the process that calls it. The row of the built-in holds
//! its nature, and whoever needs to know asks the row.

/// What a call of a built-in means to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// Its value comes from its arguments and the process's own state alone.
    Pure,
    /// The answer comes from outside: files, environment, chance.
    Input,
    /// The answer is the time.
    Clock,
    /// It sends a message.
    Send,
    /// It spawns a process.
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
    /// It sets the group leader of a process.
    GroupLeader,
    /// It is about a timer.
    Timer(TimerUse),
    /// It is about this part of a table.
    Table(Part),
    /// It is about this part of an array of words.
    Words(Part),
    /// It is about the persistent terms.
    PersistentTerm,
    /// It makes an integer that is unique in the node.
    UniqueInteger,
    /// It writes text for the user.
    Output,
    /// What was written to files.
    Files,
    /// It loads, deletes or purges code.
    Code(NewCode),
    /// It reads or sets what the node is told from outside: environment, arguments, paths.
    Setting,
    /// It is about nodes and their connections.
    Node(NodeUse),
    /// It ends the node.
    Halt,
    /// It answers in place of a function that is not interpreted.
    StandIn,
    /// A process of a recorded node asks what it does next.
    Outside,
    /// The call that a recording began with is over.
    Returned,
    /// A process tells its tracer something.
    Trace,
}

/// A way in which a process ties itself to another, or unties itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// `link/1`
    Link,
    /// `unlink/1`
    Unlink,
    /// `monitor/2,3`
    Monitor,
    /// `demonitor/1,2`
    Demonitor,
    /// `alias/0,1`
    Alias,
    /// `unalias/1`
    Unalias,
}

/// The code that must be there before a change of the current code can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewCode {
    /// The module that is given in its arguments.
    Given,
    /// The module of the files.
    OfFiles,
    /// OTP's own logger in place of the small one.
    Logger,
    /// None: something else changes that all processes see, such as the name of the node.
    Name,
    /// None.
    Nothing,
}

/// What is done with a registered name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// `register/2`
    Register,
    /// `unregister/1`
    Unregister,
    /// `whereis/1`
    Whereis,
}

/// What is done with nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeUse {
    /// A node is started.
    Start,
    /// A node is stopped.
    Stop,
    /// It asks which nodes are connected.
    Look,
    /// Nodes are connected.
    Connect,
    /// The connection of two nodes is ended.
    Disconnect,
    /// A process wants to be told of nodes, or no longer.
    Watch,
    /// The process of a node asks what happens to its connections, which only the outside knows.
    Fate,
}

/// What is asked about other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// `registered/0`
    Registered,
    /// `processes/0`
    Processes,
    /// `process_info/1,2`
    ProcessInfo,
    /// `is_process_alive/1`
    IsAlive,
    /// Who is in the old version of a module.
    CodeUsers,
    /// How a process is traced, or that it is from now on.
    Tracing,
}

/// What is done with a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerUse {
    /// A timer is started.
    Start,
    /// A timer is cancelled.
    Cancel,
    /// A timer is asked how much time is left.
    Read,
}

/// Which part of a shared thing a call concerns. A key is its second argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// It reads one key.
    ReadKey,
    /// It writes one key.
    WriteKey,
    /// Its second argument is an object, which has its key inside, or a list of objects.
    WriteObject,
    /// It reads what a pattern matches, its second argument or the heads of a match specification.
    ReadPattern,
    /// It writes what a match specification matches.
    WritePattern,
}

impl Nature {
    /// Whether the answer is kept and given again when the past is replayed: it comes from
    /// outside, or tells what time has done or how far another process has run.
    pub fn is_kept(self) -> bool {
        match self {
            Nature::Input | Nature::Clock => true,
            Nature::Look(look) => {
                matches!(look, Look::ProcessInfo | Look::CodeUsers | Look::Tracing)
            }
            Nature::Timer(use_of) => use_of != TimerUse::Start,
            _ => false,
        }
    }

    /// Whether it makes a new process.
    pub fn is_spawn(self) -> bool {
        matches!(self, Nature::Spawn | Nature::SpawnMonitor)
    }

    /// Whether it is about something that all processes of a node share and that a recording of
    /// one keeps the answers of.
    pub fn is_shared(self) -> bool {
        matches!(self, Nature::Table(_) | Nature::Words(_) | Nature::PersistentTerm)
    }
}
