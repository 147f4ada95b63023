//! Who may ask: only a page that came from here, by somebody who knows the secret.
//!
//! A browser lets any site send requests to this machine. Each check stops one way in: the secret
//! in the path stops those who guess, `Host` stops names that somebody else makes point here,
//! `Origin` and `Sec-Fetch-Site` stop other pages in the same browser.

use axum::http::{HeaderMap, Method, StatusCode, header};

/// Decides which requests may reach the debugger: those of this machine that know the secret.
pub struct Guard {
    pub port: u16,
    pub secret: String,
    pub framing: Framing,
}

/// Where the page may be shown inside of something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    Nowhere,
    /// In a panel of an editor.
    Editor,
}

impl Guard {
    /// Why a request is refused.
    pub fn refusal(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<(StatusCode, &'static str)> {
        let text = |name: header::HeaderName| headers.get(name).map(|v| v.to_str().unwrap_or(""));
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !text(header::HOST).is_some_and(|host| names.iter().any(|n| n == host)) {
            return Some((StatusCode::FORBIDDEN, "wrong Host"));
        }
        let own = |origin: &str| names.iter().any(|n| origin == format!("http://{n}"));
        if text(header::ORIGIN).is_some_and(|origin| !own(origin)) {
            return Some((StatusCode::FORBIDDEN, "wrong Origin"));
        }
        let given = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        if !is_equal(given, &self.secret) {
            return Some((StatusCode::NOT_FOUND, "not found"));
        }
        // Following a link to the page itself is the one thing another site may ask for.
        let site = headers.get("sec-fetch-site").map(|v| v.to_str().unwrap_or(""));
        let foreign = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
        let is_page = path.matches('/').count() == 2 && path.ends_with('/');
        if foreign && !(is_page && method == Method::GET) {
            return Some((StatusCode::FORBIDDEN, "asked by another site"));
        }
        let json = text(header::CONTENT_TYPE).is_some_and(|t| t.starts_with("application/json"));
        if method == Method::POST && !json {
            return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send JSON"));
        }
        None
    }
}

/// Takes as long for every wrong answer.
fn is_equal(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y));
    a.len() == b.len() && differ == 0
}
