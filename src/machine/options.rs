//! How the host wants the machine to behave.

use super::{Id, Payload, ToolPart};
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

/// What the denial of one call means for the other calls of its step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnDeny {
    /// Nothing: each is decided on its own.
    #[default]
    Continue,
    /// Undecided calls are skipped, and the model goes on.
    SkipRest,
    /// Undecided calls and approvals that have not left are skipped, and nothing leaves until the user writes.
    EndTurn,
    /// [`OnDeny::EndTurn`] for a denial without a reason, [`OnDeny::SkipRest`] for one with a reason.
    ByReason,
}

/// The machine's options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What a user's message does to pending approvals.
    pub on_user_message: OnUserMessage,
    /// What a denial means for the rest of its step.
    pub on_deny: OnDeny,
    /// After how many milliseconds an unanswered approval expires, where the backend does not say.
    pub approval_timeout: Option<u64>,
    /// The host rewrites the results that this client writes.
    pub rewrites: bool,
    /// Names of the tools that run in the browser.
    pub browser_tools: Vec<Id>,
    /// Every tool runs in the browser but those that the provider runs: a model's own API is asked.
    pub runs_all: bool,
    /// Each decision, and each output of the browser, is an answer of its own: it leaves at once, while the stream runs.
    pub answering: bool,
    /// The output of an approved tool of the browser says that it was approved: both are one answer.
    pub outputs_approve: bool,
    /// The backend takes no message while it waits for an answer: denials too leave ahead of the user's message.
    pub answers_first: bool,
    /// The backend goes on in a reply of its own behind a denial too. On answering protocols whose answers go first.
    pub replies_to_denials: bool,
    /// The backend is told what is cancelled.
    pub cancel_answers: bool,
    /// The reason that `DenyPending` gives.
    pub moved_on: Payload,
    /// The reason of calls whose approval something later took the place of.
    pub superseded: Payload,
    /// The reason with which skipped calls leave.
    pub skipped: Payload,
    /// The reason with which expired calls leave.
    pub expired: Payload,
}

impl Options {
    /// Whether the backend has to be answered before it is sent a message.
    #[must_use]
    pub fn answers_ahead(&self) -> bool {
        self.answers_first || self.cancel_answers
    }

    /// Whether the call's tool runs in the browser.
    #[must_use]
    pub fn is_browser_tool(&self, part: &ToolPart) -> bool {
        (self.runs_all && !part.provider_executed) || self.browser_tools.contains(&part.name)
    }
}
