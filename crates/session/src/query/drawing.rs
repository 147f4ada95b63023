//! What a window of the diagram is made of, as a face draws it.

use serde::Serialize;
use ts_rs::TS;

/// A column and a process.
pub type Point = (u32, u32);

/// Column, process, kind, flags, chain (0: actions, 1: deliveries), number in the chain. Kinds: `s`
/// send, `r` receive, `d` deliver, `p` spawn, `x` exit, `X` crash, `t` time-out, `o` output, `g`
/// signal, `c` any other. Flags: 1 in the cut, 2 a cause, 4 a consequence of the selected event.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DrawnEvent(
    pub(super) u32,
    pub(super) u32,
    pub(super) char,
    pub(super) u8,
    pub(super) u8,
    pub(super) u32,
);

/// From where to where a process is there, and between which of its events the cut lies.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Lane {
    pub id: u32,
    pub start: Option<u32>,
    pub end: Option<u32>,
    /// The last event in the cut.
    pub last: Option<u32>,
    /// The first event outside it.
    pub next: Option<u32>,
}

/// How an arrow is drawn, by what it stands for.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Arrow {
    Message {
        id: String,
        from: Point,
        /// It has no column if it has not arrived.
        to: (Option<u32>, u32),
        delivered: Option<u32>,
        received: bool,
        flags: u8,
        /// The flags of its end.
        end: u8,
    },
    Spawn {
        from: Point,
        to: Point,
        flags: u8,
    },
}

/// An arrow between visible processes that passes through hidden ones.
#[derive(Clone, Debug, Serialize, TS)]
pub struct HiddenArrow {
    pub from: Point,
    pub to: Point,
    pub flags: u8,
}

/// For each lane one digit per bucket: 0 nothing, each further digit about twice as many.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Density {
    pub buckets: usize,
    pub rows: Vec<String>,
    /// The messages between two lanes in one part of the window, together; none of a window that has
    /// too many.
    pub bundles: Vec<MessageBundle>,
}

/// Messages that go from one lane to another at about the same time: from where to where in the
/// middle, and how many.
#[derive(Clone, Debug, Serialize, TS)]
pub struct MessageBundle {
    pub from: Point,
    pub to: Point,
    pub count: u32,
}

/// The selected event with its causes and consequences.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SelectedEvent {
    pub event: String,
    pub column: u32,
    pub causes: usize,
    pub consequences: usize,
    /// The processes that have to do with it, the nearest first.
    pub near: Vec<u32>,
}

/// Events one by one, with texts beside them if there are few.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DrawnEvents {
    pub events: Vec<DrawnEvent>,
    pub labels: Vec<String>,
    pub arrows: Vec<Arrow>,
    pub through: Vec<HiddenArrow>,
    pub spans: Vec<CallSpan>,
}

/// What there is room for.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Drawn {
    Detail(DrawnEvents),
    Density(Density),
}

/// What is drawn of the diagram: lanes, marks and arrows within a window.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DiagramWindow {
    /// The length of the time axis.
    pub columns: usize,
    pub from: usize,
    pub to: usize,
    pub lanes: Vec<Lane>,
    /// The first column that has something outside the cut.
    pub frontier: u32,
    pub selected: Option<SelectedEvent>,
    pub drawn: Drawn,
}

/// A call, from its sending to its reply.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallSpan {
    /// Who calls.
    pub proc: u32,
    pub from: u32,
    /// None: no reply was received.
    pub to: Option<u32>,
    pub text: String,
}
