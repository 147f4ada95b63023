//! Maps of a node whose atoms have numbers: apart from other tests, since the numbers hold for all of a thread.

use reverl_term::{Atom, MapOrder, Term};

#[test]
fn small_maps_are_listed_by_the_numbers_of_their_atoms_and_compared_by_their_names() {
    assert!(Atom::number(["zebra", "ape", "cow"].into_iter(), MapOrder::new(26, None, None)));
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

#[test]
fn each_thread_has_the_order_of_its_own_node() {
    let order_in = |names: [&'static str; 3]| {
        let listed = std::thread::spawn(move || {
            assert!(Atom::number(names.into_iter(), MapOrder::new(26, None, None)));
            let pairs = ["ape", "cow", "zebra"].map(|name| (Term::atom_named(name), Term::int(1)));
            let map = Term::map_from(pairs.to_vec());
            let keys = map.as_map().expect("a map").iter().map(|(key, _)| key.as_atom());
            keys.map(|key| key.expect("an atom").name()).collect::<Vec<_>>()
        });
        listed.join().expect("no panic")
    };
    assert_eq!(order_in(["zebra", "ape", "cow"]), ["zebra", "ape", "cow"]);
    assert_eq!(order_in(["cow", "zebra", "ape"]), ["cow", "zebra", "ape"]);
}
