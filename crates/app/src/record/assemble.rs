//! The parts that tracers left behind become one recording.

use super::made::{MadeFile, made_files};
use reverl_causal::recording::Writer;
use reverl_lang::project::ModuleFinder;
use reverl_machine::library;
use reverl_recorded::node::Node;
use reverl_recorded::parts::{NodeName, NodeRecording};
use reverl_recorded::{modules, trace};
use reverl_session::translation::Translation;
use reverl_term::Atom;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a directory of parts says, without modules, and the files of modules made at run time.
pub fn read(parts: &Path) -> Result<(NodeRecording, Vec<MadeFile>), String> {
    let mut nodes: Vec<PathBuf> = subdirectories(parts)?;
    nodes.sort();
    // A command may start several nodes; the one with the most to tell is meant.
    let read: Vec<_> = nodes.iter().filter_map(|dir| read_node(dir)).collect();
    let stopped_by = read.iter().find_map(|(r, _)| r.stopped_by.clone());
    let best = read.into_iter().max_by_key(|(r, _)| r.entries.len());
    let best = best.filter(|(r, _)| !r.entries.is_empty());
    let (mut recorded, made) = best.ok_or_else(|| match stopped_by {
        Some(why) => format!("nothing was recorded: {why}"),
        None => why_nothing(parts, !nodes.is_empty()),
    })?;
    // Before any other of its terms is read: an atom that is known already keeps its number.
    recorded.number_atoms();
    bring_home(&mut recorded);
    let text = std::fs::read_to_string(parts.join("command")).unwrap_or_default();
    recorded.command = text.lines().map(str::to_string).collect();
    let level = std::fs::read_to_string(parts.join("level")).unwrap_or_default();
    recorded.level = level.trim().to_string();
    Ok((recorded, made))
}

/// Why nothing was recorded.
fn why_nothing(parts: &Path, node_started: bool) -> String {
    match std::fs::read_to_string(parts.join("refused")) {
        Ok(why) if !why.trim().is_empty() => why.trim_end().to_string(),
        // Not even the reason could be written.
        Ok(_) => format!("there is no room for the recording in '{}'", parts.display()),
        Err(_) if node_started => {
            "nothing was recorded: no function that begins a recording was called.\n\
             Name one with --trigger module:function"
                .into()
        }
        Err(_) => "the command started no Erlang node: give one that runs erl, rebar3, mix or a \
                   release, and that keeps ERL_AFLAGS"
            .into(),
    }
}

fn subdirectories(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(dir).map_err(|e| format!("cannot read '{}': {e}", dir.display()))?;
    Ok(entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect())
}

fn read_node(dir: &Path) -> Option<(NodeRecording, Vec<MadeFile>)> {
    let node = std::fs::read(dir.join("node")).ok()?;
    let files = std::fs::read_dir(dir).ok()?.flatten().map(|e| e.path());
    let is_chunk = |p: &PathBuf| {
        p.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with(['e', 'd']))
    };
    let chunks: Vec<Vec<u8>> =
        files.filter(is_chunk).filter_map(|p| std::fs::read(p).ok()).collect();
    let mut made = made_files(dir);
    let named = std::fs::read_to_string(dir.join("names")).unwrap_or_default();
    let named: Vec<(u64, &str)> = named.lines().filter_map(named_at).collect();
    let events: Vec<u64> =
        made.iter().map(|file| file.event).chain(named.iter().map(|(event, _)| *event)).collect();
    let read = trace::read_with_positions(&chunks, &events);
    let (of_made, of_names) = read.positions.split_at(made.len());
    made.iter_mut().zip(of_made).for_each(|(file, position)| file.after = *position);
    let names: Vec<NodeName> = named
        .iter()
        .zip(of_names)
        .map(|((_, name), after)| NodeName { name: name.to_string(), after: *after })
        .collect();
    let trace::NodeTrace { functions, processes, entries, lacks_beginning, stopped_by, .. } = read;
    let stopped_by = stopped_by.map(|error| std::io::Error::from_raw_os_error(error).to_string());
    let known = NodeRecording { node, functions, processes, entries, ..NodeRecording::default() };
    let atoms = trace::atoms(&std::fs::read(dir.join("atoms")).unwrap_or_default());
    Some((NodeRecording { lacks_beginning, stopped_by, atoms, names, ..known }, made))
}

/// What a node with a name, or with several, has made is of this one.
fn bring_home(recorded: &mut NodeRecording) {
    let first = Node::read(&recorded.node).name();
    let later = recorded.names.iter().map(|name| Atom::new(&name.name));
    let names: BTreeSet<&str> = first.into_iter().chain(later).map(|name| name.name()).collect();
    for own in names.into_iter().map(Atom::new).filter(|n| *n != reverl_term::atoms::NONODE) {
        reverl_recorded::local::bring_all_home(recorded, own);
    }
}

/// A line of the tracer: the number of the next event, and the name that the node is given.
fn named_at(line: &str) -> Option<(u64, &str)> {
    let (event, name) = line.split_once(' ')?;
    Some((event.parse().ok()?, name))
}

/// Where modules are on this machine, by what the node said.
pub fn finder(recorded: &NodeRecording, parts: &Path) -> ModuleFinder {
    let node = Node::read(&recorded.node);
    let loaded = node.modules().into_iter().map(|(_, path)| PathBuf::from(path));
    let loaded = loaded.filter(|path| path.is_file()).collect();
    ModuleFinder::among(loaded, directories(&node, parts), library::precedence_in_replay)
}

/// Where the node looked for modules, from the beginning or later.
fn directories(node: &Node, parts: &Path) -> Vec<PathBuf> {
    let mut path: Vec<PathBuf> = node.path().into_iter().map(PathBuf::from).collect();
    for dir in subdirectories(parts).unwrap_or_default() {
        let later = std::fs::read_to_string(dir.join("path")).unwrap_or_default();
        path.extend(later.lines().map(PathBuf::from));
    }
    path
}

/// Modules outside of OTP, whether they were used or not.
pub fn own_modules(recorded: &NodeRecording, parts: &Path) -> Vec<(String, PathBuf)> {
    let node = Node::read(&recorded.node);
    let root = PathBuf::from(node.text("root"));
    let directories = directories(&node, parts);
    // Elixir's own modules are added when they are used, as OTP's are.
    let elixir = directories.iter().find(|dir| dir.join("elixir.beam").is_file());
    let elixir = elixir.and_then(|ebin| ebin.parent()?.parent()).map(Path::to_owned);
    let is_own = |dir: &PathBuf| {
        !dir.starts_with(&root) && !elixir.as_ref().is_some_and(|lib| dir.starts_with(lib))
    };
    let own = directories.into_iter().filter(is_own);
    let mut found = vec![];
    for dir in own {
        let files = std::fs::read_dir(&dir).into_iter().flatten().flatten().map(|e| e.path());
        for file in files.filter(|f| f.extension().is_some_and(|e| e == "beam")) {
            let name = file.file_stem().and_then(|n| n.to_str()).map(str::to_string);
            if let Some(name) = name.filter(|n| n != "reverl_tracer") {
                found.push((name, file));
            }
        }
    }
    found.sort();
    found.dedup_by(|a, b| a.0 == b.0);
    found
}

/// Adds modules to a recording; what is wrong with those that cannot be.
pub fn add_modules(
    recorded: &mut NodeRecording,
    wanted: &[(String, PathBuf)],
    translation: &Translation,
) -> Vec<String> {
    let mut problems = vec![];
    for (name, path) in wanted {
        if recorded.modules.iter().any(|m| m.name == *name) {
            continue;
        }
        match modules::keep(name, path, translation) {
            Ok(module) => recorded.modules.push(module),
            Err(why) => {
                let hint = why.hint().map(|h| format!(" ({h})")).unwrap_or_default();
                problems.push(format!("{}: {why}{hint}", path.display()));
            }
        }
    }
    problems
}

/// The recording as a file.
pub fn file(recorded: &NodeRecording) -> Vec<u8> {
    let mut writer = Writer::new(crate::open::OF_NODE);
    recorded.write(&mut writer);
    writer.finish()
}
