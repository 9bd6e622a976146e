//! How the host wants the machine to behave.

use super::{Id, Payload};
use crate::prelude::*;

/// What a user's message does to calls that still wait for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnUserMessage {
    /// They are denied, with a reason that the model can read.
    #[default]
    DenyPending,
    /// They are cancelled.
    CancelPending,
    /// The message waits for the answers.
    Queue,
    /// The message is refused; its text stays with the composer.
    Block,
}

/// The machine's options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What a user's message does to pending approvals.
    pub on_user_message: OnUserMessage,
    /// Names of the tools that run in the browser.
    pub browser_tools: Vec<Id>,
    /// The reason that `DenyPending` gives.
    pub moved_on: Payload,
    /// The reason of calls whose approval something later took the place of.
    pub superseded: Payload,
}

impl Options {
    /// Whether the tool runs in the browser.
    #[must_use]
    pub fn is_browser_tool(&self, name: Id) -> bool {
        self.browser_tools.contains(&name)
    }
}
