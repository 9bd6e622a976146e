//! The texts that Toolgate itself writes into a conversation.

use crate::machine::Payload;

/// What the model reads about calls that have no result of their own. The host gives them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Texts {
    /// A call that was cancelled before it could run.
    pub cancelled: Payload,
    /// A call that was closed before it could run.
    pub interrupted: Payload,
    /// A call that was closed after it may have started.
    pub may_have_run: Payload,
    /// A call whose input never was complete.
    pub incomplete: Payload,
}

impl Texts {
    /// Every text, to be kept.
    #[must_use]
    pub fn all(self) -> [Payload; 4] {
        [self.cancelled, self.interrupted, self.may_have_run, self.incomplete]
    }
}
