//! The options of `re:compile` and `re:run`.

use crate::regex::Newline;
use pcre2_sys as c;
use reverl_term::{Term, View};

/// What a function of `re` gives back.
pub type Answer = Term;

/// The options of one call.
pub struct Options {
    /// PCRE2's bits for compiling and for running.
    pub compile: u32,
    pub run: u32,
    /// PCRE2's numbers; 0 if not said.
    pub newline: u8,
    /// Whether the newline was said.
    pub has_newline: bool,
    pub bsr: u8,
    pub global: bool,
    pub report_errors: bool,
    pub offset: usize,
    pub match_limit: Option<u32>,
    pub depth_limit: Option<u32>,
    pub capture: Capture,
    /// `capture` asks for something that cannot be.
    pub is_bad_capture: bool,
    /// Some option makes sense only when compiling, or only when running.
    pub is_for_compile: bool,
    pub is_for_run: bool,
}

/// What is captured, and how it is given back.
pub struct Capture {
    pub which: Which,
    pub kind: Kind,
}

/// Which groups are captured.
pub enum Which {
    All,
    AllButFirst,
    First,
    None,
    AllNames,
    These(Vec<Group>),
}

/// A group by its number or name.
pub enum Group {
    Number(usize),
    Name(String),
}

/// The form in which a captured part is given back.
#[derive(Clone, Copy)]
pub enum Kind {
    Index,
    List,
    Binary,
}

impl Options {
    /// `None` if there is one that does not exist.
    pub fn of(list: &Term) -> Option<Options> {
        let mut options = Options {
            compile: 0,
            run: 0,
            newline: Newline::Lf as u8,
            has_newline: false,
            bsr: 0,
            global: false,
            report_errors: false,
            offset: 0,
            match_limit: None,
            depth_limit: None,
            capture: Capture { which: Which::All, kind: Kind::Index },
            is_bad_capture: false,
            is_for_compile: false,
            is_for_run: false,
        };
        for option in list.to_vec()? {
            match option.view() {
                View::Atom(word) => options.word(word.name())?,
                View::Tuple([key, values @ ..]) => options.pair(key.as_atom()?.name(), values)?,
                _ => return None,
            }
        }
        Some(options)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let compiling = match word {
            "unicode" => c::PCRE2_UTF,
            "caseless" => c::PCRE2_CASELESS,
            "dollar_endonly" => c::PCRE2_DOLLAR_ENDONLY,
            "dotall" => c::PCRE2_DOTALL,
            "extended" => c::PCRE2_EXTENDED,
            "firstline" => c::PCRE2_FIRSTLINE,
            "multiline" => c::PCRE2_MULTILINE,
            "no_auto_capture" => c::PCRE2_NO_AUTO_CAPTURE,
            "dupnames" => c::PCRE2_DUPNAMES,
            "ungreedy" => c::PCRE2_UNGREEDY,
            "no_start_optimize" => c::PCRE2_NO_START_OPTIMIZE,
            "ucp" => c::PCRE2_UCP,
            "never_utf" => c::PCRE2_NEVER_UTF,
            _ => 0,
        };
        let running = match word {
            "notbol" => c::PCRE2_NOTBOL,
            "noteol" => c::PCRE2_NOTEOL,
            "notempty" => c::PCRE2_NOTEMPTY,
            "notempty_atstart" => c::PCRE2_NOTEMPTY_ATSTART,
            _ => 0,
        };
        self.compile |= compiling;
        self.run |= running;
        self.is_for_compile |= compiling != 0;
        match word {
            "anchored" => {
                self.compile |= c::PCRE2_ANCHORED;
                self.run |= c::PCRE2_ANCHORED;
            }
            "bsr_anycrlf" => self.bsr = c::PCRE2_BSR_ANYCRLF as u8,
            "bsr_unicode" => self.bsr = c::PCRE2_BSR_UNICODE as u8,
            "global" => self.global = true,
            "report_errors" => self.report_errors = true,
            _ if compiling == 0 && running == 0 => return None,
            _ => {}
        }
        self.is_for_run |= running != 0 || self.global || self.report_errors;
        Some(())
    }

    fn pair(&mut self, key: &str, values: &[Term]) -> Option<()> {
        self.is_for_run |= key != "newline";
        match (key, values) {
            ("newline", [value]) => {
                self.has_newline = true;
                self.newline = match value.as_atom()?.name() {
                    "cr" => Newline::Cr,
                    "lf" => Newline::Lf,
                    "crlf" => Newline::CrLf,
                    "any" => Newline::Any,
                    "anycrlf" => Newline::AnyCrLf,
                    _ => return None,
                } as u8;
            }
            ("offset", [n]) => self.offset = n.as_usize()?,
            ("match_limit", [n]) => self.match_limit = Some(u32::try_from(n.as_i64()?).ok()?),
            ("match_limit_recursion", [n]) => {
                self.depth_limit = Some(u32::try_from(n.as_i64()?).ok()?);
            }
            ("capture", [which]) => self.capture(which, None),
            ("capture", [which, kind]) => self.capture(which, Some(kind)),
            _ => return None,
        }
        Some(())
    }

    fn capture(&mut self, which: &Term, kind: Option<&Term>) {
        let kind = match kind.map(|kind| kind.as_atom().map(|a| a.name())) {
            None | Some(Some("index")) => Some(Kind::Index),
            Some(Some("list")) => Some(Kind::List),
            Some(Some("binary")) => Some(Kind::Binary),
            _ => None,
        };
        match (Which::of(which), kind) {
            (Some(which), Some(kind)) => self.capture = Capture { which, kind },
            _ => self.is_bad_capture = true,
        }
    }
}

impl Which {
    fn of(t: &Term) -> Option<Which> {
        if let Some(word) = t.as_atom() {
            return Some(match word.name() {
                "all" => Which::All,
                "all_but_first" => Which::AllButFirst,
                "first" => Which::First,
                "none" => Which::None,
                "all_names" => Which::AllNames,
                _ => return None,
            });
        }
        t.to_vec()?.iter().map(Group::of).collect::<Option<Vec<Group>>>().map(Which::These)
    }
}

impl Group {
    fn of(t: &Term) -> Option<Group> {
        match t.view() {
            View::Int(n) => usize::try_from(n).ok().map(Group::Number),
            View::Atom(name) => Some(Group::Name(name.name().to_string())),
            _ => {
                let bytes = super::iolists::bytes(t)?;
                Some(Group::Name(String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }
}
