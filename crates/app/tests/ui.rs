//! `reverl ui` lets in only a page of its own, in the hands of somebody who was told the secret.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

struct Server {
    child: Child,
    port: u16,
    secret: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// `None` if the binary was built without Node: then it has to say so.
    fn start() -> Option<Server> {
        Server::of("examples/proxy/proxy.erl")
    }

    fn of(program: &str) -> Option<Server> {
        Server::with(program, None)
    }

    /// A server that fails on purpose when it is asked `fault`.
    fn with(program: &str, fault: Option<&str>) -> Option<Server> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut child = Command::new(env!("CARGO_BIN_EXE_reverl"))
            .args(["ui", program, "--no-open", "--at-start"])
            .current_dir(root)
            .envs(fault.map(|what| ("REVERL_FAULT", what)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        out.read_line(&mut line).expect("it says something or ends");
        if line.is_empty() {
            let mut told = String::new();
            let _ = child.stderr.take().expect("piped").read_to_string(&mut told);
            assert!(told.contains("built without the page"), "{told}");
            let _ = child.wait();
            return None;
        }
        let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, secret) = rest.trim_end_matches('/').split_once('/').expect("a secret");
        Some(Server { child, port: port.parse().expect("a port"), secret: secret.into() })
    }

    /// The status of a request with exactly these headers, and the answer.
    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(text.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let status = answer.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
        (status, answer)
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn api(&self) -> String {
        format!("/{}/api/v2/sessions/1", self.secret)
    }
}

const LOOK: &str = r#"{"look":[{"view":"summary"}]}"#;
const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn the_page_and_its_interface_answer_their_own() {
    let Some(server) = Server::start() else { return };
    let host = server.host();
    let page = format!("/{}/", server.secret);
    let (status, answer) = server.send("GET", &page, &[("Host", &host)], "");
    assert_eq!(status, 200);
    assert!(answer.contains("content-security-policy: default-src 'none'"));
    assert!(answer.contains("x-frame-options: DENY"));
    let origin = format!("http://{host}");
    let headers = [("Host", host.as_str()), ("Origin", &origin), JSON];
    let (status, answer) = server.send("POST", &server.api(), &headers, LOOK);
    assert_eq!(status, 200);
    assert!(answer.contains(r#""branch":"main""#), "{answer}");
}

#[test]
fn without_the_secret_there_is_nothing() {
    let Some(server) = Server::start() else { return };
    let host = server.host();
    let wrong = "0".repeat(server.secret.len());
    for path in ["/", "/index.html", "/api/v2/sessions", &format!("/{wrong}/")] {
        assert_eq!(server.send("GET", path, &[("Host", &host)], "").0, 404, "{path}");
    }
    let path = format!("/{wrong}/api/v2/sessions/1");
    assert_eq!(server.send("POST", &path, &[("Host", &host), JSON], LOOK).0, 404);
}

#[test]
fn a_name_that_somebody_points_here_is_refused() {
    let Some(server) = Server::start() else { return };
    let page = format!("/{}/", server.secret);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"] {
        assert_eq!(server.send("GET", &page, &[("Host", host)], "").0, 403, "{host}");
    }
}

#[test]
fn another_site_is_refused() {
    let Some(server) = Server::start() else { return };
    let host = server.host();
    for origin in ["http://evil.example", "null", &format!("https://{host}"), "http://127.0.0.1"] {
        let headers = [("Host", host.as_str()), ("Origin", origin), JSON];
        assert_eq!(server.send("POST", &server.api(), &headers, LOOK).0, 403, "{origin}");
    }
    let headers = [("Host", host.as_str()), ("Sec-Fetch-Site", "cross-site"), JSON];
    assert_eq!(server.send("POST", &server.api(), &headers, LOOK).0, 403);
    // A form of another site cannot send JSON.
    let form = ("Content-Type", "text/plain");
    assert_eq!(server.send("POST", &server.api(), &[("Host", &host), form], LOOK).0, 415);
}

#[test]
fn what_is_no_request_is_answered_in_words() {
    let Some(server) = Server::start() else { return };
    let host = server.host();
    let headers = [("Host", host.as_str()), JSON];
    let bad = ["", "{", "[]", "{}", r#"{"look":[{"view":"nothing"}]}"#, r#"{"do":{}}"#];
    for body in bad {
        let (status, answer) = server.send("POST", &server.api(), &headers, body);
        assert!(status == 200 || status == 400, "{body}: {answer}");
    }
    let views = [
        r#"{"view":"diagram","from":99999999999,"to":1,"lanes":[77,"x",null],"select":"9a9"}"#,
        r#"{"view":"event","event":"1a99999999999999999999"}"#,
        r#"{"view":"process","proc":-1}"#,
        r#"{"view":"term","of":{"proc":1,"level":9,"variable":"X"},"path":[1,2,3]}"#,
        r#"{"view":"source","file":"../../../../etc/passwd"}"#,
        r#"{"view":"search","by":"message","text":"{{{"}"#,
    ];
    for view in views {
        let (status, answer) =
            server.send("POST", &server.api(), &headers, &format!(r#"{{"look":[{view}]}}"#));
        assert_eq!(status, 200, "{view}");
        assert!(answer.contains("error"), "{view}: {answer}");
    }
    // The session is still there.
    assert_eq!(server.send("POST", &server.api(), &headers, LOOK).0, 200);
    let missing = format!("/{}/api/v2/sessions/99", server.secret);
    assert_eq!(server.send("POST", &missing, &headers, LOOK).0, 400);
}

#[test]
fn a_program_that_reads_asks_for_the_line_on_the_page() {
    let file = std::env::temp_dir().join(format!("reverl_reads_{}.erl", std::process::id()));
    let name = file.file_stem().and_then(|n| n.to_str()).expect("a name");
    let text = format!(
        "-module({name}).\n-export([main/0]).\nmain() -> {{io:get_line(\"name? \"), io:get_line(\"\")}}.\n"
    );
    std::fs::write(&file, text).expect("written");
    let server = Server::of(&file.display().to_string());
    let _ = std::fs::remove_file(&file);
    let Some(server) = server else { return };
    let host = server.host();
    let headers = [("Host", host.as_str()), JSON];
    let input = format!("{}/input", server.api());
    let early = server.send("POST", &input, &headers, r#"{"line":"x"}"#);
    assert_eq!(early.0, 400, "{}", early.1);
    let run = r#"{"do":{"command":"run"}}"#;
    let (_, asked) = server.send("POST", &server.api(), &headers, run);
    assert!(asked.contains(r#""input":"name? ""#), "{asked}");
    assert_eq!(server.send("POST", &input, &headers, r#"{"line":"Ada"}"#).0, 200);
    let progress = format!("{}/progress?ticket=1", server.api());
    let until = |wanted: &str| {
        let asked = || server.send("GET", &progress, &headers[..1], "").1;
        let mut tries = (0..1000).map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            asked()
        });
        assert!(tries.any(|answer| answer.contains(wanted)), "{wanted}: {}", asked());
    };
    until(r#""input":"""#);
    assert_eq!(server.send("POST", &input, &headers, r#"{"line":null}"#).0, 200);
    until(r#""done":{"#);
    let look = r#"{"look":[{"view":"process","proc":0},{"view":"process","proc":1}]}"#;
    let (_, seen) = server.send("POST", &server.api(), &headers, look);
    assert!(seen.contains("Ada"), "{seen}");
}

/// Builds without debug assertions have no faults on purpose.
#[cfg(debug_assertions)]
#[test]
fn a_fault_ends_what_was_asked_and_not_the_session() {
    let Some(server) = Server::with("examples/proxy/proxy.erl", Some("problems")) else { return };
    let host = server.host();
    let headers = [("Host", host.as_str()), JSON];
    let fault = "'problems' failed by a fault of Reverl's own";
    let look = r#"{"look":[{"view":"problems"},{"view":"summary"}]}"#;
    let (status, seen) = server.send("POST", &server.api(), &headers, look);
    assert_eq!(status, 200);
    assert!(seen.contains(fault) && seen.contains(r#""branch":"main""#), "{seen}");
    let problems = r#"{"do":{"command":"problems"}}"#;
    let (status, done) = server.send("POST", &server.api(), &headers, problems);
    assert_eq!(status, 200);
    assert!(done.contains(fault) && done.contains(r#""ok":false"#), "{done}");
    let step = r#"{"do":{"command":{"step":{"count":2}}}}"#;
    let (_, done) = server.send("POST", &server.api(), &headers, step);
    assert!(done.contains(r#""command":"step 2""#) && done.contains(r#""moved":"ran""#), "{done}");
}

#[test]
fn what_is_wrong_with_an_action_is_said() {
    let Some(server) = Server::start() else { return };
    let host = server.host();
    let headers = [("Host", host.as_str()), JSON];
    let wrong = [
        (r#"{"do":{"command":{"undoo":{}}}}"#, "unknown variant `undoo`"),
        (r#"{"do":{"command":{"goto":{"process":1}}}}"#, "missing field `step`"),
        (r#"{"do":{"move":"sideways"}}"#, "unknown variant `sideways`"),
        (r#"{"do":{}}"#, "an action is a command, move, place or ask"),
        ("[]", "this cannot be read"),
    ];
    for (action, why) in wrong {
        let (status, answer) = server.send("POST", &server.api(), &headers, action);
        assert_eq!(status, 400, "{action}: {answer}");
        assert!(answer.contains(why), "{action}: {answer}");
    }
}
