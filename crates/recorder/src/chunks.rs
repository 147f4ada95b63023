//! Where entries go: files of this thread, mapped into memory. What is in them outlives the
//! node, however it ends.

use super::allocate::new_file;
use super::format::{FORGOTTEN, MAGIC, STOPPED as RECORDING_STOPPED, put_number};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Error, Result, Write};
use std::os::fd::AsRawFd;
use std::os::raw::{c_int, c_long, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::*};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The size of a chunk: so large that opening the next one costs little, and so small that an
/// unused rest does not matter.
const CHUNK: usize = 1 << 20;
const SMALLEST: usize = 1 << 12;
/// How many bytes an entry needs at most beside its contents: a tag and three numbers.
const HEAD: usize = 32;
/// Bytes at the end of a chunk of definitions in which nothing but the reason for stopping is
/// written: when there is no room for anything else, the reason must still be written.
const LAST_WORDS: usize = HEAD + 16;
/// The granularity of a bound on bytes.
const PARTS: u64 = 16;

/// The number of the next event of the node.
static EVENTS: AtomicU64 = AtomicU64::new(1);
static THREADS: AtomicU64 = AtomicU64::new(0);
static STOPPED: AtomicBool = AtomicBool::new(true);
static SETTINGS: OnceLock<Settings> = OnceLock::new();
/// How many of the numbers were given to definitions.
static DEFINED: AtomicU64 = AtomicU64::new(0);
/// Closed chunks, oldest first, if only the newest are kept.
static CLOSED: Mutex<VecDeque<Closed>> = Mutex::new(VecDeque::new());
/// Bytes of all chunks of events, full or not.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Where events are written and how much of them is kept.
pub struct Settings {
    pub dir: String,
    /// 0: all of them.
    pub most_events: u64,
    /// The size of all events, in bytes, at which recording stops; 0 for no limit.
    pub most_bytes: u64,
    /// How many bytes of the newest chunks are kept; 0 for all.
    pub keep: u64,
}

impl Settings {
    fn chunk(&self, prefix: &str) -> usize {
        let bounds =
            [self.most_bytes, self.keep].into_iter().filter(|b| *b != 0 && prefix == EVENT);
        bounds.min().map_or(CHUNK, |b| ((b / PARTS) as usize).clamp(SMALLEST, CHUNK))
    }
}

struct Closed {
    path: String,
    len: usize,
    /// The number of the last event in it.
    last: u64,
}

unsafe extern "C" {
    fn mmap(
        addr: *mut c_void,
        len: usize,
        prot: c_int,
        flags: c_int,
        fd: c_int,
        at: c_long,
    ) -> *mut c_void;
    fn munmap(addr: *mut c_void, len: usize) -> c_int;
}

const READ_WRITE: c_int = 3;
const SHARED: c_int = 1;

/// Whether recording has begun; it begins once. An error if there is no room for it.
pub fn start(settings: Settings) -> Result<bool> {
    if SETTINGS.set(settings).is_err() {
        return Ok(false);
    }
    definitions().make_room(LAST_WORDS, DEFINITION)?;
    STOPPED.store(false, Release);
    Ok(true)
}

pub fn stop() {
    STOPPED.store(true, Release);
}

pub fn is_stopped() -> bool {
    STOPPED.load(Relaxed)
}

pub fn events() -> u64 {
    (EVENTS.load(Relaxed) - 1).saturating_sub(DEFINED.load(Relaxed))
}

/// Keeps the code of a module that is loaded from memory (`beam`), or what such a module is
/// compiled from (`forms`), in a file that says when: the number of the next event.
pub fn keep_code(code: &[u8], extension: &str) {
    static KEPT: AtomicU64 = AtomicU64::new(0);
    let Some(settings) = SETTINGS.get().filter(|_| !is_stopped()) else {
        return;
    };
    let (event, n) = (next_event(), KEPT.fetch_add(1, Relaxed));
    // Without it the module is missing, and that is told when the recording is made.
    let _ = std::fs::write(format!("{}/made-{event:012}-{n:06}.{extension}", settings.dir), code);
}

/// The number of the next event.
pub fn next_event() -> u64 {
    EVENTS.load(Relaxed)
}

/// Adds to a file beside the chunks.
pub fn append(name: &str, bytes: &[u8]) {
    let Some(settings) = SETTINGS.get().filter(|_| !is_stopped()) else {
        return;
    };
    let path = format!("{}/{name}", settings.dir);
    if let Ok(mut file) = File::options().create(true).append(true).open(path) {
        // Without it the recording departs, and says so.
        let _ = file.write_all(bytes);
    }
}

/// A piece of the recording that is written as a whole.
pub struct Chunk {
    /// invariant: `at < len`, and the bytes from `at` on are zero.
    start: *mut u8,
    at: usize,
    len: usize,
    last: u64,
    thread: u64,
    count: u32,
    path: String,
}

// A chunk belongs to one thread, or is behind a lock.
unsafe impl Send for Chunk {}

thread_local! {
    static OWN: RefCell<Chunk> = const { RefCell::new(Chunk::NONE) };
}

/// Definitions are kept even if the events that need them come much later.
static DEFINITIONS: Mutex<Chunk> = Mutex::new(Chunk::NONE);

fn definitions() -> MutexGuard<'static, Chunk> {
    DEFINITIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the names of files with events, and of those with definitions, begin with.
const EVENT: &str = "e";
const DEFINITION: &str = "d";

impl Chunk {
    const NONE: Chunk = Chunk {
        start: std::ptr::null_mut(),
        at: 0,
        len: 0,
        last: 0,
        thread: 0,
        count: 0,
        path: String::new(),
    };

    fn has_room(&self, room: usize) -> bool {
        self.at + room < self.len
    }

    /// Makes sure that `room` bytes fit. Without an error there is a chunk with that room; with
    /// one, the chunk is as it was.
    fn make_room(&mut self, room: usize, prefix: &str) -> Result<()> {
        if self.has_room(room) {
            return Ok(());
        }
        let Some(settings) = SETTINGS.get() else {
            return Err(Error::other("not started"));
        };
        if self.thread == 0 {
            self.thread = THREADS.fetch_add(1, Relaxed) + 1;
        }
        let path = format!("{}/{prefix}{:04}-{:06}", settings.dir, self.thread, self.count + 1);
        let (file, len) = largest_file(&path, settings.chunk(prefix), room + 64)?;
        let null = std::ptr::null_mut();
        // SAFETY: a new mapping of a file that is as long as it says.
        let start = unsafe { mmap(null, len, READ_WRITE, SHARED, file.as_raw_fd(), 0) };
        if start as isize == -1 {
            let error = Error::last_os_error();
            let _ = std::fs::remove_file(&path);
            return Err(error);
        }
        self.close(settings, prefix);
        self.count += 1;
        let counted = if prefix == EVENT { len as u64 } else { 0 };
        let written = WRITTEN.fetch_add(counted, Relaxed) + counted;
        if settings.most_bytes != 0 && written > settings.most_bytes {
            stop();
        }
        self.start = start.cast();
        self.len = len;
        self.last = 0;
        self.path = path;
        // SAFETY: the mapping is longer than its magic word.
        unsafe { std::ptr::copy_nonoverlapping(MAGIC.as_ptr(), self.start, MAGIC.len()) };
        self.at = MAGIC.len();
        Ok(())
    }

    fn close(&mut self, settings: &Settings, prefix: &str) {
        if self.start.is_null() {
            return;
        }
        // SAFETY: it is ours, and nobody points into it.
        unsafe { munmap(self.start.cast(), self.len) };
        let path = std::mem::take(&mut self.path);
        let this = Closed { path, len: self.len, last: self.last };
        self.start = std::ptr::null_mut();
        self.len = 0;
        self.at = 0;
        if settings.keep != 0 && prefix == EVENT {
            forget_oldest(this, settings.keep);
        }
    }

    /// Appends an entry, for which there is room.
    fn put(&mut self, tag: u8, proc: u64, fill: impl FnOnce(&mut Sink)) {
        let number = EVENTS.fetch_add(1, Relaxed);
        // SAFETY: whoever puts an entry has made sure that there is room behind `at`.
        let mut sink = Sink { to: unsafe { self.start.add(self.at + 1) } };
        sink.number(number.wrapping_sub(self.last));
        sink.number(proc);
        fill(&mut sink);
        let end = sink.to as usize - self.start as usize;
        debug_assert!(end < self.len);
        // The tag comes last: without it there is no entry.
        // SAFETY: as above.
        unsafe { AtomicTag::from_ptr(self.start.add(self.at)).store(tag, Release) };
        self.at = end;
        self.last = number;
    }
}

/// A new file as long as wished, or shorter where a disk is nearly full; of `least` bytes at least.
fn largest_file(path: &str, wished: usize, least: usize) -> Result<(File, usize)> {
    let mut len = wished.max(least);
    loop {
        match new_file(path, len) {
            Err(_) if len > least => len = (len / 2).max(least),
            made => return made.map(|file| (file, len)),
        }
    }
}

/// Nothing more can be written: events from the next number on are lost, and the reason is written.
fn give_up(definitions: &mut Chunk, error: &Error) {
    stop();
    let lost = EVENTS.fetch_add(1, Relaxed);
    if definitions.has_room(LAST_WORDS) {
        DEFINED.fetch_add(2, Relaxed);
        definitions.put(RECORDING_STOPPED, 0, |w| {
            w.number(lost);
            w.number(error.raw_os_error().unwrap_or(0) as u64);
        });
    }
}

/// Only so many bytes of closed chunks are kept. Of the others, only the last number is reported:
/// events before it may be there, of threads that had little to do, but not all of them.
fn forget_oldest(newest: Closed, keep: u64) {
    let mut closed = CLOSED.lock().unwrap_or_else(PoisonError::into_inner);
    closed.push_back(newest);
    let mut bytes: u64 = closed.iter().map(|c| c.len as u64).sum();
    while bytes > keep {
        let Some(oldest) = closed.pop_front() else {
            return;
        };
        bytes -= oldest.len as u64;
        define(FORGOTTEN, 0, 10, |w| w.number(oldest.last));
        let _ = std::fs::remove_file(oldest.path);
    }
}

type AtomicTag = std::sync::atomic::AtomicU8;

/// The rest of an entry; whoever fills it has declared its greatest length before.
pub struct Sink {
    to: *mut u8,
}

impl Sink {
    fn byte(&mut self, b: u8) {
        // SAFETY: within the size that was asked for.
        unsafe {
            *self.to = b;
            self.to = self.to.add(1);
        }
    }

    pub fn number(&mut self, n: u64) {
        put_number(n, |b| self.byte(b));
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        // SAFETY: within the size that was asked for.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.to, bytes.len());
            self.to = self.to.add(bytes.len());
        }
    }

    pub fn block(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes(bytes);
    }
}

/// Writes an entry of at most `size` bytes beside tag and process.
pub fn write(tag: u8, proc: u64, size: usize, fill: impl FnOnce(&mut Sink)) {
    if is_stopped() {
        return;
    }
    let most = SETTINGS.get().map_or(0, |s| s.most_events);
    if most != 0 && events() >= most {
        return stop();
    }
    // A thread that is ending records nothing more.
    let _ = OWN.try_with(|own| {
        let Ok(mut own) = own.try_borrow_mut() else {
            return;
        };
        match own.make_room(size + HEAD, EVENT) {
            Ok(()) => own.put(tag, proc, fill),
            Err(error) => give_up(&mut definitions(), &error),
        }
    });
}

/// Writes an entry that must not be forgotten.
pub fn define(tag: u8, proc: u64, size: usize, fill: impl FnOnce(&mut Sink)) {
    if SETTINGS.get().is_none() {
        return;
    }
    let mut chunk = definitions();
    match chunk.make_room(size + HEAD + LAST_WORDS, DEFINITION) {
        Ok(()) => {
            DEFINED.fetch_add(1, Relaxed);
            chunk.put(tag, proc, fill);
        }
        Err(error) => give_up(&mut chunk, &error),
    }
}
