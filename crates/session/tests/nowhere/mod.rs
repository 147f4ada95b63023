//! A host without a disk.

use reverl_session::command::Host;
use reverl_session::error::HostError;
use reverl_session::session::Session;

pub struct Nowhere;

impl Host for Nowhere {
    fn fresh(&self) -> Result<Session, HostError> {
        Err(HostError::CannotBegin("there is no other program".into()))
    }
    fn save(&self, _: &Session, _: &str) -> Result<(), HostError> {
        Err(HostError::CannotSave("there is no disk".into()))
    }
    fn open(&self, _: &str) -> Result<Session, HostError> {
        Err(HostError::CannotOpen("there is no disk".into()))
    }
}
