//! Answers that are kept: what was right once for a call is right when it happens again, also
//! after the program was edited. One JSON file, an answer for each computation in words.

use super::Asked;
use super::facts::{CameTo, Facts};
use super::judge::{Judge, Judged};
use super::question::{self, Aspect};
use reverl_analysis::declare::{Node, NodeId, Tree};
use reverl_causal::System;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use thiserror::Error;

/// The answers that were given in earlier dialogues, kept in a file beside the program.
#[derive(Clone)]
pub struct Memory {
    path: PathBuf,
    answers: Rc<RefCell<Map<String, Value>>>,
}

/// Why answers cannot be kept, or those that were kept cannot be used.
#[derive(Debug, Error)]
pub enum MemoryError {
    #[error("'{}' does not hold answers ({why}); name another file", path.display())]
    NotAnswers { path: PathBuf, why: serde_json::Error },
    #[error("cannot read '{}': {why}", path.display())]
    CannotRead { path: PathBuf, why: std::io::Error },
    #[error("cannot write '{}': {why}", path.display())]
    CannotWrite { path: PathBuf, why: std::io::Error },
}

impl Memory {
    /// Reads the answers kept in `path`; a file that does not exist is an empty memory.
    pub fn open(path: &Path) -> Result<Memory, MemoryError> {
        let answers = match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|why| MemoryError::NotAnswers { path: path.into(), why })?,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Map::new(),
            Err(why) => return Err(MemoryError::CannotRead { path: path.into(), why }),
        };
        Ok(Memory { path: path.into(), answers: Rc::new(RefCell::new(answers)) })
    }

    /// Keeps an answer of the user's.
    pub fn remember(&self, asked: &Asked) -> Result<(), MemoryError> {
        let Some((key, answer)) = asked.key.clone().zip(asked.aspect.and_then(name)) else {
            return Ok(());
        };
        let mut answers = self.answers.borrow_mut();
        answers.insert(key, Value::from(answer));
        let text = serde_json::to_string_pretty(&*answers).unwrap_or_default();
        // Whole or not at all: answers are work.
        let beside = self.path.with_extension("part");
        std::fs::write(&beside, text)
            .and_then(|()| std::fs::rename(&beside, &self.path))
            .map_err(|why| MemoryError::CannotWrite { path: self.path.clone(), why })
    }
}

fn name(aspect: Aspect) -> Option<&'static str> {
    Some(match aspect {
        Aspect::Nothing => "right",
        Aspect::Result => "wrong result",
        Aspect::Sent => "wrong messages",
        Aspect::Created => "wrong processes",
        Aspect::Consumed => "wrong message taken",
        Aspect::Waits => "should not wait",
        _ => return None,
    })
}

/// A computation in words that do not depend on where its code is.
pub fn key(system: &System, node: &Node, facts: &Facts) -> String {
    let context = |items: &[(reverl_term::Atom, reverl_term::Term)]| -> String {
        items.iter().map(|(n, v)| format!(" {}={}", n.name(), reverl_term::fmt::write(v))).collect()
    };
    let messages = |items: &[reverl_causal::SignalId]| -> String {
        items.iter().map(|s| format!(" {}", question::message(system, *s))).collect()
    };
    let mut key = question::call(system, node.fun, &facts.args);
    if let Some(r) = &facts.receive {
        key += &format!(" in{} with{}", context(&r.context), messages(&r.mailbox));
        let consumed: Vec<_> = r.consumed.into_iter().collect();
        key += &format!(" takes{}", messages(&consumed));
    }
    let came_to = match &facts.came_to {
        CameTo::Receive(_) => {
            let levels = facts.reached.iter().map(|l| context(&l.bindings));
            format!("receive{}", levels.collect::<String>())
        }
        CameTo::Blocked(_) => "waits".into(),
        other => question::came_to(system, other),
    };
    let created: String =
        facts.spawned.iter().map(|p| format!(" {}", question::process(system, *p))).collect();
    format!("{key} -> {came_to}; sends{}; creates{created}", messages(&facts.sent))
}

impl Judge for Memory {
    fn judge(&mut self, system: &System, tree: &Tree, id: NodeId, facts: &Facts) -> Option<Judged> {
        let key = key(system, tree.node(id), facts);
        let answers = self.answers.borrow();
        let said = answers.get(&key)?.as_str()?;
        let all = [
            Aspect::Nothing,
            Aspect::Result,
            Aspect::Sent,
            Aspect::Created,
            Aspect::Consumed,
            Aspect::Waits,
        ];
        let aspect = all.into_iter().find(|a| name(*a) == Some(said))?;
        Some(Judged::new(aspect, said.into(), "an earlier answer"))
    }
}
