//! Which compiled modules belong to Erlang/OTP and to Elixir, told by where they lie. A recording has paths
//! of another machine, and an OTP may be installed without its sources: neither is asked for here.

use std::path::Path;

/// OTP's applications. Each lies in a directory with its version.
const OTP: &[&str] = &[
    "asn1",
    "common_test",
    "compiler",
    "crypto",
    "debugger",
    "dialyzer",
    "diameter",
    "edoc",
    "eldap",
    "erl_interface",
    "erts",
    "et",
    "eunit",
    "ftp",
    "inets",
    "jinterface",
    "kernel",
    "megaco",
    "mnesia",
    "observer",
    "odbc",
    "os_mon",
    "parsetools",
    "public_key",
    "reltool",
    "runtime_tools",
    "sasl",
    "snmp",
    "ssh",
    "ssl",
    "stdlib",
    "syntax_tools",
    "tftp",
    "tools",
    "wx",
    "xmerl",
];

/// Elixir's applications. They have a version only in a release.
const ELIXIR: &[&str] = &["elixir", "eex", "ex_unit", "iex", "logger", "mix"];

/// Whether a `.beam` file is in an application of OTP's or Elixir's: `lib/stdlib-6.2/ebin/lists.beam`.
pub fn is_of_platform(beam: &Path) -> bool {
    let application = || {
        let ebin = beam.parent().filter(|dir| dir.ends_with("ebin"))?;
        ebin.parent()?.file_name()?.to_str()
    };
    let Some(application) = application() else { return false };
    match application.split_once('-') {
        Some((name, _)) => OTP.contains(&name) || ELIXIR.contains(&name),
        None => ELIXIR.contains(&application),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_are_told_by_their_directory() {
        let is = |path: &str| is_of_platform(Path::new(path));
        assert!(is("/usr/lib/erlang/lib/stdlib-4.2/ebin/lists.beam"));
        assert!(is("/opt/shop/lib/kernel-9.0/ebin/code.beam"));
        assert!(is("/usr/lib/elixir/lib/ex_unit/ebin/Elixir.ExUnit.beam"));
        assert!(!is("/opt/shop/lib/shop-1.0/ebin/shop.beam"));
        assert!(!is("/home/me/tools/_build/default/lib/tools/ebin/tools.beam"));
        assert!(!is("shop.beam"));
    }
}
