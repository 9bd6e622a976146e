//! What a transition changes in a call besides its phase.

use super::{DecidedBy, Decision, Delivery, Outcome, OutcomeKind, Phase, ToolPart};
use crate::machine::Payload;

/// What a transition changes in a call besides its phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Changes nothing else.
    Nothing,
    /// Marks the input as complete.
    CompleteInput,
    /// Starts a new approval request. An earlier decision on the call no longer applies.
    Ask,
    /// Holds the decision until it can be sent.
    HoldDecision,
    /// This client denies the call, with this outcome, and holds the decision until it can be sent.
    DenyByClient(OutcomeKind),
    /// The backend denies the call.
    DenyByBackend,
    /// The denial is final.
    ConfirmDenial,
    /// The backend reports a denial that was not known here.
    RecordDenial,
    /// The backend continued on its own, so a decision that was not sent is dropped.
    Proceed,
    /// The backend gave the result, so a decision that was not sent is dropped.
    Settle(OutcomeKind),
    /// The page gave the result. It is still to be sent, with the decision if that was not sent yet.
    SettleByPage(OutcomeKind),
    /// Closes the call without a result.
    Close(OutcomeKind),
}

impl ToolPart {
    /// Applies an effect. `from`: the phase before the transition.
    pub(super) fn apply_effect(&mut self, effect: Effect, from: Phase) {
        match effect {
            Effect::Nothing => {}
            Effect::CompleteInput => self.input_complete = true,
            Effect::Ask => {
                self.input_complete = true;
                self.delivery = Delivery::None;
                self.outcome = None;
                self.given_up = false;
            }
            Effect::HoldDecision => self.delivery = Delivery::Held,
            Effect::DenyByClient(kind) => {
                let denial = self.decision().filter(|_| kind == OutcomeKind::Denied);
                let reason = denial.map_or(Payload::NONE, |decision| decision.reason);
                self.outcome = Some(Outcome { reason, ..Outcome::new(kind) });
                self.delivery = Delivery::Held;
            }
            Effect::DenyByBackend => {
                self.input_complete = true;
                let reason = self.decision().map_or(Payload::NONE, |decision| decision.reason);
                self.outcome = Some(Outcome { reason, ..Outcome::new(OutcomeKind::Denied) });
            }
            Effect::ConfirmDenial => self.input_complete = true,
            Effect::RecordDenial => {
                let denial = self.decision().filter(|decision| !decision.approved);
                let reason = denial.map_or(Payload::NONE, |decision| decision.reason);
                self.input_complete = true;
                self.outcome = Some(Outcome { reason, ..Outcome::new(OutcomeKind::Denied) });
                self.record_denial();
                self.drop_held_decision();
            }
            Effect::Proceed => self.drop_held_decision(),
            Effect::Settle(kind) => {
                self.input_complete = true;
                self.outcome = Some(Outcome::new(kind));
                self.drop_held_decision();
            }
            Effect::SettleByPage(kind) => {
                self.input_complete = true;
                self.outcome = Some(Outcome::new(kind));
            }
            Effect::Close(kind) => {
                self.outcome = Some(Outcome { may_have_run: from.may_have_started(), ..Outcome::new(kind) });
                self.drop_held_decision();
            }
        }
    }

    fn drop_held_decision(&mut self) {
        if self.delivery == Delivery::Held {
            self.delivery = Delivery::None;
        }
    }

    /// Stores that the backend denied the call. On the wire, a denied call has an approval with `approved: false`.
    /// Source: AI SDK, `UIToolInvocation` in `ui/ui-messages.ts`.
    pub fn record_denial(&mut self) {
        let call = self.call;
        let approval = self.approval.get_or_insert_with(|| super::Approval::new(call));
        if approval.decision.is_none_or(|decision| decision.approved) {
            let original = approval.decision.and_then(|decision| decision.original);
            approval.decision = Some(Decision { original, ..Decision::new(false, Payload::NONE, DecidedBy::Backend) });
        }
    }
}
