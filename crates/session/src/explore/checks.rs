//! What every execution should satisfy beyond not failing, and which ends are meant so.

use super::SearchError;
use super::invariant::Invariant;
use super::linearizable::Model;
use crate::eval::Pattern;
use crate::failure::{self, Failure, FailureKind};
use crate::outcome;
use crate::property::Property;
use reverl_analysis::feasible::Delivery;
use reverl_analysis::realise::realise;
use reverl_causal::System;
use reverl_machine::Local;
use reverl_term::Term;

/// What is asked of every execution, as it was typed.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// An expression over how the execution ended.
    pub property: Option<String>,
    /// Expressions that are true at every moment.
    pub invariants: Vec<String>,
    /// A module that says what calls answer if they come one after the other.
    pub model: Option<String>,
    /// Patterns of exit reasons that are not failures.
    pub expected_exits: Vec<String>,
}

impl Expectations {
    /// Compiles everything into the program of a system.
    pub fn compile(&self, system: &System) -> Result<Checks, SearchError> {
        let property = self.property.as_ref().map(|text| Property::new(text, system));
        let invariants = self.invariants.iter().map(|text| Invariant::new(text, system));
        let model = self.model.as_ref().map(|module| Model::new(module, system));
        let expected = self.expected_exits.iter().map(|text| Pattern::new(system, text));
        Ok(Checks {
            property: property.transpose()?,
            invariants: invariants.collect::<Result<_, _>>()?,
            model: model.transpose()?,
            expected_exits: expected.collect::<Result<_, _>>()?,
        })
    }
}

/// What is asked of every execution, ready to be asked.
#[derive(Default)]
pub struct Checks {
    property: Option<Property>,
    invariants: Vec<Invariant>,
    model: Option<Model>,
    expected_exits: Vec<Pattern>,
}

impl Checks {
    /// Everything that is wrong with an execution that a search has visited.
    pub fn failures(
        &self,
        system: &System,
        is_cut_off: bool,
        delivery: Delivery,
    ) -> Result<Vec<Failure>, SearchError> {
        let asks_only_ends = self.invariants.is_empty() && self.model.is_none();
        let real = if asks_only_ends { None } else { realise(system, delivery) };
        self.failures_of(system, real.as_ref(), is_cut_off)
    }

    /// Everything that is wrong with an execution that can be walked through as it is.
    pub fn failures_of_real(
        &self,
        system: &System,
        is_cut_off: bool,
    ) -> Result<Vec<Failure>, SearchError> {
        self.failures_of(system, Some(system), is_cut_off)
    }

    /// `real` is the same execution as one can walk through it, if that is needed.
    fn failures_of(
        &self,
        system: &System,
        real: Option<&System>,
        is_cut_off: bool,
    ) -> Result<Vec<Failure>, SearchError> {
        let is_expected = |reason: &Term| self.expects(system, reason);
        let mut found = failure::failures(system, is_cut_off, &is_expected);
        if let Some(property) = self.property.as_ref().filter(|_| !is_cut_off) {
            let at = outcome::place(system, system.main);
            let broken = property.broken(system)?;
            let kind = FailureKind::Property;
            found.extend(broken.map(|reason| Failure { kind, at, reason }));
        }
        if let Some(real) = real {
            for invariant in &self.invariants {
                found.extend(invariant.broken(real)?);
            }
            let model = self.model.as_ref().map(|model| model.contradicted(real));
            found.extend(model.transpose()?.flatten());
        }
        Ok(found)
    }

    fn expects(&self, system: &System, reason: &Term) -> bool {
        let local = || Local::new(system.execution().proc(system.main).pid, Term::nil());
        let mut patterns = self.expected_exits.iter();
        patterns.any(|pattern| pattern.matches_term(system, local(), reason.clone()))
    }
}
