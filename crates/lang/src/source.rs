//! Where text comes from: files, spans in them, and the lines and columns people read.

use crate::diagnostic::Diagnostic;
use crate::encoding;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The number of a file in a `SourceMap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A stretch of one file, in bytes. Of code without text (a `.beam`) only a line and column are
/// known; they are packed into `start` (see `SourceFile::without_text`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The first byte behind it.
    pub end: u32,
}

impl Span {
    /// The span of what was not written by anybody.
    pub const NONE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

    /// The span from the start of `self` to the end of `other`; of two files, `self` wins.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file && other.end > self.start {
            Span { end: other.end, ..self }
        } else {
            self
        }
    }
}

/// A line and a column, as people count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineCol {
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters; 0 if unknown.
    pub column: u32,
}

/// A file, and what its positions mean.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as stack traces show it (`-file` can change it later on).
    pub name: Arc<str>,
    /// Where the file was read.
    pub path: PathBuf,
    /// `None`: loaded from a `.beam` whose source is not at hand.
    pub text: Option<Arc<str>>,
    line_starts: Vec<u32>,
    /// How many characters stand before each block of the text; made at the first question. Lines
    /// can be as long as the file, and columns count characters.
    characters: OnceLock<Vec<u32>>,
    /// `-file(Name, Line)`: from this byte on, positions read so. Sorted by offset.
    renames: Vec<(u32, Arc<str>, i64)>,
}

const COLUMN_BITS: u32 = 10;
const BLOCK: usize = 4096;

/// Every byte that does not continue a character starts one.
fn characters_in(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|b| **b & 0xC0 != 0x80).count() as u32
}

impl SourceFile {
    /// A file with its text.
    pub fn new(name: &str, path: &Path, text: Arc<str>) -> SourceFile {
        let starts = std::iter::once(0);
        let line_starts = starts.chain(memchr_lines(text.as_bytes())).collect();
        let name = Arc::from(name);
        let (path, text) = (path.to_owned(), Some(text));
        let characters = OnceLock::new();
        SourceFile { name, path, text, line_starts, characters, renames: vec![] }
    }

    /// A file known by name only: spans carry packed lines and columns.
    pub fn without_text(name: &str, path: &Path) -> SourceFile {
        let name = Arc::from(name);
        let (path, line_starts, renames) = (path.to_owned(), vec![], vec![]);
        let characters = OnceLock::new();
        SourceFile { name, path, text: None, line_starts, characters, renames }
    }

    /// A line and a column in one number, for spans of files without text.
    pub fn pack(line: u32, column: u32) -> u32 {
        let line = line.min((1 << (32 - COLUMN_BITS)) - 1);
        (line << COLUMN_BITS) | column.min((1 << COLUMN_BITS) - 1)
    }

    /// `-file(Name, Line)`. A file included twice says the same thing twice.
    pub fn rename_from(&mut self, offset: u32, name: &str, line_delta: i64) {
        let at = self.renames.partition_point(|r| r.0 < offset);
        if self.renames.get(at).is_none_or(|r| r.0 != offset) {
            self.renames.insert(at, (offset, Arc::from(name), line_delta));
        }
    }

    /// The physical line and column of a byte offset.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let Some(text) = &self.text else {
            let column = offset & ((1 << COLUMN_BITS) - 1);
            return LineCol { line: offset >> COLUMN_BITS, column };
        };
        let line = self.line_starts.partition_point(|&s| s <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let offset = (offset as usize).min(text.len());
        let column = self.characters_before(text, offset) - self.characters_before(text, start);
        LineCol { line: line as u32, column: column + 1 }
    }

    fn characters_before(&self, text: &str, offset: usize) -> u32 {
        let blocks = self.characters.get_or_init(|| {
            let mut total = 0;
            let count = |block: &[u8]| {
                let before = total;
                total += characters_in(block);
                before
            };
            let mut counts: Vec<u32> = text.as_bytes().chunks(BLOCK).map(count).collect();
            counts.push(total);
            counts
        });
        let block = offset / BLOCK;
        let rest = text.as_bytes().get(block * BLOCK..offset).unwrap_or_default();
        blocks.get(block).copied().unwrap_or(0) + characters_in(rest)
    }

    /// The name and line that a stack trace shows, after `-file`.
    pub fn shown_at(&self, offset: u32) -> (Arc<str>, u32) {
        let line = self.line_col(offset).line;
        let at = self.renames.partition_point(|r| r.0 <= offset);
        match at.checked_sub(1).map(|i| &self.renames[i]) {
            Some((_, name, delta)) => (name.clone(), (i64::from(line) + delta).max(0) as u32),
            None => (self.name.clone(), line),
        }
    }

    /// The offset of a 1-based line and column; a column of 0 is the start of the line.
    pub fn offset_of(&self, line: u32, column: u32) -> u32 {
        let Some(text) = &self.text else { return SourceFile::pack(line, column) };
        let index = (line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        let start = self.line_starts[index];
        let end = self.line_starts.get(index + 1).map_or(text.len(), |&e| e as usize);
        let line = text.get(start as usize..end).unwrap_or_default();
        let chars = line.chars().take(column.max(1) as usize - 1);
        start + chars.map(|c| c.len_utf8() as u32).sum::<u32>()
    }

    /// The text of a 1-based line, without its end.
    pub fn line_text(&self, line: u32) -> Option<&str> {
        let text = self.text.as_ref()?;
        let start = *self.line_starts.get(line.checked_sub(1)? as usize)? as usize;
        let end = self.line_starts.get(line as usize).map_or(text.len(), |&e| e as usize);
        Some(text.get(start..end)?.trim_end_matches(['\n', '\r']))
    }

    /// How many lines the text has.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

fn memchr_lines(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    memchr::memchr_iter(b'\n', bytes).map(|i| i as u32 + 1)
}

/// All files of a program. Ids are never reused.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    by_path: HashMap<PathBuf, FileId>,
    /// What files are called that lie elsewhere than they did when a program was run.
    names: HashMap<PathBuf, String>,
}

impl SourceMap {
    /// Adds a file and gives it a number.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file at this path is called so, in stack traces and by `?FILE`.
    pub fn name_file(&mut self, path: PathBuf, name: String) {
        self.names.insert(path, name);
    }

    /// Adds a file from its bytes, in whatever encoding it declares; a file that is already here
    /// with the same text is not added again.
    pub fn load(
        &mut self,
        name: &str,
        path: &Path,
        bytes: Vec<u8>,
    ) -> (FileId, Option<Diagnostic>) {
        let known = self.by_path.get(path).copied();
        let text_of = |id: FileId| self.get(id).and_then(|f| f.text.as_deref());
        if let Some(id) = known.filter(|id| text_of(*id).map(str::as_bytes) == Some(&bytes)) {
            return (id, None);
        }
        let (text, problem) = encoding::decode(bytes);
        let name = self.names.get(path).map_or(name, String::as_str);
        let id = self.add(SourceFile::new(name, path, text.into()));
        self.by_path.insert(path.to_owned(), id);
        let problem = problem.map(|(at, message)| {
            let span = Span { file: id, start: at, end: at + 1 };
            let hint = "save it as UTF-8, or start it with `%% coding: latin-1`";
            Diagnostic::error(span, message).hint(hint)
        });
        (id, problem)
    }

    /// The file at this path, if its text is here.
    pub fn with_text(&self, path: &Path) -> Option<FileId> {
        let known = self.by_path.get(path).copied();
        known.filter(|id| self.get(*id).is_some_and(|f| f.text.is_some()))
    }

    /// A file known by name only, added once.
    pub fn without_text(&mut self, name: &str, path: &Path) -> FileId {
        match self.by_path.get(path) {
            Some(id) if self.get(*id).is_some_and(|f| f.text.is_none()) => *id,
            _ => {
                let id = self.add(SourceFile::without_text(name, path));
                self.by_path.insert(path.to_owned(), id);
                id
            }
        }
    }

    /// The file with this number.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The file with this number, to change it.
    pub fn get_mut(&mut self, id: FileId) -> Option<&mut SourceFile> {
        self.files.get_mut(id.0 as usize)
    }

    /// The physical line and column at which a span begins; zeros if its file is not known.
    pub fn line_col(&self, span: Span) -> LineCol {
        self.get(span.file).map_or(LineCol { line: 0, column: 0 }, |f| f.line_col(span.start))
    }

    /// The file name and line of a span as a stack trace shows them.
    pub fn shown_at(&self, span: Span) -> Option<(Arc<str>, u32)> {
        Some(self.get(span.file)?.shown_at(span.start))
    }

    /// All files with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }
}
