//! What a recording of a real node consists of, and its form on disk.

use crate::node::Node;
use reverl_causal::recording::Writer;
use reverl_term::Atom;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;

/// How many entries a part holds: as many are lost when the end of a file is torn off.
const PART: usize = 4096;

/// A process of the recording; its number is its index in `NodeRecording::processes`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedProcess {
    /// `serial << 32 | id`
    pub pid: u64,
    /// Where the process came from.
    pub origin: Origin,
}

/// Where a process of the recording came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Spawned by this process of the recording.
    Spawned(u32),
    /// It was there before; it is recorded from a call on.
    Begun,
    /// It is not recorded: only what it sends to others is.
    Outside,
}

/// A function whose calls the tracer knows; its number is its index in `NodeRecording::functions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedFunction {
    /// The module of the function.
    pub module: String,
    /// Its name.
    pub name: String,
    /// How many arguments it takes.
    pub arity: u16,
    /// What is recorded of its calls.
    pub role: FunctionRole,
}

/// What is recorded of calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FunctionRole {
    /// The value is recorded.
    Input,
    /// The value is recorded, but nothing of what the function does inside.
    Opaque,
    /// Recording begins with it.
    Trigger,
    /// It does not return.
    Last,
    /// It loads a module, which does not concern the program.
    Loading,
    /// Nothing is recorded: printing calls it, and the machine prints by itself.
    Hidden,
}

impl FunctionRole {
    /// Whether its value is recorded.
    pub fn is_input(self) -> bool {
        matches!(self, FunctionRole::Input | FunctionRole::Opaque)
    }
}

/// One event of a process, in the order of the whole node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEntry {
    /// The number of the process.
    pub proc: u32,
    /// What it did.
    pub action: TraceAction,
}

/// A term in the external format. A recording has millions of entries, most of them without a term, so
/// this takes no more than a word of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermBytes(Box<Box<[u8]>>);

impl Serialize for TermBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self)
    }
}

impl<'de> Deserialize<'de> for TermBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TermBytes, D::Error> {
        deserializer.deserialize_bytes(WholeTerm)
    }
}

/// Takes the bytes of a term at once: one by one, what was read from a large file takes long.
struct WholeTerm;

impl Visitor<'_> for WholeTerm {
    type Value = TermBytes;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the bytes of a term")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<TermBytes, E> {
        Ok(TermBytes(Box::new(bytes.into())))
    }
}

impl From<Vec<u8>> for TermBytes {
    fn from(bytes: Vec<u8>) -> TermBytes {
        TermBytes(Box::new(bytes.into_boxed_slice()))
    }
}

impl std::ops::Deref for TermBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// What a process did or met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceAction {
    /// A message of a recorded process is in the mailbox.
    Deliver {
        /// The number of the sender.
        from: u32,
        /// The `phash2` of the message, if the level of recording asks for it.
        hash: Option<u32>,
    },
    /// A message is in the mailbox, recorded with its contents. It has no sender if a timer, a
    /// port or another node sent it.
    DeliverTerm {
        /// The number of the sender, if it is known.
        from: Option<u32>,
        /// The message itself.
        message: TermBytes,
    },
    /// The wait of a receive is over, and its `after` runs.
    Timeout,
    /// A receive took a message of a recorded process. Only older recordings have this, and a replay
    /// passes it over.
    Consume {
        /// The number of the sender.
        from: u32,
    },
    /// It spawned the process with this number.
    Spawn(u32),
    /// It ended with this reason.
    Exit(TermBytes),
    /// A call returned a value that is an input.
    Result {
        /// The number of the function.
        function: u32,
        /// The value that it returned.
        value: Box<RecordedValue>,
    },
    /// A call of an input raised an exception.
    Raised {
        /// The number of the function.
        function: u32,
        /// `{Class, Reason}`
        exception: TermBytes,
    },
    /// Recording of the process begins with this call.
    Begin {
        /// The number of the function.
        function: u32,
        /// The list of its arguments.
        args: TermBytes,
    },
    /// The call that recording began with returned this value.
    Return(TermBytes),
    /// The call that recording began with raised `{Class, Reason}`.
    BeginRaised(TermBytes),
    /// It registered this name.
    Register(TermBytes),
    /// It unregistered this name.
    Unregister(TermBytes),
    /// It called a function that does not return.
    Call {
        /// The number of the function.
        function: u32,
        /// The list of its arguments.
        args: TermBytes,
    },
    /// As `DeliverTerm`, while the process was in a call of which nothing inside is recorded: the
    /// message may have been for that call.
    DeliverInside {
        /// The number of the sender, if it is known.
        from: Option<u32>,
        /// The message itself.
        message: TermBytes,
    },
}

/// The term in an action, if there is one.
macro_rules! term_in {
    ($action:expr $(, $exclusive:tt)?) => {
        match $action {
            TraceAction::DeliverTerm { message: bytes, .. }
            | TraceAction::DeliverInside { message: bytes, .. }
            | TraceAction::Exit(bytes)
            | TraceAction::Raised { exception: bytes, .. }
            | TraceAction::Begin { args: bytes, .. }
            | TraceAction::Call { args: bytes, .. }
            | TraceAction::Return(bytes)
            | TraceAction::BeginRaised(bytes)
            | TraceAction::Register(bytes)
            | TraceAction::Unregister(bytes) => Some(bytes),
            TraceAction::Result { value, .. } => match &$($exclusive)? **value {
                RecordedValue::Term(bytes) => Some(bytes),
                _ => None,
            },
            _ => None,
        }
    };
}

impl TraceAction {
    /// Whether a message has come to the process.
    pub fn is_arrival(&self) -> bool {
        matches!(self, TraceAction::Deliver { .. } | TraceAction::DeliverTerm { .. })
    }

    /// The term in it, if there is one.
    pub fn term(&self) -> Option<&TermBytes> {
        term_in!(self)
    }

    /// The term in it, to be changed.
    pub fn term_mut(&mut self) -> Option<&mut TermBytes> {
        term_in!(self, mut)
    }
}

/// A recorded value, in the shortest form that it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecordedValue {
    /// An integer.
    Int(i64),
    /// A reference of the node itself.
    Ref([u32; 3]),
    /// One of the most frequent atoms, by number.
    Atom(u8),
    /// Any term, in the external format.
    Term(TermBytes),
}

/// A module as it was loaded: its debug info, and its source if that could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptModule {
    /// The name of the module.
    pub name: String,
    /// The path of its `.beam`.
    pub path: String,
    /// The chunk of its `.beam` that is kept (`Dbgi` or `Abst`); `FOR1` for a file of several.
    pub chunk: [u8; 4],
    /// The contents of that chunk.
    pub debug_info: Vec<u8>,
    /// The path and the text of its source.
    pub source: Option<(String, String)>,
}

/// A version of a module that was loaded from memory while the node was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeVersion {
    /// The module itself.
    pub module: KeptModule,
    /// How many entries come before the call that loads it.
    pub after: u32,
    /// Who loads it.
    pub loaded_by: LoadedBy,
}

/// Who loads a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadedBy {
    /// A recorded process: the value of its call is an entry.
    Recorded,
    /// Somebody else, or a call of which nothing inside is recorded.
    Outside,
}

/// A name that the node was given, or lost (`nonode@nohost`), while it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeName {
    /// The name itself.
    pub name: String,
    /// How many entries come before it.
    pub after: u32,
}

/// The recording of one node.
#[derive(Clone, Debug, Default)]
pub struct NodeRecording {
    /// What the node reported about itself, in the external format.
    pub node: Vec<u8>,
    /// The command line that was recorded.
    pub command: Vec<String>,
    /// The name of the level at which it was recorded.
    pub level: String,
    /// The functions that entries name by number.
    pub functions: Vec<TracedFunction>,
    /// The processes that entries name by number.
    pub processes: Vec<RecordedProcess>,
    /// The modules as the node had loaded them.
    pub modules: Vec<KeptModule>,
    /// Versions of modules that were loaded from memory meanwhile, in order.
    pub versions: Vec<CodeVersion>,
    /// Modules that could not be kept, with the reason and what helps.
    pub missing: Vec<String>,
    /// What happened, in the order of the whole node.
    pub entries: Vec<TraceEntry>,
    /// Only the newest entries were kept: what led to them is not known.
    pub lacks_beginning: bool,
    /// The file breaks off: entries at its end are missing.
    pub is_torn: bool,
    /// Why recording ended before the node did, if it had to.
    pub stopped_by: Option<String>,
    /// The node's atoms in the order of their numbers, as far as they are known.
    pub atoms: Vec<String>,
    /// The names that it was given meanwhile, in order.
    pub names: Vec<NodeName>,
    /// It is only what led to one event (see `slice`): processes stop where they no longer count.
    pub is_part: bool,
}

/// How many bytes an entry has at least.
const SMALLEST: usize = 2;

/// The first byte of a part with entries: its number among the kinds of parts.
const ENTRIES: u8 = 4;

#[derive(Serialize, Deserialize)]
enum Part {
    Node { node: Vec<u8>, command: Vec<String>, level: String },
    Functions(Vec<TracedFunction>),
    Processes(Vec<RecordedProcess>),
    Module(KeptModule),
    Entries(Vec<TraceEntry>),
    End,
    LacksBeginning,
    Missing(Vec<String>),
    StoppedBy(String),
    Version(CodeVersion),
    Atoms(Vec<String>),
    Names(Vec<NodeName>),
}

impl NodeRecording {
    /// Writes the recording, part by part.
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
        if !self.atoms.is_empty() {
            put(&Part::Atoms(self.atoms.clone()));
        }
        if !self.names.is_empty() {
            put(&Part::Names(self.names.clone()));
        }
        put(&Part::Functions(self.functions.clone()));
        self.modules.iter().for_each(|m| put(&Part::Module(m.clone())));
        self.versions.iter().for_each(|v| put(&Part::Version(v.clone())));
        if !self.missing.is_empty() {
            put(&Part::Missing(self.missing.clone()));
        }
        self.processes.chunks(PART).for_each(|p| put(&Part::Processes(p.to_vec())));
        self.entries.chunks(PART).for_each(|e| put(&Part::Entries(e.to_vec())));
        put(&Part::End);
    }

    /// Lets maps be iterated as on the node. What has been opened before in this thread decides for all, so false is
    /// an answer, too: then their order may differ.
    pub fn number_atoms(&self) -> bool {
        let order = Node::read(&self.node).map_order();
        !self.atoms.is_empty() && Atom::number(self.atoms.iter().map(String::as_str), order)
    }

    /// A module without debug info that the node had at first, and then another version of it that can be interpreted:
    /// of that one no calls are recorded. So where none are, they are computed.
    pub fn interpret_later_versions(&mut self) {
        let used = self.entries.iter().filter_map(|entry| match entry.action {
            TraceAction::Result { function, .. } | TraceAction::Raised { function, .. } => {
                Some(self.functions.get(function as usize)?.module.clone())
            }
            _ => None,
        });
        let used: HashSet<String> = used.collect();
        let at_hand: HashSet<&str> = self.modules.iter().map(|module| &*module.name).collect();
        for function in &mut self.functions {
            let is_kept = at_hand.contains(&*function.module);
            if function.role == FunctionRole::Opaque && is_kept && !used.contains(&function.module)
            {
                function.role = FunctionRole::Loading;
            }
        }
    }

    /// The modules with which the program can be begun anew: the versions that others loaded stand
    /// for what cannot be made again.
    pub fn modules_at_hand(&self) -> Vec<&KeptModule> {
        let mut found: Vec<&KeptModule> = self.modules.iter().collect();
        for version in self.versions.iter().filter(|v| v.loaded_by == LoadedBy::Outside) {
            if !found.iter().any(|known| known.name == version.module.name) {
                found.push(&version.module);
            }
        }
        found
    }

    /// Reads as much as there is, up to the first part that cannot be read.
    pub fn read(parts: &[Vec<u8>]) -> NodeRecording {
        let mut read = NodeRecording { is_torn: true, ..NodeRecording::default() };
        // A list that grows as it is read would take up to twice of its room.
        let entries = parts.iter().filter(|bytes| bytes.first() == Some(&ENTRIES));
        read.entries.reserve_exact(entries.map(|bytes| PART.min(bytes.len() / SMALLEST)).sum());
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
                Ok(Part::Version(version)) => read.versions.push(version),
                Ok(Part::Atoms(atoms)) => read.atoms = atoms,
                Ok(Part::Names(names)) => read.names = names,
                Ok(Part::StoppedBy(why)) => read.stopped_by = Some(why),
                Ok(Part::End) => read.is_torn = false,
                Err(_) => break,
            }
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_small() {
        assert_eq!(size_of::<TraceEntry>(), 32);
        let part = postcard::to_stdvec(&Part::Entries(vec![])).expect("our own types");
        assert_eq!(part[0], ENTRIES);
    }
}
