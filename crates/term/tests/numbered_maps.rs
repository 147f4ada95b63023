//! Maps of a node whose atoms have numbers: apart from other tests, since the numbers hold for all.

use reverl_term::{Atom, NumberedMaps, Term};

#[test]
fn small_maps_are_listed_by_the_numbers_of_their_atoms_and_compared_by_their_names() {
    assert!(Atom::number(["zebra", "ape", "cow"].into_iter(), NumberedMaps::Small));
    let atom = |name: &str| Term::atom(Atom::new(name));
    let keys = ["ape", "newest", "cow", "zebra"].map(atom);
    let all = keys.iter().cloned().chain([Term::int(7), Term::binary(b"text")]);
    let map = Term::map_from(all.map(|key| (key, Term::NIL)).collect());
    let map = map.as_map().expect("a map");
    let listed: Vec<String> = map.keys().map(|key| key.to_string()).collect();
    assert_eq!(listed, ["7", "zebra", "ape", "cow", "newest", "<<116,101,120,116>>"]);
    assert!(map.iter().map(|(key, _)| key.to_string()).eq(listed));
    let sorted: Vec<String> = map.sorted().iter().map(|(key, _)| key.to_string()).collect();
    assert_eq!(sorted, ["7", "ape", "cow", "newest", "zebra", "<<116,101,120,116>>"]);
    assert!(keys.iter().all(|key| map.contains_key(key)));
}
