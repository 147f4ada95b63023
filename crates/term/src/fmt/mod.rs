//! Terms as text, as `io_lib` writes them: plain (`~w`), pretty (`~p`), and formats (`io_lib:format/2`).

mod chars;
mod directive;
mod format;
mod layout;
mod number;
mod outline;
mod pretty;
mod printable;
mod write;

pub use chars::{Chars, chars_to_string, chars_to_term};
pub use format::{FormatError, format, format_deep, format_string, format_term, is_flat};
pub use pretty::{PrettyOptions, RecordFields, pretty};
pub use printable::{is_printable_latin1, is_printable_unicode};
pub use write::{write, write_atom, write_char, write_depth, write_encoded, write_string};

/// How characters beyond Latin-1 in atoms and strings are shown: escaped, or as they are (the `t` modifier).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Characters beyond Latin-1 are escaped.
    #[default]
    Latin1,
    /// All characters are shown as they are.
    Unicode,
}
