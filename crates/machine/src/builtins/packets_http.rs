//! The lines of HTTP as `erlang:decode_packet/3` tells them: a request, a response, a header.

use reverl_term::{Term, atoms};

/// What texts are given as.
#[derive(Clone, Copy, PartialEq)]
pub enum Text {
    List,
    Binary,
}

impl Text {
    fn term(self, bytes: &[u8]) -> Term {
        match self {
            Text::List => Term::list(bytes.iter().map(|byte| Term::int(i64::from(*byte)))),
            Text::Binary => Term::binary(bytes),
        }
    }
}

const METHODS: &[&str] = &["OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"];

/// The headers that are told as atoms; what is told beside is their place in this list.
const HEADERS: &[&str] = &[
    "Cache-Control",
    "Connection",
    "Date",
    "Pragma",
    "Transfer-Encoding",
    "Upgrade",
    "Via",
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "From",
    "Host",
    "If-Modified-Since",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Max-Forwards",
    "Proxy-Authorization",
    "Range",
    "Referer",
    "User-Agent",
    "Age",
    "Location",
    "Proxy-Authenticate",
    "Public",
    "Retry-After",
    "Server",
    "Vary",
    "Warning",
    "Www-Authenticate",
    "Allow",
    "Content-Base",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Location",
    "Content-Md5",
    "Content-Range",
    "Content-Type",
    "Etag",
    "Expires",
    "Last-Modified",
    "Accept-Ranges",
    "Set-Cookie",
    "Set-Cookie2",
    "X-Forwarded-For",
    "Cookie",
    "Keep-Alive",
    "Proxy-Connection",
];

/// Names that are longer are told as they came.
const LONGEST_NAME: usize = 50;

fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Characters that end a name.
fn is_special(byte: u8) -> bool {
    byte <= b' ' || byte >= 0x7F || b"()<>@,;:\\\"/[]?={}".contains(&byte)
}

/// The length of the first line. A header goes on in lines that begin with a space, so what comes
/// after it must be there.
pub fn end(bytes: &[u8], is_header: bool) -> Option<usize> {
    if matches!(bytes, b"\n" | b"\r\n") {
        return Some(bytes.len());
    }
    let mut from = 0;
    loop {
        let length = from + bytes[from..].iter().position(|byte| *byte == b'\n')? + 1;
        if !is_header {
            return Some(length);
        }
        let next = *bytes.get(length)?;
        if !(is_space(next) && length > 2) {
            return Some(length);
        }
        from = length;
    }
}

/// The line without what ends it.
fn content(line: &[u8]) -> &[u8] {
    let end = if line.ends_with(b"\r\n") { 2 } else { 1 };
    &line[..line.len() - end.min(line.len())]
}

fn error(line: &[u8], text: Text) -> Term {
    Term::tuple(vec![Term::atom_named("http_error"), text.term(line)])
}

/// A request or a response.
pub fn start_line(line: &[u8], text: Text) -> Term {
    let told = match content(line).strip_prefix(b"HTTP/") {
        Some(rest) => response(rest, text),
        None => request(content(line), text),
    };
    told.unwrap_or_else(|| error(line, text))
}

/// A number at the beginning, and what comes after it.
fn digits(bytes: &[u8]) -> (Option<i64>, &[u8]) {
    let length = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = bytes[..length]
        .iter()
        .fold(0i64, |n, digit| n.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')));
    ((length > 0).then_some(value), &bytes[length..])
}

fn spaces(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().take_while(|byte| is_space(**byte)).count();
    &bytes[length..]
}

/// `Major.Minor`
fn version(bytes: &[u8]) -> Option<(Term, &[u8])> {
    let (major, rest) = digits(bytes);
    let (minor, rest) = digits(rest.strip_prefix(b".")?);
    Some((Term::tuple(vec![Term::int(major?), Term::int(minor?)]), rest))
}

fn response(bytes: &[u8], text: Text) -> Option<Term> {
    let (version, rest) = version(bytes)?;
    let (status, rest) = digits(spaces(rest));
    Some(Term::tuple(vec![
        Term::atom_named("http_response"),
        version,
        Term::int(status.unwrap_or(0)),
        text.term(spaces(rest)),
    ]))
}

fn request(bytes: &[u8], text: Text) -> Option<Term> {
    let length = bytes.iter().take_while(|byte| !is_special(**byte)).count();
    let (method, rest) = bytes.split_at(length);
    if method.is_empty() || !rest.first().is_some_and(|byte| is_space(*byte)) {
        return None;
    }
    let rest = spaces(rest);
    let length = rest.iter().take_while(|byte| !is_space(**byte)).count();
    let (uri, rest) = rest.split_at(length);
    if uri.is_empty() {
        return None;
    }
    let rest = spaces(rest);
    let version = match rest.is_empty() {
        true => Term::tuple(vec![Term::int(0), Term::int(9)]),
        false => version(rest.strip_prefix(b"HTTP/")?)?.0,
    };
    let known = METHODS.iter().find(|known| known.as_bytes() == method);
    let method = known.map_or_else(|| text.term(method), |name| Term::atom_named(name));
    Some(Term::tuple(vec![Term::atom_named("http_request"), method, resource(uri, text), version]))
}

/// What a request is about.
fn resource(uri: &[u8], text: Text) -> Term {
    let tagged = |parts: Vec<Term>| Term::tuple(parts);
    if uri == b"*" {
        return Term::atom_named("*");
    }
    if uri.len() <= 1 || uri[0] == b'/' {
        return tagged(vec![Term::atom_named("abs_path"), text.term(uri)]);
    }
    for scheme in ["http", "https"] {
        let length = scheme.len();
        let is_it = uri.len() >= length + 3
            && uri[..length].eq_ignore_ascii_case(scheme.as_bytes())
            && &uri[length..length + 3] == b"://";
        if is_it {
            return absolute(scheme, &uri[length + 3..], text);
        }
    }
    match uri.iter().position(|byte| *byte == b':') {
        Some(at) => tagged(vec![
            Term::atom_named("scheme"),
            text.term(&uri[..at]),
            text.term(&uri[at + 1..]),
        ]),
        None => text.term(uri),
    }
}

/// `{absoluteURI, Scheme, Host, Port, Path}`
fn absolute(scheme: &str, rest: &[u8], text: Text) -> Term {
    let slash = rest.iter().position(|byte| *byte == b'/');
    let (place, path) = match slash {
        Some(at) => (&rest[..at], &rest[at..]),
        None => (rest, &b"/"[..]),
    };
    let colon = place.iter().position(|byte| *byte == b':');
    let (host, port) = match colon {
        Some(at) => (&place[..at], digits(&place[at + 1..])),
        None => (place, (None, &b""[..])),
    };
    let port = match port {
        (Some(port), b"") if port != 0 => Term::int(port),
        _ => Term::atom(atoms::UNDEFINED),
    };
    Term::tuple(vec![
        Term::atom_named("absoluteURI"),
        Term::atom_named(scheme),
        text.term(host),
        port,
        text.term(path),
    ])
}

/// `{http_header, Number, Name, NameAsItCame, Value}`, or the end of all headers.
pub fn header(line: &[u8], text: Text) -> Term {
    let content = content(line);
    if content.is_empty() {
        return Term::atom_named("http_eoh");
    }
    let length = content.iter().take_while(|byte| !is_special(**byte)).count();
    let (name, rest) = content.split_at(length);
    let Some(value) = rest.strip_prefix(b":") else { return error(line, text) };
    let usual = usual_name(name);
    let number = HEADERS.iter().position(|known| known.as_bytes() == usual);
    let shown = match number {
        Some(number) => Term::atom_named(HEADERS[number]),
        None => text.term(&usual),
    };
    Term::tuple(vec![
        Term::atom_named("http_header"),
        Term::int(number.map_or(0, |number| number as i64 + 1)),
        shown,
        text.term(name),
        text.term(spaces(value)),
    ])
}

/// A name with a capital letter at the beginning of each word.
fn usual_name(name: &[u8]) -> Vec<u8> {
    if name.len() > LONGEST_NAME {
        return name.to_vec();
    }
    let mut begins = true;
    let letter = |byte: &u8| {
        let shown = if begins { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
        begins = *byte == b'-' && !begins;
        shown
    };
    name.iter().map(letter).collect()
}
