//! Source encodings: UTF-8, or latin-1 where one of the first two lines says `coding: latin-1`.

/// Files beyond this are refused: positions are 32 bits.
const MAX_BYTES: usize = u32::MAX as usize - 2;

/// The text, and what was wrong with the bytes (offset in the text, message). Bytes that are not
/// text become replacement characters, so that the rest can be looked at.
pub fn decode(bytes: Vec<u8>) -> (String, Option<(u32, String)>) {
    if bytes.len() > MAX_BYTES {
        return (String::new(), Some((0, "file too large".to_string())));
    }
    if declares_latin1(&bytes) {
        return (bytes.into_iter().map(char::from).collect(), None);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to() as u32;
            let mut text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            if text.len() > MAX_BYTES {
                text.clear();
            }
            (text, Some((at, "cannot translate from UTF-8".to_string())))
        }
    }
}

/// Looks for `coding: NAME` or `coding=NAME` in the first two lines.
fn declares_latin1(bytes: &[u8]) -> bool {
    let lines = bytes.split(|b| *b == b'\n').take(2);
    lines.filter_map(declared).next().is_some_and(|name| name == b"latin-1")
}

fn declared(line: &[u8]) -> Option<Vec<u8>> {
    let comment = line.iter().position(|b| *b == b'%')?;
    let line = line[comment..].to_ascii_lowercase();
    let at = line.windows(6).position(|w| w == b"coding")? + 6;
    let rest: &[u8] = line[at..].trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?.trim_ascii_start();
    let end = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'-'));
    Some(rest[..end.unwrap_or(rest.len())].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin1_is_read_only_where_it_is_declared() {
        let (text, problem) = decode(b"%% coding: latin-1\n\xe5.".to_vec());
        assert_eq!((text.as_str(), problem), ("%% coding: latin-1\n\u{e5}.", None));
        let (_, problem) = decode(b"%% hello\n\xe5.".to_vec());
        assert_eq!(problem.map(|p| p.0), Some(9));
    }

    #[test]
    fn a_declaration_beyond_the_second_line_does_not_count() {
        assert!(declares_latin1(b"\n%% -*- coding: latin-1 -*-\n"));
        assert!(!declares_latin1(b"\n\n%% coding: latin-1\n"));
        assert!(!declares_latin1(b"%% coding: utf-8\n"));
    }
}
