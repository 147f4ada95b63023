//! Projects are found as Erlang developers lay them out: modules, headers, applications.
//!
//! Each test builds a small tree in a directory of its own and asks where things are.

use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::module::load_source;
use reverl_lang::project::{ModuleFinder, ModuleSource, Precedence, ProgramSources};
use reverl_lang::source::SourceMap;
use reverl_term::Atom;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory with files, gone when dropped.
struct Tree {
    root: PathBuf,
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

impl Tree {
    fn new(name: &str, files: &[(&str, &str)]) -> Tree {
        let dir = format!("reverl-project-{name}-{}", std::process::id());
        let root = std::env::temp_dir().join(dir);
        let _ = std::fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a file in the tree"))
                .expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        Tree { root }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Compiles a module with debug info and without its source into a directory.
    fn compile(&self, dir: &str, module: &str) {
        let source = self.at(&format!("{module}.erl"));
        std::fs::create_dir_all(self.at(dir)).expect("a directory");
        std::fs::write(&source, plain(module)).expect("a file");
        let mut erlc = Command::new("erlc");
        erlc.arg("+debug_info").arg("-o").arg(self.at(dir)).arg(&source);
        assert!(erlc.status().expect("this test needs OTP's erlc").success());
        std::fs::remove_file(source).expect("removing the source");
    }

    fn given(&self, paths: &[&str]) -> ProgramSources {
        ProgramSources {
            paths: paths.iter().map(|p| self.at(p)).collect(),
            ..ProgramSources::default()
        }
    }

    /// Where the module is, relative to the tree.
    fn find(&self, finder: &ModuleFinder, module: &str) -> String {
        let shown = |path: &Path| match path.strip_prefix(&self.root) {
            Ok(inside) => inside.display().to_string(),
            Err(_) => path.display().to_string(),
        };
        match finder.find(Atom::new(module)) {
            Some(ModuleSource::Source(path) | ModuleSource::Beam(path)) => shown(&path),
            Some(ModuleSource::Kept) => "kept".into(),
            Some(ModuleSource::Own) => "own".into(),
            None => "nowhere".into(),
        }
    }

    /// Problems of a file read as the finder says.
    fn check(&self, finder: &ModuleFinder, path: &str) -> String {
        let path = self.at(path);
        let mut sources = SourceMap::default();
        let (_, problems) = load_source(&path, &finder.options_for(&path), &mut sources);
        let errors = problems.iter().filter(|p: &&Diagnostic| p.is_error());
        errors.map(|p| format!("{}\n", p.message)).collect()
    }
}

/// A finder of files alone: no module comes with the one who asks.
fn finder_for(given: ProgramSources) -> ModuleFinder {
    ModuleFinder::new(given, |_| None)
}

fn plain(module: &str) -> String {
    format!("-module('{module}').\n-export([f/0]).\nf() -> '{module}'.\n")
}

fn including(module: &str, header: &str, uses: &str) -> String {
    format!("-module({module}).\n-export([f/0]).\n{header}\nf() -> {uses}.\n")
}

/// An umbrella of two applications, with dependencies that rebar3 fetched and built.
fn umbrella(name: &str) -> Tree {
    let web = including(
        "web",
        "-include(\"web.hrl\").\n-include_lib(\"store/include/store.hrl\").\n\
         -include_lib(\"cowpie/include/cowpie.hrl\").\n-include_lib(\"kernel/include/file.hrl\").",
        "{?WEB, ?STORE, ?COWPIE, #file_info{}}",
    );
    let deep =
        including("web_page", "-include(\"page.hrl\").\n-include(\"web.hrl\").", "{?PAGE, ?WEB}");
    Tree::new(
        name,
        &[
            ("rebar.config", "{deps, [cowpie]}.\n"),
            ("apps/web/src/web.erl", &web),
            ("apps/web/src/web.app.src", "{application, web, []}.\n"),
            ("apps/web/src/pages/web_page.erl", &deep),
            ("apps/web/src/pages/page.hrl", "-define(PAGE, 4).\n"),
            ("apps/web/include/web.hrl", "-define(WEB, 1).\n"),
            ("apps/store/src/store.erl", &plain("store")),
            ("apps/store/include/store.hrl", "-define(STORE, 2).\n"),
            ("_build/default/lib/cowpie/src/cowpie.erl", &plain("cowpie")),
            ("_build/default/lib/cowpie/include/cowpie.hrl", "-define(COWPIE, 3).\n"),
            ("_build/default/lib/web/src/web.erl", &web),
            ("_build/test/lib/meck/src/meck.erl", &plain("meck")),
        ],
    )
}

#[test]
fn rebar3_finds_the_applications_of_an_umbrella_and_its_dependencies() {
    let tree = umbrella("umbrella");
    tree.compile("_build/default/lib/cowpie/ebin", "cowpie");
    tree.compile("_build/default/lib/binary_only/ebin", "binary_only");
    tree.compile("_build/default/lib/store/ebin", "store");
    let finder = finder_for(tree.given(&["apps/web/src/web.erl"]));
    assert_eq!(tree.find(&finder, "web"), "apps/web/src/web.erl");
    assert_eq!(tree.find(&finder, "web_page"), "apps/web/src/pages/web_page.erl");
    assert_eq!(tree.find(&finder, "store"), "apps/store/src/store.erl");
    assert_eq!(tree.find(&finder, "cowpie"), "_build/default/lib/cowpie/src/cowpie.erl");
    let binary = "_build/default/lib/binary_only/ebin/binary_only.beam";
    assert_eq!(tree.find(&finder, "binary_only"), binary);
    assert_eq!(tree.find(&finder, "meck"), "_build/test/lib/meck/src/meck.erl");
    assert!(tree.find(&finder, "lists").ends_with("/ebin/lists.beam"));
    assert_eq!(tree.find(&finder, "no_such_module"), "nowhere");
}

#[test]
fn headers_of_the_application_its_neighbours_its_dependencies_and_otp_are_found() {
    let tree = umbrella("headers");
    let finder = finder_for(tree.given(&["apps/web/src/web.erl"]));
    assert_eq!(tree.check(&finder, "apps/web/src/web.erl"), "");
    assert_eq!(tree.check(&finder, "apps/web/src/pages/web_page.erl"), "");
}

#[test]
fn a_directory_of_a_project_means_the_project() {
    let tree = umbrella("directory");
    for dir in ["", "apps", "apps/web", "apps/web/src"] {
        let finder = finder_for(tree.given(&[dir]));
        assert_eq!(tree.find(&finder, "web"), "apps/web/src/web.erl", "from '{dir}'");
        assert_eq!(tree.find(&finder, "store"), "apps/store/src/store.erl", "from '{dir}'");
        let cowpie = "_build/default/lib/cowpie/src/cowpie.erl";
        assert_eq!(tree.find(&finder, "cowpie"), cowpie, "from '{dir}'");
        assert_eq!(tree.check(&finder, "apps/web/src/web.erl"), "", "from '{dir}'");
    }
}

#[test]
fn a_single_application_includes_its_own_headers_by_its_name() {
    let header = "-include_lib(\"solo/include/solo.hrl\").\n-include(\"inner.hrl\").";
    let test =
        including("solo_tests", "-include(\"solo.hrl\").\n-include(\"inner.hrl\").", "?SOLO");
    let tree = Tree::new(
        "single",
        &[
            ("solo/rebar.config", "[].\n"),
            ("solo/src/solo.erl", &including("solo", header, "{?SOLO, ?INNER}")),
            ("solo/src/inner.hrl", "-define(INNER, 1).\n"),
            ("solo/include/solo.hrl", "-define(SOLO, 1).\n"),
            ("solo/test/solo_tests.erl", &test),
        ],
    );
    let finder = finder_for(tree.given(&["solo/src/solo.erl"]));
    assert_eq!(tree.check(&finder, "solo/src/solo.erl"), "");
    assert_eq!(tree.check(&finder, "solo/test/solo_tests.erl"), "");
    assert_eq!(tree.find(&finder, "solo_tests"), "solo/test/solo_tests.erl");
}

#[test]
fn an_application_named_otherwise_than_its_directory_is_found_by_its_name() {
    let header = "-include_lib(\"solo/include/solo.hrl\").";
    let tree = Tree::new(
        "renamed",
        &[
            ("erlang-solo/rebar.config", "[].\n"),
            ("erlang-solo/src/solo.app.src", "{application, solo, [{vsn, \"1\"}]}.\n"),
            ("erlang-solo/src/solo.erl", &including("solo", header, "?SOLO")),
            ("erlang-solo/include/solo.hrl", "-define(SOLO, 1).\n"),
        ],
    );
    let finder = finder_for(tree.given(&["erlang-solo/src/solo.erl"]));
    assert_eq!(tree.check(&finder, "erlang-solo/src/solo.erl"), "");
}

#[test]
fn checkouts_and_old_style_deps_are_applications_too() {
    let header = "-include_lib(\"near/include/near.hrl\").\n-include_lib(\"far/include/far.hrl\").";
    let tree = Tree::new(
        "checkouts",
        &[
            ("rebar.config", "[].\n"),
            ("src/here.erl", &including("here", header, "{?NEAR, ?FAR}")),
            ("_checkouts/near/src/near.erl", &plain("near")),
            ("_checkouts/near/include/near.hrl", "-define(NEAR, 1).\n"),
            ("deps/far/src/far.erl", &plain("far")),
            ("deps/far/include/far.hrl", "-define(FAR, 1).\n"),
        ],
    );
    let finder = finder_for(tree.given(&["src/here.erl"]));
    assert_eq!(tree.find(&finder, "near"), "_checkouts/near/src/near.erl");
    assert_eq!(tree.find(&finder, "far"), "deps/far/src/far.erl");
    assert_eq!(tree.check(&finder, "src/here.erl"), "");
}

#[test]
fn mix_builds_are_found() {
    let tree = Tree::new("mix", &[("mix.exs", ""), ("src/native.erl", &plain("native"))]);
    tree.compile("_build/dev/lib/app/ebin", "Elixir.App");
    tree.compile("_build/prod/lib/app/ebin", "Elixir.App");
    tree.compile("_build/dev/lib/dep/ebin", "dep");
    let finder = finder_for(tree.given(&["src/native.erl"]));
    assert_eq!(tree.find(&finder, "Elixir.App"), "_build/dev/lib/app/ebin/Elixir.App.beam");
    assert_eq!(tree.find(&finder, "dep"), "_build/dev/lib/dep/ebin/dep.beam");
    assert_eq!(tree.find(&finder, "native"), "src/native.erl");
}

#[test]
fn code_paths_come_before_the_project_and_behind_what_was_named() {
    let tree = Tree::new(
        "pa",
        &[
            ("rebar.config", "[].\n"),
            ("src/both.erl", &plain("both")),
            ("src/named.erl", &plain("named")),
            ("ext/lib/extra-2.0/include/extra.hrl", "-define(EXTRA, 1).\n"),
            (
                "other/user.erl",
                &including("user", "-include_lib(\"extra/include/extra.hrl\").", "?EXTRA"),
            ),
        ],
    );
    for module in ["both", "named", "lists", "extra"] {
        tree.compile("ext/lib/extra-2.0/ebin", module);
    }
    let code_dirs = vec![tree.at("ext/lib/extra-2.0/ebin")];
    let finder = finder_for(ProgramSources { code_dirs, ..tree.given(&["src/named.erl"]) });
    assert_eq!(tree.find(&finder, "named"), "src/named.erl");
    assert_eq!(tree.find(&finder, "both"), "ext/lib/extra-2.0/ebin/both.beam");
    assert_eq!(tree.find(&finder, "lists"), "ext/lib/extra-2.0/ebin/lists.beam");
    assert_eq!(tree.find(&finder, "extra"), "ext/lib/extra-2.0/ebin/extra.beam");
    assert_eq!(tree.check(&finder, "other/user.erl"), "");
}

#[test]
fn include_directories_come_before_the_projects() {
    let text = including("m", "-include(\"h.hrl\").\n-include(\"only.hrl\").", "?H(1)");
    let tree = Tree::new(
        "include",
        &[
            ("src/m.erl", &text),
            ("include/h.hrl", "-define(H, wrong).\n"),
            ("given/h.hrl", "-define(H(X), X).\n"),
            ("given/only.hrl", ""),
        ],
    );
    let without = finder_for(tree.given(&["src/m.erl"]));
    assert!(tree.check(&without, "src/m.erl").contains("only.hrl"));
    let include_dirs = vec![tree.at("given")];
    let finder = finder_for(ProgramSources { include_dirs, ..tree.given(&["src/m.erl"]) });
    assert_eq!(tree.check(&finder, "src/m.erl"), "");
}

#[test]
fn defines_reach_every_file() {
    let text = including("m", "-ifndef(NEEDED).\n-error(missing).\n-endif.", "?NEEDED");
    let tree = Tree::new("defines", &[("src/m.erl", &text)]);
    let defines = vec![("NEEDED".into(), Some("17".into()))];
    let finder = finder_for(ProgramSources { defines, ..tree.given(&["src/m.erl"]) });
    assert_eq!(tree.check(&finder, "src/m.erl"), "");
}

#[test]
fn a_missing_header_is_an_error_that_names_it() {
    let tree = Tree::new(
        "missing",
        &[(
            "src/m.erl",
            &including("m", "-include(\"no.hrl\").\n-include_lib(\"no_app/include/x.hrl\").", "1"),
        )],
    );
    let finder = finder_for(tree.given(&["src/m.erl"]));
    let problems = tree.check(&finder, "src/m.erl");
    assert!(problems.contains("no.hrl") && problems.contains("no_app/include/x.hrl"), "{problems}");
}

#[test]
fn plain_directories_need_no_project() {
    let tree = Tree::new(
        "plain",
        &[
            ("a.erl", &including("a", "-include(\"b.hrl\").", "?B")),
            ("b.hrl", "-define(B, 1).\n"),
            ("sub/c.erl", &plain("c")),
        ],
    );
    let finder = finder_for(tree.given(&[""]));
    assert_eq!(tree.find(&finder, "a"), "a.erl");
    assert_eq!(tree.find(&finder, "c"), "sub/c.erl");
    assert_eq!(tree.check(&finder, "a.erl"), "");
}

#[test]
fn names_that_are_paths_are_not_looked_for() {
    let tree = Tree::new("paths", &[("a.erl", &plain("a"))]);
    let finder = finder_for(tree.given(&["a.erl"]));
    for name in ["../a", "/etc/passwd", "", ".", "sub/a"] {
        assert_eq!(tree.find(&finder, name), "nowhere", "{name:?}");
    }
}

#[test]
fn a_directory_that_is_called_src_does_not_make_a_project() {
    let hello = including("hello", "-include(\"only_theirs.hrl\").", "1");
    let tree = Tree::new(
        "foreign",
        &[
            ("src/hello/hello.erl", &hello),
            ("src/hello/near.erl", &plain("near")),
            ("src/other/proplists.erl", &plain("proplists")),
            ("src/other/only_theirs.hrl", ""),
            ("include/other.h", ""),
            ("test/theirs.erl", &plain("theirs")),
        ],
    );
    let finder = finder_for(tree.given(&["src/hello/hello.erl"]));
    assert!(tree.find(&finder, "proplists").ends_with("/ebin/proplists.beam"));
    assert_eq!(tree.find(&finder, "theirs"), "nowhere");
    assert_eq!(tree.find(&finder, "near"), "src/hello/near.erl");
    assert!(tree.check(&finder, "src/hello/hello.erl").contains("only_theirs.hrl"));
}

#[test]
fn an_application_needs_no_build_file() {
    let evidence = ["lone/include/lone.hrl", "lone/ebin/lone.app", "lone/src/lone.app.src"];
    for file in evidence {
        let tree = Tree::new(
            "lone",
            &[
                (file, ""),
                ("lone/src/lone.erl", &plain("lone")),
                ("lone/src/deep/inner.erl", &plain("inner")),
                ("lone/test/lone_tests.erl", &plain("lone_tests")),
                ("other.erl", &plain("other")),
            ],
        );
        let finder = finder_for(tree.given(&["lone/test/lone_tests.erl"]));
        assert_eq!(tree.find(&finder, "lone"), "lone/src/lone.erl", "{file}");
        assert_eq!(tree.find(&finder, "inner"), "lone/src/deep/inner.erl", "{file}");
        assert_eq!(tree.find(&finder, "other"), "nowhere", "{file}");
    }
}

#[test]
fn modules_beside_a_beam_are_found() {
    let tree = Tree::new("beams", &[("README", "")]);
    tree.compile("out", "first");
    tree.compile("out", "second");
    let finder = finder_for(tree.given(&["out/first.beam"]));
    assert_eq!(tree.find(&finder, "second"), "out/second.beam");
}

#[test]
fn a_project_inside_of_another_is_its_own_unless_it_is_one_of_its_applications() {
    let tree = Tree::new(
        "nested",
        &[
            ("rebar.config", "[].\n"),
            ("src/outer.erl", &plain("outer")),
            ("apps/web/rebar.config", "[].\n"),
            ("apps/web/src/web.erl", &plain("web")),
            ("vendor/inner/rebar.config", "[].\n"),
            ("vendor/inner/src/inner.erl", &plain("inner")),
            ("_build/default/lib/cowpie/rebar.config", "[].\n"),
            ("_build/default/lib/cowpie/src/cowpie.erl", &plain("cowpie")),
        ],
    );
    for part in ["apps/web/src/web.erl", "_build/default/lib/cowpie/src/cowpie.erl"] {
        let finder = finder_for(tree.given(&[part]));
        assert_eq!(tree.find(&finder, "outer"), "src/outer.erl", "from {part}");
    }
    let finder = finder_for(tree.given(&["vendor/inner/src/inner.erl"]));
    assert_eq!(tree.find(&finder, "inner"), "vendor/inner/src/inner.erl");
    assert_eq!(tree.find(&finder, "outer"), "nowhere");
}

#[test]
fn gleam_builds_are_found() {
    let tree =
        Tree::new("gleam", &[("gleam.toml", ""), ("src/native_ffi.erl", &plain("native_ffi"))]);
    tree.compile("build/dev/erlang/app/ebin", "app");
    tree.compile("build/prod/erlang/app/ebin", "app");
    let finder = finder_for(tree.given(&["src/native_ffi.erl"]));
    assert_eq!(tree.find(&finder, "app"), "build/dev/erlang/app/ebin/app.beam");
}

#[test]
fn what_comes_along_is_before_or_behind_all_files() {
    let files = [("first.erl", plain("first")), ("kept.erl", plain("kept"))];
    let tree = Tree::new("order", &[(files[0].0, &files[0].1), (files[1].0, &files[1].1)]);
    let own = |name: &str| match name {
        "first" => Some(Precedence::First),
        "kept" | "last" | "lists" => Some(Precedence::Last),
        _ => None,
    };
    let finder = ModuleFinder::new(tree.given(&["first.erl", "kept.erl"]), own);
    let finder = finder.with_kept(["first".to_string(), "kept".to_string()]);
    assert_eq!(tree.find(&finder, "first"), "own");
    assert_eq!(tree.find(&finder, "kept"), "kept");
    assert_eq!(tree.find(&finder, "last"), "own");
    assert!(tree.find(&finder, "lists").ends_with("/ebin/lists.beam"));
    assert_eq!(tree.find(&finder, "nobody"), "nowhere");
}

#[test]
fn a_header_that_is_not_a_file_is_not_read() {
    let tree = Tree::new("device", &[("m.erl", &including("m", "-include(\"/dev/zero\").", "1"))]);
    let finder = finder_for(tree.given(&["m.erl"]));
    assert!(tree.check(&finder, "m.erl").contains("/dev/zero"));
}

/// A module that can be read only if these macros have these values.
fn needing(module: &str, macros: &[(&str, &str)]) -> String {
    let is_wrong = macros.iter().map(|(name, value)| {
        format!("-if(?{name} =/= {value}).\n-error(\"{name} is something else\").\n-endif.\n")
    });
    format!("-module({module}).\n{}", is_wrong.collect::<String>())
}

const CONFIG: &str = r#"
    {erl_opts, [debug_info, {d, plain}, {d, valued, {a, "b"}}, {i, "headers"},
                {platform_define, "^(1|2)[0-9]", this_release},
                {platform_define, "^R1", 'OLD'}, {parse_transform, changes}]}.
    {src_dirs, ["src", "more"]}.
    {extra_src_dirs, [{"scripts", [{recursive, false}]}]}.
    {profiles, [{test, [{erl_opts, [{d, tested, 7}]}]}]}.
"#;

#[test]
fn options_of_rebar_config_are_those_of_the_sources() {
    let macros = [("plain", "true"), ("valued", "{a, \"b\"}"), ("this_release", "true")];
    let tree = Tree::new(
        "options",
        &[
            ("rebar.config", CONFIG),
            ("headers/h.hrl", "-define(FROM_HEADER, 1).\n"),
            ("src/a.erl", &needing("a", &macros)),
            ("src/b.erl", &including("b", "-include(\"h.hrl\").", "?FROM_HEADER")),
            ("src/old.erl", &needing("old", &[("OLD", "true")])),
            ("test/t.erl", &needing("t", &[("tested", "7")])),
            ("more/m.erl", &plain("m")),
            ("scripts/s.erl", &plain("s")),
            ("deps/d/src/d.erl", &needing("d", &[("plain", "true")])),
        ],
    );
    let finder = finder_for(tree.given(&["src/a.erl"]));
    assert_eq!(tree.check(&finder, "src/a.erl"), "");
    assert_eq!(tree.check(&finder, "src/b.erl"), "");
    assert_ne!(tree.check(&finder, "src/old.erl"), "");
    assert_ne!(tree.check(&finder, "test/t.erl"), "", "it is only for tests");
    assert_ne!(tree.check(&finder, "deps/d/src/d.erl"), "", "a dependency has its own options");
    for (module, path) in [("m", "more/m.erl"), ("s", "scripts/s.erl")] {
        let found = finder.find(Atom::new(module));
        assert_eq!(found, Some(ModuleSource::Source(tree.at(path))), "{module}");
    }
    let mut sources = SourceMap::default();
    let path = tree.at("more/m.erl");
    let (module, _) = load_source(&path, &finder.options_for(&path), &mut sources);
    let transforms = module.expect("a module").parse_transforms;
    assert_eq!(transforms.iter().map(|(name, _)| name.name()).collect::<Vec<_>>(), ["changes"]);
    let tests =
        ProgramSources { defines: vec![("TEST".into(), None)], ..tree.given(&["src/a.erl"]) };
    assert_eq!(tree.check(&finder_for(tests), "test/t.erl"), "");
}
