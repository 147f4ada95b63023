//! Whether calls that overlap answer as if they had come one after the other (Herlihy and Wing 1990):
//! a module says what each call answers in a state, and all orders are tried that respect which
//! calls had ended before others began.

use super::SearchError;
use crate::describe::short;
use crate::eval::{self, Compiled, NoValue};
use crate::failure::{Failure, FailureKind};
use crate::otp::message::{Protocol, Recognised, reply_to};
use crate::outcome;
use reverl_causal::{EventRef, SignalId, System};
use reverl_machine::Local;
use reverl_term::{Atom, Term, exact_eq};
use std::collections::HashSet;

/// Calls of one execution that are put in order, at most: one bit each.
const MOST_CALLS: usize = 64;

/// A module with `init() -> State` and `apply(Call, State) -> {Answer, State}`. Calls that `apply` has
/// no clause for are not calls of what it describes.
pub struct Model {
    module: String,
    init: Compiled,
    apply: Compiled,
}

/// A call and what it answered.
struct Call {
    request: Term,
    /// Without an answer it may have taken effect or not.
    answer: Option<Term>,
    began: u32,
    ended: u32,
}

/// What has taken effect, and the state after it.
type Reached = (u64, Term);

impl Model {
    /// The model in this module of the program.
    pub fn new(module: &str, system: &System) -> Result<Model, SearchError> {
        let bad = |why| SearchError::NotAModel { module: module.into(), why };
        let compile = |text: &str, variables: &[&str]| {
            let variables: Vec<Atom> = variables.iter().map(|v| Atom::new(v)).collect();
            eval::compile(system.world(), text, &variables, None).map_err(bad)
        };
        let init = compile(&format!("{module}:init()"), &[])?;
        let apply = compile(&format!("{module}:apply(Call, State)"), &["Call", "State"])?;
        let model = Model { module: module.into(), init, apply };
        model.initial(system)?;
        Ok(model)
    }

    /// Says so if no order of the calls explains their answers.
    pub fn contradicted(&self, system: &System) -> Result<Option<Failure>, SearchError> {
        let initial = self.initial(system)?;
        let calls = self.calls(system, &initial)?;
        if calls.len() > MOST_CALLS {
            return Err(SearchError::TooManyCalls(MOST_CALLS));
        }
        if self.has_order(system, &calls, initial)? {
            return Ok(None);
        }
        let told = calls.iter().map(|call| {
            let answer = call.answer.as_ref().map_or("(no answer)".into(), short);
            format!("{} -> {answer}", short(&call.request))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        let reason = format!("no order of these calls gives these answers: {told}");
        let at = outcome::place(system, system.main);
        Ok(Some(Failure { kind: FailureKind::Linearizability, at, reason }))
    }

    /// Looks for an order, depth first, never twice from the same calls and state (Lowe 2017).
    fn has_order(
        &self,
        system: &System,
        calls: &[Call],
        initial: Term,
    ) -> Result<bool, SearchError> {
        let answered = |(i, call): (usize, &Call)| u64::from(call.answer.is_some()) << i;
        let all = calls.iter().enumerate().map(answered).fold(0, |all, bit| all | bit);
        let mut seen: HashSet<String> = HashSet::new();
        let mut open: Vec<Reached> = vec![(0, initial)];
        while let Some((done, state)) = open.pop() {
            if done & all == all {
                return Ok(true);
            }
            for (i, call) in calls.iter().enumerate() {
                if done >> i & 1 == 1 || !may_be_next(calls, done, call) {
                    continue;
                }
                let Some((answer, after)) = self.apply(system, call, &state)? else { continue };
                let fits = call.answer.as_ref().is_none_or(|given| exact_eq(given, &answer));
                let reached = (done | 1 << i, after);
                if fits && seen.insert(format!("{} {}", reached.0, outcome::show(&reached.1))) {
                    open.push(reached);
                }
            }
        }
        Ok(false)
    }

    /// The calls that the model knows, in the order in which they began.
    fn calls(&self, system: &System, initial: &Term) -> Result<Vec<Call>, SearchError> {
        let execution = system.execution();
        let mut calls = vec![];
        for proc in execution.ids() {
            for k in 0..execution.proc(proc).signals.len() as u32 {
                let id = SignalId { from: proc, k };
                let Recognised { protocol: Protocol::Call, content, .. } =
                    Recognised::of(system, id)
                else {
                    continue;
                };
                let call = call(system, id, content);
                if self.apply(system, &call, initial)?.is_some() {
                    calls.push(call);
                }
            }
        }
        calls.sort_by_key(|call| call.began);
        Ok(calls)
    }

    fn initial(&self, system: &System) -> Result<Term, SearchError> {
        self.evaluate(system, &self.init, vec![]).map_err(|why| self.bad(why))
    }

    /// What a call answers in a state, and the state after it; `None` if it is not the model's.
    fn apply(
        &self,
        system: &System,
        call: &Call,
        state: &Term,
    ) -> Result<Option<(Term, Term)>, SearchError> {
        let args = vec![call.request.clone(), state.clone()];
        match self.evaluate(system, &self.apply, args) {
            Ok(value) => match value.as_tuple() {
                Some([answer, state]) => Ok(Some((answer.clone(), state.clone()))),
                _ => Err(SearchError::NotAnswerAndState {
                    module: self.module.clone(),
                    value: short(&value),
                }),
            },
            Err(NoValue::Raised(_, reason)) if reason.is_atom_eq(Atom::new("function_clause")) => {
                Ok(None)
            }
            Err(why) => Err(self.bad(why)),
        }
    }

    fn evaluate(
        &self,
        system: &System,
        compiled: &Compiled,
        args: Vec<Term>,
    ) -> Result<Term, NoValue> {
        let local = Local::new(system.execution().proc(system.main).pid, Term::nil());
        eval::evaluate(system, compiled, args, local)
    }

    fn bad(&self, why: NoValue) -> SearchError {
        SearchError::NotAModel { module: self.module.clone(), why }
    }
}

/// Whether no call that has not taken effect had ended before this one began.
fn may_be_next(calls: &[Call], done: u64, next: &Call) -> bool {
    let mut waiting = calls.iter().enumerate().filter(|(i, _)| done >> i & 1 == 0);
    waiting.all(|(_, other)| other.ended >= next.began)
}

fn call(system: &System, id: SignalId, request: Term) -> Call {
    let execution = system.execution();
    let order = |index: u32| execution.order_of(EventRef::action(id.from, index as usize));
    let began = order(execution.signal(id).sent_by());
    let reply = reply_to(system, id);
    let received = reply.and_then(|reply| execution.signal(reply).receive());
    let answer = reply.filter(|_| received.is_some()).map(|r| Recognised::of(system, r).content);
    Call { request, answer, began, ended: received.map_or(u32::MAX, order) }
}
