//! What is wrong with a pattern, in the words of OTP's PCRE.

use super::Refused;

/// PCRE2's numbers, PCRE's words, and how much later PCRE2 sees it.
const ERRORS: &[(i32, &str, usize)] = &[
    (101, "\\ at end of pattern", 0),
    (102, "\\c at end of pattern", 0),
    (103, "unrecognized character follows \\", 0),
    (104, "numbers out of order in {} quantifier", 0),
    (105, "number too big in {} quantifier", 0),
    (106, "missing terminating ] for character class", 0),
    (107, "invalid escape sequence in character class", 0),
    (108, "range out of order in character class", 0),
    (109, "nothing to repeat", 0),
    (111, "unrecognized character after (? or (?-", 0),
    (112, "POSIX named classes are supported only within a class", 0),
    (113, "POSIX collating elements are not supported", 0),
    (114, "missing )", 0),
    (115, "reference to non-existent subpattern", 0),
    (118, "missing ) after comment", 0),
    (119, "parentheses nested too deeply", 0),
    (120, "regular expression is too large", 0),
    (122, "unmatched parentheses", 0),
    (124, "malformed number or name after (?(", 0),
    (125, "lookbehind assertion is not fixed length", 0),
    (126, "a numbered reference must not be zero", 0),
    (127, "conditional group contains more than two branches", 0),
    (128, "assertion expected after (?(", 0),
    (129, "(?R or (?[+-]digits must be followed by )", 0),
    (130, "unknown POSIX class name", 0),
    (134, "character value in \\x{} or \\o{} is too large", 0),
    (137, "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u", 0),
    (138, "number after (?C is > 255", 0),
    (139, "closing ) for (?C expected", 0),
    (141, "unrecognized character after (?P", 0),
    (142, "syntax error in subpattern name (missing terminator)", 0),
    (143, "two named subpatterns have the same name", 1),
    (144, "group name must start with a non-digit", 0),
    (146, "malformed \\P or \\p sequence", 0),
    (147, "unknown property name after \\P or \\p", 1),
    (148, "subpattern name is too long (maximum 32 characters)", 0),
    (149, "too many named subpatterns (maximum 10000)", 0),
    (150, "invalid range in character class", 1),
    (151, "octal value is greater than \\377 in 8-bit non-UTF-8 mode", 0),
    (154, "DEFINE group contains more than one branch", 0),
    (155, "missing opening brace after \\o", 0),
    (
        157,
        "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number",
        0,
    ),
    (158, "(?R or (?[+-]digits must be followed by )", 0),
    (160, "(*VERB) not recognized or malformed", 0),
    (161, "number is too big", 0),
    (162, "subpattern name expected", 0),
    (164, "non-octal character in \\o{} (closing brace missing?)", 0),
    (165, "different names for subpatterns of the same number are not allowed", 0),
    (166, "(*MARK) must have an argument", 0),
    (167, "non-hex character in \\x{} (closing brace missing?)", 0),
    (168, "\\c must be followed by an ASCII character", 0),
    (169, "\\k is not followed by a braced, angle-bracketed, or quoted name", 1),
    (171, "\\N is not supported in a class", 0),
    (173, "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)", 1),
    (174, "using UTF is disabled by the application", 0),
    (176, "name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)", 0),
    (193, "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u", 1),
    (178, "digits missing in \\x{} or \\o{}", 0),
];

pub fn refused(error: i32, at: usize, text: &[u8]) -> Refused {
    let at = at.min(text.len());
    // To PCRE, an unfinished group is a group of an unknown kind.
    let error = match error {
        114 if text.ends_with(b"(?") => 111,
        114 if text.ends_with(b"(?P") => 141,
        157 => 126,
        _ => error,
    };
    let known = ERRORS.iter().find(|(number, _, _)| *number == error);
    let (mut words, late) = known.map_or(("internal error", 0), |(_, words, late)| (*words, *late));
    if error == 162 && text[..at].ends_with(b"(?<") {
        words = "unrecognized character after (?<";
    }
    let (before, behind) = text.split_at(at);
    let first = |wanted: fn(&u8) -> bool| behind.iter().position(wanted).unwrap_or(behind.len());
    let at = match error {
        // PCRE is at the end of what it refers to, PCRE2 at its beginning.
        115 if behind.first() == Some(&b'(') => at + first(|b| *b == b')') + 1,
        115 => at + first(|b| !(b.is_ascii_alphanumeric() || *b == b'_')),
        125 => at + first(|b| *b == b')'),
        112 | 113 => before.iter().rposition(|b| *b == b'[').unwrap_or(0),
        130 => before.iter().rposition(|b| *b == b'[').map_or(at, |i| i + 2),
        126 => at.saturating_sub(1),
        _ => at - late.min(at),
    };
    Refused { text: words.to_string(), at }
}
