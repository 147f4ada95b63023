//! Recordings: an execution (or a session with its branches) in one file.
//!
//! A magic word, then blocks: length, checksum, compressed bytes. A file that was cut off, or
//! damaged at its end, is readable up to its last complete block.

use crate::cut::{Cut, Place};
use crate::execution::{Execution, ProcId};
use crate::script::{self, Family};
use crate::step::Step;
use serde::{Deserialize, Serialize};
use std::io::Read;

const MAGIC: &[u8] = b"REVERL\x03\n";
/// Events per block: what a torn tail can cost.
const BLOCK: usize = 4096;
/// No block of ours is larger; a larger one is damage.
const LARGEST: usize = 256 << 20;

#[derive(Serialize, Deserialize)]
enum Block {
    /// What the face needs to make the program again.
    Meta(Vec<u8>),
    Branch {
        name: String,
        family: Family,
    },
    Steps(Vec<Step>),
    /// A branch is complete: where its cut ends, and where the user was in it.
    End {
        end: Vec<(u64, u32)>,
        cut: Vec<(u64, u32)>,
    },
    /// A part of what a tracer recorded on a real node; what it means is not known here.
    Node(Vec<u8>),
}

/// One execution of a recording.
pub struct Branch {
    /// The name of the branch.
    pub name: String,
    /// Who is whose child in it.
    pub family: Family,
    /// Its steps, in an order in which they can be done again.
    pub steps: Vec<Step>,
    /// `None` if the recording breaks off before its end.
    pub places: Option<(Cut, Cut)>,
}

/// A file that holds executions: their program, and each branch as the steps that lead there.
pub struct Recording {
    /// What the program was and how it was started, as the session writes it.
    pub meta: Vec<u8>,
    /// All branches.
    pub branches: Vec<Branch>,
    /// What a tracer recorded on a real node, in parts; empty for an execution of our own.
    pub node: Vec<Vec<u8>>,
    /// The file breaks off, or its end is damaged.
    pub is_torn: bool,
}

/// Why a file is no recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It does not begin as a recording does.
    NotARecording,
    /// It was written by another version of Reverl.
    OtherVersion(u8),
    /// Not even its first block is complete.
    Empty,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Broken::NotARecording => write!(f, "this is no Reverl recording"),
            Broken::OtherVersion(v) => {
                let own = MAGIC[6];
                write!(
                    f,
                    "this recording has format {v}, this Reverl reads format {own}: record it again"
                )
            }
            Broken::Empty => write!(f, "the recording breaks off before its first event"),
        }
    }
}

/// Writes a recording.
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A recording without branches.
    pub fn new(meta: &[u8]) -> Writer {
        let mut writer = Writer { bytes: MAGIC.to_vec() };
        writer.block(&Block::Meta(meta.to_vec()));
        writer
    }

    fn block(&mut self, block: &Block) {
        let plain = postcard::to_stdvec(block).expect("our own types");
        let packed = zstd::bulk::compress(&plain, 1).expect("memory is enough");
        self.bytes.extend((packed.len() as u32).to_le_bytes());
        self.bytes.extend(crc32fast::hash(&packed).to_le_bytes());
        self.bytes.extend(packed);
    }

    /// Adds a branch with the cut that it stands at.
    pub fn branch(&mut self, name: &str, execution: &Execution, cut: &Cut) {
        let family = script::family(execution);
        self.block(&Block::Branch { name: name.into(), family });
        let end = Cut::end(execution);
        let mut steps = Vec::with_capacity(BLOCK);
        for step in script::script(execution, &Cut::start(execution), &end) {
            steps.push(step);
            if steps.len() == BLOCK {
                self.block(&Block::Steps(std::mem::take(&mut steps)));
            }
        }
        self.block(&Block::Steps(steps));
        let places = |cut: &Cut| {
            let all = (0..execution.procs.len() as u32).map(|p| cut.place(ProcId(p)));
            all.map(|p| (p.steps, p.deliveries)).collect()
        };
        self.block(&Block::End { end: places(&end), cut: places(cut) });
    }

    /// Adds a part of what a real node did.
    pub fn node(&mut self, part: &[u8]) {
        self.block(&Block::Node(part.to_vec()));
    }

    /// The bytes of the whole recording.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

fn cut_of(places: &[(u64, u32)]) -> Cut {
    let mut cut = Cut::default();
    for (i, &(steps, deliveries)) in places.iter().enumerate() {
        cut.set(ProcId(i as u32), Place { steps, deliveries });
    }
    cut
}

/// Reads as much as is complete.
pub fn read(bytes: &[u8]) -> Result<Recording, Broken> {
    let rest = match bytes.get(..MAGIC.len()) {
        Some(magic) if magic == MAGIC => &bytes[MAGIC.len()..],
        Some(magic) if magic[..6] == MAGIC[..6] => return Err(Broken::OtherVersion(magic[6])),
        _ => return Err(Broken::NotARecording),
    };
    let mut blocks = Blocks { rest, is_torn: false };
    let Some(Block::Meta(meta)) = blocks.next() else { return Err(Broken::Empty) };
    let mut branches: Vec<Branch> = vec![];
    let mut node = vec![];
    for block in &mut blocks {
        match (block, branches.last_mut()) {
            (Block::Branch { name, family }, _) => {
                branches.push(Branch { name, family, steps: vec![], places: None });
            }
            (Block::Node(part), _) => node.push(part),
            (Block::Steps(steps), Some(branch)) => branch.steps.extend(steps),
            (Block::End { end, cut }, Some(branch)) => {
                branch.places = Some((cut_of(&end), cut_of(&cut)));
            }
            _ => {}
        }
    }
    let is_open = |b: &Branch| b.places.is_none();
    let is_torn = blocks.is_torn || branches.last().map_or(node.is_empty(), is_open);
    Ok(Recording { meta, branches, node, is_torn })
}

struct Blocks<'b> {
    rest: &'b [u8],
    is_torn: bool,
}

impl Blocks<'_> {
    fn block(&mut self) -> Option<Block> {
        let length = u32::from_le_bytes(self.rest.get(..4)?.try_into().ok()?) as usize;
        let sum = u32::from_le_bytes(self.rest.get(4..8)?.try_into().ok()?);
        let packed = self.rest.get(8..8 + length.min(LARGEST))?;
        if packed.len() != length || crc32fast::hash(packed) != sum {
            return None;
        }
        let mut plain = vec![];
        let decoder = zstd::Decoder::new(packed).ok()?;
        decoder.take(LARGEST as u64).read_to_end(&mut plain).ok()?;
        let block = postcard::from_bytes(&plain).ok()?;
        self.rest = &self.rest[8 + length..];
        Some(block)
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        if self.rest.is_empty() || self.is_torn {
            return None;
        }
        let block = self.block();
        self.is_torn = block.is_none();
        block
    }
}
