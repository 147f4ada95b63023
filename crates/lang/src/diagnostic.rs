//! What is wrong with the user's program, where, and what would help.
//!
//! Every stage of the front end pushes these; none of them prints. `render` is the one place that
//! knows how a problem looks on a terminal, `to_json` how it looks to a tool.

use crate::source::{SourceMap, Span};
use std::fmt::Write;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be run.
    Error,
    /// The file can be run, and is probably not what was meant.
    Warning,
}

impl Severity {
    /// The word that stands before a message.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// Which problem it is, where somebody must tell it from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// A call of a function that the module does not have.
    UndefinedFunction,
    /// A use of something else that the module does not have: a record, a field, a type.
    UndefinedName,
    /// An expression that may not stand in a guard.
    IllegalGuard,
    /// Anything else: the message says it.
    Other,
}

/// A file with more problems than this has one problem: it is not what it is taken for. Stages stop
/// looking when they have found so many.
pub const MAX_PROBLEMS: usize = 1000;

/// A problem of a source file. Messages follow erlc's wording where that is short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which problem it is.
    pub kind: ProblemKind,
    /// What is wrong, in one line.
    pub message: String,
    /// Where it is wrong.
    pub span: Span,
    /// What the person can do about it.
    pub hint: Option<String>,
    /// Other places that matter: "first defined here".
    pub labels: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error without a hint.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        let (severity, kind) = (Severity::Error, ProblemKind::Other);
        Diagnostic { severity, kind, message, span, hint: None, labels: Vec::new() }
    }

    /// A warning without a hint.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same with a kind that tells it from others.
    pub fn of_kind(mut self, kind: ProblemKind) -> Diagnostic {
        self.kind = kind;
        self
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The same with another place that matters.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// `file:line:col: error: message`, then the source line with a caret, labels and the hint.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        let at = place(sources, self.span);
        let _ = writeln!(out, "{at}{}: {}", self.severity.name(), self.message);
        snippet(&mut out, sources, self.span);
        for (span, text) in &self.labels {
            let _ = writeln!(out, "{}note: {text}", place(sources, *span));
            snippet(&mut out, sources, *span);
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "  hint: {hint}");
        }
        out
    }

    /// The same as JSON, for programs.
    pub fn to_json(&self, sources: &SourceMap) -> serde_json::Value {
        let mut json = position_json(sources, self.span);
        json["severity"] = self.severity.name().into();
        json["message"] = self.message.as_str().into();
        json["hint"] = self.hint.clone().into();
        let label = |(span, text): &(Span, String)| {
            let mut json = position_json(sources, *span);
            json["message"] = text.as_str().into();
            json
        };
        json["labels"] = self.labels.iter().map(label).collect();
        json
    }
}

fn place(sources: &SourceMap, span: Span) -> String {
    let Some(file) = sources.get(span.file) else { return String::new() };
    let at = file.line_col(span.start);
    let path = file.path.display();
    match (at.line, at.column) {
        (0, _) => format!("{path}: "),
        (line, 0) => format!("{path}:{line}: "),
        (line, column) => format!("{path}:{line}:{column}: "),
    }
}

fn position_json(sources: &SourceMap, span: Span) -> serde_json::Value {
    let Some(file) = sources.get(span.file) else { return serde_json::json!({}) };
    let start = file.line_col(span.start);
    // A position from a `.beam` is packed; its end means nothing.
    let end = if file.text.is_some() { file.line_col(span.end) } else { start };
    serde_json::json!({
        "file": file.path.display().to_string(),
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}

/// Lines longer than this (minified, generated, hostile) are shown as a window round the caret.
const SHOWN_WIDTH: usize = 160;

fn snippet(out: &mut String, sources: &SourceMap, span: Span) {
    let Some(file) = sources.get(span.file) else { return };
    let Some(text) = &file.text else { return };
    let start = file.line_col(span.start);
    let at = (span.start as usize).min(text.len());
    let (Some(before), Some(behind)) = (text.get(..at), text.get(at..)) else { return };
    // Only the window is looked at: a line can be as long as the file.
    let line_end = |c: &char| *c != '\n';
    // Tabs become one space, so that the caret stands under what it means.
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let left: Vec<char> =
        before.chars().rev().take_while(line_end).take(SHOWN_WIDTH / 2).map(visible).collect();
    let room = SHOWN_WIDTH - left.len();
    let right: String = behind.chars().take_while(line_end).take(room).map(visible).collect();
    let covered = text.get(at..(span.end as usize).clamp(at, text.len())).unwrap_or_default();
    let width = covered.chars().take_while(line_end).take(room).count().max(1);
    let number = start.line.to_string();
    let gap = " ".repeat(number.len());
    let indent = " ".repeat(left.len());
    let shown: String = left.into_iter().rev().collect::<String>() + &right;
    let _ = writeln!(out, " {number} | {}", shown.trim_end());
    let _ = writeln!(out, " {gap} | {indent}{}", "^".repeat(width));
}
