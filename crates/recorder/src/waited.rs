//! Whether a receive that times out has waited, or did not have to (`after 0`).
//!
//! A node marks a process whose time is up, and does not tell a tracer. The mark is a bit of the
//! node's own record of the process, in a place that depends on its release. So it is learnt, once,
//! from a process that does nothing but time out in both ways, at several depths of its stack: the bit
//! is the one that changes as it must, alone in its word. What is not certain is not used.

use crate::enif::{Env, Term};
use std::ffi::c_void;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::raw::c_int;
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What happens to the process that is measured.
#[derive(Clone, Copy, PartialEq)]
enum Event {
    Message,
    /// A time-out for which it has waited.
    Waited,
    /// One for which it has not.
    AtOnce,
}
use Event::{AtOnce, Message, Waited};

/// The same, event by event (`measure_waiting` in the tracer's module).
const MEASURED: [Event; 10] =
    [Message, Waited, AtOnce, Message, Waited, AtOnce, Message, Waited, AtOnce, Message];

/// How many words of the environment, and of half of that size of a process, are looked at.
const ENVIRONMENT: usize = 16;
const PROCESS: usize = 128;

type Sample = [u32; PROCESS];

static SAMPLES: Mutex<Vec<Sample>> = Mutex::new(vec![]);

/// The place of the mark, packed; 0 if it is not known.
static PLACE: AtomicU64 = AtomicU64::new(0);

/// Where the mark is.
#[derive(Clone, Copy)]
struct Place {
    /// Which word of the environment leads to the process.
    environment: usize,
    /// Which word of the process has the mark, and which of its bits it is.
    word: usize,
    bit: u32,
}

impl Place {
    fn packed(self) -> u64 {
        1 << 63 | (self.environment as u64) << 32 | (self.word as u64) << 8 | u64::from(self.bit)
    }

    fn known() -> Option<Place> {
        let packed = PLACE.load(Relaxed);
        (packed != 0).then_some(Place {
            environment: (packed >> 32 & 0xff) as usize,
            word: (packed >> 8 & 0xffff) as usize,
            bit: (packed & 0xff) as u32,
        })
    }
}

unsafe extern "C" {
    fn write(file: c_int, from: *const c_void, size: usize) -> isize;
}

/// Reads memory that may not be there: the system refuses to send what cannot be read.
struct Careful(UnixStream, UnixStream);

impl Careful {
    fn read<const N: usize>(&mut self, address: u64) -> Option<[u8; N]> {
        // SAFETY: the system checks what it reads.
        let written = unsafe { write(self.1.as_raw_fd(), address as *const c_void, N) };
        let mut bytes = [0; N];
        let read = self.0.read(&mut bytes[..usize::try_from(written).ok()?]).ok()?;
        (read == N).then_some(bytes)
    }

    fn word(&mut self, address: u64) -> Option<u64> {
        self.read(address).map(u64::from_ne_bytes)
    }

    /// Which word of the environment leads to the process, and what is there.
    fn process(&mut self, env: *mut Env, pid: Term) -> Option<(usize, Sample)> {
        (0..ENVIRONMENT).find_map(|i| {
            let process = self.word(env as u64 + 8 * i as u64)?;
            // The first that a node keeps of a process is its pid.
            self.word(process).filter(|first| *first == pid)?;
            let bytes = self.read::<{ 4 * PROCESS }>(process)?;
            let word = |n: usize| u32::from_ne_bytes(std::array::from_fn(|k| bytes[4 * n + k]));
            Some((i, std::array::from_fn(word)))
        })
    }
}

/// The bit that tells those that have waited from the others.
fn mark(samples: &[Sample]) -> Option<(usize, u32)> {
    let mut found = (0..PROCESS).filter_map(|word| {
        let (with, without) = (samples[1][word], samples[2][word]);
        let mark = with ^ without;
        let is_mark = |(sample, event): (&Sample, &Event)| match event {
            Message => sample[word] & mark == 0,
            Waited => sample[word] == with,
            AtOnce => sample[word] == without,
        };
        let fits = mark.is_power_of_two() && samples.iter().zip(&MEASURED).all(is_mark);
        fits.then_some((word, mark.trailing_zeros()))
    });
    // Two of them leave it open which one it is.
    found.next().filter(|_| found.next().is_none())
}

/// The process that is measured has received something or timed out: whether that was all.
pub fn measure(env: *mut Env, pid: Term) -> bool {
    let Ok(mut samples) = SAMPLES.lock() else { return true };
    let reader = UnixStream::pair().ok().map(|(reader, writer)| Careful(reader, writer));
    let Some((environment, sample)) = reader.and_then(|mut reader| reader.process(env, pid)) else {
        return true;
    };
    samples.push(sample);
    if samples.len() < MEASURED.len() {
        return false;
    }
    if let Some((word, bit)) = mark(&samples) {
        PLACE.store(Place { environment, word, bit }.packed(), Relaxed);
    }
    true
}

/// Whether a process that times out now has waited for it. If nobody can tell, it has.
pub fn has_waited(env: *mut Env, pid: Term) -> bool {
    let Some(place) = Place::known() else { return true };
    // SAFETY: this word of the environment is the process that is traced in every such call; its pid
    // comes first, and it is larger than what was measured.
    unsafe {
        let process = env.cast::<*const u32>().add(place.environment).read();
        process.is_null()
            || process.cast::<Term>().read() != pid
            || process.add(place.word).read_volatile() & 1 << place.bit != 0
    }
}
