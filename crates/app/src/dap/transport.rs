//! Messages on the wire: a header with their length, an empty line, and JSON. Whoever writes the
//! other end is not trusted: what cannot be read is told, and reading goes on where it can.

use serde_json::Value;
use std::io::{BufRead, Error, ErrorKind, Read, Write};

/// A message that is longer is not read.
const MOST_BYTES: usize = 64 << 20;
/// A line of the header that is longer is not one.
const MOST_HEADER: u64 = 4_096;

/// What came in.
#[derive(Debug, PartialEq)]
pub enum Received {
    Message(Value),
    /// Something that is not a message, and why.
    Malformed(String),
    /// Nothing more can be read, and why, if it is not that the other side has ended.
    End(Option<String>),
}

/// Reads the next message.
pub fn read(input: &mut impl BufRead) -> Received {
    let length = match content_length(input) {
        Ok(Some(length)) => length,
        Ok(None) => return Received::End(None),
        Err(why) if why.kind() == ErrorKind::InvalidData => {
            return Received::Malformed(why.to_string());
        }
        Err(why) => return Received::End(Some(why.to_string())),
    };
    if length > MOST_BYTES {
        let why = format!("a message of {length} bytes is too long; the most are {MOST_BYTES}");
        return Received::End(Some(why));
    }
    let mut bytes = vec![];
    match input.take(length as u64).read_to_end(&mut bytes) {
        Ok(read) if read == length => {}
        Ok(_) => return Received::End(Some("the last message is not whole".into())),
        Err(why) => return Received::End(Some(why.to_string())),
    }
    match serde_json::from_slice(&bytes) {
        Ok(message) => Received::Message(message),
        Err(why) => Received::Malformed(format!("this message is not JSON: {why}")),
    }
}

/// The length that the header says; none at the end of all messages.
fn content_length(input: &mut impl BufRead) -> Result<Option<usize>, Error> {
    let (mut length, mut is_begun) = (None, false);
    loop {
        let mut line = vec![];
        if input.take(MOST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match (line.is_empty(), is_begun) {
            (true, false) => continue,
            (true, true) => break,
            (false, _) => is_begun = true,
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok();
            }
        }
    }
    let why = "a message begins with 'Content-Length: N' and an empty line";
    length.map(Some).ok_or_else(|| Error::new(ErrorKind::InvalidData, why))
}

/// The one place from which messages are written: it numbers them.
pub struct Outbox {
    out: Box<dyn Write + Send>,
    last: i64,
}

impl Outbox {
    pub fn new(out: Box<dyn Write + Send>) -> Outbox {
        Outbox { out, last: 0 }
    }

    /// Sends a message. If nobody reads any more, the end of what they write is not far.
    pub fn send(&mut self, mut message: Value) {
        self.last += 1;
        message["seq"] = self.last.into();
        let text = message.to_string();
        let _ = write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len());
        let _ = self.out.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(bytes: &[u8]) -> Vec<Received> {
        let mut input = std::io::BufReader::new(bytes);
        let mut found = vec![];
        loop {
            let next = read(&mut input);
            let is_end = matches!(next, Received::End(_));
            found.push(next);
            if is_end {
                return found;
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_and_reading_goes_on() {
        let bytes =
            b"Content-Length: 2\r\n\r\n{}Nonsense\r\n\r\nContent-Length: 3\r\nOther: 1\r\n\r\n{x}\
                      Content-Length: 7\r\n\r\n{\"a\":1}";
        let found = all(bytes);
        assert_eq!(found[0], Received::Message(json!({})));
        assert!(matches!(&found[1], Received::Malformed(why) if why.contains("Content-Length")));
        assert!(matches!(&found[2], Received::Malformed(why) if why.contains("not JSON")));
        assert_eq!(found[3], Received::Message(json!({ "a": 1 })));
        assert_eq!(found[4], Received::End(None));
    }

    #[test]
    fn a_message_that_is_cut_off_or_too_long_is_the_end() {
        assert!(matches!(&all(b"Content-Length: 9\r\n\r\n{}")[0], Received::End(Some(_))));
        assert!(matches!(
            &all(b"Content-Length: 99999999999\r\n\r\n{}")[0],
            Received::End(Some(_))
        ));
    }
}
