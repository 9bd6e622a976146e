//! Answering protocols: each decision, and each output of the browser, leaves on its own, while the stream runs.
//!
//! An answer has no reply: it has arrived when the host says so, or when the backend speaks of its call. So any number of
//! them are on their way at once, and none of them holds anything but the user's message. Here too: what is cancelled
//! where the backend can be told, on protocols of both kinds.

use super::machine::Machine;
use super::{At, Cause, DeliveryState, Id, Item, Payload, Phase, Trigger};
use crate::prelude::*;

impl Machine {
    /// Makes an answer of each decision and output that has not left, while the stream runs too.
    pub(super) fn push_answers(&mut self) {
        if !self.queue.is_empty() {
            self.hold = false;
            // The message may wait for a reply, and the reply for the answers: the policy gives them now.
            self.settle_pending();
        }
        if self.hold {
            return;
        }
        let mut unsent = self.held_denials();
        unsent.extend(self.unsent());
        for at in unsent {
            let part = self.transcript.tool(at).filter(|part| part.phase == Phase::Approved);
            if self.options.outputs_approve && part.is_some_and(|part| self.options.is_browser_tool(part)) {
                continue;
            }
            self.push_item(Trigger::Answer, &[at], Vec::new(), None);
            if self.transcript.tool(at).is_some_and(|part| part.unsent_output) {
                self.push_item(Trigger::Answer, &[at], Vec::new(), None);
            }
        }
    }

    /// Whether answers are on their way, or about to be; or the reply is still to come in which the backend goes on.
    pub(super) fn answers_wait(&self) -> bool {
        let waits = |item: &Item| match item.state {
            DeliveryState::Ready | DeliveryState::InFlight => true,
            DeliveryState::Acknowledged => !item.ended,
            _ => false,
        };
        self.items.iter().any(|item| item.is_answer() && waits(item))
    }

    /// The backend goes on behind the answers that have left, or nobody waits for it to do so.
    pub(super) fn go_on_behind_answers(&mut self) {
        let left = |item: &&mut Item| item.is_answer() && item.state != DeliveryState::Ready;
        self.items.iter_mut().filter(left).for_each(|item| item.ended = true);
    }

    /// Whether an event about this call can change nothing any more: it begins no reply.
    #[must_use]
    pub fn is_over(&self, call: Id) -> bool {
        let settled = self.transcript.call(call).is_some_and(|part| part.phase.is_settled());
        self.options.answering && self.reply.is_none() && self.active().is_none() && settled
    }

    /// Whether nothing has to arrive before this answer: an output of the browser follows the approval.
    pub(super) fn is_next(&self, item: &Item) -> bool {
        let approved = item.calls.first().and_then(|call| self.transcript.call(*call)).and_then(|part| part.delivery);
        !item.approvals.is_empty() || approved.is_none_or(|state| state == DeliveryState::Acknowledged)
    }

    /// The backend has this answer, or those about this call, if they have left.
    pub(super) fn arrived(&mut self, id: Option<u32>, call: Option<Id>) {
        for place in 0..self.items.len() {
            let item = &self.items[place];
            let meant = Some(item.id) == id || item.calls.first().copied() == call;
            if meant && item.is_answer() && item.state != DeliveryState::Ready {
                self.move_item(item.id, DeliveryState::Acknowledged);
            }
        }
    }

    /// The backend has an answer about the call: one that has not left never does.
    pub(super) fn forestall(&mut self, at: At) {
        let Some(part) = self.transcript.tool(at) else { return };
        let call = part.call;
        self.arrived(None, Some(call));
        self.withdraw_carrier(at);
        if let Some(part) = self.transcript.tool_mut(at).filter(|part| part.is_undelivered()) {
            part.delivery = None;
            self.apply(at, Cause::Sent);
        }
    }

    /// Closes a call as cancelled. Where the backend can be told, it is: about what was asked, and about what the browser
    /// was to run. Where it only waits for its answers, it is told ahead of the next message, in whatever words it has.
    pub(super) fn call_off(&mut self, at: At, reason: Payload) {
        let Some(part) = self.transcript.tool(at) else { return };
        let browser = self.options.is_browser_tool(part);
        let asked = matches!(part.phase, Phase::ApprovalRequested | Phase::Approved);
        // The host was free to run an approved tool of the browser.
        if browser {
            self.apply(at, Cause::Sent);
        }
        self.close(at, Cause::Cancel, reason);
        if self.options.answers_ahead()
            && let Some(part) = self.transcript.tool_mut(at)
        {
            if asked {
                part.delivery = Some(DeliveryState::Held);
            }
            part.unsent_output = !asked && browser && self.options.answering;
        }
    }
}
