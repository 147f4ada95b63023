//! What a recording of a real node consists of, and its form on disk.

use reverl_causal::recording::Writer;
use serde::{Deserialize, Serialize};

/// Entries per part: what a torn tail can cost.
const PART: usize = 4096;

/// A process of the recording; its number is its place in `Recorded::processes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// `serial << 32 | id`
    pub pid: u64,
    pub origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Spawned by this process of the recording.
    Spawned(u32),
    /// It was there before, and recorded from a call on.
    Begun,
    /// It is not recorded: only what it sends to others is.
    Outside,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    pub module: String,
    pub name: String,
    pub arity: u16,
    pub kind: Kind,
}

/// What is recorded of calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    Input,
    /// The same, and what it does inside is not.
    Opaque,
    /// Recording begins with it.
    Trigger,
    /// It does not come back.
    Last,
    /// Loading of a module, which is none of the program's business.
    Loading,
    /// Not recorded: printing asks for it, and the machine prints by itself.
    Hidden,
}

impl Kind {
    /// Its value is recorded.
    pub fn is_input(self) -> bool {
        matches!(self, Kind::Input | Kind::Opaque)
    }
}

/// One event of a process, in the order of the whole node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub proc: u32,
    pub deed: Deed,
}

/// Terms are in the external format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// A message of a recorded process is in the mailbox; `hash` is its `phash2`, if wanted.
    Deliver {
        from: u32,
        hash: Option<u32>,
    },
    /// A message with its contents; nobody sent it if it is a timer's, a port's or of another node.
    DeliverTerm {
        from: Option<u32>,
        message: Vec<u8>,
    },
    Timeout,
    /// A receive took a message of a recorded process.
    Consume {
        from: u32,
    },
    Spawn(u32),
    Exit(Vec<u8>),
    Result {
        function: u32,
        value: Value,
    },
    /// `{Class, Reason}`
    Raised {
        function: u32,
        exception: Vec<u8>,
    },
    /// Recording of the process begins with this call.
    Begin {
        function: u32,
        args: Vec<u8>,
    },
    Return(Vec<u8>),
    /// `{Class, Reason}`
    BeginRaised(Vec<u8>),
    Register(Vec<u8>),
    Unregister(Vec<u8>),
    Call {
        function: u32,
        args: Vec<u8>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    Int(i64),
    /// A reference of the node itself.
    Ref([u32; 3]),
    /// One of the most frequent atoms, by number.
    Atom(u8),
    Term(Vec<u8>),
}

/// A module as it was loaded: its debug info, and its source if that could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    pub name: String,
    pub path: String,
    /// The chunk `Dbgi` (or `Abst`) of its `.beam`.
    pub chunk: [u8; 4],
    pub debug_info: Vec<u8>,
    pub source: Option<(String, String)>,
}

#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What the node said of itself, in the external format.
    pub node: Vec<u8>,
    pub command: Vec<String>,
    pub level: String,
    pub functions: Vec<Function>,
    pub processes: Vec<Process>,
    pub modules: Vec<Module>,
    /// Modules that could not be kept, with the reason and what helps.
    pub missing: Vec<String>,
    pub entries: Vec<Entry>,
    /// Only the newest entries were kept: what led to them is not known.
    pub lacks_beginning: bool,
    /// The file breaks off: entries at its end are missing.
    pub is_torn: bool,
    /// Why recording ended before the node did, if it had to.
    pub stopped_by: Option<String>,
}

#[derive(Serialize, Deserialize)]
enum Part {
    Node { node: Vec<u8>, command: Vec<String>, level: String },
    Functions(Vec<Function>),
    Processes(Vec<Process>),
    Module(Module),
    Entries(Vec<Entry>),
    End,
    LacksBeginning,
    Missing(Vec<String>),
    StoppedBy(String),
}

impl Recorded {
    pub fn write(&self, writer: &mut Writer) {
        let mut put = |part: &Part| {
            writer.node(&postcard::to_stdvec(part).expect("our own types"));
        };
        put(&Part::Node {
            node: self.node.clone(),
            command: self.command.clone(),
            level: self.level.clone(),
        });
        if self.lacks_beginning {
            put(&Part::LacksBeginning);
        }
        if let Some(why) = &self.stopped_by {
            put(&Part::StoppedBy(why.clone()));
        }
        put(&Part::Functions(self.functions.clone()));
        self.modules.iter().for_each(|m| put(&Part::Module(m.clone())));
        if !self.missing.is_empty() {
            put(&Part::Missing(self.missing.clone()));
        }
        self.processes.chunks(PART).for_each(|p| put(&Part::Processes(p.to_vec())));
        self.entries.chunks(PART).for_each(|e| put(&Part::Entries(e.to_vec())));
        put(&Part::End);
    }

    /// As much as there is; parts that cannot be read end it.
    pub fn read(parts: &[Vec<u8>]) -> Recorded {
        let mut read = Recorded { is_torn: true, ..Recorded::default() };
        for bytes in parts {
            match postcard::from_bytes(bytes) {
                Ok(Part::Node { node, command, level }) => {
                    (read.node, read.command, read.level) = (node, command, level);
                }
                Ok(Part::Functions(functions)) => read.functions = functions,
                Ok(Part::Processes(processes)) => read.processes.extend(processes),
                Ok(Part::Module(module)) => read.modules.push(module),
                Ok(Part::Entries(entries)) => read.entries.extend(entries),
                Ok(Part::Missing(missing)) => read.missing = missing,
                Ok(Part::LacksBeginning) => read.lacks_beginning = true,
                Ok(Part::StoppedBy(why)) => read.stopped_by = Some(why),
                Ok(Part::End) => read.is_torn = false,
                Err(_) => break,
            }
        }
        read
    }
}
