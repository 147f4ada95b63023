//! From a file to a `Module`: the preprocessor's forms parsed and put together.

use crate::ast::{Expr, ExprKind, Integer};
use crate::behaviour::add_behaviour_info;
use crate::diagnostic::{Diagnostic, MAX_PROBLEMS};
use crate::files;
use crate::forms::{Form, FormKind, FunName, Import, Module};
use crate::options::Options;
use crate::parser::{ParsedForm, ParsedKind, Parser};
use crate::preprocess::{Item, Preprocessor};
use crate::source::{FileId, SourceMap, Span};
use reverl_term::Atom;
use std::path::Path;

/// Reads and parses a source file. Without a readable file or a `-module`, there is no module;
/// with errors there is one made of the forms that could be read.
pub fn load_source(
    path: &Path,
    options: &Options,
    sources: &mut SourceMap,
) -> (Option<Module>, Vec<Diagnostic>) {
    match files::read(path) {
        Ok(bytes) => load_bytes(path, bytes, options, sources),
        Err(error) => {
            let file = sources
                .add(crate::source::SourceFile::without_text(&path.display().to_string(), path));
            let span = Span { file, start: 0, end: 0 };
            (None, vec![Diagnostic::error(span, format!("cannot read the file: {error}"))])
        }
    }
}

/// A source file is looked for by the name of its module, so it must have that name.
pub fn misnamed(module: &Module, path: &Path) -> Option<Diagnostic> {
    let file = path.file_stem()?.to_string_lossy();
    if path.extension().is_none_or(|e| e != "erl") || module.name.name() == file {
        return None;
    }
    let form = module.forms.iter().find(|form| matches!(form.kind, FormKind::Module(_)));
    let span = form.map_or(Span { file: module.file, start: 0, end: 0 }, |form| form.span);
    let name = module.name.name();
    let message = format!("module name '{name}' does not match file name '{file}'");
    Some(Diagnostic::error(span, message).hint("rename the file or the module"))
}

/// As `load_source`, for text that is already in memory; `path` names it.
pub fn load_bytes(
    path: &Path,
    bytes: Vec<u8>,
    options: &Options,
    sources: &mut SourceMap,
) -> (Option<Module>, Vec<Diagnostic>) {
    load_named(&path.display().to_string(), path, bytes, options, sources)
}

/// As `load_bytes` under another name: what `?FILE` and stack traces say.
pub fn load_named(
    name: &str,
    path: &Path,
    bytes: Vec<u8>,
    options: &Options,
    sources: &mut SourceMap,
) -> (Option<Module>, Vec<Diagnostic>) {
    let (file, problem) = sources.load(name, path, bytes);
    let (module, mut problems) = parse_file(file, options, sources);
    problems.extend(problem);
    (module, problems)
}

fn parse_file(
    file: FileId,
    options: &Options,
    sources: &mut SourceMap,
) -> (Option<Module>, Vec<Diagnostic>) {
    let mut builder = Builder::new(file);
    let mut preprocessor = Preprocessor::new(file, sources, options);
    builder.file(file, &preprocessor);
    let script = script_name(file, preprocessor.sources);
    if let Some(name) = script {
        preprocessor.define_module(name, Span { file, start: 0, end: 0 });
    }
    while let Some(item) = preprocessor.next_item() {
        if builder.problems.len() + preprocessor.problems.len() > MAX_PROBLEMS {
            break;
        }
        match item {
            Item::File { name, line, span } => {
                let kind = FormKind::File { name: name.into(), line };
                builder.module.forms.push(Form { kind, span });
            }
            Item::Form(tokens) => {
                let fallback = Span { file, start: 0, end: 0 };
                match Parser::new(&tokens, fallback).form() {
                    Ok(form) => builder.add(form),
                    Err(problem) => builder.problems.push(*problem),
                }
                preprocessor.recycle(tokens);
            }
        }
    }
    let mut problems = std::mem::take(&mut preprocessor.problems);
    problems.append(&mut builder.problems);
    if let Some(name) = script {
        builder.script(name, Span { file, start: 0, end: 0 });
    }
    for option in &options.compile {
        builder.compile_options(option, Span { file, start: 0, end: 0 });
    }
    let named = builder.named;
    if !named && problems.is_empty() {
        let span = Span { file, start: 0, end: 0 };
        let hint = "start the file with `-module(name).`";
        problems.push(Diagnostic::error(span, "no module definition").hint(hint));
    }
    // Preprocessor and parser report separately; a person reads from top to bottom.
    problems.sort_by_key(|p| (p.span.file != file, p.span.file, p.span.start));
    let module = named.then(|| builder.finish());
    (module, problems)
}

/// An escript (its first line begins with `#!`) is a module that is named after its file.
fn script_name(file: FileId, sources: &SourceMap) -> Option<Atom> {
    let file = sources.get(file)?;
    let is_script = file.text.as_ref()?.starts_with("#!");
    let stem = file.path.file_stem()?.to_str()?;
    is_script.then(|| Atom::new(stem))
}

/// Collects forms into a module; also used for the abstract code of a `.beam`.
pub(crate) struct Builder {
    pub module: Module,
    pub named: bool,
    pub problems: Vec<Diagnostic>,
}

impl Builder {
    pub fn new(file: FileId) -> Builder {
        let module = Module::new(Atom::new(""), file);
        Builder { module, named: false, problems: Vec::new() }
    }

    fn file(&mut self, file: FileId, preprocessor: &Preprocessor) {
        let name = preprocessor.sources.get(file).map(|f| f.name.to_string()).unwrap_or_default();
        let kind = FormKind::File { name: name.into(), line: 1 };
        self.module.forms.push(Form { kind, span: Span { file, start: 0, end: 0 } });
    }

    /// What `escript` adds: a name if there is none, and that `main/1` can be called.
    fn script(&mut self, name: Atom, span: Span) {
        if !self.named {
            self.named = true;
            self.module.name = name;
            self.module.forms.insert(1, Form { kind: FormKind::Module(name), span });
        }
        let main = (Atom::new("main"), 1);
        let is_there = self.module.functions.iter().any(|f| (f.name, f.arity) == main);
        if is_there && !self.module.exports.iter().any(|(name, _)| *name == main) {
            self.module.exports.push((main, span));
        }
    }

    /// The module, with what every module has without writing it.
    pub fn finish(mut self) -> Module {
        let optional = self.module.forms.iter().flat_map(|form| match &form.kind {
            FormKind::Attribute { name, value } if name.name() == "optional_callbacks" => {
                names(value)
            }
            _ => vec![],
        });
        let optional: Vec<FunName> = optional.collect();
        add_behaviour_info(&mut self.module, &optional);
        self.module
    }

    pub fn add(&mut self, form: ParsedForm) {
        let span = form.span;
        let bare = |names: &[(FunName, Span)]| names.iter().map(|(n, _)| *n).collect();
        let kind = match form.kind {
            ParsedKind::Module(name) => {
                if self.named {
                    self.problems.push(Diagnostic::error(span, "redefining module"));
                    return;
                }
                self.named = true;
                self.module.name = name;
                FormKind::Module(name)
            }
            ParsedKind::Export(names) => {
                let kind = FormKind::Export(bare(&names));
                self.module.exports.extend(names);
                kind
            }
            ParsedKind::Import { module, names } => {
                let imports = names.iter().map(|((name, arity), span)| Import {
                    module,
                    name: *name,
                    arity: *arity,
                    span: *span,
                });
                self.module.imports.extend(imports);
                FormKind::Import { module, names: bare(&names) }
            }
            ParsedKind::File { name, line } => FormKind::File { name, line },
            ParsedKind::Function(function) => {
                self.module.functions.push(function);
                FormKind::Function(self.module.functions.len() - 1)
            }
            ParsedKind::Record { definition, types } => {
                self.module.records.push(definition);
                FormKind::Record { index: self.module.records.len() - 1, types }
            }
            ParsedKind::Type(def) => FormKind::Type(def),
            ParsedKind::Spec(spec) => FormKind::Spec(spec),
            ParsedKind::Attribute { name, value } => {
                if name.name() == "compile" {
                    self.compile_options(&value, span);
                }
                FormKind::Attribute { name, value }
            }
        };
        self.module.forms.push(Form { kind, span });
    }

    /// `-compile(Option)` or `-compile([Option, ..])`: those that change the meaning.
    fn compile_options(&mut self, value: &Expr, span: Span) {
        match &value.kind {
            ExprKind::List { elements, .. } => {
                elements.iter().for_each(|option| self.compile_options(option, span));
            }
            ExprKind::Atom(option) => match option.name() {
                "export_all" => self.module.export_all = true,
                "no_auto_import" => self.module.no_auto_import_at_all = true,
                _ => {}
            },
            ExprKind::Tuple(parts) => {
                let [Expr { kind: ExprKind::Atom(option), .. }, value] = parts.as_slice() else {
                    return;
                };
                match (option.name(), &value.kind) {
                    ("parse_transform", ExprKind::Atom(transform)) => {
                        self.module.parse_transforms.push((*transform, span));
                    }
                    ("no_auto_import", _) => {
                        self.module.no_auto_imports.extend(names(value));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// `[{f, 1}, ..]`, or one such pair.
fn names(value: &Expr) -> Vec<FunName> {
    match &value.kind {
        ExprKind::List { elements, .. } => elements.iter().flat_map(names).collect(),
        ExprKind::Tuple(parts) => match parts.as_slice() {
            [
                Expr { kind: ExprKind::Atom(name), .. },
                Expr { kind: ExprKind::Integer(Integer::Small(arity)), .. },
            ] => u32::try_from(*arity).map(|arity| (*name, arity)).into_iter().collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
