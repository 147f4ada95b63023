//! OTP is the judge: the same made-up terms are printed, hashed, encoded, compared and computed with by a real `erl`
//! and by us, and each answer must be the same to the letter.

#[path = "otp/random.rs"]
mod random;

use std::path::Path;
use std::process::Command;

use random::Random;
use reverl_term::etf::{DecodeOptions, EncodeOptions, decode, encode};
use reverl_term::fmt::{Encoding, PrettyOptions, chars_to_string, format, format_string, pretty};
use reverl_term::num::{self, FloatForm, NumError};
use reverl_term::{
    Atom, BitsBuilder, Endian, Term, View, compare, exact_eq, loose_eq, phash, phash2,
    phash2_default,
};

fn ask_otp(kind: &str, terms: &[Term], name: &str) -> Vec<Vec<Vec<u8>>> {
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
         M:run({kind}, {question:?}, {answer:?})."
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

/// Compares our answers about each term, and the one after it, with OTP's.
fn check(
    kind: &str,
    terms: &[Term],
    name: &str,
    ours: impl Fn(&Term, &Term) -> Vec<(String, Vec<u8>)>,
) {
    let judged = ask_otp(kind, terms, name);
    let mut wrong = 0;
    for (i, answers) in judged.iter().enumerate() {
        let ours = ours(&terms[i], &terms[(i + 1) % terms.len()]);
        assert_eq!(answers.len(), ours.len(), "as many answers as questions");
        let mut differing = answers.iter().zip(&ours).filter(|(a, (_, b))| *a != b);
        let Some((theirs, (question, ours))) = differing.next() else { continue };
        wrong += 1 + differing.count();
        if wrong <= 400 {
            let show = |b: &[u8]| match std::str::from_utf8(b) {
                Ok(s) if s.chars().all(|c| c >= ' ' || c == '\n') => s.to_owned(),
                _ => format!("{b:?}"),
            };
            eprintln!("---- {question} of {}", terms[i]);
            eprintln!("OTP:\n{}\nours:\n{}", show(theirs), show(ours));
        }
    }
    assert_eq!(wrong, 0, "answers that differ from OTP's");
}

fn check_terms(terms: &[Term], name: &str) {
    check("terms", terms, name, our_answers);
    for t in terms {
        let bytes = encode(t, &EncodeOptions::default());
        let (back, used) = decode(&bytes, &DecodeOptions::default()).unwrap();
        assert_eq!((&back, used), (t, bytes.len()));
    }
}

#[test]
fn terms_print_hash_encode_and_compare_as_in_otp() {
    let mut r = Random::new(2024);
    let mut terms = Vec::new();
    for size in [1, 2, 4, 8, 16, 40, 100] {
        terms.extend((0..250).map(|_| r.term(size)));
    }
    check_terms(&terms, "terms");
}

#[test]
fn numbers_count_and_print_as_in_otp() {
    let mut r = Random::new(7);
    let terms: Vec<_> = (0..3000).map(|_| r.number()).collect();
    check_terms(&terms, "numbers");
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
    check_terms(&maps, "maps");
}

#[test]
fn every_directive_formats_as_in_otp() {
    let mut r = Random::new(3);
    let widths = ["", "", "0", "1", "5", "12", "30", "-5", "-12", "*"];
    let precisions = ["", "", ".0", ".1", ".2", ".5", ".10", ".16", ".30", ".*"];
    let pads = ["", "", "", "..x", "..*"];
    let controls: Vec<char> = "cfegswpWPBXbx#+in~q".chars().collect();
    let mut questions = Vec::new();
    for i in 0..6000 {
        let (mut text, mut args) = ("ab\t".to_owned(), Vec::new());
        for _ in 0..1 + r.below(2) {
            let (width, precision) = (*r.pick(&widths), *r.pick(&precisions));
            // A pad needs a precision, or the empty one, before it.
            let pad = match *r.pick(&pads) {
                "" => "",
                p if precision.is_empty() => p,
                p => &p[1..],
            };
            let control = *r.pick(&controls);
            text.push_str(&format!(
                "~{width}{precision}{pad}{}{control}",
                r.pick(&["", "", "t", "l"])
            ));
            let stars = [width == "*", precision == ".*"].into_iter().filter(|s| *s).count();
            args.extend((0..stars).map(|_| Term::small(r.below(20) as i64)));
            if pad.ends_with('*') {
                args.push(Term::small('é' as i64));
            }
            match control {
                'n' | '~' | 'q' => {}
                _ => args.push(argument(&mut r, control, i)),
            }
            match control {
                'W' | 'P' => args.push(Term::small(r.below(8) as i64 - 1)),
                'X' | 'x' => args.push(if i % 2 == 0 { Term::string("0x") } else { r.atom() }),
                _ => {}
            }
        }
        if i % 50 == 0 {
            args.pop();
        }
        questions.push(Term::tuple(vec![Term::string(&text), Term::list(args)]));
    }
    check("formats", &questions, "formats", |t, _| {
        let [f, args] = t.as_tuple().unwrap() else { unreachable!() };
        let ours = match format(f, args) {
            Ok(chars) => chars_to_string(&chars),
            Err(_) => "badarg".into(),
        };
        vec![(f.to_string(), ours.into_bytes())]
    });
}

/// What a directive wants, mostly.
fn argument(r: &mut Random, control: char, i: i32) -> Term {
    match control {
        _ if i % 40 == 0 => r.term(2),
        'c' => Term::small(*r.pick(&[65, 10, 233, 300, 20013])),
        'f' | 'e' | 'g' => loop {
            let t = r.number();
            if t.as_float().is_some() {
                return t;
            }
        },
        'b' | 'B' | 'x' | 'X' | '#' | '+' => loop {
            let t = r.number();
            if t.is_integer() {
                return t;
            }
        },
        's' => match r.below(5) {
            0 => r.atom(),
            1 => {
                let text = *r.pick(&["plain", "", "with é", "日本語", "a\nb", "e\u{301}t\u{e9}"]);
                Term::string(text)
            }
            2 => Term::binary(r.pick(&["plain", "", "with é", "日本語"]).as_bytes()),
            3 => Term::list(vec![Term::string("deep"), Term::small(33), Term::binary(&[104, 233])]),
            _ => r.term(3),
        },
        _ => r.term(6),
    }
}

#[test]
fn records_print_as_in_otp() {
    let mut r = Random::new(5);
    let names = ["r", "r", "a_rather_long_atom_for_a_tag", "ok", "hello_world", "none"];
    let mut questions = Vec::new();
    for i in 0..1500 {
        let record = |r: &mut Random, inner: Term| {
            let name = *r.pick(&names);
            let fields = match name {
                "r" => 2,
                "ok" => 1,
                "hello_world" => 3,
                _ => r.below(9),
            };
            let mut e = vec![Term::atom_named(name)];
            e.extend((0..fields).map(|_| r.term(3)));
            if fields > 0 {
                let at = 1 + r.below(fields) as usize;
                e[at] = inner;
            }
            Term::tuple(e)
        };
        let inner = r.term(1 + i % 12);
        let inner = record(&mut r, inner);
        let inner = if i % 3 == 0 { Term::list(vec![inner.clone(), inner]) } else { inner };
        let t = record(&mut r, inner);
        let column = 1 + r.below(20) as i64;
        let length = *r.pick(&[20, 40, 60, 80, 120]);
        let depth = *r.pick(&[-1, -1, -1, 3, 6, 12]);
        questions.push(Term::tuple(vec![
            t,
            Term::int(column),
            Term::int(length),
            Term::int(depth),
        ]));
    }
    let fields = |name: Atom, n: usize| {
        let names: Vec<String> = match (name.name(), n) {
            ("r", 2) => vec!["first".into(), "second_field".into()],
            ("a_rather_long_atom_for_a_tag", 1..) => (1..=n).map(|i| format!("f{i}")).collect(),
            ("ok", 1) => vec!["value".into()],
            ("hello_world", 3) => vec!["a".into(), "B c".into(), "the_third_of_the_fields".into()],
            _ => return None,
        };
        Some(names.iter().map(|n| Atom::new(n)).collect())
    };
    check("records", &questions, "records", |t, _| {
        let [t, column, line_length, depth] = t.as_tuple().unwrap() else { unreachable!() };
        let options = PrettyOptions {
            column: column.as_i64().unwrap(),
            line_length: line_length.as_i64().unwrap(),
            depth: depth.as_i64().unwrap(),
            encoding: Encoding::Unicode,
            record_fields: Some(&fields),
            ..PrettyOptions::default()
        };
        vec![("record".into(), pretty(t, &options).into_bytes())]
    });
}

#[test]
fn segments_are_built_and_read_as_in_otp() {
    let mut r = Random::new(9);
    let mut questions = Vec::new();
    for _ in 0..3000 {
        let x = match r.below(8) {
            0 => Term::small(*r.pick(&[65, 0xd7ff, 0xd800, 0xffff, 0x10000, 0x10ffff, 0x110000])),
            _ => r.number(),
        };
        let size = *r.pick(&[0, 1, 7, 8, 9, 16, 16, 17, 31, 32, 32, 60, 63, 64, 64, 65, 100, 200]);
        let skip = r.below(12) as i64;
        questions.push(Term::tuple(vec![x, Term::small(size), Term::small(skip)]));
    }
    check("segments", &questions, "segments", |t, _| {
        let [x, size, skip] = t.as_tuple().unwrap() else { unreachable!() };
        vec![("segments".into(), segments(x, size.as_usize().unwrap(), skip.as_usize().unwrap()))]
    });
}

fn segments(x: &Term, size: usize, skip: usize) -> Vec<u8> {
    let char = || x.as_i64().and_then(|c| char::from_u32(u32::try_from(c).ok()?));
    let float = || x.as_float().or_else(|| num::float(x).ok()?.as_float());
    let mut out = String::new();
    for i in 0..8 {
        let mut b = BitsBuilder::new();
        b.push_bits(0, skip);
        let built = match i {
            0 => b.push_int(x, size, Endian::Big),
            1 => b.push_int(x, size, Endian::Little),
            2 => float().is_some_and(|f| b.push_float(f, size, Endian::Big)),
            3 => float().is_some_and(|f| b.push_float(f, size, Endian::Little)),
            4 => char().map(|c| b.push_utf8(c)).is_some(),
            5 => char().map(|c| b.push_utf16(c, Endian::Big)).is_some(),
            6 => char().map(|c| b.push_utf16(c, Endian::Little)).is_some(),
            _ => char().map(|c| b.push_utf32(c, Endian::Big)).is_some(),
        };
        if !built {
            out.push_str("badarg\n");
            continue;
        }
        let t = b.finish();
        let View::Bits(b) = t.view() else { unreachable!() };
        let mut all = vec![t.clone()];
        let fits = skip + size <= b.bit_len();
        let int = |signed, little| fits.then(|| b.get_int(skip, size, signed, little));
        let float = |little| Some(Term::float(b.get_float(skip, size, little)?));
        let char = |c: Option<(char, usize)>| Some(Term::small(c?.0 as i64));
        let read = [
            int(false, false),
            int(true, false),
            int(false, true),
            int(true, true),
            float(false),
            float(true),
            char(b.get_utf8(skip)),
            char(b.get_utf16(skip, false)),
            char(b.get_utf32(skip, false)),
        ];
        all.extend(read.into_iter().map(|r| r.unwrap_or(Term::atom_named("none"))));
        out.push_str(&format!("{}\n", Term::list(all)));
    }
    out.into_bytes()
}
