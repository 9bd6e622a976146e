//! A tool call in an assistant message.

use super::{Approval, Decision, Input, Outcome, OutcomeKind, Phase, Transition, transition};
use crate::machine::{CallKey, Id, Payload};
use crate::prelude::*;

/// The delivery of this client's decision, or of a cancellation, to the backend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Delivery {
    /// There is nothing to deliver.
    #[default]
    None,
    /// The decision is not in any request to the server yet.
    Held,
    /// It is in this outgoing item, whose state tells its progress. It was delivered if the item no longer exists.
    In(u32),
}

/// Whom a call of the current step waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitsFor {
    /// Nothing: the call does not block its step.
    Nothing,
    /// The user's decision.
    User,
    /// The page, which runs the tool.
    Page,
    /// The server, which runs the tool while the stream is open.
    Server,
    /// The stream: the rest of an input, a decision of the backend, or the final output.
    Stream,
}

/// What a second reading of its reply has done with a known call. Not saved: a restored reply has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reread {
    /// Whether the reading has not reached the call.
    pub unread: bool,
    /// Whether the reading has opened the call, and has not settled it.
    pub open: bool,
    /// How many updates of its input the reading will repeat.
    pub updates: u32,
}

/// A tool call in a message.
#[derive(Clone, Copy, PartialEq, Hash, Debug)]
pub struct ToolPart {
    /// Identifies the call within the chat.
    pub(in crate::machine) key: CallKey,
    /// The previous call with the same id.
    pub(in crate::machine) previous: Option<CallKey>,
    /// How many earlier calls of the turn had this id, including removed ones.
    pub(in crate::machine) repeats: u32,
    /// The call's id, set by the model or its backend.
    pub call: Id,
    /// The tool's name.
    pub name: Id,
    /// Whether the app does not know the tool's schema: shown as `dynamic-tool`.
    pub dynamic: bool,
    /// Whether the model's provider runs the call. Then nothing else may run it.
    pub provider_executed: bool,
    /// Whether the backend says that the page runs this call, whatever its tool: for example a question to the user.
    pub in_page: bool,
    /// The arguments that the model wrote, or the user's edit of them.
    pub input: Payload,
    /// Whether the input was ever complete. A call without a complete input cannot have run.
    pub input_complete: bool,
    /// How often updates of the backend have changed the complete input. A replay repeats these updates.
    pub(in crate::machine) input_changes: u32,
    /// The output, or the text of the error.
    pub output: Payload,
    /// All other properties of the part (title, metadata, unknown fields).
    pub fields: Payload,
    /// The approval request, if there was one.
    pub approval: Option<Approval>,
    /// Whether the page gave an output that is not in a request to the server yet.
    pub(in crate::machine) unsent_output: bool,
    /// The outgoing item with the page's output.
    pub(in crate::machine) output_in: Option<u32>,
    /// Whether a lost answer about the call was given up, and another one is sent before the next message. That is done
    /// once.
    pub(in crate::machine) given_up: bool,
    /// Whether no remembered decision is applied to this call: one was applied, or the user has denied the same call in
    /// this turn.
    pub decided_from_memory: bool,
    /// The host's rewrite of the result that this client wrote.
    pub written: Payload,
    /// Whether the host has yet to rewrite the result. Nothing is sent before that.
    pub(in crate::machine) awaits_rewrite: bool,
    /// What a second reading of its reply has done with it.
    pub reread: Reread,
    pub(super) phase: Phase,
    pub(super) outcome: Option<Outcome>,
    pub(super) delivery: Delivery,
}

impl ToolPart {
    /// A call with an id, a name and a phase, and defaults for everything else.
    #[must_use]
    #[inline(never)] // A page loads fewer bytes.
    pub fn new(call: Id, name: Id, phase: Phase) -> Self {
        Self {
            key: CallKey::default(),
            previous: None,
            repeats: 0,
            call,
            name,
            dynamic: false,
            provider_executed: false,
            in_page: false,
            input: Payload::NONE,
            input_complete: false,
            input_changes: 0,
            output: Payload::NONE,
            fields: Payload::NONE,
            approval: None,
            unsent_output: false,
            output_in: None,
            given_up: false,
            decided_from_memory: false,
            written: Payload::NONE,
            awaits_rewrite: false,
            reread: Reread::default(),
            phase,
            outcome: None,
            delivery: Delivery::None,
        }
    }

    /// Sets the phase and outcome of a call that is being loaded, or of a copy that is written into a request to the
    /// server. A live call changes by its table only.
    pub fn read_as(&mut self, phase: Phase, outcome: Option<Outcome>) {
        (self.phase, self.outcome) = (phase, outcome);
    }

    /// The call's key, which identifies it within the chat.
    #[must_use]
    pub fn key(&self) -> CallKey {
        self.key
    }

    /// The id of its approval, even if that was decided or superseded.
    #[must_use]
    pub fn approval_id(&self) -> Option<Id> {
        self.approval.as_ref().map(|approval| approval.id)
    }

    /// How many earlier calls of the turn had the same id.
    #[must_use]
    pub fn repeats(&self) -> u32 {
        self.repeats
    }

    /// How often updates of the backend have changed the complete input.
    #[must_use]
    pub fn input_changes(&self) -> u32 {
        self.input_changes
    }

    /// The phase, which the table in [`transition`] changes.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The outcome, once the call has settled.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The delivery of this client's decision.
    #[must_use]
    pub fn delivery(&self) -> Delivery {
        self.delivery
    }

    /// Whether the page gave an output that is not in a request to the server yet.
    #[must_use]
    pub fn has_unsent_output(&self) -> bool {
        self.unsent_output
    }

    /// Whether the host has yet to rewrite the result. Nothing is sent before that.
    #[must_use]
    pub fn awaits_rewrite(&self) -> bool {
        self.awaits_rewrite
    }

    /// The decision on the call's approval, if it is decided.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        self.approval.as_ref().and_then(|approval| approval.decision.as_ref())
    }

    /// Removes a decision that does not apply any more, with everything that it has led to.
    pub(in crate::machine) fn forget_decision(&mut self) {
        if let Some(approval) = &mut self.approval {
            approval.decision = None;
        }
        (self.decided_from_memory, self.awaits_rewrite, self.written) = (false, false, Payload::NONE);
    }

    /// Whether a decision of this client, or its cancellation, is still to be sent.
    #[must_use]
    pub fn is_undelivered(&self) -> bool {
        self.delivery == Delivery::Held
    }

    /// Whether the backend waits for a decision on the call that is not in any request to the server yet.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        (self.phase.is_revocable() || self.is_undelivered()) && !self.is_asked_locally()
    }

    /// Whether the call was cancelled or interrupted before a result.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.kind.is_closed())
    }

    /// Whether the call was cancelled while its input arrived. The rest of the input may still follow.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        !self.input_complete && self.outcome.as_ref().is_some_and(|outcome| outcome.kind == OutcomeKind::Cancelled)
    }

    /// Whether the provider is running the call. The provider stores the result.
    #[must_use]
    pub fn is_with_provider(&self) -> bool {
        self.provider_executed && matches!(self.phase, Phase::InputAvailable | Phase::Submitted)
    }

    /// Whether this client made the approval request, which the backend does not know.
    #[must_use]
    pub fn is_asked_locally(&self) -> bool {
        self.approval.as_ref().is_some_and(|approval| approval.is_local)
    }

    /// The phase as the backend knows it: a denial of a request that this client made is an error of the page.
    #[must_use]
    #[inline(never)] // it is called in several places
    pub fn known_phase(&self) -> Phase {
        let phase = self.phase;
        if !self.is_asked_locally() {
            phase
        } else if phase.is_denied() {
            Phase::OutputError
        } else if phase.is_requested() || phase.is_approved() {
            Phase::InputAvailable
        } else {
            phase
        }
    }

    /// Whether the call waits for a decision of the user.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.phase == Phase::ApprovalRequested
    }

    /// The input as the model wrote it.
    #[must_use]
    pub fn models_input(&self) -> Payload {
        self.decision().and_then(|decision| decision.original).unwrap_or(self.input)
    }

    /// Visits the numbers of the items that contain its decision and its output.
    pub(in crate::machine) fn items(&self, each: &mut dyn FnMut(u32)) {
        let decision = if let Delivery::In(item) = self.delivery { Some(item) } else { None };
        each_of(&[decision, self.output_in], each);
    }

    /// Restores the model's input: the backend knows no other, because the approval with another one was not sent.
    pub(in crate::machine) fn undo_edit(&mut self) {
        self.input = self.models_input();
        if let Some(decision) = self.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
            decision.original = None;
        }
    }

    /// Whom the call waits for, as a part of the current step. `in_page`: the page runs its tool.
    #[must_use]
    pub fn waits_for(&self, in_page: bool) -> WaitsFor {
        let phase = self.phase;
        if phase.is_settled() {
            WaitsFor::Nothing
        } else if self.is_pending() {
            WaitsFor::User
        } else if phase.is_approved() {
            // An answering protocol sends the approval before the page gives its output.
            if in_page { WaitsFor::Page } else { WaitsFor::Nothing }
        } else if phase != Phase::InputAvailable {
            WaitsFor::Stream
        } else if self.provider_executed {
            WaitsFor::Nothing
        } else if in_page {
            WaitsFor::Page
        } else {
            WaitsFor::Server
        }
    }

    /// Applies an input according to the table. `write` stores the input's data in the part, if the table accepts the
    /// input.
    pub(in crate::machine) fn apply(&mut self, input: Input, write: &mut dyn FnMut(&mut ToolPart)) -> Transition {
        let from = self.phase;
        let transition = transition(from, input);
        match transition {
            Transition::To(to, effect) | Transition::ToWithAnomaly(to, effect, _) => {
                write(self);
                self.phase = to;
                self.apply_effect(effect, from);
            }
            Transition::Update => write(self),
            Transition::Ignore | Transition::Anomaly(_) | Transition::CompareWithDecision | Transition::Refuse(_) => {}
        }
        transition
    }

    /// Sets the reason of a call that was just closed.
    pub(in crate::machine) fn set_reason(&mut self, reason: Payload) {
        if let Some(outcome) = self.outcome.as_mut().filter(|_| reason.is_some()) {
            outcome.reason = reason;
        }
    }

    /// Sets the delivery of the decision or the cancellation.
    pub(in crate::machine) fn set_delivery(&mut self, delivery: Delivery) {
        self.delivery = delivery;
    }

    /// Marks a loaded approval as sent, or as not known to be sent.
    pub(in crate::machine) fn set_sent(&mut self, sent: bool) {
        if self.phase.is_approved() {
            self.phase = if sent { Phase::Submitted } else { Phase::Approved };
        }
    }
}
