//! What a node reported about itself when recording began.

use reverl_machine::OtpVersion;
use reverl_term::{Atom, MapOrder, Pid, Term, etf};

/// A list of pairs, as the tracer wrote it.
pub struct Node(Vec<(String, Term)>);

impl Node {
    /// The pairs in the external format; none if the bytes cannot be read.
    pub fn read(bytes: &[u8]) -> Node {
        let term = etf::decode(bytes, &etf::DecodeOptions::default()).ok().map(|(term, _)| term);
        let pairs = term.and_then(|t| t.to_vec()).unwrap_or_default();
        let pair = |t: &Term| match t.as_tuple() {
            Some([key, value]) => Some((key.as_atom()?.name().to_string(), value.clone())),
            _ => None,
        };
        Node(pairs.iter().filter_map(pair).collect())
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Term> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| value)
    }

    /// The text that a key has as its value; empty if it has none.
    pub fn text(&self, key: &str) -> String {
        self.get(key).and_then(text_of).unwrap_or_default()
    }

    /// The OTP that the node ran.
    pub fn otp(&self) -> Option<OtpVersion> {
        let release = self.text("otp").parse().ok()?;
        Some(OtpVersion { release, erts: self.text("version") })
    }

    /// How the node ordered its maps.
    pub fn map_order(&self) -> MapOrder {
        let limit =
            |key| self.get(key).and_then(Term::as_small).and_then(|n| u64::try_from(n).ok());
        let release = self.otp().map_or(25, |otp| otp.release);
        MapOrder::new(release, limit("process_limit"), limit("port_limit"))
    }

    /// The name of the node when it began, if it had one.
    pub fn name(&self) -> Option<Atom> {
        self.get("node")?.as_atom().filter(|name| *name != reverl_term::atoms::NONODE)
    }

    /// The group leader of the recorded program.
    pub fn leader(&self) -> Option<Pid> {
        self.get("leader")?.as_pid()
    }

    /// Registered names when it began, and whose they were.
    pub fn names(&self) -> Vec<(Atom, Pid)> {
        let all = self.get("names").and_then(|t| t.to_vec()).unwrap_or_default();
        let pair = |t: &Term| match t.as_tuple() {
            Some([name, pid]) => Some((name.as_atom()?, pid.as_pid()?)),
            _ => None,
        };
        all.iter().filter_map(pair).collect()
    }

    /// Loaded modules and where they came from.
    pub fn modules(&self) -> Vec<(String, String)> {
        let all = self.get("modules").and_then(|t| t.to_vec()).unwrap_or_default();
        let pair = |t: &Term| match t.as_tuple() {
            Some([name, path]) => Some((name.as_atom()?.name().to_string(), text_of(path)?)),
            _ => None,
        };
        all.iter().filter_map(pair).collect()
    }

    /// The directories in which the node looked for modules.
    pub fn path(&self) -> Vec<String> {
        let all = self.get("path").and_then(|t| t.to_vec()).unwrap_or_default();
        all.iter().filter_map(text_of).collect()
    }
}

fn text_of(term: &Term) -> Option<String> {
    let chars = term.to_vec()?;
    chars.iter().map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?)).collect()
}
