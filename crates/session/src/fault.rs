//! A fault of Reverl's own: it ends what was asked, not the session, and a face says how to see it
//! again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;

/// What was asked met a panic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{what}' failed by a fault of Reverl's own; the session goes on")]
pub struct Fault {
    pub what: String,
}

/// Does what was asked; a panic in it is an answer.
pub fn guarded<T>(what: &str, act: impl FnOnce() -> T) -> Result<T, Fault> {
    let act = AssertUnwindSafe(|| {
        injected(what);
        act()
    });
    catch_unwind(act).map_err(|_| Fault { what: what.into() })
}

/// For tests: a build with debug assertions fails when it is asked what `REVERL_FAULT` says.
#[cfg(debug_assertions)]
fn injected(what: &str) {
    let wanted = std::env::var("REVERL_FAULT");
    assert!(!wanted.is_ok_and(|wanted| wanted == what), "the fault that REVERL_FAULT asks for");
}

#[cfg(not(debug_assertions))]
fn injected(_: &str) {}
