//! What the tab key can complete: the names of commands, and after one what its usage in the table
//! says that it takes.

use reverl_session::command::{COMMANDS, CommandRow, Completions, find};
use rustyline::completion::{Completer, Pair};
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};

/// Everything that has a name here.
#[derive(Helper, Highlighter, Hinter, Validator)]
pub struct Words {
    pub known: Completions,
}

impl Words {
    /// The candidates for the word that ends where the cursor is, and where that word begins.
    pub fn candidates(&self, begun: &str) -> (usize, Vec<String>) {
        let start = begun.rfind(char::is_whitespace).map_or(0, |i| i + 1);
        let word = &begun[start..];
        let command = begun.split_whitespace().next().filter(|_| start > 0).and_then(find);
        let mut words = match command {
            Some(row) => self.after(row),
            None => COMMANDS.iter().map(|c| c.name.to_string()).collect(),
        };
        words.retain(|candidate| candidate.starts_with(word));
        words.sort();
        words.dedup();
        (start, words)
    }

    /// What can stand after a command.
    fn after(&self, row: &CommandRow) -> Vec<String> {
        let known = &self.known;
        // A target is told in the help of undo; a breakpoint for once is as any other.
        let usage = match row.usage {
            "as for break" => find("break").map_or("", |row| row.usage),
            usage if usage.contains("TARGET") => find("undo").map_or("", |row| row.help),
            usage => usage,
        };
        let mut words: Vec<String> = usage
            .split(|c: char| !c.is_ascii_lowercase() && c != '-')
            .filter(|word| word.len() > 1 && !word.starts_with('-'))
            .filter(|_| row.usage != usage || usage.contains('|'))
            .map(str::to_string)
            .collect();
        let mut add = |marker: &[&str], names: &[String]| {
            if marker.iter().any(|marker| usage.contains(marker)) {
                words.extend(names.iter().cloned());
            }
        };
        add(&["PID", "FROM"], &known.processes);
        add(&["#M"], &known.messages);
        add(&["M:]F"], &known.functions);
        add(&["FILE"], &known.files);
        add(&["EXPR", "VARIABLE", "variable X", "TERM"], &known.variables);
        add(&["MARK", "NAME"], &known.marks);
        add(&["BRANCH"], &known.branches);
        if usage.contains("COMMAND") {
            words.extend(COMMANDS.iter().map(|c| c.name.to_string()));
        }
        words
    }
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = self.candidates(&line[..at]);
        // A word that is whole is followed by a blank, unless something comes right behind it.
        let blank = if words.len() == 1 && !words[0].ends_with(':') { " " } else { "" };
        let pair = |word: String| Pair { replacement: format!("{word}{blank}"), display: word };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let all = |words: &[&str]| words.iter().map(|w| w.to_string()).collect();
        Words {
            known: Completions {
                processes: all(&["<0.83.0>", "waiter"]),
                messages: all(&["#84.1"]),
                functions: all(&["stock:server/1"]),
                files: all(&["stock.erl:"]),
                variables: all(&["Stock", "Server"]),
                marks: all(&["before_crash"]),
                branches: all(&["main", "b1"]),
            },
        }
    }

    #[test]
    fn what_is_completed_depends_on_the_command() {
        let words = words();
        let fits = |begun: &str| words.candidates(begun).1;
        assert_eq!(fits("reverse-c"), ["reverse-continue"]);
        assert_eq!(fits("process w"), ["waiter"]);
        assert_eq!(fits("undo rec"), ["receive"]);
        assert_eq!(fits("undo receive #"), ["#84.1"]);
        assert_eq!(fits("undo to b"), ["before_crash"]);
        assert_eq!(fits("goto be"), ["before_crash"]);
        assert_eq!(fits("break stock"), ["stock.erl:", "stock:server/1"]);
        assert_eq!(fits("tbreak stock:"), ["stock:server/1"]);
        assert_eq!(fits("print S"), ["Server", "Stock"]);
        assert_eq!(fits("info l"), ["links"]);
        assert_eq!(fits("info links w"), ["waiter"]);
        assert_eq!(fits("branch m"), ["main"]);
        assert_eq!(fits("help tb"), ["tbreak"]);
        assert!(fits("print w").is_empty());
    }
}
