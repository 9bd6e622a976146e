//! What is sent next: the decisions of a complete step, or the user's queued messages.

use super::{
    DecidedBy, Exchange, Hold, Input, Item, ItemInput, ItemState, Kind, Machine, OnUserMessage, PartPos, Payload,
    Phase, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Makes ready what may be sent: the user's queued messages, else the decisions of a complete step.
    pub(super) fn advance(&mut self) {
        self.settle_empty_items();
        if self.options.answering {
            self.push_answers();
        }
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
        let unsent: Vec<PartPos> = self.transcript.unsent_calls().map(|(at, _)| at).collect();
        let message_id = self.transcript.last().map(|message| message.id);
        self.push_item(Kind::Step, &unsent, Vec::new(), message_id);
    }

    /// A user who answers what a reply asked confirms its request: the chat goes on from there, and a retry would ask for
    /// the reply again.
    fn confirm_answered(&mut self) {
        let unconfirmed = |item: &&Item| item.state() == ItemState::Unconfirmed;
        let ids: Vec<u32> = self.outbox.undelivered().filter(unconfirmed).map(|item| item.id).collect();
        for id in ids {
            self.move_item(id, ItemInput::Settles);
        }
    }

    /// Closes what the turn's earlier steps left open: servers execute only the last one.
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

    /// Makes the queued messages ready, if nothing has to reach the backend before them.
    fn release_queue(&mut self) {
        if self.outbox.has_ready_answers() || self.outbox.has_sent_answers() {
            return;
        }
        // Denials that failed are repeated ahead of the message where that is harmless.
        if self.options.answers_first && self.repeat_for_message() {
            return;
        }
        if self.failed_with_approvals().is_some() || self.has_lost_answers() {
            return;
        }
        if self.transcript.waiting_for_user() > 0 && !self.settle_pending() {
            return;
        }
        // What was sent and may be lost was given its turn: it is sent with the message.
        let ahead = self.options.answers_ahead() && self.transcript.has_unsent();
        for id in self.outbox.undelivered_numbers() {
            self.give_up(id, Input::Interrupt, Payload::NONE);
        }
        self.close_undecided();
        self.turn.clear_holds();
        let unsent: Vec<PartPos> = self.transcript.unsent_calls().map(|(at, _)| at).collect();
        if self.options.answering && !unsent.is_empty() {
            return self.push_answers();
        }
        let approved = |&at: &PartPos| self.transcript.tool(at).is_some_and(|part| part.phase() == Phase::Approved);
        if unsent.iter().any(|at| ahead || approved(at)) {
            self.close_earlier_steps();
            let message_id = self.transcript.last().map(|message| message.id);
            self.push_item(Kind::Step, &unsent, Vec::new(), message_id);
            return;
        }
        self.send_queue(&unsent);
    }

    /// What is neither decided nor settled when the user's message is sent will not be.
    fn close_undecided(&mut self) {
        let is_left = |at: PartPos, part: &ToolPart| match part.phase() {
            Phase::Approved => !self.transcript.is_in_step(at) || self.options.is_page_tool(part),
            Phase::Denied => false,
            Phase::InputStreaming
            | Phase::InputAvailable
            | Phase::ApprovalRequested
            | Phase::AutomaticRequest
            | Phase::Submitted
            | Phase::Preliminary
            | Phase::OutputAvailable
            | Phase::OutputError
            | Phase::OutputDenied => !part.is_with_provider(),
        };
        for at in self.turn_places(&is_left) {
            // The host was free to run an approved tool of the page.
            if self.transcript.is_in_step(at) {
                self.apply(at, Input::Sent);
            }
            self.apply(at, Input::Interrupt);
        }
    }

    /// Puts the queued messages into the transcript and into one item, with the denials that were not sent.
    fn send_queue(&mut self, unsent: &[PartPos]) {
        for at in self.transcript.open_turn_calls() {
            self.apply(at, Input::ConfirmDenial);
        }
        let queue = self.queue.take();
        let ids: Vec<super::Id> = queue.iter().map(|queued| queued.message.id).collect();
        let replaced = queue.iter().find(|queued| queued.replaces).map(|queued| queued.message.id);
        let carried: Vec<PartPos> = unsent.to_vec();
        self.turn.begin();
        for queued in queue {
            self.transcript.push_message(queued.message);
        }
        self.push_item(Kind::Message, &carried, ids, replaced);
    }

    /// Applies the policy to pending approvals. `false` if the message has to wait for the user.
    pub(super) fn settle_pending(&mut self) -> bool {
        let cancels = match self.options.on_user_message {
            OnUserMessage::Queue | OnUserMessage::Block => return false,
            OnUserMessage::DenyPending => false,
            OnUserMessage::CancelPending => true,
        };
        let pending = self.transcript.step_calls().filter(|(_, part)| part.is_pending());
        let pending: Vec<PartPos> = pending.map(|(at, _)| at).collect();
        for at in pending {
            if cancels {
                self.call_off(at, Payload::NONE);
            } else {
                self.decide(at, Input::Deny, self.options.moved_on, DecidedBy::Policy);
            }
        }
        true
    }

    /// Whether decisions are held.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        self.turn.holds().until_resumed() || self.turn.holds().has(Hold::DenialsOnly)
    }
}
