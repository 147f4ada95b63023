//! `reverl export`: an execution as a diagram, for documents and other tools.

use crate::disk::write_whole;
use crate::open::{self, CommandLine};
use crate::program_args::ProgramArgs;
use clap::{Args, ValueEnum};
use reverl_causal::Entry;
use reverl_session::session::Session;
use reverl_session::text::markdown;
use reverl_session::{outcome, sequence};
use reverl_term::Term;
use std::path::PathBuf;

/// Draw an execution: who sent what to whom, who created whom, what called what.
#[derive(Args, Clone, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What to draw
    #[arg(long, value_enum, default_value = "sequence")]
    pub what: ExportKind,
    /// How to draw it (default: by the name of the output file, else text)
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Stop the program after so many steps
    #[arg(long, default_value_t = 50_000_000, value_name = "N")]
    pub max_steps: u64,
}

/// What of an execution is exported.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// Messages and creations in order
    Sequence,
    /// Who created whom
    Processes,
    /// What called what
    Calls,
    /// What went wrong, what was noted and who sent what to whom, in Markdown
    Report,
    /// A log as CauDEr's tracer writes it, to a directory (-o DIR)
    CauderLog,
}

/// The format it is written in.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Svg,
    Dot,
    Mermaid,
    Markdown,
}

impl ExportArgs {
    fn format(&self) -> Format {
        let extension = self.output.as_ref().and_then(|o| o.extension()).and_then(|e| e.to_str());
        self.format.unwrap_or(match extension {
            Some("svg") => Format::Svg,
            Some("dot" | "gv") => Format::Dot,
            Some("mmd" | "mermaid") => Format::Mermaid,
            _ if self.what == ExportKind::Report => Format::Markdown,
            _ => Format::Text,
        })
    }
}

/// The call with which an execution began.
fn entry_text(session: &Session) -> String {
    let system = &session.system;
    let entry = &system.execution().proc(system.main).entry;
    let (module, name, _) = entry.mfa();
    let (Entry::Call { args, .. } | Entry::Fun { args, .. }) = entry;
    let args: Vec<String> = args.to_vec().unwrap_or_default().iter().map(outcome::show).collect();
    let atom = |name| outcome::show(&Term::atom(name));
    format!("{}:{}({})", atom(module), atom(name), args.join(","))
}

pub fn run(args: &ExportArgs) -> Result<i32, String> {
    let host = CommandLine { args: args.program.clone() };
    let mut session = host.session()?;
    session.run(&mut |system| system.execution().steps() < args.max_steps);
    if args.what == ExportKind::CauderLog {
        let dir = args.output.as_ref().ok_or("a log is a directory: name one with -o DIR")?;
        let call = args.program.given_entry().unwrap_or_else(|| entry_text(&session));
        open::cauder::write(&session, &call, dir)?;
        return Ok(0);
    }
    let system = &session.system;
    let drawn = match (args.what, args.format()) {
        (ExportKind::Sequence, Format::Text) => sequence::text(system) + "\n",
        (ExportKind::Sequence, Format::Svg) => sequence::svg(system),
        (ExportKind::Sequence, Format::Mermaid) => sequence::mermaid(system),
        (ExportKind::Processes, Format::Text) => sequence::process_tree_text(system) + "\n",
        (ExportKind::Processes, Format::Dot) => sequence::process_tree_dot(system),
        (ExportKind::Processes, Format::Svg) => sequence::process_tree_svg(system),
        (ExportKind::Calls, Format::Svg) => sequence::calls_svg(system),
        (ExportKind::Calls, Format::Text) => sequence::calls_text(system) + "\n",
        (ExportKind::Calls, Format::Dot) => sequence::calls_dot(system),
        (ExportKind::Report, Format::Markdown) => markdown::report(&session).markdown,
        (ExportKind::Report, Format::Svg) => sequence::svg(system),
        (what, format) => {
            let good = match what {
                ExportKind::Report => "markdown or svg",
                ExportKind::Sequence | ExportKind::CauderLog => "text, svg or mermaid",
                ExportKind::Processes | ExportKind::Calls => "text, svg or dot",
            };
            return Err(
                format!("{what:?} cannot be drawn as {format:?}: choose {good}").to_lowercase()
            );
        }
    };
    match &args.output {
        Some(path) => write_whole(path, drawn.as_bytes())?,
        None => print!("{drawn}"),
    }
    Ok(0)
}
