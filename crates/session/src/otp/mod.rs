//! OTP as people think of it: what a process was started as, what a message is to its behaviour,
//! and the state that a callback module keeps. One place knows the shapes that OTP gives to these;
//! everybody else asks here.

pub mod changes;
pub mod family;
pub mod message;
pub mod start;
pub mod state;
