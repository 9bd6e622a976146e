//! The machine's options.

use crate::machine::enumerated::enumerated;
use crate::machine::{PageTools, Payload, ToolPart};

enumerated! {
    /// What a user message does to calls that wait for a decision. The option's value is the text.
    #[derive(Default)]
    pub enum OnUserMessage {
        /// Denies them, with a reason that the model can read.
        #[default]
        DenyPending = "deny-pending",
        /// Cancels them.
        CancelPending = "cancel-pending",
        /// Queues the message until they are decided.
        Queue = "queue",
        /// Refuses the message. The composer keeps the text.
        Block = "block",
    }
}

enumerated! {
    /// What the denial of one call does to the other calls of its step. The option's value is the text.
    #[derive(Default)]
    pub enum OnDeny {
        /// Nothing: each call is decided on its own.
        #[default]
        Continue = "continue",
        /// Skips undecided calls, and the model continues.
        SkipRest = "skip-rest",
        /// Skips undecided calls and approvals that were not sent. Nothing is sent until the user writes a message.
        EndTurn = "end-turn",
        /// Acts as [`OnDeny::SkipRest`] on a denial with a reason, and as [`OnDeny::EndTurn`] on one without.
        ByReason = "by-reason",
    }
}

/// The machine's options: policies, the page's tools, and properties of the protocol.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What a user message does to pending approvals.
    pub on_user_message: OnUserMessage,
    /// What a denial does to the rest of its step.
    pub on_deny: OnDeny,
    /// After how many milliseconds an undecided approval expires, unless the backend sets a time.
    pub approval_timeout: Option<u64>,
    /// Whether the host rewrites results that this client writes.
    pub rewrites: bool,
    /// Which tools run in the page.
    pub page_tools: PageTools,
    /// Whether the protocol is an answering one: each decision and each output of the page is sent as an answer of its
    /// own, at once, while the stream runs.
    pub answering: bool,
    /// Whether the output of an approved page tool implies the approval, so that one answer carries both.
    pub outputs_approve: bool,
    /// Whether the backend accepts no message while it waits for an answer. Denials are then sent before the user's
    /// message, too.
    pub answers_first: bool,
    /// Whether the backend continues in a new reply after a denial, too. Set only with `answering` and `answers_first`.
    pub replies_to_denials: bool,
    /// Whether cancelled approvals are sent to the backend.
    pub cancel_answers: bool,
    /// Whether the backend ignores an answer that it has received before, because request ids never repeat.
    pub repeats_ignored: bool,
    /// Whether call ids never repeat. A changed input then updates the same call, until its approval is requested.
    pub unique_calls: bool,
    /// The reason of denials by `DenyPending`.
    pub moved_on: Payload,
    /// The reason of calls whose approval was superseded by newer content.
    pub superseded: Payload,
    /// The reason sent with skipped calls.
    pub skipped: Payload,
    /// The reason sent with expired calls.
    pub expired: Payload,
}

impl Options {
    /// Whether open answers must be sent before a message.
    #[must_use]
    pub fn answers_ahead(&self) -> bool {
        self.answers_first || self.cancel_answers
    }

    /// Whether the call's tool runs in the page.
    #[must_use]
    pub fn is_page_tool(&self, part: &ToolPart) -> bool {
        self.page_tools.has(part)
    }

    /// Visits every value that the options hold.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        [self.moved_on, self.superseded, self.skipped, self.expired].into_iter().for_each(each);
    }
}
