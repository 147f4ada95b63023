//! How fast terms are: `cargo run --release -p reverl-term --example speed`.

use std::time::Instant;

use reverl_term::fmt::{PrettyOptions, pretty, write};
use reverl_term::{BitsBuilder, Map, Term, compare, exact_eq};

fn timed(what: &str, operations: u64, f: impl FnOnce() -> u64) {
    let start = Instant::now();
    let check = f();
    let t = start.elapsed();
    let each = t.as_nanos() as f64 / operations as f64;
    println!("{what:44} {:8.1} ms {each:7.1} ns each   ({check})", t.as_secs_f64() * 1e3);
}

fn map_of(keys: i64) -> Term {
    Term::map((0..keys).map(|i| (Term::small(i), Term::small(0))).collect::<Map>())
}

/// Looks each key up and puts its successor, as a program with one reference to the map does.
fn update(mut m: Term, keys: i64, times: i64) -> u64 {
    for i in 0..times {
        let k = Term::small(i * 7 % keys);
        let v = m.as_map().and_then(|m| m.get(&k)?.as_small()).unwrap();
        m.map_mut().unwrap().insert(k, Term::small(v + 1));
    }
    m.as_map().unwrap().len() as u64
}

fn main() {
    timed("500k get + put, 1,000 integer keys", 500_000, || update(map_of(1000), 1000, 500_000));
    timed("500k get + put, 20 integer keys", 500_000, || update(map_of(20), 20, 500_000));
    timed("200k put, 1,000 keys, old version kept", 200_000, || {
        let mut m = map_of(1000);
        for i in 0..200_000 {
            let mut next = m.clone();
            next.map_mut().unwrap().insert(Term::small(i % 1000), Term::small(i));
            m = next;
        }
        m.as_map().unwrap().len() as u64
    });
    let list = |n: i64| Term::list((0..n).map(Term::small));
    timed("list of 10M built and dropped", 10_000_000, || list(10_000_000).is_cons() as u64);
    timed("10M {ok, {I, 1}} made and dropped", 10_000_000, || {
        let ok = Term::atom_named("ok");
        (0..10_000_000)
            .map(|i| {
                let inner = Term::tuple_from_slice(&[Term::small(i), Term::small(1)]);
                Term::tuple_from_slice(&[ok.clone(), inner]).is_immediate() as u64
            })
            .sum()
    });
    let (a, b) = (list(10_000_000), list(10_000_000));
    timed("two lists of 10M compared", 10_000_000, || {
        exact_eq(&a, &b) as u64 + compare(&a, &b).is_eq() as u64
    });
    drop((a, b));
    timed("10M bytes appended one by one", 10_000_000, || {
        let mut t = Term::binary(&[]);
        for i in 0..10_000_000u64 {
            let mut b = BitsBuilder::appending(&t).unwrap();
            b.push_bits(i, 8);
            t = b.finish();
        }
        t.as_bits().unwrap().byte_len() as u64
    });
    timed("10M bytes appended, sole owner", 10_000_000, || {
        let mut t = Term::binary(&[]);
        for i in 0..10_000_000u64 {
            let mut b = BitsBuilder::appending_to(t).unwrap();
            b.push_bits(i, 8);
            t = b.finish();
        }
        t.as_bits().unwrap().byte_len() as u64
    });
    let mut bytes = Term::binary(&[1; 10_000_000]);
    timed("10M bytes taken off the front", 10_000_000, || {
        let mut sum = 0;
        while let Some(b) = bytes.as_bits().filter(|b| b.bit_len() > 0) {
            sum += b.get_int(0, 8, false, false).as_small().unwrap() as u64;
            bytes = b.slice(8, b.bit_len() - 8);
        }
        sum
    });
    timed("10M floats made and dropped", 10_000_000, || {
        (0..10_000_000).map(|i| Term::float(i as f64).as_float().unwrap() as u64 & 1).sum()
    });
    let nested = (0..1_000_000).fold(Term::NIL, |t, _| Term::tuple(vec![t]));
    timed("tuple 1M deep, ~w", 1_000_000, || write(&nested).len() as u64);
    timed("tuple 1M deep, ~0p", 1_000_000, || {
        pretty(&nested, &PrettyOptions { line_length: 0, ..Default::default() }).len() as u64
    });
    timed("tuple 1M deep dropped", 1_000_000, || {
        drop(nested);
        0
    });
    let rows = Term::list((0..20_000).map(|i| {
        Term::tuple(vec![
            Term::atom_named("row"),
            Term::small(i),
            Term::string("some text"),
            list(8),
        ])
    }));
    timed("20k rows, ~p", 20_000, || pretty(&rows, &PrettyOptions::default()).len() as u64);
    timed("20k rows, ~w", 20_000, || write(&rows).len() as u64);
}
