//! What is done after a move without being asked again: displayed expressions, and the commands of
//! a breakpoint.

use super::{AnswerAtStop, Answered, CommandKind, Debugger, Displayed, Reply};
use crate::error::CommandError;
use crate::query::logged::LoggedValue;
use crate::query::print;

/// A breakpoint whose commands go on ends the way after so many answers.
const MOST_ANSWERS: usize = 1_000;

impl Debugger {
    /// A reply to a move, with what is due after it.
    pub(super) fn with_what_is_due(&mut self, mut reply: Reply) -> Reply {
        if !matches!(reply, Reply::Move(_) | Reply::Passed(_)) {
            return reply;
        }
        let answers = self.answers_at_stop();
        let displayed = self.displayed();
        if let Reply::Move(moved) | Reply::Passed(moved) = &mut reply {
            (moved.displayed, moved.answers) = (displayed, answers);
        }
        reply
    }

    /// Carries out what is due. If that goes on to a breakpoint that has commands, those too.
    fn answers_at_stop(&mut self) -> Vec<AnswerAtStop> {
        let mut answers = vec![];
        while !self.due.is_empty() && answers.len() < MOST_ANSWERS {
            for command in std::mem::take(&mut self.due) {
                let answer = match command.kind() {
                    CommandKind::Looks => self.look(&command, self.session.current),
                    _ if self.session.was_interrupted() => return answers,
                    _ => match self.carry_out_alone(&command) {
                        Ok(reply) => Ok(reply),
                        Err(why) => {
                            answers.push(AnswerAtStop::Refused(why.to_string()));
                            return answers;
                        }
                    },
                };
                answers.push(match answer {
                    Ok(reply) => AnswerAtStop::Answer(Box::new(reply)),
                    Err(why) => AnswerAtStop::Refused(why.to_string()),
                });
            }
        }
        answers
    }

    pub(super) fn display(&mut self, expression: &str) -> Answered {
        self.displays_made += 1;
        self.displays.push((self.displays_made, expression.into()));
        Ok(Reply::Displayed(self.displayed().pop().into_iter().collect()))
    }

    pub(super) fn undisplay(&mut self, id: Option<usize>) -> Answered {
        let before = self.displays.len();
        self.displays.retain(|(known, _)| id.is_some_and(|id| id != *known));
        match before - self.displays.len() {
            0 => Err(CommandError::NoDisplay),
            deleted => Ok(Reply::Deleted { deleted }),
        }
    }

    /// What is displayed, as it is here.
    pub(super) fn displayed(&self) -> Vec<Displayed> {
        let (seen, proc) = (self.session.now(), self.session.current);
        let call = (proc, self.level(&seen, proc));
        let shown = |(id, expression): &(usize, String)| {
            let value = match print::print(&seen, call, expression) {
                Ok(value) => LoggedValue::Value(value.value),
                Err(why) => LoggedValue::None(why.to_string()),
            };
            Displayed { id: *id, expression: expression.clone(), value }
        };
        self.displays.iter().map(shown).collect()
    }
}
