//! Before a fault of Reverl's own is told, how to see it again: the command line, and the commands
//! that were given so far as a script.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;

// A session does not leave its thread, and a fault is told on the thread where it happened.
thread_local! {
    static COMMANDS: RefCell<Vec<String>> = const { RefCell::new(vec![]) };
}

/// A command is about to be carried out on this thread.
pub fn note(command: &str) {
    COMMANDS.with_borrow_mut(|all| all.push(command.to_string()));
}

/// From now on every panic first says how to see it again.
pub fn say_how_to_replay() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        eprintln!("reverl: this is a fault of Reverl's own; to see it again:\n{}", recipe());
        usual(info);
    }));
}

/// A line for a shell.
fn recipe() -> String {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let commands = COMMANDS.with_borrow(Vec::clone);
    let script = if commands.is_empty() { None } else { written(&commands) };
    command_line(&args, script)
}

/// The script is a file, so that it can be used as it is.
fn written(commands: &[String]) -> Option<PathBuf> {
    let file = tempfile::Builder::new().prefix("reverl-fault-").suffix(".script").tempfile();
    let (mut file, path) = file.ok()?.keep().ok()?;
    file.write_all((commands.join("\n") + "\n").as_bytes()).ok()?;
    Some(path)
}

/// The same program with the script, whatever face it was.
fn command_line(args: &[String], script: Option<PathBuf>) -> String {
    let mut words = vec!["reverl".to_string()];
    let mut rest = args.iter().map(String::as_str);
    match (script.is_some(), rest.next()) {
        (true, _) => words.push("debug".into()),
        (false, Some(face)) => words.push(quoted(face)),
        (false, None) => {}
    }
    let mut is_of_script = false;
    for word in rest {
        let skip = script.is_some() && (is_of_script || is_of_face(word));
        is_of_script = script.is_some() && (word == "--script" || word == "--port");
        if !skip {
            words.push(quoted(word));
        }
    }
    if let Some(script) = script {
        words.push(format!("--script {}", quoted(&script.display().to_string())));
    }
    words.join(" ")
}

/// Options that only say how the face looks.
fn is_of_face(word: &str) -> bool {
    matches!(word, "--json" | "--no-open" | "--script" | "--port")
        || word.starts_with("--script=")
        || word.starts_with("--port=")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_is_the_same_program_with_the_commands_so_far() {
        let line = |words: &[&str], script: Option<&str>| {
            let args: Vec<String> = words.iter().map(|w| w.to_string()).collect();
            command_line(&args, script.map(PathBuf::from))
        };
        assert_eq!(
            line(&["debug", "a b.erl", "--seed", "3", "--script", "x", "--json"], Some("/t/s")),
            "reverl debug 'a b.erl' --seed 3 --script /t/s"
        );
        assert_eq!(
            line(&["ui", "a.erl", "-e", "a:f('x')", "--port=80"], Some("/t/s")),
            "reverl debug a.erl -e 'a:f('\\''x'\\'')' --script /t/s"
        );
        assert_eq!(line(&["explore", "a.erl", "--json"], None), "reverl explore a.erl --json");
    }
}
