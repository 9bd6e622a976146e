//! The machine's options: the host's policies, the page's tools, and the traits of the protocol.

use super::enumerated::enumerated;
use super::{OnDeny, OnUserMessage, PageTools, Payload, ToolPart};

enumerated! {
    /// A property of the protocol that is set or not: the options of the same name. The host passes them as one number,
    /// in which a trait is the bit of its index.
    pub enum ProtocolTrait {
        /// [`Options::answering`].
        Answering,
        /// [`Options::answers_first`].
        AnswersFirst,
        /// [`Options::cancel_answers`].
        CancelAnswers,
        /// [`Options::outputs_approve`].
        OutputsApprove,
        /// [`Options::replies_to_denials`].
        RepliesToDenials,
        /// [`Options::takes_messages`].
        TakesMessages,
        /// [`PageTools::rest`].
        RunsRest,
        /// [`Options::runs_loop`].
        RunsLoop,
        /// [`Options::denials_spread`].
        DenialsSpread,
    }
}

impl ProtocolTrait {
    /// Whether the trait is one of these, the sum of the traits' bits.
    const fn is_in(self, traits: u32) -> bool {
        traits & 1 << self as u32 > 0
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
    /// Whether the backend accepts a message while its reply waits for decisions. Applies only with `answering`, and
    /// without `answers_first`.
    pub takes_messages: bool,
    /// Whether the page sends every request to the model itself. It then also sends that the input of a call was
    /// invalid.
    pub runs_loop: bool,
    /// Whether the refusal of a request refuses others, too: those about its call, or all open ones. A request that
    /// the call does not have any more is then not refused.
    pub denials_spread: bool,
    /// The reason of denials by `DenyPending`.
    pub moved_on: Payload,
    /// The reason of calls whose approval was superseded by newer content.
    pub superseded: Payload,
    /// The reason of approved calls that were held when the user wrote a message.
    pub unsent: Payload,
    /// The reason sent with skipped calls.
    pub skipped: Payload,
    /// The reason sent with expired calls.
    pub expired: Payload,
}

impl Options {
    /// Sets what describes the protocol. `traits`: the sum of the bits of [`ProtocolTrait`].
    pub fn set_traits(&mut self, traits: u32) {
        self.answering = ProtocolTrait::Answering.is_in(traits);
        self.answers_first = ProtocolTrait::AnswersFirst.is_in(traits);
        self.cancel_answers = ProtocolTrait::CancelAnswers.is_in(traits);
        self.outputs_approve = ProtocolTrait::OutputsApprove.is_in(traits);
        self.replies_to_denials = ProtocolTrait::RepliesToDenials.is_in(traits);
        self.takes_messages = ProtocolTrait::TakesMessages.is_in(traits);
        self.page_tools.rest = ProtocolTrait::RunsRest.is_in(traits);
        self.runs_loop = ProtocolTrait::RunsLoop.is_in(traits);
        self.denials_spread = ProtocolTrait::DenialsSpread.is_in(traits);
    }

    /// Whether a message is sent while approvals stay pending.
    #[must_use]
    pub fn passes_messages(&self) -> bool {
        self.takes_messages && self.asks_in_reply() && self.on_user_message == OnUserMessage::Pass
    }

    /// Whether the backend asks while its reply is open, and continues that reply when it is answered: also without
    /// this page.
    #[must_use]
    pub fn asks_in_reply(&self) -> bool {
        self.answering && !self.answers_first
    }

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

    /// Whether the output of this page tool implies its approval, so that the approval is not sent.
    #[must_use]
    pub fn output_approves(&self, part: &ToolPart) -> bool {
        self.outputs_approve || part.is_asked_locally()
    }

    /// Visits every value that the options hold.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        [self.moved_on, self.superseded, self.unsent, self.skipped, self.expired].into_iter().for_each(each);
    }
}
