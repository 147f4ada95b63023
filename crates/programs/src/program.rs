//! A row of the table: a program, how it is called, and what is in it.

use crate::loader::Files;
use reverl_causal::{Entry, NoOutside, System};
use reverl_lang::ast::ExprKind;
use reverl_lang::lower::constant::constant;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::FileId;
use reverl_term::Term;
use std::fmt;
use std::path::{Path, PathBuf};

/// What a program has in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// One process, and nothing from outside of it.
    Sequential,
    Exceptions,
    Receive,
    Timeouts,
    Links,
    Monitors,
    Names,
    Tables,
    Timers,
    /// Behaviours of OTP: servers, state machines, event managers, supervisors.
    Behaviours,
    /// An OTP application with its resource file.
    Application,
    /// Several nodes.
    Nodes,
    /// Clocks, files, standard input, what the node says of itself.
    Inputs,
    /// It does not end by itself.
    Endless,
}

impl Tag {
    /// Every tag.
    pub const ALL: &[Tag] = &[
        Tag::Sequential,
        Tag::Exceptions,
        Tag::Receive,
        Tag::Timeouts,
        Tag::Links,
        Tag::Monitors,
        Tag::Names,
        Tag::Tables,
        Tag::Timers,
        Tag::Behaviours,
        Tag::Application,
        Tag::Nodes,
        Tag::Inputs,
        Tag::Endless,
    ];
}

/// One program of the cupboard, with what it shows.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its file below `directory()`, without the extension.
    pub file: &'static str,
    /// The call that it begins with: `main()`, or `module:function(Args)` of another module.
    pub call: &'static str,
    pub tags: &'static [Tag],
    /// It calls modules that do not come with Reverl.
    pub needs_otp: bool,
}

/// `events/pingpong`, and the call if it is not the usual one.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.trim_start_matches("../");
        match self.call {
            "main()" => f.write_str(file),
            call => write!(f, "{file} {call}"),
        }
    }
}

impl Program {
    /// Its folder and module, such as `moments/why_receive`.
    pub fn name(&self) -> String {
        self.to_string()
    }

    /// Where its source is.
    pub fn path(&self) -> PathBuf {
        crate::directory().join(self.file).with_extension("erl")
    }

    pub fn has(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }

    /// The module that has its entry.
    pub fn module(&self) -> &'static str {
        Path::new(self.file).file_name().and_then(|n| n.to_str()).unwrap_or(self.file)
    }

    /// The call with its module, as it is written on the command line.
    pub fn call(&self) -> String {
        match self.call.split_once('(').is_some_and(|(function, _)| function.contains(':')) {
            true => self.call.to_string(),
            false => format!("{}:{}", self.module(), self.call),
        }
    }

    /// The call it begins with.
    pub fn entry(&self) -> Entry {
        self.parsed_call().unwrap_or_else(|| panic!("{self}: not a call with constants"))
    }

    fn parsed_call(&self) -> Option<Entry> {
        let exprs = parse_exprs(&self.call(), FileId(u32::MAX)).ok()?;
        let ExprKind::Call { function, args } = &exprs.first()?.kind else { return None };
        let ExprKind::Remote { module, name } = &function.kind else { return None };
        let args: Option<Vec<Term>> = args.iter().map(constant).collect();
        match (&module.kind, &name.kind) {
            (ExprKind::Atom(module), ExprKind::Atom(name)) => {
                Some(Entry::Call { module: *module, name: *name, args: Term::list(args?) })
            }
            _ => None,
        }
    }

    /// The program, about to run, with the modules of an installed OTP.
    pub fn system(&self) -> System {
        self.system_with(Files::around(&self.path()))
    }

    /// The same as on a machine without OTP.
    pub fn system_without_otp(&self) -> System {
        self.system_with(Files::without_otp(&self.path()))
    }

    fn system_with(&self, files: Files) -> System {
        let code = reverl_machine::Program::new();
        System::new(code, Box::new(files), Box::new(NoOutside), self.entry())
    }
}
