//! Tokens: what the lexer makes, the preprocessor rewrites and the parser reads.

use crate::ast::Integer;
use crate::source::Span;
use reverl_term::Atom;
use std::rc::Rc;

/// A token carries its value, not its text: after macro expansion its span is the place of the
/// macro call, where its text does not stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub kind: Tok,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    Atom(Atom),
    Var(Atom),
    Integer(Integer),
    Float(f64),
    Char(char),
    String(Rc<str>),
    /// `~b"..."`: OTP 27.
    Sigil(Rc<Sigil>),
    /// A reserved word or punctuation.
    Sym(Sym),
    /// The `.` that ends a form.
    Dot,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Sigil {
    /// What stands between `~` and the delimiter: empty, `s`, `S`, `b`, `B`, or something unknown.
    pub prefix: String,
    pub text: String,
    pub suffix: String,
}

macro_rules! symbols {
    ($($name:ident $text:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Sym { $($name),* }

        impl Sym {
            pub fn text(self) -> &'static str {
                match self { $(Sym::$name => $text),* }
            }
        }
    };
}

symbols! {
    After "after" Begin "begin" Case "case" Try "try" Cond "cond" Catch "catch"
    AndAlso "andalso" OrElse "orelse" End "end" Fun "fun" If "if" Let "let" Of "of"
    Receive "receive" When "when" Bnot "bnot" Not "not" Div "div" Rem "rem" Band "band"
    And "and" Bor "bor" Bxor "bxor" Bsl "bsl" Bsr "bsr" Or "or" Xor "xor"
    Maybe "maybe" Else "else"
    LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
    LBin "<<" RBin ">>" Comma "," Semicolon ";" Colon ":" ColonColon "::" Period "."
    DotDot ".." Ellipsis "..." Arrow "->" Bar "|" BarBar "||" Hash "#" Question "?"
    MaybeMatch "?=" Equal "=" Assoc "=>" Exact ":=" Bang "!" Plus "+" Minus "-" Star "*"
    Slash "/" Append "++" Subtract "--" EqEq "==" NotEq "/=" LessEq "=<" Less "<"
    GreaterEq ">=" Greater ">" ExactEq "=:=" ExactNotEq "=/="
    LArrow "<-" LDoubleArrow "<=" StrictLArrow "<:-" StrictLDoubleArrow "<:=" AmpAmp "&&"
    At "@" Backslash "\\" Caret "^" Backquote "`" Tilde "~" Dollar "$" Ampersand "&"
}

impl Sym {
    /// The reserved word of this spelling. `maybe` and `else` are words only where the feature
    /// `maybe_expr` is on.
    pub fn reserved(word: &str, maybe_expr: bool) -> Option<Sym> {
        if !(2..=7).contains(&word.len()) {
            return None;
        }
        Some(match word {
            "after" => Sym::After,
            "begin" => Sym::Begin,
            "case" => Sym::Case,
            "try" => Sym::Try,
            "cond" => Sym::Cond,
            "catch" => Sym::Catch,
            "andalso" => Sym::AndAlso,
            "orelse" => Sym::OrElse,
            "end" => Sym::End,
            "fun" => Sym::Fun,
            "if" => Sym::If,
            "let" => Sym::Let,
            "of" => Sym::Of,
            "receive" => Sym::Receive,
            "when" => Sym::When,
            "bnot" => Sym::Bnot,
            "not" => Sym::Not,
            "div" => Sym::Div,
            "rem" => Sym::Rem,
            "band" => Sym::Band,
            "and" => Sym::And,
            "bor" => Sym::Bor,
            "bxor" => Sym::Bxor,
            "bsl" => Sym::Bsl,
            "bsr" => Sym::Bsr,
            "or" => Sym::Or,
            "xor" => Sym::Xor,
            "maybe" if maybe_expr => Sym::Maybe,
            "else" if maybe_expr => Sym::Else,
            _ => return None,
        })
    }
}

impl Token {
    pub fn is(&self, sym: Sym) -> bool {
        matches!(self.kind, Tok::Sym(own) if own == sym)
    }
}

impl Tok {
    /// The token as `epp` writes it for `??Arg` and `erl_parse` for "syntax error before:".
    pub fn to_source(&self) -> String {
        match self {
            // Were these reserved here, they would be no atoms.
            Tok::Atom(a) if matches!(a.name(), "maybe" | "else") => a.name().to_string(),
            Tok::Atom(a) => crate::print::atom(*a),
            Tok::Var(v) => v.name().to_string(),
            Tok::Integer(i) => i.to_string(),
            Tok::Float(f) => crate::print::float(*f),
            Tok::Char(c) => crate::print::character(*c),
            Tok::String(s) => crate::print::string(s),
            Tok::Sigil(s) => format!("~{}{}{}", s.prefix, crate::print::string(&s.text), s.suffix),
            Tok::Sym(s) => s.text().to_string(),
            Tok::Dot => ".".to_string(),
        }
    }
}
