//! Where applications are: directories that hold `app` or `app-1.2.3`, searched when asked.
//!
//! Nothing is scanned up front; the listing of a root is read once, at the first question.

use crate::files;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The directories that hold applications.
#[derive(Debug, Default)]
pub struct Libraries {
    roots: Vec<Root>,
}

#[derive(Debug)]
struct Root {
    dir: PathBuf,
    listing: OnceLock<HashMap<String, PathBuf>>,
}

impl Libraries {
    /// Directories to search, the most important first: a project's, its dependencies', OTP's.
    pub fn new(roots: impl IntoIterator<Item = PathBuf>) -> Libraries {
        let root = |dir| Root { dir, listing: OnceLock::new() };
        Libraries { roots: roots.into_iter().map(root).collect() }
    }

    /// The directory of an application, its newest version if there are several.
    pub fn app_dir(&self, app: &str) -> Option<PathBuf> {
        let by_dir = self.roots.iter().find_map(|root| root.listing().get(app));
        by_dir.or_else(|| self.app_by_resource(app)).cloned()
    }

    /// A checkout may be named otherwise than the application in it, which its resource file names.
    fn app_by_resource(&self, app: &str) -> Option<&PathBuf> {
        let files = [format!("src/{app}.app.src"), format!("ebin/{app}.app")];
        let holds = |dir: &&PathBuf| files.iter().any(|file| files::is_file(&dir.join(file)));
        self.roots.iter().find_map(|root| root.listing().values().filter(holds).min())
    }

    /// A header by its bare name in any application's `include` or `src`, with the application.
    pub fn header(&self, name: &str) -> Option<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = Vec::new();
        for (app, dir) in self.roots.iter().flat_map(|root| root.listing()) {
            let places = [dir.join("include").join(name), dir.join("src").join(name)];
            found.extend(places.into_iter().find(|p| files::is_file(p)).map(|p| (app.clone(), p)));
        }
        found.sort();
        found.into_iter().next()
    }

    /// All applications, root by root.
    pub fn app_dirs(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().flat_map(|root| root.listing().values()).map(PathBuf::as_path)
    }
}

impl Root {
    fn listing(&self) -> &HashMap<String, PathBuf> {
        self.listing.get_or_init(|| {
            let mut found: HashMap<String, (Vec<u64>, PathBuf)> = HashMap::new();
            // The root may itself be an application: `-I`-style use of a single checkout.
            if let Some(own) = self.dir.file_name().and_then(|n| n.to_str()) {
                if ["ebin", "src"].iter().any(|name| files::is_dir(&self.dir.join(name))) {
                    let (app, version) = split_version(own);
                    found.insert(app.to_string(), (version, self.dir.clone()));
                }
            }
            for path in files::entries(&self.dir) {
                let Some(name) = path.file_name().and_then(|n| n.to_str()) else { continue };
                let (app, version) = split_version(name);
                if !files::is_dir(&path) {
                    continue;
                }
                let newer = found.get(app).is_none_or(|(known, _)| *known < version);
                if newer {
                    found.insert(app.to_string(), (version, path.clone()));
                }
            }
            found.into_iter().map(|(app, (_, path))| (app, path)).collect()
        })
    }
}

/// `kernel-8.5.3` is `kernel` of version 8, 5, 3.
fn split_version(name: &str) -> (&str, Vec<u64>) {
    let Some((app, version)) = name.rsplit_once('-') else { return (name, Vec::new()) };
    let parts: Result<Vec<u64>, _> = version.split('.').map(str::parse).collect();
    match parts {
        Ok(parts) => (app, parts),
        Err(_) => (name, Vec::new()),
    }
}
