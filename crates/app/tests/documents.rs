//! The documents are true: what they name exists, and every rule of the code is in them.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Everything between single backticks, outside code blocks.
fn quoted(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|l| !l.starts_with("    "));
    let mut found = vec![];
    for line in lines {
        let parts: Vec<&str> = line.split('`').collect();
        found.extend(parts.iter().skip(1).step_by(2).map(|p| p.to_string()));
    }
    found
}

/// Every Rust file of the crates, in order.
fn source_files() -> Vec<PathBuf> {
    fn add(dir: &Path, files: &mut Vec<PathBuf>) {
        let mut entries: Vec<_> = std::fs::read_dir(dir).expect("a directory").flatten().collect();
        entries.sort_by_key(|e| e.path());
        for entry in entries {
            let path = entry.path();
            if path.is_dir() {
                if entry.file_name() != "target" {
                    add(&path, files);
                }
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    add(&root().join("crates"), &mut files);
    files
}

fn sources() -> String {
    source_files().iter().map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect()
}

#[test]
fn paths_and_names_in_the_documents_exist() {
    let sources = sources();
    let documents = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs/semantics.md"];
    for document in documents.into_iter().chain(["README.md", "docs/tutorial.md"]) {
        for name in quoted(&read(document)) {
            let is_path =
                name.contains('/') && !name.contains(' ') && !name.contains(['\'', '#', '*']);
            if is_path
                && (name.starts_with("crates/")
                    || name.starts_with("docs/")
                    || name.starts_with("scripts/")
                    || name.starts_with("web/")
                    || name.starts_with("examples/"))
            {
                assert!(root().join(&name).exists(), "{document} names {name}");
            } else if document != "README.md" && document != "docs/tutorial.md" {
                let last = name.rsplit("::").next().unwrap_or(&name);
                let is_identifier = last.len() > 3
                    && last.chars().all(|c| c.is_alphanumeric() || c == '_')
                    && (name.contains("::")
                        || last.contains('_')
                        || last.chars().next().is_some_and(char::is_uppercase));
                let erlang = ["gen_server", "trap_exit"];
                if is_identifier && !erlang.contains(&last) {
                    assert!(sources.contains(last), "{document} names {name}");
                }
            }
        }
    }
}

#[test]
fn every_rule_of_the_code_has_a_row_in_the_semantics() {
    let code = read("crates/lang/src/code.rs");
    let rules =
        code.split("pub enum Rule {").nth(1).and_then(|t| t.split('}').next()).expect("Rule");
    let semantics = read("docs/semantics.md");
    for line in rules.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//")) {
        let rule = line.trim_end_matches(',');
        let row = semantics.lines().find(|l| l.starts_with(&format!("| `{rule}` |")));
        assert!(row.is_some(), "docs/semantics.md has no row for {rule}");
    }
}

#[test]
fn every_rule_in_the_semantics_is_in_the_code_and_has_a_test() {
    let code = read("crates/lang/src/code.rs");
    let sources = sources();
    for row in read("docs/semantics.md").lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let rule = cells[1].trim_matches('`');
        assert!(code.contains(&format!("{rule},")), "{rule} is no rule");
        let test = cells[5].trim_matches('`');
        assert!(sources.contains(&format!("fn {test}()")), "{rule} names the test {test}");
    }
}

#[test]
fn every_kind_of_edge_has_a_bullet_in_the_semantics_and_every_bullet_an_edge() {
    let semantics = read("docs/semantics.md");
    let part = semantics.split("## Happened-before").nth(1).and_then(|t| t.split("\n## ").next());
    let bullets = part.expect("a part").lines().filter_map(|l| l.strip_prefix("- `"));
    let mut named: Vec<&str> = bullets.filter_map(|l| l.split('`').next()).collect();
    let mut edges: Vec<String> =
        reverl_causal::Edge::ALL.iter().map(|edge| format!("{edge:?}")).collect();
    named.sort_unstable();
    edges.sort_unstable();
    assert_eq!(named, edges);
}

#[test]
fn the_document_of_the_interface_has_a_row_for_every_view_and_no_other() {
    let document = read("docs/api.md");
    let table = document.split("| view |").nth(1).expect("a table of views");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let named: Vec<String> =
        rows.flat_map(|row| quoted(row.split('|').nth(1).expect("a cell"))).collect();
    let views: Vec<String> =
        reverl_session::query::VIEWS.iter().map(|view| view.name.to_string()).collect();
    for view in &views {
        assert!(named.contains(view), "docs/api.md lacks {view}");
    }
    for name in &named {
        assert!(views.contains(name), "docs/api.md names {name}, which is not a view");
    }
}

/// The names of the fields in a type of the page's interface.
fn fields(types: &str, name: &str) -> Vec<String> {
    let start = format!("export type {name} = ");
    let text = types.split(&start).nth(1).and_then(|t| t.split(";\n").next()).unwrap_or_default();
    // Comments are sentences, not fields.
    let code: String = text.split("/**").map(|t| t.rsplit("*/").next().unwrap_or(t)).collect();
    let parts = code.split([',', '{', '|']).filter_map(|part| part.split_once(':'));
    parts.map(|(name, _)| name.trim().trim_end_matches('?').to_string()).collect()
}

#[test]
fn the_document_of_the_interface_names_everything_that_a_view_is_asked_with() {
    let (document, types) = (read("docs/api.md"), read("web/src/types.ts"));
    let table = document.split("| view |").nth(1).expect("a table of views");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut checked = 0;
    for cells in rows.map(|row| row.split('|').collect::<Vec<_>>()) {
        for view in quoted(cells[1]) {
            let start = format!("  {view}: {{ asked: ");
            let asked = types.split(&start).nth(1).and_then(|t| t.split(';').next());
            let fields = fields(&types, asked.expect("a view of the page"));
            for field in &fields {
                let is_named = cells[2].contains(&format!("`{field}`"));
                assert!(is_named, "docs/api.md does not say that {view} takes {field}");
            }
            checked += fields.len();
        }
        for name in quoted(cells[3]).iter().filter(|n| n.chars().all(|c| c.is_alphanumeric())) {
            let known = [format!("{name}:"), format!("{name}?:"), format!("\"{name}\"")];
            assert!(known.iter().any(|k| types.contains(k)), "docs/api.md promises {name}");
        }
    }
    assert!(checked > 20, "only {checked} parameters were found");
}

/// The public types of a file that nothing is said about. An attribute may stand between a type
/// and its sentence.
fn types_without_a_word(text: &str) -> Vec<&str> {
    let mut is_said = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let is_type = ["pub struct ", "pub enum ", "pub trait ", "pub type "]
            .iter()
            .any(|declaration| line.starts_with(declaration));
        if is_type && !is_said {
            found.push(line);
        }
        let is_attribute = line.starts_with("#[") || line == ")]" || line.starts_with("reason = ");
        is_said = line.starts_with("///") || (is_said && is_attribute);
    }
    found
}

#[test]
fn every_public_type_says_what_it_is() {
    // The forms of Erlang's abstract format are named as OTP's own documents name them.
    let is_named_elsewhere = |path: &Path| path.ends_with("lang/src/ast.rs");
    let silent: Vec<_> = source_files()
        .into_iter()
        .filter(|path| !is_named_elsewhere(path))
        .flat_map(|path| {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let types = types_without_a_word(&text);
            types.iter().map(|line| format!("{}: {line}", path.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// A row of `docs/papers.md`, from a comment above a test:
/// `// papers: PAPER | SECTION | FEATURE | COMMAND`.
fn paper_rows() -> Vec<String> {
    let root = root().canonicalize().expect("the workspace");
    let mut rows = vec![];
    for path in source_files() {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let path = path.canonicalize().expect("a path");
        let file = path.strip_prefix(&root).expect("inside").display().to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (i, line) in lines.iter().enumerate() {
            let Some(told) = line.strip_prefix("// papers: ") else { continue };
            let parts: Vec<&str> = told.split(" | ").collect();
            let [paper, section, feature, command] = parts[..] else {
                panic!("{file}: '{told}' is not PAPER | SECTION | FEATURE | COMMAND")
            };
            let test = lines[i..].iter().find_map(|l| l.strip_prefix("fn ")?.split('(').next());
            let test = test.unwrap_or_else(|| panic!("{file}: no test below '{told}'"));
            rows.push(format!(
                "| {paper} | {section} | {feature} | {command} | `{test}` in `{file}` |"
            ));
        }
    }
    rows.sort();
    rows
}

/// `UPDATE_PAPERS=1` writes the rows anew.
#[test]
fn the_table_of_the_papers_has_a_row_for_every_marked_test() {
    const HEAD: &str = "| paper | section | feature | command | test |\n|---|---|---|---|---|\n";
    let text = read("docs/papers.md");
    let (before, rest) = text.split_once(HEAD).expect("the head of the table");
    let (_, after) = rest.split_once("\n\n").expect("something after the table");
    let rows = paper_rows();
    assert!(rows.len() > 40, "{}", rows.len());
    let wanted = format!("{before}{HEAD}{}\n\n{after}", rows.join("\n"));
    if std::env::var_os("UPDATE_PAPERS").is_some() {
        std::fs::write(root().join("docs/papers.md"), &wanted).expect("written");
        return;
    }
    assert_eq!(text, wanted, "docs/papers.md is not what the tests say: UPDATE_PAPERS=1");
}
