//! A tool call as it lives in an assistant message.

use super::{Approval, Decision, Input, Outcome, Phase, Transition, transition};
use crate::machine::{CallKey, Id, Payload};

/// Where a decision of this client, or a cancelled request, is on its way to the backend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Delivery {
    /// There is nothing to deliver.
    #[default]
    None,
    /// It is not in any request.
    Held,
    /// It is in this outgoing item, whose state says how far it got. An item that is forgotten was delivered.
    In(u32),
}

/// Whom a call of the current step waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitsFor {
    /// Nothing that holds its step back.
    Nothing,
    /// The user's answer.
    User,
    /// The page, which runs its tool.
    Page,
    /// Its server, which runs its tool while the stream is open.
    Server,
    /// The rest of its stream: an unfinished input, an automatic answer, a last output.
    Stream,
}

/// A tool call in a message.
#[derive(Clone, PartialEq, Hash, Debug)]
pub struct ToolPart {
    /// Which call of the chat it is.
    pub(in crate::machine) key: CallKey,
    /// The call before this one that has the same id.
    pub(in crate::machine) previous: Option<CallKey>,
    /// How many calls of the turn had this id before it, removed ones included.
    pub(in crate::machine) repeats: u32,
    /// The call's id, given by the model or its backend.
    pub call: Id,
    /// The tool's name.
    pub name: Id,
    /// The tool's schema is not known to the app: shown as `dynamic-tool`.
    pub dynamic: bool,
    /// The model's provider runs it, and only the provider may.
    pub provider_executed: bool,
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
    /// The page gave the output, and no request carries it yet.
    pub(in crate::machine) unsent_output: bool,
    /// The outgoing item that carries the page's output.
    pub(in crate::machine) output_in: Option<u32>,
    /// A remembered decision has answered this call once: it does not do so again.
    pub recalled: bool,
    /// What the host made of the result that this client wrote for it.
    pub written: Payload,
    /// The host has not said yet what it makes of that result; nothing is sent until it has.
    pub(in crate::machine) awaits_rewrite: bool,
    pub(super) phase: Phase,
    pub(super) outcome: Option<Outcome>,
    pub(super) delivery: Delivery,
}

impl ToolPart {
    /// A call of which nothing but its name is known.
    #[must_use]
    pub fn new(call: Id, name: Id, phase: Phase) -> Self {
        Self {
            key: CallKey::default(),
            previous: None,
            repeats: 0,
            call,
            name,
            dynamic: false,
            provider_executed: false,
            input: Payload::NONE,
            input_complete: false,
            output: Payload::NONE,
            fields: Payload::NONE,
            approval: None,
            unsent_output: false,
            output_in: None,
            recalled: false,
            written: Payload::NONE,
            awaits_rewrite: false,
            phase,
            outcome: None,
            delivery: Delivery::None,
        }
    }

    /// Sets phase and outcome of a call that is being read from a kept history. A live call changes by its table alone.
    pub fn read_as(&mut self, phase: Phase, outcome: Option<Outcome>) {
        (self.phase, self.outcome) = (phase, outcome);
    }

    /// Its key: which call of the chat it is.
    #[must_use]
    pub fn key(&self) -> CallKey {
        self.key
    }

    /// How many calls of its turn had its id before it.
    #[must_use]
    pub fn repeats(&self) -> u32 {
        self.repeats
    }

    /// Its phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How it settled, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Where this client's decision is on its way.
    #[must_use]
    pub fn delivery(&self) -> Delivery {
        self.delivery
    }

    /// Whether the page gave the output and no request carries it yet.
    #[must_use]
    pub fn has_unsent_output(&self) -> bool {
        self.unsent_output
    }

    /// Whether nothing is sent until the host has said what it makes of the result.
    #[must_use]
    pub fn awaits_rewrite(&self) -> bool {
        self.awaits_rewrite
    }

    /// The decision, if there is one.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        self.approval.as_ref().and_then(|approval| approval.decision.as_ref())
    }

    /// Whether a decision of this client, or its cancelled request, still has to be sent.
    #[must_use]
    pub fn is_undelivered(&self) -> bool {
        self.delivery == Delivery::Held
    }

    /// Whether it was closed without an answer or a result.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.kind.is_closed())
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

    /// The input as the model wrote it.
    #[must_use]
    pub fn models_input(&self) -> Payload {
        self.decision().and_then(|decision| decision.original).unwrap_or(self.input)
    }

    /// Whom it waits for, as a call of the current step. `in_page`: its tool is one of the page's.
    #[must_use]
    pub fn waits_for(&self, in_page: bool) -> WaitsFor {
        match self.phase {
            Phase::ApprovalRequested => WaitsFor::User,
            Phase::InputStreaming | Phase::AutomaticRequest | Phase::Preliminary => WaitsFor::Stream,
            Phase::InputAvailable if self.provider_executed => WaitsFor::Nothing,
            Phase::InputAvailable if in_page => WaitsFor::Page,
            Phase::InputAvailable => WaitsFor::Server,
            // Approved for the page: its output is still to come.
            Phase::Approved if in_page => WaitsFor::Page,
            Phase::Approved
            | Phase::Submitted
            | Phase::Denied
            | Phase::OutputAvailable
            | Phase::OutputError
            | Phase::OutputDenied => WaitsFor::Nothing,
        }
    }

    /// Takes an input as the table has it. `take` writes what came with it, if the table lets it in.
    pub(in crate::machine) fn apply(&mut self, input: Input, take: &mut dyn FnMut(&mut ToolPart)) -> Transition {
        let from = self.phase;
        let transition = transition(from, input);
        match transition {
            Transition::To(to, effect) | Transition::ToWithAnomaly(to, effect, _) => {
                take(self);
                self.phase = to;
                self.take_effect(effect, from);
            }
            Transition::Update => take(self),
            Transition::Ignore | Transition::Anomaly(_) | Transition::CompareWithDecision | Transition::Refuse(_) => {}
        }
        transition
    }

    /// Gives the reason of a call that was just closed.
    pub(in crate::machine) fn set_reason(&mut self, reason: Payload) {
        if let Some(outcome) = self.outcome.as_mut().filter(|_| reason.is_some()) {
            outcome.reason = reason;
        }
    }

    /// Says where the decision, or the cancelled request, is on its way.
    pub(in crate::machine) fn deliver(&mut self, delivery: Delivery) {
        self.delivery = delivery;
    }

    /// Goes back to what a loaded approval is while it is not known to have been sent, or forward to one that was.
    pub(in crate::machine) fn set_sent(&mut self, sent: bool) {
        if matches!(self.phase, Phase::Approved | Phase::Submitted) {
            self.phase = if sent { Phase::Submitted } else { Phase::Approved };
        }
    }
}
