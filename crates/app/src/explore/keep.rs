//! Where executions go that a search has found: recordings in a directory.

use crate::disk::make_private;
use crate::open;
use crate::program_args::ProgramArgs;
use reverl_causal::System;
use reverl_session::explore::{FailureGroup, Keeper, Kept, SearchError};
use std::path::{Path, PathBuf};

/// The folder in which the recordings of failures are kept.
pub struct Recordings {
    pub program: ProgramArgs,
    pub dir: PathBuf,
    /// So many more that went well are kept too.
    pub good_left: usize,
}

impl Keeper for Recordings {
    /// One recording per failure, under the name that the failure had before if it had one.
    fn keep(&mut self, real: System, groups: &mut [&mut FailureGroup]) -> Result<(), SearchError> {
        let dir = &self.dir;
        make_private(dir).map_err(SearchError::NotKept)?;
        for group in groups {
            let path = group.recording.take().unwrap_or_else(|| free_name(dir, "failure"));
            open::save_system(&self.program, &real, &path).map_err(SearchError::NotKept)?;
            group.recording = Some(path);
        }
        Ok(())
    }

    fn keep_good(&mut self, real: &dyn Fn() -> Option<System>) -> Result<Kept, SearchError> {
        if self.good_left == 0 {
            return Ok(None);
        }
        let Some(real) = real() else { return Ok(None) };
        self.good_left -= 1;
        make_private(&self.dir).map_err(SearchError::NotKept)?;
        let path = free_name(&self.dir, "good");
        open::save_system(&self.program, &real, &path).map_err(SearchError::NotKept)?;
        Ok(Some(path))
    }
}

/// A name that no other execution has.
fn free_name(dir: &Path, what: &str) -> PathBuf {
    let names = (1..).map(|n| dir.join(format!("{what}-{n}.reverl")));
    // Made at once, so that no other worker takes the same.
    let is_free = |p: &PathBuf| std::fs::File::create_new(p).is_ok() || !dir.is_dir();
    names.into_iter().find(is_free).expect("numbers do not end")
}
