//! Any bytes as a recording: a file; the parts that were recorded on a node, which are replayed;
//! the steps of an execution of our own, which are tried on a program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reverl_causal::script::Family;
use reverl_causal::{NoOutside, Step, recording};
use reverl_machine::Program;
use reverl_programs::Texts;
use reverl_recorded::{Recorded, list, replay};

const TEXT: &str = "-module(m).
-export([main/0]).
main() ->
    Me = self(),
    P = spawn(fun() -> receive {ping, N} -> Me ! {pong, N} end end),
    P ! {ping, erlang:monotonic_time()},
    receive {pong, N} -> N after 10 -> late end.
";

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, rest)) = bytes.split_first() else { return };
    match kind % 3 {
        0 => drop(recording::read(rest)),
        1 => node(rest),
        _ => own(rest),
    }
});

/// Parts without their checksums, each behind its length.
fn node(bytes: &[u8]) {
    let (mut rest, mut parts) = (bytes, vec![]);
    while let Some((length, more)) = rest.split_first_chunk::<2>() {
        let length = usize::from(u16::from_le_bytes(*length)).min(more.len());
        parts.push(more[..length].to_vec());
        rest = &more[length..];
    }
    let recorded = Recorded::read(&parts);
    for i in 0..recorded.entries.len().min(100) {
        let _ = list::line(&recorded, i);
    }
    let loader = Box::new(Texts::default().with(TEXT));
    let _ = replay::replay(&recorded, loader, Box::new(NoOutside), Program::new());
}

fn own(bytes: &[u8]) {
    let Ok((family, steps)) = postcard::from_bytes::<(Family, Vec<Step>)>(bytes) else { return };
    let _ = reverl_programs::text(TEXT).replay(&family, steps.into_iter(), None);
}
