//! A release: its applications have started before the recorder, and it loads no code by itself.

use super::*;

#[test]
fn a_release_is_recorded_from_its_servers_callbacks_on() {
    let dir = program().join("release");
    std::fs::create_dir_all(&dir).expect("a directory");
    let source = reverl_programs::directory().join("recorded/ticking.erl");
    let erlc = Command::new("erlc").args(["+debug_info", "-o"]).arg(&dir).arg(source).status();
    assert!(erlc.expect("erlc runs").success());
    let app = "{application, ticking, [{vsn, \"1.0\"}, {description, \"\"}, {modules, [ticking]},
        {registered, []}, {applications, [kernel, stdlib]}, {mod, {ticking, []}}]}.";
    std::fs::write(dir.join("ticking.app"), app).expect("written");
    let make = "Version = fun(App) -> {ok, Keys} = application:get_all_key(App),
                                      {App, proplists:get_value(vsn, Keys)} end,
        application:load(ticking),
        Release = {release, {\"ticking\", \"1.0\"}, {erts, erlang:system_info(version)},
                   [Version(App) || App <- [kernel, stdlib, ticking]]},
        ok = file:write_file(\"ticking.rel\", io_lib:format(\"~p.~n\", [Release])),
        ok = systools:make_script(\"ticking\", [{path, [\".\"]}, local, no_warn_sasl]),
        halt().";
    let made = Command::new("erl").current_dir(&dir).args(["-noshell", "-eval", make]).output();
    assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
    let boot = dir.join("ticking");
    let boot = boot.to_str().expect("a name");
    let args = ["erl", "-noshell", "-boot", boot, "-mode", "embedded"];
    let args = [&["record", "-o", "release.reverl", "--"], &args[..]].concat();
    let recorded = reverl(&args);
    let said = text(&recorded.stdout) + &text(&recorded.stderr);
    assert!(recorded.status.success(), "{said}");
    assert!(said.starts_with("twenty\n"), "{said}");
    assert!(said.contains("replayed exactly"), "{said}");
    let list = text(&reverl(&["replay", "--list", "release.reverl"]).stdout);
    assert!(list.contains("begins with ticking:handle_info/2 [tick,"), "{list}");
}
