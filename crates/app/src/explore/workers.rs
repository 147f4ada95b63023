//! The threads of a search: as many as there are cores, each with a system of its own.

use super::keep::Recordings;
use crate::program_args::ProgramArgs;
use reverl_session::explore::{Findings, Search};
use reverl_session::outside::Output;
use reverl_session::property::Property;
use std::path::PathBuf;

/// What every worker needs to begin.
#[derive(Clone)]
pub struct Task {
    pub program: ProgramArgs,
    pub property: Option<String>,
    /// Where failing executions are kept.
    pub dir: PathBuf,
}

impl Task {
    pub fn recordings(&self) -> Recordings {
        Recordings { program: self.program.clone(), dir: self.dir.clone() }
    }

    /// A system at its beginning, and the property compiled into its program.
    pub fn system(&self) -> Result<(reverl_causal::System, Option<Property>), String> {
        let system = self.program.system(Output::Keep)?;
        let property = self.property.as_ref().map(|text| Property::new(text, &system));
        let property = property.transpose().map_err(|why| why.to_string())?;
        Ok((system, property))
    }

    /// One worker, to be run on a thread of its own. `goes_on` is asked after each execution.
    pub fn work(
        &self,
        search: &Search,
        goes_on: &mut dyn FnMut(&Findings, u64) -> bool,
    ) -> Result<Findings, String> {
        let (system, property) = self.system()?;
        let mut keeper = self.recordings();
        let found = search
            .work(&system, property.as_ref(), &mut keeper, &mut |found, _, n| goes_on(found, n));
        found.map_err(|why| why.to_string())
    }
}

/// How many threads search unless another number is given.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
