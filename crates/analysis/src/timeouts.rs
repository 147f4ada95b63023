//! Which time-outs a search lets happen. A program's author means a long one as "never, unless all
//! else fails"; if it could come at any moment, everything else would drown in it.

/// Which time-outs come, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeouts {
    /// Each may come before any message does.
    Any,
    /// Those of fewer milliseconds may; the others come only when nothing else can happen.
    Short(u64),
    /// They come only when nothing else can happen.
    Idle,
    /// They never come.
    Never,
}

impl Timeouts {
    /// Whether a time-out of so many milliseconds may come before messages that are on their way.
    /// One of no time only asks what has arrived.
    pub fn may_be_early(self, ms: u64) -> bool {
        match self {
            Timeouts::Any => true,
            Timeouts::Short(bound) => ms < bound.max(1),
            Timeouts::Idle | Timeouts::Never => ms == 0,
        }
    }

    /// Time-outs of fewer milliseconds may be early.
    pub fn early(self) -> u64 {
        match self {
            Timeouts::Any => u64::MAX,
            Timeouts::Short(bound) => bound,
            Timeouts::Idle | Timeouts::Never => 0,
        }
    }

    /// Whether a time-out comes when nothing else can happen.
    pub fn comes_when_idle(self, ms: u64) -> bool {
        self != Timeouts::Never || ms == 0
    }
}
