//! Chooses what to send next: the user's queued messages, or the decisions of a complete step.

use super::{
    DecidedBy, Exchange, Hold, Input, ItemInput, ItemState, Kind, Machine, Message, OnUserMessage, PartPos, Payload,
    Phase, Role, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Creates the items that may be sent now: the user's queued messages first, then the decisions of a complete step.
    pub(super) fn advance(&mut self) {
        self.settle_empty_items();
        if self.options.answering {
            self.push_answers();
        }
        self.answer_joined();
        self.pass_messages();
        if self.exchange != Exchange::Idle || self.outbox.active().is_some() {
            return;
        }
        if !self.queue.is_empty() {
            return self.release_queue();
        }
        if self.options.answering || !self.transcript.has_unsent() || !self.may_submit() {
            return;
        }
        self.close_earlier_steps();
        self.confirm_answered();
        let unsent: Vec<PartPos> = self.transcript.unsent_calls().map(|(at, _)| at).listed();
        let message_id = self.transcript.last().map(|message| message.id);
        self.push_item(Kind::Step, &unsent, Vec::new(), message_id);
    }

    /// Confirms all unconfirmed items. The user has decided an approval request, so the reply that contains it has
    /// arrived, and a retry would only ask for that reply again.
    fn confirm_answered(&mut self) {
        for id in self.outbox.undelivered_numbers() {
            if self.item(id).is_some_and(|item| item.state() == ItemState::Unconfirmed) {
                self.move_item(id, ItemInput::CallsSettle);
            }
        }
    }

    /// Closes calls that earlier steps of the turn left open. Servers execute only the last step.
    pub(super) fn close_earlier_steps(&mut self) {
        for at in self.turn_places(&|at, _| !self.transcript.is_in_step(at)) {
            let Some(part) = self.transcript.tool(at) else { continue };
            if part.phase() == Phase::Denied {
                self.apply(at, Input::ConfirmDenial);
            } else if !part.is_with_provider() {
                self.apply(at, Input::Interrupt);
            }
        }
    }

    /// Sends the queued messages, unless something must be delivered first.
    fn release_queue(&mut self) {
        if self.outbox.has_ready_asides() || self.outbox.has_sent_asides() || self.holds_approval() {
            return;
        }
        // Failed denials are sent again before the message, if repeating them is harmless.
        if self.options.answers_first && self.repeat_for_message() {
            return;
        }
        if self.failed_with_approvals().is_some() || self.has_lost_answers() {
            return;
        }
        if self.has_lost_message() {
            return;
        }
        if self.transcript.waiting_for_user() > 0 && !self.settle_pending() {
            return;
        }
        // Computed before items are given up below, because their decisions are sent with the message, not before it.
        let sends_before_message = self.options.answers_ahead() && self.transcript.has_unsent();
        self.give_up_all(Input::Interrupt, Payload::NONE);
        self.close_undecided();
        self.turn.clear_holds();
        let unsent: Vec<PartPos> = self.transcript.unsent_calls().map(|(at, _)| at).listed();
        if self.options.answering && !unsent.is_empty() {
            return self.push_answers();
        }
        let approved = |&at: &PartPos| self.transcript.tool(at).is_some_and(|part| part.phase() == Phase::Approved);
        if unsent.iter().any(|at| sends_before_message || approved(at)) {
            self.close_earlier_steps();
            let message_id = self.transcript.last().map(|message| message.id);
            self.push_item(Kind::Step, &unsent, Vec::new(), message_id);
            return;
        }
        self.send_queue(&unsent);
    }

    /// Closes calls that are undecided or unsettled, because the user's message is sent without them.
    fn close_undecided(&mut self) {
        let is_unsettled = |at: PartPos, part: &ToolPart| match part.phase() {
            Phase::Approved => !self.transcript.is_in_step(at) || self.options.is_page_tool(part),
            phase => phase != Phase::Denied && !part.is_with_provider(),
        };
        for at in self.turn_places(&is_unsettled) {
            // The host may have started an approved page tool.
            if self.transcript.is_in_step(at) {
                self.apply(at, Input::Sent);
            }
            self.apply(at, Input::Interrupt);
        }
    }

    /// Moves the queued messages to the transcript, and creates one item with those that were not sent yet and with
    /// unsent denials.
    fn send_queue(&mut self, unsent: &[PartPos]) {
        for at in self.transcript.open_turn_calls() {
            self.apply(at, Input::ConfirmDenial);
        }
        let mut queue = self.queue.take();
        let (mut ids, mut replaced) = (Vec::new(), None);
        self.turn.begin();
        // The messages of a request are the last ones.
        for sends in [false, true] {
            for queued in queue.iter_mut().filter(|queued| queued.is_sent != sends) {
                let id = queued.message.id;
                if sends {
                    ids.push(id);
                    replaced = replaced.or(queued.replaces.then_some(id));
                }
                let mut message = core::mem::replace(&mut queued.message, Message::new(id, Role::User));
                message.passed = !sends;
                self.transcript.push_message(message);
            }
        }
        if !ids.is_empty() {
            self.push_item(Kind::Message, unsent, ids, replaced);
        }
    }

    /// Applies the policy to pending approvals. Returns `false` if the message must wait for the user's decision, and
    /// `true` only if no approval is pending any more: the caller then closes every call that is still open.
    pub(super) fn settle_pending(&mut self) -> bool {
        let cancels = match self.options.on_user_message {
            OnUserMessage::Queue | OnUserMessage::Block | OnUserMessage::Pass => return false,
            OnUserMessage::DenyPending => false,
            OnUserMessage::CancelPending => true,
        };
        let pending = self.transcript.step_calls().filter(|(_, part)| part.is_pending());
        let pending: Vec<PartPos> = pending.map(|(at, _)| at).listed();
        for at in pending {
            if cancels {
                self.close_call(at, Input::Cancel, Payload::NONE);
            } else {
                self.decide(at, Input::Deny, self.options.moved_on, DecidedBy::Policy);
            }
        }
        true
    }

    /// Whether an approval of the user is held, because the user stopped or the reply ended badly. Nothing but an act
    /// of the user on it releases it.
    pub(super) fn holds_approval(&self) -> bool {
        self.turn.holds().until_resumed() && !self.waits_for_message() && self.unsent_approvals().next().is_some()
    }

    /// Whether a denial ended the turn, so only a user message sends what is left. A backend that waits for answers
    /// gets them nevertheless.
    pub(super) fn waits_for_message(&self) -> bool {
        self.turn.holds().has(Hold::TurnEnded) && !self.options.answering
    }

    /// The approved calls of the turn that are in no request to the server yet.
    pub(super) fn unsent_approvals(&self) -> impl Iterator<Item = PartPos> {
        let unsent = self.transcript.unsent_calls().filter(|(_, part)| part.phase() == Phase::Approved);
        unsent.map(|(at, _)| at)
    }

    /// Closes held approvals, because the user writes a message after the reply was stopped or broke off.
    pub(super) fn close_held(&mut self) {
        if !(self.turn.holds().until_resumed() || self.exchange.is_stopping()) {
            return;
        }
        let held: Vec<PartPos> = self.unsent_approvals().listed();
        for at in held {
            self.close_call(at, Input::Interrupt, self.options.unsent);
        }
    }

    /// Whether decisions are held.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        self.turn.holds().until_resumed() || self.turn.holds().has(Hold::DenialsOnly)
    }
}
