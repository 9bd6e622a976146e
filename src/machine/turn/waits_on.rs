//! Somebody that the chat may wait for.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// Somebody that the chat may wait for.
    pub enum WaitsOn {
        /// The user, to decide approvals.
        User = "user",
        /// The page, to run tools.
        Tool = "tool",
        /// The host, to claim and send an item.
        Host = "host",
        /// The backend, to reply. The user can stop it.
        Reply = "reply",
        /// The host, to rewrite a result.
        Rewrite = "rewrite",
        /// The user, to resume held decisions.
        Resume = "resume",
        /// The user, to retry an item.
        Retry = "retry",
        /// The user, to cancel an item that must not be sent twice.
        Cancel = "cancel",
    }
}

/// The set of those that the chat waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Waiting {
    waits: [bool; WaitsOn::ALL.len()],
}

impl Waiting {
    /// Whether the chat waits for `whom`.
    #[must_use]
    pub fn on(self, whom: WaitsOn) -> bool {
        self.waits[whom as usize]
    }

    /// Whether the set is not empty.
    #[must_use]
    pub fn is_anyone(self) -> bool {
        self.waits.contains(&true)
    }

    /// Adds `whom`, if `waits`.
    pub(in crate::machine) fn add(&mut self, whom: WaitsOn, waits: bool) {
        self.waits[whom as usize] |= waits;
    }
}
