//! What the tracer writes into its chunks, shared with whoever reads them.
//!
//! A chunk is a sequence of entries, ended by a zero byte. An entry is a tag, the number of the event
//! (as difference from the entry before in this chunk), the number of the process, and what the
//! tag says. Numbers are LEB128; terms are a length and the external format. The tag is written
//! last, so an entry is there whole or not at all.

#![allow(dead_code)] // Each side uses its half.

/// Gives a process its number: kind, parent + 1 (or 0), pid as `serial << 32 | id`.
pub const PROCESS: u8 = 1;
/// A message of another process of the recording: sender.
pub const DELIVER: u8 = 2;
/// A message from elsewhere: sender + 1 (or 0), term.
pub const DELIVER_TERM: u8 = 3;
/// As `DELIVER`, with the hash of the message.
pub const DELIVER_HASH: u8 = 4;
/// A receive timed out.
pub const TIMEOUT: u8 = 5;
/// A process was spawned: its number.
pub const SPAWN: u8 = 7;
/// The process ended: the reason.
pub const EXIT: u8 = 8;
/// A call's value: function, term.
pub const RESULT: u8 = 9;
/// The same, if it is an integer: function, zigzag.
pub const RESULT_INT: u8 = 10;
/// The same, if it is a reference of this node: function, three words.
pub const RESULT_REF: u8 = 11;
/// The same, if it is one of `ATOMS`: function, index.
pub const RESULT_ATOM: u8 = 12;
/// A call's exception: function, `{Class, Reason}`.
pub const RAISED: u8 = 13;
/// Recording begins with this call: function, arguments.
pub const ROOT: u8 = 14;
/// That call returned: its value.
pub const RETURN: u8 = 15;
/// That call raised an exception: `{Class, Reason}`.
pub const ROOT_RAISED: u8 = 16;
/// Gives a function its number (in place of the process): `module\0name\0arity\0kind`.
pub const FUNCTION: u8 = 17;
/// The process registered a name: the name.
pub const REGISTER: u8 = 18;
/// The process unregistered a name: the name.
pub const UNREGISTER: u8 = 19;
/// A call that does not return: function, arguments.
pub const CALL: u8 = 20;
/// A chunk was given up: the number of its last event.
pub const FORGOTTEN: u8 = 21;
/// There was no room for more: the number of the first event that is lost, and the system's number
/// of the error. Later events may be there, of other threads, but not all of them.
pub const STOPPED: u8 = 22;

/// As `DELIVER_TERM`, while the process is in a call of which nothing inside is recorded.
pub const DELIVER_INSIDE: u8 = 23;

/// As `TIMEOUT`: how many messages came last that the receive has not looked at.
pub const TIMEOUT_LATE: u8 = 26;

/// The kind of a process that a recorded process spawned.
pub const SPAWNED: u64 = 0;
/// The kind of a process that is recorded from a call on.
pub const BEGUN: u64 = 1;
/// The kind of a process that is not recorded, but sends to those that are.
pub const OUTSIDE: u64 = 2;

/// Values that are so frequent that they have a number.
pub const ATOMS: [&str; 4] = ["true", "false", "ok", "undefined"];

/// What every chunk begins with.
pub const MAGIC: &[u8; 8] = b"RVLCHNK\x01";

/// Writes a number as LEB128, byte by byte.
pub fn put_number(mut n: u64, mut put: impl FnMut(u8)) {
    while n >= 0x80 {
        put(n as u8 | 0x80);
        n >>= 7;
    }
    put(n as u8);
}

/// A signed number as an unsigned one that is small if its magnitude is.
pub fn zigzag(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)) as u64
}

/// The inverse of `zigzag`.
pub fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// What is done with calls of a function.
pub mod kind {
    /// Its value is an input.
    pub const INPUT: u64 = 0;
    /// Its value is an input, and whatever it does inside is left out.
    pub const OPAQUE: u64 = 1;
    /// Recording begins with it.
    pub const TRIGGER: u64 = 2;
    /// It does not return.
    pub const LAST: u64 = 3;
    /// The process loads a module, and does not notice that this takes time.
    pub const LOADING: u64 = 4;
    /// An input that is also the last thing that loading asks.
    pub const EXPORTED: u64 = 5;
    /// Nothing of it is recorded, not even its value.
    pub const HIDDEN: u64 = 6;
    /// As `LOADING`, for a call of a fun.
    pub const LOADING_FUN: u64 = 7;
    /// As `OPAQUE`; its last argument is code, which is kept whoever calls it.
    pub const CODE: u64 = 8;
    /// It compiles its first argument, abstract forms, which are kept; otherwise it is like any other.
    pub const COMPILING: u64 = 9;
    /// It gives the node the name that is its first argument.
    pub const NAMING: u64 = 10;
    /// It takes the name of the node away.
    pub const UNNAMING: u64 = 11;
}
