//! How a file is to be read: `-I`, `-D`, where applications are, and which OTP release defines the
//! language.

use crate::ast::Expr;
use crate::libraries::Libraries;
use std::path::PathBuf;
use std::sync::Arc;

/// How a source file is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-I DIR`
    pub include_dirs: Vec<PathBuf>,
    /// `-D NAME` and `-D NAME=VALUE`; the value is Erlang text.
    pub defines: Vec<(String, Option<String>)>,
    /// Where `-include_lib("app/..")` finds applications.
    pub libraries: Arc<Libraries>,
    /// The OTP release whose language this is: `?OTP_RELEASE`, and from 27 on `maybe` is a word.
    pub release: u32,
    /// Whether `maybe` is a word, if that was said and is not left to the release.
    pub maybe_expr: Option<bool>,
    /// Options of the compiler that change the meaning of a module, as `-compile` has them.
    pub compile: Vec<Expr>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            include_dirs: Vec::new(),
            defines: Vec::new(),
            libraries: Arc::new(Libraries::default()),
            release: 25,
            maybe_expr: None,
            compile: Vec::new(),
        }
    }
}
