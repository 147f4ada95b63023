//! Functions of module `erlang` that are written in Erlang but for the check of their arguments.

use super::{Builtin, checked};
use crate::raise::Raise;
use reverl_term::{Term, View};

/// The rows of this file.
pub const TABLE: &[Builtin] = &[
    checked("erlang", "demonitor", 2, |a| {
        let is_known =
            |option: &Term| option.as_atom().is_some_and(|o| matches!(o.name(), "flush" | "info"));
        check(is_reference(&a[0]) && are_all(&a[1], is_known))
    }),
    checked("erlang", "cancel_timer", 2, |a| {
        check(is_reference(&a[0]) && are_all(&a[1], |option| is_flag(option, &["async", "info"])))
    }),
    checked("erlang", "read_timer", 2, |a| {
        check(is_reference(&a[0]) && are_all(&a[1], |option| is_flag(option, &["async"])))
    }),
];

fn check(is_good: bool) -> Result<(), Raise> {
    if is_good { Ok(()) } else { Err(Raise::badarg()) }
}

fn is_reference(term: &Term) -> bool {
    matches!(term.view(), View::Ref(_))
}

/// Whether it is a proper list of such options.
fn are_all(options: &Term, is_good: impl Fn(&Term) -> bool) -> bool {
    options.to_vec().is_some_and(|options| options.iter().all(is_good))
}

/// `{Key, Bool}`
fn is_flag(option: &Term, keys: &[&str]) -> bool {
    let Some([key, value]) = option.as_tuple() else { return false };
    key.as_atom().is_some_and(|key| keys.contains(&key.name())) && value.as_bool().is_some()
}
