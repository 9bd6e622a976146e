//! Answering protocols: each decision, and each output of the page, is sent on its own, while the stream runs.
//!
//! An answer has no reply of its own: it has arrived when the host says so, or when the backend speaks of its call. So any
//! number of them are under way at once, and they hold back nothing but the user's message. Here too: what is cancelled where
//! the backend can be told, on protocols of both kinds.

use super::{
    CallKey, Delivery, Exchange, Input, Item, ItemInput, ItemState, Kind, Machine, PartPos, Payload, Phase, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Makes an answer of each decision and output that is in none, while the stream runs too.
    pub(super) fn push_answers(&mut self) {
        if !self.queue.is_empty() {
            self.turn.resume();
            // The message may wait for a reply, and the reply for the answers: the policy gives them now.
            self.settle_pending();
        }
        let reconnects = matches!(self.exchange, Exchange::Reconnecting { .. });
        if !self.transcript.has_unsent() || self.turn.holds().until_resumed() || reconnects {
            return;
        }
        let unsent: Vec<PartPos> = self.transcript.unsent_calls().map(|(at, _)| at).collect();
        for at in unsent {
            let approved = self.transcript.tool(at).filter(|part| part.phase() == Phase::Approved);
            if self.options.outputs_approve && approved.is_some_and(|part| self.options.is_page_tool(part)) {
                continue;
            }
            self.push_item(Kind::Answer, &[at], Vec::new(), None);
            if self.transcript.tool(at).is_some_and(ToolPart::has_unsent_output) {
                self.push_item(Kind::Answer, &[at], Vec::new(), None);
            }
        }
    }

    /// Whether the backend goes on in a reply when it has an answer: there is something to run, or it replies to denials.
    pub(super) fn goes_on_after(&self, item: &Item) -> bool {
        self.options.answers_first && (self.options.replies_to_denials || item.approves() || item.has_outputs())
    }

    /// The backend went on after the answers that it has, or is not waited for any longer. `in_flight`: nor is it after those
    /// that were sent, because a reply begins or the user does not wait.
    pub(super) fn answers_are_followed(&mut self, in_flight: bool) {
        if !self.outbox.has_sent_answers() {
            return;
        }
        let answered = self.exchange.item();
        let is_meant = |state| state == ItemState::Replying || (in_flight && state == ItemState::InFlight);
        let sent = |item: &Item| item.is_answer() && is_meant(item.state()) && Some(item.id) != answered;
        for id in self.outbox.numbers(&sent) {
            self.outbox.change(id, |item| item.goes_on = false);
            self.move_item(id, ItemInput::ReplyIsDue);
        }
    }

    /// Whether nothing has to arrive before this answer: an output of the page follows the approval.
    pub(super) fn is_next(&self, item: &Item) -> bool {
        let Some(carried) = item.carried.first().filter(|carried| carried.approval.is_none()) else { return true };
        let approval = self.transcript.call(carried.call).and_then(|part| self.delivery(part));
        approval.is_none_or(|state| state == super::DeliveryState::Acknowledged)
    }

    /// The backend has this answer.
    pub(super) fn answer_arrived(&mut self, id: u32) {
        let Some(item) = self.item(id).filter(|item| item.is_answer() && item.state() != ItemState::Ready) else {
            return;
        };
        let input = if item.goes_on { ItemInput::ArrivesAndGoesOn } else { ItemInput::Arrives };
        self.move_item(id, input);
    }

    /// The backend has the answers about this call, if they were sent.
    pub(super) fn answers_arrived(&mut self, call: CallKey) {
        let Some(part) = self.transcript.call(call).filter(|_| self.options.answering) else { return };
        let decision = match part.delivery() {
            Delivery::In(item) => Some(item),
            Delivery::None | Delivery::Held => None,
        };
        for id in [decision, part.output_in].into_iter().flatten() {
            self.answer_arrived(id);
        }
    }

    /// The backend has an answer about the call from elsewhere: one that was not sent never is.
    pub(super) fn forestall(&mut self, at: PartPos) {
        let Some(key) = self.transcript.tool(at).map(ToolPart::key) else { return };
        self.answers_arrived(key);
        self.withdraw_carrier(at);
        if self.transcript.tool(at).is_some_and(ToolPart::is_undelivered) {
            self.transcript.update(at, &mut |part| part.deliver(Delivery::None));
            self.apply(at, Input::Sent);
        }
    }

    /// Closes a call as cancelled. Where the backend can be told, it is: about what was asked, and about what the page was to
    /// run. Where it only waits for its answers, it is told ahead of the next message, in whatever words it has.
    pub(super) fn call_off(&mut self, at: PartPos, reason: Payload) {
        let Some(part) = self.transcript.tool(at) else { return };
        let in_page = self.options.is_page_tool(part);
        let asked = matches!(part.phase(), Phase::ApprovalRequested | Phase::Approved);
        // The host was free to run an approved tool of the page.
        if in_page {
            self.apply(at, Input::Sent);
        }
        self.close(at, Input::Cancel, reason);
        if self.options.answers_ahead() {
            let output = !asked && in_page && self.options.answering;
            self.transcript.update(at, &mut |part| {
                if asked {
                    part.deliver(Delivery::Held);
                }
                part.unsent_output = output;
            });
        }
    }
}
