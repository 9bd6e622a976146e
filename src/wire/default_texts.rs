//! The texts that Toolgate writes into a conversation.

use crate::machine::Payload;

/// Texts that the model reads for calls without a result. The host sets them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Texts {
    /// For a call that was cancelled before it could run.
    pub cancelled: Payload,
    /// For a call that was closed before it could run.
    pub interrupted: Payload,
    /// For a call that was closed after it may have started.
    pub may_have_run: Payload,
    /// For a call whose input was never complete.
    pub incomplete: Payload,
}

impl Texts {
    /// All four texts, for the list of values in use.
    #[must_use]
    pub fn all(self) -> [Payload; 4] {
        [self.cancelled, self.interrupted, self.may_have_run, self.incomplete]
    }
}
