//! A tool call as it lives in an assistant message.

use super::{Id, Payload, Phase};

/// How a call settled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OutcomeKind {
    /// It ran and gave an output.
    Executed,
    /// It ran, or was about to, and failed.
    Failed,
    /// The user, a policy or the backend denied it.
    Denied,
    /// It was withdrawn by the user without an answer.
    Cancelled,
    /// The turn went on or ended without it.
    Interrupted,
    /// Another call of its step was denied, and the policy skipped this one.
    Skipped,
    /// Nobody answered in time.
    Expired,
}

impl OutcomeKind {
    /// The kind as the view shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OutcomeKind::Executed => "executed",
            OutcomeKind::Failed => "failed",
            OutcomeKind::Denied => "denied",
            OutcomeKind::Cancelled => "cancelled",
            OutcomeKind::Interrupted => "interrupted",
            OutcomeKind::Skipped => "skipped",
            OutcomeKind::Expired => "expired",
        }
    }

    /// Whether the tool itself gave the result. Every other result is written by this client.
    #[must_use]
    pub const fn is_from_tool(self) -> bool {
        matches!(self, OutcomeKind::Executed | OutcomeKind::Failed)
    }
}

/// How a call settled, and what is known about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// How.
    pub kind: OutcomeKind,
    /// The reason given, if one was.
    pub reason: Payload,
    /// Closed without a result, but after it may have started: nobody may say that it did not run.
    pub may_have_run: bool,
}

/// Who decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Author {
    /// The user, by `respond`.
    User,
    /// A policy of this client, such as `deny-pending`.
    Policy,
    /// The backend: there is nothing to deliver.
    Backend,
    /// A decision that the user had remembered.
    Remembered,
}

/// The one answer to an approval request.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    /// The answer.
    pub approved: bool,
    /// Its reason, if one was given.
    pub reason: Payload,
    /// Who gave it.
    pub by: Author,
    /// The input as the model wrote it, if the user changed it.
    pub original: Option<Payload>,
    /// The user had it remembered: for this chat, or for always.
    pub remember: Option<bool>,
}

impl Decision {
    /// An answer to what was asked, as it was asked.
    #[must_use]
    pub fn new(approved: bool, reason: Payload, by: Author) -> Self {
        Self { approved, reason, by, original: None, remember: None }
    }
}

/// An approval request and, once there is one, its answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Approval {
    /// The approval's id. Some backends use the call's own id.
    pub id: Id,
    /// Everything else the backend sent with the request (signature, descriptor, unknown fields).
    pub envelope: Payload,
    /// The backend answers this request itself.
    pub automatic: bool,
    /// When the request arrived, in the host's milliseconds.
    pub requested_at: u64,
    /// When it expires, in the host's milliseconds; none: never.
    pub expires_at: Option<u64>,
    /// The answer.
    pub decision: Option<Decision>,
}

/// Where a decision is on its way to the backend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeliveryState {
    /// Decided, and waiting for the rest of its step.
    Held,
    /// May leave now.
    Ready,
    /// Has left; the backend has not answered.
    InFlight,
    /// The backend answered.
    Acknowledged,
    /// Could not be sent.
    Failed,
    /// May or may not have arrived.
    Unconfirmed,
}

impl DeliveryState {
    /// The state as the view shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DeliveryState::Held => "held",
            DeliveryState::Ready => "ready",
            DeliveryState::InFlight => "in-flight",
            DeliveryState::Acknowledged => "acknowledged",
            DeliveryState::Failed => "failed",
            DeliveryState::Unconfirmed => "unconfirmed",
        }
    }
}

/// A tool call in a message.
#[derive(Clone, PartialEq, Hash, Debug)]
pub struct ToolPart {
    /// The call's id, given by the model or its backend.
    pub call: Id,
    /// The tool's name.
    pub name: Id,
    /// The tool's schema is not known to the app: shown as `dynamic-tool`.
    pub dynamic: bool,
    /// The model's provider runs it; nobody else may.
    pub provider_executed: bool,
    /// Where it stands.
    pub phase: Phase,
    /// What the model wants done.
    pub input: Payload,
    /// Whether the input ever was complete. A call without a complete input was never a call.
    pub input_complete: bool,
    /// The output, or the error's text.
    pub output: Payload,
    /// Everything else the wire says about it (title, metadata, unknown fields).
    pub fields: Payload,
    /// The request for an approval, if there was one.
    pub approval: Option<Approval>,
    /// Set once it has settled.
    pub outcome: Option<Outcome>,
    /// Where this client's decision is on its way.
    pub delivery: Option<DeliveryState>,
    /// The browser gave the output, and no request that carries it has left.
    pub unsent_output: bool,
    /// A remembered decision has answered this call once: it does not do so again.
    pub recalled: bool,
    /// What the host made of the result that this client wrote for it.
    pub written: Payload,
    /// The host has not said yet what it makes of that result; nothing leaves until it has.
    pub unwritten: bool,
}

impl ToolPart {
    /// A call of which nothing but its name is known.
    #[must_use]
    pub fn new(call: Id, name: Id, phase: Phase) -> Self {
        Self {
            call,
            name,
            dynamic: false,
            provider_executed: false,
            phase,
            input: Payload::NONE,
            input_complete: false,
            output: Payload::NONE,
            fields: Payload::NONE,
            approval: None,
            outcome: None,
            delivery: None,
            unsent_output: false,
            recalled: false,
            written: Payload::NONE,
            unwritten: false,
        }
    }

    /// The decision, if there is one.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        self.approval.as_ref().and_then(|approval| approval.decision.as_ref())
    }

    /// Whether a decision of this client still has to leave.
    #[must_use]
    pub fn is_undelivered(&self) -> bool {
        self.delivery == Some(DeliveryState::Held)
    }

    /// Whether it was closed without an answer or a result.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let kind = self.outcome.as_ref().map(|outcome| outcome.kind);
        matches!(kind, Some(OutcomeKind::Cancelled | OutcomeKind::Interrupted))
    }

    /// Puts on record that the backend denied the call: on the wire a denied call has an approval,
    /// and one that is not granted. Source: AI SDK, `UIToolInvocation` in `ui/ui-messages.ts`.
    pub fn record_denial(&mut self) {
        let call = self.call;
        let approval = self.approval.get_or_insert(Approval {
            id: call,
            envelope: Payload::NONE,
            automatic: false,
            requested_at: 0,
            expires_at: None,
            decision: None,
        });
        if approval.decision.as_ref().is_none_or(|decision| decision.approved) {
            approval.decision = Some(Decision::new(false, Payload::NONE, Author::Backend));
        }
    }

    /// Whether its provider runs it, and keeps its result on its own side.
    #[must_use]
    pub fn is_with_provider(&self) -> bool {
        self.provider_executed && matches!(self.phase, Phase::InputAvailable | Phase::Submitted)
    }

    /// Whether the user is asked, and only the user can answer.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.phase == Phase::ApprovalRequested
    }
}
