//! The machine's options.

use crate::machine::enumerated::enumerated;
use crate::machine::{PageTools, Payload, ToolPart};

enumerated! {
    /// What a user's message does to calls that still wait for an answer. A user names it by its text.
    #[derive(Default)]
    pub enum OnUserMessage {
        /// They are denied, with a reason that the model can read.
        #[default]
        DenyPending = "deny-pending",
        /// They are cancelled.
        CancelPending = "cancel-pending",
        /// The message waits for the answers.
        Queue = "queue",
        /// The message is refused; its text stays with the composer.
        Block = "block",
    }
}

enumerated! {
    /// What the denial of one call means for the other calls of its step. A user names it by its text.
    #[derive(Default)]
    pub enum OnDeny {
        /// Nothing: each is decided on its own.
        #[default]
        Continue = "continue",
        /// Undecided calls are skipped, and the model goes on.
        SkipRest = "skip-rest",
        /// Undecided calls and approvals that were not sent are skipped, and nothing is sent until the user writes.
        EndTurn = "end-turn",
        /// [`OnDeny::EndTurn`] for a denial without a reason, [`OnDeny::SkipRest`] for one with a reason.
        ByReason = "by-reason",
    }
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
    /// Which tools run in the page.
    pub page_tools: PageTools,
    /// Each decision, and each output of the page, is an answer of its own: it is sent at once, while the stream runs.
    pub answering: bool,
    /// The output of an approved tool of the page says that it was approved: both are one answer.
    pub outputs_approve: bool,
    /// The backend takes no message while it waits for an answer: denials too are sent ahead of the user's message.
    pub answers_first: bool,
    /// The backend goes on in a reply of its own after a denial too. On answering protocols whose answers go first.
    pub replies_to_denials: bool,
    /// The backend is told what is cancelled.
    pub cancel_answers: bool,
    /// An answer that was sent before is ignored: it names its request by an id that never comes again.
    pub repeats_ignored: bool,
    /// A call's id never comes again: until approval is asked for, a changed input is the same call's.
    pub unique_calls: bool,
    /// The reason that `DenyPending` gives.
    pub moved_on: Payload,
    /// The reason of calls whose approval was closed by something newer.
    pub superseded: Payload,
    /// The reason with which skipped calls are sent.
    pub skipped: Payload,
    /// The reason with which expired calls are sent.
    pub expired: Payload,
}

impl Options {
    /// Whether the backend has to be answered before it is sent a message.
    #[must_use]
    pub fn answers_ahead(&self) -> bool {
        self.answers_first || self.cancel_answers
    }

    /// Whether the call's tool runs in the page.
    #[must_use]
    pub fn is_page_tool(&self, part: &ToolPart) -> bool {
        self.page_tools.has(part)
    }

    /// Every value that it holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        [self.moved_on, self.superseded, self.skipped, self.expired].into_iter().for_each(each);
    }
}
