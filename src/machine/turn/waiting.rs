//! Who must act for the chat to go on.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// Whom the chat waits for.
    pub enum WaitsOn {
        /// The user's answers to approvals.
        User = "user",
        /// The page, which runs tools.
        Tool = "tool",
        /// The host, which is to claim and send an item.
        Host = "host",
        /// The backend's reply; the user can stop it.
        Reply = "reply",
        /// The host, which is to say what it makes of a result.
        Rewrite = "rewrite",
        /// The user, who is to resume what was held.
        Resume = "resume",
        /// The user, who is to send an item again.
        Retry = "retry",
        /// The user, who is to give up an item that must not be sent twice.
        Cancel = "cancel",
    }
}

/// Whom the chat waits for: one flag for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Waiting {
    waits: [bool; WaitsOn::ALL.len()],
}

impl Waiting {
    /// Whether the chat waits for this.
    #[must_use]
    pub fn on(self, whom: WaitsOn) -> bool {
        self.waits[whom as usize]
    }

    /// Whether the chat waits for anything.
    #[must_use]
    pub fn is_anyone(self) -> bool {
        self.waits.contains(&true)
    }

    /// Adds whom it waits for.
    pub(in crate::machine) fn add(&mut self, whom: WaitsOn, waits: bool) {
        self.waits[whom as usize] |= waits;
    }
}
