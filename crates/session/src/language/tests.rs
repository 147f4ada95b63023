//! Values and expressions of Elixir.

use super::*;
use reverl_term::BitsBuilder;

/// A value that is written in Erlang.
fn check_value(erlang: &str, expected: &str) {
    let file = reverl_lang::source::FileId(u32::MAX);
    let exprs = reverl_lang::parser::parse_exprs(erlang, file).expect("an expression");
    let value = reverl_lang::lower::constant::constant(&exprs[0]).expect("a literal");
    assert_eq!(inspect::inspect(&value), expected);
}

fn bits(build: impl FnOnce(&mut BitsBuilder)) -> Term {
    let mut builder = BitsBuilder::new();
    build(&mut builder);
    builder.finish()
}

#[test]
fn values_are_written_as_inspect_writes_them() {
    check_value(
        "{ok, nil, true, 'Elixir.Enum', 'two words', '+'}",
        r#"{:ok, nil, true, Enum, :"two words", :+}"#,
    );
    let text = bits(|b| b.push_bytes("te\"xt\n#{ä}".as_bytes()));
    assert_eq!(inspect::inspect(&text), r##""te\"xt\n\#{ä}""##);
    assert_eq!(inspect::inspect(&bits(|b| b.push_bytes(&[1, 255]))), "<<1, 255>>");
    let odd = bits(|b| {
        b.push_bytes(&[1]);
        b.push_bits(2, 3);
    });
    assert_eq!(inspect::inspect(&odd), "<<1, 2::size(3)>>");
    check_value("[{a, 1}, {'b c', [2]}]", r#"[a: 1, "b c": [2]]"#);
    check_value("[1, {a, 2}]", "[1, {:a, 2}]");
    check_value("{\"abc\", [0, 1], [a | b], []}", r#"{~c"abc", [0, 1], [:a | :b], []}"#);
    check_value("#{a => 1, b => #{}}", "%{a: 1, b: %{}}");
    check_value("#{a => 1, <<\"b\">> => nil}", r#"%{:a => 1, "b" => nil}"#);
    check_value("#{'__struct__' => 'Elixir.User', name => <<\"Ann\">>}", r#"%User{name: "Ann"}"#);
    let range = "#{'__struct__' => 'Elixir.Range', first => 1, last => 3, step => 1}";
    check_value(range, "1..3");
    check_value("{1, -2, 1.5, 1.0e30}", "{1, -2, 1.5, 1.0e30}");
}

fn check_erlang(elixir: &str, expected: &str) {
    let bound = ["_n@1", "_n@2", "_user@1", "_@1"].map(Atom::new);
    SPOKEN.set(Language::Elixir);
    assert_eq!(expression::erlang(elixir, &bound), expected);
    SPOKEN.set(Language::Erlang);
}

#[test]
fn what_is_typed_becomes_erlang() {
    check_erlang("n + 1", "_n@2 + 1");
    check_erlang("user.name", "maps:get(name, _user@1)");
    check_erlang("Enum.map(n, :ok)", "'Elixir.Enum':map(_n@2, ok)");
    check_erlang("My.Mod.f!(1_000, \"a\")", "'Elixir.My.Mod':'f!'(1000, <<\"a\"/utf8>>)");
    check_erlang(
        ":lists.sum([n]) <= 3 && n != nil",
        "lists:sum([_n@2]) =< 3  andalso  _n@2 /= nil",
    );
    check_erlang("%{a: 1, b: n}", "#{a => 1, b => _n@2}");
}

#[test]
fn variables_have_the_names_of_the_source() {
    SPOKEN.set(Language::Elixir);
    let bound = [("_n@1", 1), ("_@1", 2), ("_n@2", 3), ("X", 4)];
    let bound = bound.map(|(name, value)| (Atom::new(name), Term::small(value)));
    let seen = visible(&bound);
    SPOKEN.set(Language::Erlang);
    let seen: Vec<(&str, i64)> =
        seen.iter().map(|(n, v)| (n.as_str(), v.as_small().unwrap_or(0))).collect();
    assert_eq!(seen, [("n", 3), ("X", 4)]);
}
