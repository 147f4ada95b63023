//! A host without a disk.

use reverl_session::command::Host;
use reverl_session::session::Session;

pub struct Nowhere;

impl Host for Nowhere {
    fn fresh(&self) -> Result<Session, String> {
        Err("there is no other program".into())
    }
    fn save(&self, _: &Session, _: &str) -> Result<(), String> {
        Err("there is no disk".into())
    }
    fn open(&self, _: &str) -> Result<Session, String> {
        Err("there is no disk".into())
    }
}
