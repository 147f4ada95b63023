//! OTP is the judge: the same made-up terms are printed, hashed, encoded, compared and computed with by a real `erl`
//! and by us, and each answer must be the same to the letter.

#[path = "otp/random.rs"]
mod random;

use std::path::Path;
use std::process::Command;

use random::Random;
use reverl_term::etf::{DecodeOptions, EncodeOptions, decode, encode};
use reverl_term::fmt::{chars_to_string, format, format_string};
use reverl_term::num::{self, FloatForm, NumError};
use reverl_term::{Term, compare, exact_eq, loose_eq, phash, phash2, phash2_default};

fn ask_otp(terms: &[Term], name: &str) -> Vec<Vec<Vec<u8>>> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).unwrap();
    let mut input = Vec::new();
    for t in terms {
        let bytes = encode(t, &EncodeOptions::default());
        input.extend((bytes.len() as u32).to_be_bytes());
        input.extend(bytes);
    }
    let (question, answer) = (dir.join("question"), dir.join("answer"));
    std::fs::write(&question, input).unwrap();
    let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/otp/judge.erl");
    let program = format!(
        "{{ok, M, B}} = compile:file({judge:?}, [binary]), code:load_binary(M, \"judge\", B), \
         M:run({question:?}, {answer:?})."
    );
    let status = Command::new("erl")
        .args(["-noshell", "-eval", &program])
        .status()
        .expect("these tests need Erlang/OTP 25: `erl` in the path");
    assert!(status.success(), "the judge failed");
    let bytes = std::fs::read(&answer).unwrap();
    let mut answers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let n = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        answers.push(bytes[at + 4..at + 4 + n].to_vec());
        at += 4 + n;
    }
    let each = answers.len() / terms.len();
    answers.chunks(each).map(|c| c.to_vec()).collect()
}

/// The questions of `judge.erl`, in its order: a name, and our answer.
fn our_answers(x: &Term, y: &Term) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut put = |name: &str, answer: Vec<u8>| out.push((name.to_owned(), answer));
    put("term_to_binary", encode(x, &EncodeOptions::default()));
    let minor_2 = EncodeOptions { minor_version: 2, ..EncodeOptions::default() };
    put("term_to_binary minor 2", encode(x, &minor_2));
    let hashes =
        format!("{} {} {}", phash2_default(x), phash2(x, 1 << 32), phash(x, 1 << 32) as u64);
    put("phash", hashes.into_bytes());
    let bool = |b| if b { 't' } else { 'f' };
    let order = match compare(x, y) {
        std::cmp::Ordering::Less => '<',
        std::cmp::Ordering::Equal => '=',
        std::cmp::Ordering::Greater => '>',
    };
    let key = |t: &Term| Term::map_from(vec![(t.clone(), Term::small(1))]);
    let keys = compare(&key(x), &key(y)).is_lt();
    let order: String =
        [order, bool(exact_eq(x, y)), bool(loose_eq(x, y)), bool(keys)].iter().collect();
    put("order", order.into_bytes());
    let mut text = |f: &str, more: Option<i64>| {
        let mut args = vec![x.clone()];
        args.extend(more.map(Term::small));
        let answer = format(&Term::string(f), &Term::list(args)).unwrap();
        put(&format!("{f} {more:?}"), chars_to_string(&answer).into_bytes());
    };
    for f in ["~w", "~tw", "~p", "~tp", "~0p", "~lp", "~tlp"] {
        text(f, None);
    }
    for w in [1, 10, 20, 30, 40, 60, 100, 132] {
        text(&format!("~{w}p"), None);
    }
    for f in ["~40.20p", "~60.1p", "abc\tde~p", "a\n  {result, ~tp}"] {
        text(f, None);
    }
    for d in [1, 2, 3, 5, 9] {
        text("~W", Some(d));
    }
    for d in [1, 2, 3, 4, 5, 9, 20] {
        text("~P", Some(d));
    }
    for d in [2, 4, 6, 8, 15] {
        text("~30tP", Some(d));
    }
    text("~8w|", None);
    text("~-12.5.xw|", None);
    put("arithmetic", arithmetic(x, y).into_bytes());
    out
}

fn arithmetic(x: &Term, y: &Term) -> String {
    if !x.is_number() || !y.is_number() {
        return String::new();
    }
    let shift = num::rem(y, &Term::small(100));
    let by =
        |op: fn(&Term, &Term) -> Result<Term, NumError>| op(x, shift.as_ref().map_err(|e| *e)?);
    let mut lines: Vec<Result<String, &str>> = [
        num::add(x, y),
        num::sub(x, y),
        num::mul(x, y),
        num::div(x, y),
        num::int_div(x, y),
        num::rem(x, y),
        num::band(x, y),
        num::bor(x, y),
        num::bxor(x, y),
        by(num::bsl),
        by(num::bsr),
        num::bnot(x),
        num::neg(x),
        num::float(x),
        num::trunc(x),
        num::round(x),
    ]
    .into_iter()
    .enumerate()
    .map(|(i, r)| match r {
        Ok(t) => Ok(t.to_string()),
        // float/1, trunc/1 and round/1 are functions, not operators.
        Err(NumError::BadArith) if i >= 13 => Err("badarg"),
        Err(NumError::BadArith) => Err("badarith"),
        Err(NumError::SystemLimit) => Err("system_limit"),
    })
    .collect();
    let forms = [
        FloatForm::Scientific(20),
        FloatForm::Decimals { digits: 3, compact: false },
        FloatForm::Decimals { digits: 12, compact: true },
        FloatForm::Scientific(7),
    ];
    for form in forms {
        lines.push(x.as_float().and_then(|f| num::format_float(f, form)).ok_or("badarg"));
    }
    lines.push(num::format_int(x, 36).ok_or("badarg"));
    let x = || x.clone();
    let floats = format_string("~f ~.3f ~e ~.2e ~g ~.10g", &[x(), x(), x(), x(), x(), x()]);
    lines.push(floats.map_err(|_| "badarg"));
    let prefix = Term::string("0o");
    let ints = [x(), x(), x(), x(), prefix, x(), x()];
    lines.push(format_string("~b ~.16b ~.16B ~.8x ~.36# ~+", &ints).map_err(|_| "badarg"));
    lines.iter().map(|l| l.as_ref().map_or_else(|e| e.to_string(), Clone::clone) + "\n").collect()
}

fn check(terms: &[Term], name: &str) {
    let judged = ask_otp(terms, name);
    let (mut wrong, mut shown) = (0, 0);
    for (i, answers) in judged.iter().enumerate() {
        let ours = our_answers(&terms[i], &terms[(i + 1) % terms.len()]);
        assert_eq!(answers.len(), ours.len(), "as many answers as questions");
        for (theirs, (question, ours)) in answers.iter().zip(&ours) {
            if theirs == ours {
                continue;
            }
            wrong += 1;
            if shown < 12 {
                shown += 1;
                let show = |b: &[u8]| match std::str::from_utf8(b) {
                    Ok(s) if s.chars().all(|c| c >= ' ' || c == '\n') => s.to_owned(),
                    _ => format!("{b:?}"),
                };
                eprintln!("---- {question} of {}", terms[i]);
                eprintln!("OTP:\n{}\nours:\n{}", show(theirs), show(ours));
                break;
            }
        }
        let bytes = encode(&terms[i], &EncodeOptions::default());
        let (back, used) = decode(&bytes, &DecodeOptions::default()).unwrap();
        assert_eq!((&back, used), (&terms[i], bytes.len()));
    }
    assert_eq!(wrong, 0, "answers that differ from OTP's");
}

#[test]
fn terms_print_hash_encode_and_compare_as_in_otp() {
    let mut r = Random::new(2024);
    let mut terms = Vec::new();
    for size in [1, 2, 4, 8, 16, 40, 100] {
        terms.extend((0..250).map(|_| r.term(size)));
    }
    check(&terms, "terms");
}

#[test]
fn numbers_count_and_print_as_in_otp() {
    let mut r = Random::new(7);
    let terms: Vec<_> = (0..3000).map(|_| r.number()).collect();
    check(&terms, "numbers");
}

/// Atoms in keys excepted, large maps iterate in OTP's order.
#[test]
fn large_maps_have_the_order_of_otp() {
    let mut r = Random::new(11);
    let mut key = |kind: usize| loop {
        let t = match kind {
            0 => Term::small(r.below(100_000) as i64 - 50_000),
            1 => r.number(),
            2 => Term::tuple(vec![r.number(), r.number()]),
            _ => r.term(4),
        };
        if !t.to_string().contains(|c: char| c == '\'' || c.is_lowercase() || c > '\u{ff}') {
            return t;
        }
    };
    let mut maps = Vec::new();
    for (i, size) in [33, 34, 50, 100, 500, 3000].into_iter().cycle().take(40).enumerate() {
        let pairs = (0..size).map(|v| (key(i % 4), Term::small(v))).collect();
        maps.push(Term::map_from(pairs));
    }
    check(&maps, "maps");
}
