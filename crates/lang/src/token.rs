//! Tokens: what the lexer makes, the preprocessor rewrites and the parser reads.

use crate::ast::Integer;
use crate::source::Span;
use reverl_term::Atom;
use std::rc::Rc;

/// A token carries its value, not its text: after macro expansion its span is the place of the
/// macro call, where its text does not stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is, with its value.
    pub kind: TokenKind,
    /// Where it was written, or where its macro was called.
    pub span: Span,
}

/// The kind of a token, with its value.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// An atom, quoted or not.
    Atom(Atom),
    /// A variable.
    Var(Atom),
    /// An integer.
    Integer(Integer),
    /// A float.
    Float(f64),
    /// `$c`
    Char(char),
    /// A string, with its escapes resolved.
    String(Rc<str>),
    /// `~b"..."`: OTP 27.
    Sigil(Rc<Sigil>),
    /// A reserved word or punctuation.
    Symbol(Symbol),
    /// The `.` that ends a form.
    Dot,
}

/// A sigil: a string with a prefix.
#[derive(Clone, Debug, PartialEq)]
pub struct Sigil {
    /// What stands between `~` and the delimiter: empty, `s`, `S`, `b`, `B`, or something unknown.
    pub prefix: String,
    /// The string, with its escapes resolved where the prefix asks for that.
    pub text: String,
    /// The name that stands directly behind the closing delimiter.
    pub suffix: String,
}

macro_rules! symbols {
    ($($name:ident $text:literal)*) => {
        /// A reserved word or punctuation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Symbol {
            $(#[doc = concat!("The token `` ", $text, " ``.")] $name),*
        }

        impl Symbol {
            /// The word or punctuation as it is written.
            pub fn text(self) -> &'static str {
                match self { $(Symbol::$name => $text),* }
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

impl Symbol {
    /// The reserved word of this spelling. `maybe` and `else` are words only where the feature
    /// `maybe_expr` is on.
    pub fn reserved(word: &str, maybe_expr: bool) -> Option<Symbol> {
        if !(2..=7).contains(&word.len()) {
            return None;
        }
        Some(match word {
            "after" => Symbol::After,
            "begin" => Symbol::Begin,
            "case" => Symbol::Case,
            "try" => Symbol::Try,
            "cond" => Symbol::Cond,
            "catch" => Symbol::Catch,
            "andalso" => Symbol::AndAlso,
            "orelse" => Symbol::OrElse,
            "end" => Symbol::End,
            "fun" => Symbol::Fun,
            "if" => Symbol::If,
            "let" => Symbol::Let,
            "of" => Symbol::Of,
            "receive" => Symbol::Receive,
            "when" => Symbol::When,
            "bnot" => Symbol::Bnot,
            "not" => Symbol::Not,
            "div" => Symbol::Div,
            "rem" => Symbol::Rem,
            "band" => Symbol::Band,
            "and" => Symbol::And,
            "bor" => Symbol::Bor,
            "bxor" => Symbol::Bxor,
            "bsl" => Symbol::Bsl,
            "bsr" => Symbol::Bsr,
            "or" => Symbol::Or,
            "xor" => Symbol::Xor,
            "maybe" if maybe_expr => Symbol::Maybe,
            "else" if maybe_expr => Symbol::Else,
            _ => return None,
        })
    }
}

impl Token {
    /// Whether it is this reserved word or punctuation.
    pub fn is(&self, sym: Symbol) -> bool {
        matches!(self.kind, TokenKind::Symbol(own) if own == sym)
    }
}

impl TokenKind {
    /// The token as `epp` writes it for `??Arg` and `erl_parse` for "syntax error before:".
    pub fn to_source(&self) -> String {
        match self {
            // They are atoms here, so they are not reserved, and need no quotes.
            TokenKind::Atom(a) if matches!(a.name(), "maybe" | "else") => a.name().to_string(),
            TokenKind::Atom(a) => crate::print::atom(*a),
            TokenKind::Var(v) => v.name().to_string(),
            TokenKind::Integer(i) => i.to_string(),
            TokenKind::Float(f) => crate::print::float(*f),
            TokenKind::Char(c) => crate::print::character(*c),
            TokenKind::String(s) => crate::print::string(s),
            TokenKind::Sigil(s) => {
                format!("~{}{}{}", s.prefix, crate::print::string(&s.text), s.suffix)
            }
            TokenKind::Symbol(s) => s.text().to_string(),
            TokenKind::Dot => ".".to_string(),
        }
    }
}
