//! Claims about single tokens; whole files are compared with OTP in `tests/otp_forms.rs`.

use super::*;
use crate::ast::Integer;

fn lex(text: &str) -> Vec<TokenKind> {
    let mut lexer = Lexer::new(FileId(0), text.into());
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    while lexer.form(&mut tokens, &mut problems) == FormEnd::Dot {}
    assert_eq!(problems, vec![], "{text}");
    tokens.into_iter().map(|t| t.kind).collect()
}

fn one(text: &str) -> TokenKind {
    let mut tokens = lex(text);
    assert_eq!(tokens.len(), 1, "{text}: {tokens:?}");
    tokens.remove(0)
}

fn string(text: &str) -> TokenKind {
    TokenKind::String(text.into())
}

#[test]
fn numbers_are_read_in_every_base() {
    for (text, value) in
        [("0", 0), ("1_000", 1000), ("16#fF", 255), ("2#1_0", 2), ("36#zZ", 1295), ("10#7", 7)]
    {
        assert_eq!(one(text), TokenKind::Integer(Integer::Small(value)));
    }
    let big = one("123456789012345678901234567890");
    assert_eq!(big.to_source(), "123456789012345678901234567890");
}

#[test]
fn floats_are_read_exactly() {
    for (text, value) in
        [("1.5", 1.5), ("1.0e3", 1000.0), ("1_0.5E-1", 1.05), ("16#1.8#e2", 384.0), ("2#0.1", 0.5)]
    {
        assert_eq!(one(text), TokenKind::Float(value), "{text}");
    }
}

#[test]
fn a_number_and_a_dot_are_not_a_float() {
    assert_eq!(lex("1.\n"), [TokenKind::Integer(Integer::Small(1)), TokenKind::Dot]);
    assert_eq!(lex("1..2").len(), 3);
}

#[test]
fn escapes_mean_what_they_mean_to_erl_scan() {
    assert_eq!(
        one(r#""\n\s\d\e\0\101\x41\x{1F600}\^A\q""#),
        string("\n \x7f\x1b\0AA\u{1F600}\x01q")
    );
    assert_eq!(one("$\\^?"), TokenKind::Char('\x1f'));
    assert_eq!(one("$\\\n"), TokenKind::Char('\n'));
}

#[test]
fn a_triple_quoted_string_loses_its_indentation() {
    assert_eq!(one("\"\"\"\n  a\n   b\n\n  c\n  \"\"\""), string("a\n b\n\nc"));
    assert_eq!(one("\"\"\"\"\n\"\"\"\n\"\"\"\""), string("\"\"\""));
    assert_eq!(one("\"\"\"\n\"\"\""), string(""));
    // Before OTP 27 three quotes on a line were an empty string and the start of another.
    assert_eq!(lex("\"\"\"a\"\"\""), [string(""), string("a"), string("")]);
}

#[test]
fn sigils_are_verbatim_or_escaped() {
    let text = |source| match one(source) {
        TokenKind::Sigil(sigil) => sigil.text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text("~s\"a\\n\""), "a\n");
    assert_eq!(text("~S\"a\\n\""), "a\\n");
    assert_eq!(text("~B[a\"]"), "a\"");
    assert_eq!(text("~b\"\"\"\n  a\\t\n  \"\"\""), "a\t");
}

#[test]
fn the_longest_symbol_wins() {
    let texts = |text| lex(text).iter().map(TokenKind::to_source).collect::<Vec<_>>().join(" ");
    assert_eq!(
        texts("=:==/==<==>=++--||<<>>::...:=->?="),
        "=:= =/= =< == >= ++ -- || << >> :: ... := -> ?="
    );
    // As in OTP, where it is a well-known trap.
    assert_eq!(texts("X=<<1>>"), "X =< < 1 >>");
}

#[test]
fn maybe_is_a_word_only_where_the_feature_is_on() {
    assert_eq!(one("maybe"), TokenKind::Atom(Atom::new("maybe")));
    let mut lexer = Lexer::new(FileId(0), "maybe else".into());
    lexer.maybe_expr = true;
    let mut tokens = Vec::new();
    lexer.form(&mut tokens, &mut Vec::new());
    assert!(tokens[0].is(Symbol::Maybe) && tokens[1].is(Symbol::Else));
}

#[test]
fn lexing_goes_on_behind_an_error() {
    let mut lexer = Lexer::new(FileId(0), "a \u{20ac} b 37#1 c.".into());
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    assert_eq!(lexer.form(&mut tokens, &mut problems), FormEnd::Dot);
    assert_eq!(problems.len(), 2);
    assert_eq!(tokens.last().map(|t| &t.kind), Some(&TokenKind::Dot));
}
