//! Numbers of a node's atoms are for maps that are made after them: apart from other tests, since they hold for all.

use reverl_term::{Atom, MapOrder, Term};

#[test]
fn atoms_are_not_numbered_once_they_have_a_place_in_a_map() {
    let names: Vec<String> = (0..40).map(|n| format!("late_{n}")).collect();
    let pairs = names.iter().map(|name| (Term::atom(Atom::new(name)), Term::int(1)));
    let map = Term::map_from(pairs.clone().collect());
    let order: Vec<Term> = map.as_map().expect("a map").keys().cloned().collect();
    assert!(!Atom::number(names.iter().map(String::as_str), MapOrder::new(25, None, None)));
    assert!(pairs.clone().all(|(key, _)| map.as_map().is_some_and(|map| map.contains_key(&key))));
    let again = Term::map_from(pairs.rev().collect());
    assert!(again.as_map().expect("a map").keys().eq(&order));
}
