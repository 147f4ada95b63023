//! The page, as `build.rs` made it: files inside the binary.

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Whether Node was there when this was built.
pub fn is_there() -> bool {
    !FILES.is_empty()
}

/// The bytes of a file of the page and their type.
pub fn file(name: &str) -> Option<(&'static str, &'static [u8])> {
    let name = if name.is_empty() { "index.html" } else { name };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "image/svg+xml",
    };
    FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| (kind, *bytes))
}
