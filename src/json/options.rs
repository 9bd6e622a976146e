//! The options of a [`Gate`](super::Gate).

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Store, Value};
use crate::machine::{OnDeny, OnUserMessage, Options, PageTools, Payload};
use crate::wire::{Texts, Values};

/// The options of a [`Gate`](super::Gate). `GateOptions::default()` has the defaults of the npm package.
#[derive(Clone, Default, Debug)]
pub struct GateOptions {
    /// What a user message does to pending approvals.
    pub on_user_message: OnUserMessage,
    /// What a denial does to the rest of its step.
    pub on_deny: OnDeny,
    /// After how many milliseconds an undecided approval expires, unless the backend sets a time. `None`: never.
    pub approval_timeout_ms: Option<u64>,
    /// The names of tools that this program runs itself: their calls wait for
    /// [`add_tool_output`](super::Gate::add_tool_output). If it is empty, so do all calls that have no result when
    /// their reply ends.
    pub local_tools: Vec<String>,
    /// The texts that the model reads for calls without a result.
    pub texts: ResultTexts,
}

/// The texts that the model reads for calls without a result. `None`: the default text.
#[derive(Clone, Default, Debug)]
pub struct ResultTexts {
    /// For a call that was cancelled before it could run.
    pub cancelled: Option<String>,
    /// For a call that was closed before it could run.
    pub interrupted: Option<String>,
    /// For a call that was closed after it may have started.
    pub may_have_run: Option<String>,
    /// The reason of a denial because the user sent a message instead of a decision.
    pub deny_pending: Option<String>,
    /// The reason of a call that the policy skipped.
    pub skipped: Option<String>,
    /// The reason of a call whose approval expired.
    pub expired: Option<String>,
}

/// As `UNSENT` in `src/ts/types/model-reasons.ts`.
const UNSENT: &str = "The user had approved it, but the reply was stopped or broke off, and the user wrote a message \
    instead. Call it again if it is still wanted.";

impl GateOptions {
    /// The machine's options and the texts of the codec, with their values in the store.
    pub(super) fn to_machine(&self, store: &Store) -> (Options, Texts) {
        let keep = |text: &Option<String>, default: &str| -> Payload {
            let text = text.as_deref().unwrap_or(default).to_string();
            store.retain(store.give(Value::text(text)))
        };
        let ResultTexts { cancelled, interrupted, may_have_run, deny_pending, skipped, expired } = &self.texts;
        let options = Options {
            on_user_message: self.on_user_message,
            on_deny: self.on_deny,
            approval_timeout: self.approval_timeout_ms,
            page_tools: PageTools {
                names: self.local_tools.iter().map(|name| store.make(name)).collect(),
                rest: self.local_tools.is_empty(),
                ..PageTools::default()
            },
            moved_on: keep(deny_pending, "The user sent a new message instead of answering."),
            superseded: keep(&None, "Its approval was superseded by a later message or step."),
            unsent: keep(&None, UNSENT),
            skipped: keep(skipped, "Error: Tool execution was skipped due to previous tool denial."),
            expired: keep(expired, "Error: Tool execution was not approved in time. It did not run."),
            ..Options::default()
        };
        let texts = Texts {
            cancelled: keep(cancelled, "Error: Tool execution was cancelled by user. It did not run."),
            interrupted: keep(interrupted, "Error: Tool execution was interrupted. It did not run."),
            may_have_run: keep(
                may_have_run,
                "Error: Tool execution was interrupted. It may have run; its outcome is unknown.",
            ),
            incomplete: keep(&None, "Error: Tool call was interrupted before its input was complete. It did not run."),
            denied: keep(&None, "Error: Tool execution was denied by user."),
        };
        (options, texts)
    }
}
