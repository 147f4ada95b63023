//! Laws that hold for all terms.

use std::cmp::Ordering;

use proptest::prelude::*;
use reverl_term::etf::{DecodeOptions, EncodeOptions, decode, encode};
use reverl_term::num::{self, FloatForm};
use reverl_term::{BigInt, BitsBuilder, Map, Term, compare, compare_exact, exact_eq, loose_eq};

/// A term without its counts, so that proptest may keep and shrink it.
#[derive(Clone, Debug)]
enum Sketch {
    Int(i128),
    Float(f64),
    Atom(String),
    Bits(Vec<u8>, usize),
    List(Vec<Sketch>),
    Improper(Vec<Sketch>, Box<Sketch>),
    Tuple(Vec<Sketch>),
    Map(Vec<(Sketch, Sketch)>),
}

fn term(s: &Sketch) -> Term {
    let all = |xs: &[Sketch]| xs.iter().map(term).collect::<Vec<_>>();
    match s {
        Sketch::Int(i) => Term::big(BigInt::from(*i)),
        Sketch::Float(f) => Term::float(*f),
        Sketch::Atom(a) => Term::atom_named(a),
        Sketch::Bits(bytes, bits) => {
            let mut b = BitsBuilder::new();
            b.push_bytes(bytes);
            b.push_bits(5, *bits);
            b.finish()
        }
        Sketch::List(xs) => Term::list(all(xs)),
        Sketch::Improper(xs, t) => Term::list_with_tail(all(xs), term(t)),
        Sketch::Tuple(xs) => Term::tuple(all(xs)),
        Sketch::Map(xs) => Term::map_from(xs.iter().map(|(k, v)| (term(k), term(v))).collect()),
    }
}

fn any_term() -> impl Strategy<Value = Sketch> {
    let number = prop_oneof![
        (-3i128..4).prop_map(Sketch::Int),
        any::<i64>().prop_map(|i| Sketch::Int(i as i128)),
        any::<i128>().prop_map(Sketch::Int),
        (-3i32..4).prop_map(|i| Sketch::Float(i as f64)),
        any::<i64>().prop_map(|i| Sketch::Float(i as f64)),
        prop::num::f64::NORMAL.prop_map(Sketch::Float),
    ];
    let leaf = prop_oneof![
        4 => number,
        1 => "[a-zé ]{0,4}".prop_map(Sketch::Atom),
        1 => (prop::collection::vec(any::<u8>(), 0..5), 0..8usize)
            .prop_map(|(b, n)| Sketch::Bits(b, n)),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let many = prop::collection::vec(inner.clone(), 0..5);
        let pairs = prop::collection::vec((inner.clone(), inner.clone()), 0..40);
        prop_oneof![
            many.clone().prop_map(Sketch::List),
            (many.clone(), inner).prop_map(|(xs, t)| Sketch::Improper(xs, Box::new(t))),
            many.prop_map(Sketch::Tuple),
            pairs.prop_map(Sketch::Map),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_order_is_total(a in any_term(), b in any_term(), c in any_term()) {
        let (a, b, c) = (term(&a), term(&b), term(&c));
        for order in [compare, compare_exact] {
            prop_assert_eq!(order(&a, &b), order(&b, &a).reverse());
            prop_assert_eq!(order(&a, &a), Ordering::Equal);
            let mut v = [&a, &b, &c];
            v.sort_by(|x, y| order(x, y));
            prop_assert!(order(v[0], v[1]).is_le() && order(v[1], v[2]).is_le());
            prop_assert!(order(v[0], v[2]).is_le());
        }
        prop_assert_eq!(exact_eq(&a, &b), compare_exact(&a, &b).is_eq());
        prop_assert_eq!(loose_eq(&a, &b), compare(&a, &b).is_eq());
    }

    #[test]
    fn decoding_undoes_encoding(s in any_term(), minor_version in 0u8..3, level in prop::option::of(1u32..10)) {
        let t = term(&s);
        let options = EncodeOptions { minor_version, compressed: level, ..Default::default() };
        let bytes = encode(&t, &options);
        let (back, used) = decode(&bytes, &DecodeOptions::default()).unwrap();
        prop_assert_eq!(used, bytes.len());
        prop_assert_eq!(back, t);
    }

    #[test]
    fn no_input_makes_decoding_panic(s in any_term(), cut in any::<prop::sample::Index>(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), level in prop::option::of(1u32..10)) {
        let mut bytes = encode(&term(&s), &EncodeOptions { compressed: level, ..Default::default() });
        for (at, with) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= with;
        }
        let end = cut.index(bytes.len() + 1);
        let _ = decode(&bytes[..end], &DecodeOptions { safe: true });
        let _ = decode(&bytes, &DecodeOptions { safe: true });
    }

    #[test]
    fn no_bytes_make_decoding_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let mut framed = vec![131];
        framed.extend(bytes);
        let _ = decode(&framed, &DecodeOptions { safe: true });
    }

    #[test]
    fn a_map_remembers_the_last_value_of_each_key(changes in prop::collection::vec((0i64..60, prop::option::of(0i64..9)), 0..200)) {
        let (mut map, mut model) = (Map::new(), std::collections::BTreeMap::new());
        for (k, change) in &changes {
            match change {
                Some(v) => {
                    let old = map.insert(Term::small(*k), Term::small(*v));
                    prop_assert_eq!(old, model.insert(*k, *v).map(Term::small));
                }
                None => {
                    let old = map.remove(&Term::small(*k)).map(|(_, v)| v);
                    prop_assert_eq!(old, model.remove(k).map(Term::small));
                }
            }
            prop_assert_eq!(map.len(), model.len());
        }
        let again: Map = model.iter().map(|(k, v)| (Term::small(*k), Term::small(*v))).collect();
        let order: Vec<_> = map.iter().map(|(k, _)| k.clone()).collect();
        prop_assert_eq!(order, again.iter().map(|(k, _)| k.clone()).collect::<Vec<_>>());
        prop_assert_eq!(Term::map(map), Term::map(again));
    }

    #[test]
    fn a_slice_of_a_slice_is_a_slice(bytes in prop::collection::vec(any::<u8>(), 0..20), cuts in prop::array::uniform4(any::<prop::sample::Index>())) {
        let whole = Term::binary(&bytes);
        let whole = whole.as_bits().unwrap();
        let bits: Vec<u64> = (0..whole.bit_len()).map(|i| whole.get_u64(i, 1)).collect();
        let mut range = 0..bits.len();
        let mut part = whole.part(0, bits.len());
        for pair in cuts.chunks(2) {
            let off = pair[0].index(range.len() + 1);
            let len = pair[1].index(range.len() - off + 1);
            range = range.start + off..range.start + off + len;
            part = part.part(off, len);
        }
        let mut copy = BitsBuilder::new();
        bits[range.clone()].iter().for_each(|b| copy.push_bits(*b, 1));
        let copy = copy.finish_bits();
        prop_assert!(part.equal(&copy) && part.compare(&copy).is_eq());
        prop_assert_eq!(part.to_vec(), copy.to_vec());
    }

    #[test]
    fn appending_never_changes_what_was_there(pieces in prop::collection::vec((any::<u64>(), 0usize..65, any::<bool>()), 1..40)) {
        // Some pieces are appended to the newest value, some to the one before it: then the buffer is taken.
        let mut kept: Vec<(Term, Vec<u64>)> = vec![(Term::binary(&[]), vec![])];
        for (value, n, newest) in pieces {
            let from = if newest { kept.len() - 1 } else { kept.len() / 2 };
            let (prefix, mut bits) = (kept[from].0.clone(), kept[from].1.clone());
            let mut b = BitsBuilder::appending(&prefix).unwrap();
            b.push_bits(value, n);
            bits.extend((0..n).rev().map(|i| value >> i & 1));
            kept.push((b.finish(), bits));
        }
        for (t, bits) in &kept {
            let b = t.as_bits().unwrap();
            let seen: Vec<u64> = (0..b.bit_len()).map(|i| b.get_u64(i, 1)).collect();
            prop_assert_eq!(&seen, bits);
        }
    }

    #[test]
    fn appending_in_place_is_appending(pieces in prop::collection::vec((any::<u64>(), 0usize..65, any::<bool>()), 1..40)) {
        let (mut t, mut model, mut kept) = (Term::binary(&[]), Vec::new(), Vec::new());
        for (value, n, keep) in pieces {
            let mut b = BitsBuilder::appending_to(t).unwrap();
            b.push_bits(value, n);
            t = b.finish();
            model.extend((0..n).rev().map(|i| value >> i & 1));
            if keep {
                let half = model.len() / 2;
                kept.push((t.as_bits().unwrap().slice(half, model.len() - half), model[half..].to_vec()));
            }
        }
        kept.push((t, model));
        for (t, bits) in &kept {
            let b = t.as_bits().unwrap();
            let seen: Vec<u64> = (0..b.bit_len()).map(|i| b.get_u64(i, 1)).collect();
            prop_assert_eq!(&seen, bits);
        }
    }

    #[test]
    fn the_shortest_float_reads_back(f in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO) {
        let text = num::format_float(f, FloatForm::Short).unwrap();
        prop_assert_eq!(num::parse_float(&text).unwrap().to_bits(), f.to_bits());
    }

    #[test]
    fn integers_read_back_in_every_base(i in any::<i128>(), base in 2u32..37) {
        let t = Term::big(BigInt::from(i));
        let text = num::format_int(&t, base).unwrap();
        prop_assert_eq!(num::parse_int(&text, base).unwrap(), t);
    }

    #[test]
    fn division_and_remainder_fit_together(a in any::<i128>(), b in any::<i64>()) {
        let (a, b) = (Term::big(a.into()), Term::int(b));
        if let (Ok(q), Ok(r)) = (num::int_div(&a, &b), num::rem(&a, &b)) {
            prop_assert_eq!(num::add(&num::mul(&q, &b).unwrap(), &r).unwrap(), a);
        } else {
            prop_assert_eq!(b, Term::small(0));
        }
    }
}
