//! What follows for a call from a transition, beside its phase.

use super::{DecidedBy, Decision, Delivery, Input, Outcome, OutcomeKind, Phase, ToolPart};
use crate::machine::Payload;

/// What a transition does to a call beside changing its phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The input is complete.
    CompleteInput,
    /// The call is asked about: what was decided about an earlier request of it is over.
    Ask,
    /// The decision waits to be sent.
    HoldDecision,
    /// The call is denied by this client, in this way: the decision waits to be sent.
    DenyHere(OutcomeKind),
    /// The backend denied the call.
    DenyThere,
    /// The denial is on record.
    ConfirmDenial,
    /// The backend says that the call was denied, and no denial was known.
    RecordDenial,
    /// The backend went on by itself: a decision that was not sent has nowhere to go.
    Proceed,
    /// The backend gave the result: a decision that was not sent has nowhere to go.
    Settle(OutcomeKind),
    /// The page gave the result, which is still to be sent, with the decision if that was not sent either.
    SettleHere(OutcomeKind),
    /// The call is closed without a result.
    Close(OutcomeKind),
}

impl ToolPart {
    /// Carries an effect out. `from`: the phase before.
    pub(super) fn take_effect(&mut self, effect: Effect, from: Phase) {
        match effect {
            Effect::Nothing => {}
            Effect::CompleteInput => self.input_complete = true,
            Effect::Ask => {
                self.input_complete = true;
                self.delivery = Delivery::None;
                self.outcome = None;
            }
            Effect::HoldDecision => self.delivery = Delivery::Held,
            Effect::DenyHere(kind) => {
                let told = self.decision().filter(|_| kind == OutcomeKind::Denied);
                let reason = told.map_or(Payload::NONE, |decision| decision.reason);
                self.outcome = Some(Outcome { reason, ..Outcome::new(kind) });
                self.delivery = Delivery::Held;
            }
            Effect::DenyThere => {
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
            Effect::SettleHere(kind) => {
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

    /// Puts on record that the backend denied the call: on the wire a denied call has an approval, and one that was not
    /// granted. Source: AI SDK, `UIToolInvocation` in `ui/ui-messages.ts`.
    pub fn record_denial(&mut self) {
        let call = self.call;
        let approval = self.approval.get_or_insert_with(|| super::Approval::new(call));
        if approval.decision.as_ref().is_none_or(|decision| decision.approved) {
            approval.decision = Some(Decision::new(false, Payload::NONE, DecidedBy::Backend));
        }
    }

    /// Whether an input of the backend with this name settles a call. The page's own results are not among them.
    #[must_use]
    pub const fn is_backend_result(input: Input) -> bool {
        matches!(input, Input::Output | Input::Error | Input::OutputDenied | Input::Preliminary)
    }
}
