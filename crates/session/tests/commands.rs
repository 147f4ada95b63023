//! A command is one thing, typed or as data, and knows what it does to a session.

use reverl_session::command::{COMMANDS, Command, CommandInput, CommandKind, find, parse};

/// Every form in which a command can be typed, with the kind that it has.
const TYPED: &[(&str, CommandKind)] = &[
    ("step 3 line P.1", CommandKind::Moves),
    ("reverse-step event", CommandKind::Moves),
    ("continue", CommandKind::RunsOn),
    ("run", CommandKind::RunsOn),
    ("run 5", CommandKind::Moves),
    ("deliver #84.1", CommandKind::Moves),
    ("deliver P P.1", CommandKind::Moves),
    ("choose #84.1", CommandKind::Moves),
    ("take timeout #84.1", CommandKind::Moves),
    ("undo receive #84.1", CommandKind::Moves),
    ("undo line stock.erl:12", CommandKind::Moves),
    ("undo exit P --dry-run", CommandKind::Looks),
    ("redo all", CommandKind::Moves),
    ("goto <0.84.0>@6", CommandKind::Moves),
    ("break stock.erl:12 if Stock > 4", CommandKind::Sets),
    ("break stock:server/1", CommandKind::Sets),
    ("break receive '{add, _}'", CommandKind::Sets),
    ("delete 3", CommandKind::Sets),
    ("set schedule random 7", CommandKind::Sets),
    ("set delivery manual", CommandKind::Sets),
    ("events send 4", CommandKind::Looks),
    ("print 1 + 1", CommandKind::Looks),
    ("why X", CommandKind::Looks),
    ("ps", CommandKind::Looks),
    ("up 2", CommandKind::Sets),
    ("tbreak stock:server/1 if Stock > 4", CommandKind::Sets),
    ("break receive {'$gen_call', _, {add, 3}} if true", CommandKind::Sets),
    ("watch {Stock, get(key)}", CommandKind::Sets),
    ("ignore 1 10", CommandKind::Sets),
    ("commands 1 print case X of a -> 1; b -> 2 end; where; continue", CommandKind::Sets),
    ("display Stock * 2", CommandKind::Sets),
    ("display", CommandKind::Looks),
    ("undisplay 1", CommandKind::Sets),
    ("until 14", CommandKind::Moves),
    ("until", CommandKind::Moves),
    ("mark before", CommandKind::Sets),
    ("unmark before", CommandKind::Sets),
    ("marks", CommandKind::Looks),
    ("goto before", CommandKind::Moves),
    ("undo to before", CommandKind::Moves),
    ("undo send #84.2 receive #85.1 3 P.1 line 7", CommandKind::Moves),
    ("undo 3 P.1", CommandKind::Moves),
    ("redo 3 steps", CommandKind::Moves),
    ("values Stock", CommandKind::Looks),
    ("last Stock", CommandKind::Looks),
    ("find {order, 17, _}", CommandKind::Looks),
    ("history P.1 20", CommandKind::Looks),
    ("history 20", CommandKind::Looks),
    ("events {add, _} 5", CommandKind::Looks),
    ("info timers", CommandKind::Looks),
    ("split a b | c", CommandKind::Moves),
    ("split a", CommandKind::Moves),
    ("take lose a b", CommandKind::Moves),
    ("choose heal", CommandKind::Moves),
    ("kill-node b", CommandKind::Moves),
    ("down", CommandKind::Sets),
    ("frame 1", CommandKind::Sets),
    ("races", CommandKind::Looks),
    ("restart", CommandKind::Replaces),
    ("load x.reverl", CommandKind::Replaces),
    ("quit", CommandKind::Leaves),
];

#[test]
fn a_command_is_the_same_typed_and_as_data() {
    for (text, kind) in TYPED {
        let typed = parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(typed.kind(), *kind, "{text}");
        let data = serde_json::to_value(&typed).expect("plain data");
        let back: Command = serde_json::from_value(data.clone()).expect("it was written so");
        assert_eq!(back, typed, "{text}");
        if data.is_object() {
            assert_eq!(parse(&data.to_string()), Ok(typed.clone()), "{text}");
        }
        let input: CommandInput = serde_json::from_value(data).expect("it was written so");
        assert_eq!(input.parse(), Ok(typed.clone()), "{text}");
        let words = typed.words(&|number| number.to_string());
        assert_eq!(parse(&words), Ok(typed), "{text} became {words}");
    }
}

#[test]
fn every_command_of_the_table_can_be_found_by_all_its_names() {
    for row in COMMANDS {
        for name in row.short.iter().chain([&row.name]) {
            let found = find(name).map(|c| c.name);
            assert_eq!(found, Some(row.name), "{name}");
        }
    }
}

#[test]
fn every_command_has_an_example_that_can_be_typed() {
    for row in COMMANDS {
        let typed = parse(row.example).unwrap_or_else(|why| panic!("{}: {why}", row.example));
        assert_eq!(typed.name(), row.name, "{}", row.example);
    }
}
