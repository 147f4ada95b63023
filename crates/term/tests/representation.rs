//! What the interpreter relies on: sizes, tags, counts, and that no depth of term overflows the stack.
#![allow(unsafe_code, reason = "what the machine does with registers is tried here")]

use std::collections::HashMap;

use reverl_term::etf::{DecodeOptions, EncodeOptions, decode, encode};
use reverl_term::fmt::{PrettyOptions, pretty, write};
use reverl_term::{
    BigInt, Closure, Fun, MAX_SMALL, MIN_SMALL, Map, Pid, Port, Ref, Term, View, atoms, compare,
    exact_eq, loose_eq, phash, phash2_default,
};

fn list(n: i64) -> Term {
    Term::list((0..n).map(Term::small))
}

#[test]
fn a_term_and_an_optional_term_take_eight_bytes() {
    assert_eq!(size_of::<Term>(), 8);
    assert_eq!(size_of::<Option<Term>>(), 8);
    assert!(Term::default().is_nil());
}

#[test]
fn integers_are_small_up_to_63_bits_and_big_beyond() {
    for i in [0, 1, -1, MAX_SMALL, MIN_SMALL] {
        assert_eq!(Term::int(i).as_small(), Some(i));
        assert_eq!(Term::big(i.into()).as_small(), Some(i));
    }
    for i in [MAX_SMALL + 1, MIN_SMALL - 1, i64::MAX, i64::MIN] {
        let t = Term::int(i);
        assert!(matches!(t.view(), View::Big(b) if *b == BigInt::from(i)), "{t}");
        assert_eq!(t.as_i64(), Some(i));
    }
}

#[test]
fn arithmetic_on_tagged_words_is_exact_or_refused() {
    let edges =
        [0, 1, -1, 2, 3037000499, -3037000500, MAX_SMALL, MIN_SMALL, MAX_SMALL / 2, MIN_SMALL / 2];
    for x in edges {
        for y in edges {
            let (a, b) = (Term::small(x), Term::small(y));
            let expect = |r: i128| {
                let fits = (MIN_SMALL as i128..=MAX_SMALL as i128).contains(&r);
                fits.then(|| Term::small(r as i64))
            };
            let (x, y) = (x as i128, y as i128);
            assert_eq!(Term::add_small(&a, &b), expect(x + y));
            assert_eq!(Term::sub_small(&a, &b), expect(x - y));
            assert_eq!(Term::mul_small(&a, &b), expect(x * y));
        }
    }
}

#[test]
fn a_clone_shares_and_only_a_sole_owner_may_write() {
    let mut t = Term::tuple(vec![Term::small(1), Term::string("abc")]);
    let shared = t.clone();
    assert_eq!(t.share_count(), 2);
    assert!(t.tuple_mut().is_none());
    drop(shared);
    t.tuple_mut().unwrap()[0] = Term::small(2);
    assert_eq!(t.as_tuple().unwrap()[0], Term::small(2));
}

#[test]
fn terms_taken_from_registers_leave_nil_behind() {
    let mut registers = vec![Term::small(1), Term::string("x"), Term::small(3)];
    // SAFETY: there are two terms at the pointer.
    let t = unsafe { Term::tuple_take(registers.as_mut_ptr().add(1), 2) };
    assert_eq!(t.to_string(), "{[120],3}");
    assert!(registers[1].is_nil() && registers[2].is_nil());
}

#[test]
fn changing_a_shared_map_leaves_the_other_owner_alone() {
    for size in [3, 100] {
        let mut m = Term::map((0..size).map(|i| (Term::small(i), Term::small(i))).collect::<Map>());
        let before = m.clone();
        m.map_mut().unwrap().insert(Term::small(1), Term::string("new"));
        m.map_mut().unwrap().remove(&Term::small(2));
        assert_eq!(before.as_map().unwrap().get(&Term::small(1)), Some(&Term::small(1)));
        assert_eq!(before.as_map().unwrap().len() as i64, size);
        assert_eq!(m.as_map().unwrap().len() as i64, size - 1);
    }
}

#[test]
fn identifiers_are_immediate_at_home_and_boxed_abroad() {
    let home = Term::pid(Pid::local(83, 1));
    assert!(home.is_immediate());
    assert_eq!(home.as_pid(), Some(Pid::local(83, 1)));
    assert_eq!(home.to_string(), "<0.83.1>");
    let abroad = Pid { node: atoms::OK, id: 83, serial: 1, creation: 4 };
    let t = Term::pid(abroad);
    assert!(!t.is_immediate() && t != home);
    assert_eq!(t.as_pid(), Some(abroad));
    assert_eq!(Term::port(Port::local(6)).to_string(), "#Port<0.6>");
    assert_eq!(Term::reference(Ref::local([1, 2, 3])).to_string(), "#Ref<0.3.2.1>");
}

#[test]
fn equal_terms_hash_alike_and_unequal_ones_are_told_apart() {
    let mut table = HashMap::new();
    table.insert(Term::small(1), "integer");
    table.insert(Term::float(1.0), "float");
    table.insert(Term::float(0.0), "zero");
    assert_eq!(table[&Term::small(1)], "integer");
    assert_eq!(table[&Term::float(1.0)], "float");
    assert_eq!(table[&Term::float(-0.0)], "zero");
    assert!(
        loose_eq(&Term::small(1), &Term::float(1.0))
            && !exact_eq(&Term::small(1), &Term::float(1.0))
    );
}

/// Everything that walks a term, on terms that would overflow any recursive walk of them.
fn walk(t: &Term, twin: Term) {
    assert!(exact_eq(t, &twin) && loose_eq(t, &twin) && compare(t, &twin).is_eq());
    assert_eq!(
        (phash2_default(t), phash(t, 1 << 32)),
        (phash2_default(&twin), phash(&twin, 1 << 32))
    );
    assert_eq!(HashMap::from([(t.clone(), 1)])[&twin], 1);
    assert!(write(t).len() > 1_000_000);
    assert!(pretty(t, &PrettyOptions { line_length: 0, ..Default::default() }).len() > 1_000_000);
    let bytes = encode(t, &EncodeOptions::default());
    assert_eq!(&decode(&bytes, &DecodeOptions::default()).unwrap().0, t);
}

#[test]
fn lists_of_ten_million_cells_are_walked_and_dropped() {
    let (a, b) = (list(10_000_000), list(10_000_000));
    assert!(exact_eq(&a, &b));
    assert_eq!(a.list_len(), Some(10_000_000));
}

#[test]
fn nesting_of_a_million_levels_is_walked_and_dropped() {
    let tuples = || (0..1_000_000).fold(Term::NIL, |t, _| Term::tuple(vec![t]));
    let heads = || (0..1_000_000).fold(Term::NIL, |t, _| Term::cons(t, Term::NIL));
    let maps = || (0..500_000).fold(Term::NIL, |t, _| Term::map_from(vec![(Term::small(1), t)]));
    walk(&tuples(), tuples());
    walk(&heads(), heads());
    walk(&maps(), maps());
}

#[test]
fn environments_of_a_million_funs_are_dropped() {
    let t = (0..1_000_000).fold(Term::NIL, |t, _| {
        Term::fun(Fun::Local(Closure {
            module: atoms::LISTS,
            name: atoms::OK,
            index: 3,
            uniq: 77,
            new_uniq: [0; 16],
            arity: 1,
            code: Some(0),
            env: Box::new([t]),
        }))
    });
    assert_eq!(t.to_string(), "#Fun<lists.3.77>");
}

#[test]
fn deep_terms_are_laid_out_over_lines_without_recursion() {
    let deep = (0..3000).fold(Term::NIL, |t, _| Term::tuple(vec![Term::atom(atoms::OK), t]));
    let text = pretty(&deep, &PrettyOptions { line_length: 40, ..Default::default() });
    assert!(text.lines().count() > 1000);
}

/// Bytes, hashes and text as OTP 25 gave them for `fun(X) -> {X, A, B} end` with `A = 5, B = "ab"`.
#[test]
fn a_fun_made_by_otp_is_read_hashed_and_printed() {
    let bytes = [
        131, 112, 0, 0, 0, 77, 1, 208, 183, 176, 68, 9, 140, 135, 226, 195, 237, 79, 78, 135, 5,
        246, 150, 0, 0, 0, 0, 0, 0, 0, 2, 100, 0, 2, 102, 110, 97, 0, 98, 6, 133, 189, 130, 88,
        100, 0, 13, 110, 111, 110, 111, 100, 101, 64, 110, 111, 104, 111, 115, 116, 0, 0, 0, 9, 0,
        0, 0, 0, 0, 0, 0, 0, 97, 5, 107, 0, 2, 97, 98,
    ];
    let (t, used) = decode(&bytes, &DecodeOptions::default()).unwrap();
    assert_eq!(used, bytes.len());
    assert_eq!((phash2_default(&t), phash(&t, 1 << 32)), (130875689, 2154714668));
    assert_eq!(t.to_string(), "#Fun<fn.0.109428098>");
    let Some(Fun::Local(c)) = t.as_fun() else { panic!("a closure") };
    assert_eq!(Term::list(c.env.to_vec()).to_string(), "[5,[97,98]]");
    // All but the pid of its maker comes back.
    let mut again = encode(&t, &EncodeOptions::default());
    again[63] = 9;
    assert_eq!(again, bytes);
}

#[test]
fn nested_claims_of_size_are_not_allocated() {
    let mut bytes = vec![131];
    for _ in 0..200_000 {
        bytes.extend([108, 0, 15, 0, 0]);
    }
    bytes.extend([106; 1_000_000]);
    assert!(decode(&bytes, &DecodeOptions::default()).is_err());
}

#[test]
fn keys_that_hash_alike_are_told_apart() {
    let key = |name: &str| Term::tuple(vec![Term::atom_named(name), Term::int(5)]);
    let alike = ["split_f1_to_r2", "split_r1_to_f2"];
    let others: Vec<String> = (0..40).map(|i| format!("other{i}")).collect();
    let names = others.iter().map(String::as_str).chain(alike);
    let map =
        Term::map_from(names.enumerate().map(|(i, n)| (key(n), Term::int(i as i64))).collect());
    let Some(map) = map.as_map() else { panic!("a map") };
    assert_eq!(map.get(&key(alike[0])), Some(&Term::int(40)));
    assert_eq!(map.get(&key(alike[1])), Some(&Term::int(41)));
}
