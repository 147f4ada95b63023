//! A typed line, taken apart.

/// A command line cut into words, with the place of each in the text.
pub struct Line {
    text: String,
    words: Vec<String>,
}

impl Line {
    /// Words are separated by blanks; quotes hold a word together and are taken off.
    pub fn parse(text: &str) -> Line {
        let text = text.trim().to_string();
        let mut words = vec![];
        let mut word = String::new();
        let mut quote = None;
        let mut any = false;
        for c in text.chars() {
            match (quote, c) {
                (Some(q), _) if c == q => quote = None,
                (Some(_), _) => word.push(c),
                (None, '\'' | '"') => {
                    quote = Some(c);
                    any = true;
                }
                (None, c) if c.is_whitespace() => {
                    if any || !word.is_empty() {
                        words.push(std::mem::take(&mut word));
                    }
                    any = false;
                }
                _ => word.push(c),
            }
        }
        if any || !word.is_empty() {
            words.push(word);
        }
        Line { text, words }
    }

    /// The first word.
    pub fn command(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// The words after the command.
    pub fn args(&self) -> Vec<&str> {
        self.words.iter().skip(1).map(String::as_str).collect()
    }

    /// Everything after the command, as it was typed.
    pub fn rest(&self) -> &str {
        let command = self.command().map_or(0, str::len);
        self.text[command.min(self.text.len())..].trim()
    }

    /// Whether this word stands after the command.
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|w| w == word)
    }

    /// The first argument that is a plain number.
    pub fn number(&self) -> Option<u64> {
        self.args().iter().find_map(|w| w.parse().ok())
    }

    /// The argument that can only be a process: `<0.84.0>`, a path `P.1`, a name, or a second
    /// number.
    pub fn process(&self) -> Option<&str> {
        const UNITS: &[&str] = &["line", "call", "event", "step", "all", "--dry-run"];
        let args = self.args();
        let words = args.into_iter().filter(|w| !UNITS.contains(w));
        words.skip_while(|w| w.parse::<u64>().is_ok()).find(|w| !w.starts_with("--"))
    }
}
