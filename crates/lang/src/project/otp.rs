//! An installed OTP, found as a shell finds `erl`.

use super::{ModuleSource, module_file};
use crate::files;
use crate::libraries::Libraries;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(super) struct Otp {
    /// The directory of its applications.
    pub lib: PathBuf,
    ebins: OnceLock<Vec<PathBuf>>,
}

impl Otp {
    /// The OTP that `ERL_ROOTDIR` names (and no other: a directory without one means none), that
    /// `ROOTDIR` names, or whose `erl` is on the path.
    pub fn installed() -> Option<Otp> {
        let roots = match files::variable("ERL_ROOTDIR") {
            Some(root) => vec![PathBuf::from(root)],
            None => {
                let named = files::variable("ROOTDIR").map(PathBuf::from);
                named.into_iter().chain(erl_roots()).collect()
            }
        };
        let lib = roots.into_iter().map(|root| root.join("lib")).find(|lib| has_stdlib(lib))?;
        Some(Otp { lib, ebins: OnceLock::new() })
    }

    /// The number of its release and the version of its emulator.
    pub fn version(&self) -> Option<(u32, String)> {
        let root = self.lib.parent()?;
        let numbers = files::entries(&root.join("releases"));
        let number = |path: &PathBuf| path.file_name()?.to_str()?.parse().ok();
        let release = numbers.iter().filter_map(number).max()?;
        let emulators = files::entries(root);
        let erts =
            |path: &PathBuf| Some(path.file_name()?.to_str()?.strip_prefix("erts-")?.to_string());
        Some((release, emulators.iter().find_map(erts)?))
    }

    /// The debug info of a `.beam` is exact and needs no headers; the source is the fallback.
    pub fn find(&self, module: &str) -> Option<ModuleSource> {
        let mut beams = self.ebins().iter().filter_map(|dir| module_file(dir, module, "beam"));
        if let Some(path) = beams.find(|path| files::is_file(path)) {
            return Some(ModuleSource::Beam(path));
        }
        let source = |ebin: &PathBuf| module_file(&ebin.parent()?.join("src"), module, "erl");
        let mut sources = self.ebins().iter().filter_map(source);
        sources.find(|path| files::is_file(path)).map(ModuleSource::Source)
    }

    /// The applications' code directories, those asked for most often first.
    fn ebins(&self) -> &[PathBuf] {
        self.ebins.get_or_init(|| {
            let libraries = Libraries::new([self.lib.clone()]);
            let mut dirs: Vec<PathBuf> = libraries.app_dirs().map(|app| app.join("ebin")).collect();
            let first = |dir: &PathBuf| {
                let path = dir.to_string_lossy();
                !["/stdlib-", "/kernel-", "/erts-"].iter().any(|app| path.contains(app))
            };
            dirs.sort_by_key(|dir| (first(dir), dir.clone()));
            dirs
        })
    }
}

fn has_stdlib(lib: &Path) -> bool {
    let names = files::entries(lib);
    names
        .iter()
        .filter_map(|path| path.file_name())
        .any(|name| name.to_string_lossy().starts_with("stdlib"))
}

/// Roots that `erl` on the path may belong to: `erl` is a script in `ROOT/bin`, or a link to it,
/// or a wrapper beside `ROOT` in `lib/erlang`.
fn erl_roots() -> Vec<PathBuf> {
    let path = files::variable("PATH").unwrap_or_default();
    let mut roots = Vec::new();
    for dir in std::env::split_paths(&path) {
        let Some(erl) = files::resolved(&dir.join("erl")) else { continue };
        let Some(root) = erl.parent().and_then(Path::parent) else { continue };
        roots.extend([root.to_owned(), root.join("lib/erlang"), root.join("lib64/erlang")]);
    }
    roots.push(PathBuf::from("/usr/lib/erlang"));
    roots
}

/// The directory of an installed OTP's applications.
pub fn otp_lib() -> Option<PathBuf> {
    // Looked for once: every execution of a search that ends asks for it.
    static LIB: OnceLock<Option<PathBuf>> = OnceLock::new();
    LIB.get_or_init(|| Otp::installed().map(|otp| otp.lib)).clone()
}

/// The release of the installed OTP, such as 27, and the version of its emulator.
pub fn otp_version() -> Option<(u32, String)> {
    static VERSION: OnceLock<Option<(u32, String)>> = OnceLock::new();
    VERSION.get_or_init(|| Otp::installed()?.version()).clone()
}
