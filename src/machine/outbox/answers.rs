//! Answering protocols: each decision, and each output of the page, is sent as an answer of its own while the stream
//! runs.
//!
//! An answer has no reply of its own. It is delivered when the host reports it as sent, or when the backend reports on
//! its call. So any number of answers may be in flight, and only user messages wait for them. This file also sends
//! cancellations, on protocols of both kinds.

use crate::machine::{
    About, CallKey, Delivery, DeliveryState, Ending, Event, Exchange, Input, Item, ItemInput, ItemState, Kind, Machine,
    PartPos, Payload, Phase, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Creates an answer for each decision and each output that no item contains yet, even while a stream runs.
    pub(in crate::machine) fn push_answers(&mut self) {
        if self.has_waiting_message() && !self.holds_approval() {
            self.turn.resume();
            // The queued message may wait for a reply, and the backend for a decision on pending calls. So the policy
            // for messages decides these calls now.
            self.settle_pending();
        }
        let reconnects = matches!(self.exchange, Exchange::Reconnecting { .. });
        if !self.transcript.has_unsent() || self.turn.holds().until_resumed() || reconnects {
            return;
        }
        let unsent: Vec<PartPos> = self.transcript.unsent_calls().map(|(at, _)| at).listed();
        for at in unsent {
            let approved = self.transcript.tool(at).filter(|part| part.phase() == Phase::Approved);
            if approved.is_some_and(|part| self.options.is_page_tool(part) && self.options.output_approves(part)) {
                continue;
            }
            self.push_item(Kind::Answer, &[at], Vec::new(), None);
            if self.transcript.tool(at).is_some_and(ToolPart::has_unsent_output) {
                self.push_item(Kind::Answer, &[at], Vec::new(), None);
            }
        }
    }

    /// Whether the backend continues in a new reply when it receives this answer: because a call may run now, or
    /// because it replies to denials.
    pub(in crate::machine) fn expects_reply_to(&self, answer: u32) -> bool {
        let continues = |item: &Item| self.options.replies_to_denials || item.approves() || item.has_outputs();
        self.options.answers_first && self.item(answer).is_some_and(continues)
    }

    /// Opens the reply that a page load or a lost connection has ended here, and not in the backend: an answer was
    /// sent, so the backend continues. Nothing changes if that reply has ended.
    pub(in crate::machine) fn await_rest(&mut self) {
        self.open_rest();
        if let Some(reply) = self.exchange.reply_mut() {
            reply.until = 0;
        }
    }

    /// As [`Self::await_rest`], but an event shows that the backend continues. No answer was sent, so queued messages
    /// only wait until no event arrives for a while.
    pub(in crate::machine) fn open_rest(&mut self) {
        if self.may_have_rest() && self.exchange == Exchange::Idle {
            let item = self.cut_item();
            self.open_reply(item, About::default());
            if let Some(reply) = self.exchange.reply_mut() {
                reply.reopened = item.is_some();
            }
        }
    }

    /// Whether the backend may continue a reply that a page load or a lost connection has ended here.
    pub(in crate::machine) fn may_have_rest(&self) -> bool {
        let is_cut = self.turn.ending().is_none_or(|ending| ending == Ending::Disconnected);
        self.options.asks_in_reply() && is_cut
    }

    /// Stops waiting for replies to answers that were delivered, because the backend continued or no reply is expected.
    /// `in_flight`: also stops waiting after answers in flight, because a reply begins or the user does not wait.
    pub(in crate::machine) fn asides_are_followed(&mut self, in_flight: bool) {
        if !self.outbox.has_sent_asides() {
            return;
        }
        let answered = self.exchange.item();
        let matches = |state| state == ItemState::Replying || (in_flight && state == ItemState::InFlight);
        let sent = |item: &Item| item.is_aside() && matches(item.state()) && Some(item.id) != answered;
        for id in self.outbox.numbers(&sent) {
            self.outbox.change(id, |item| item.expects_reply = false);
            self.move_item(id, ItemInput::NoReplyExpected);
        }
    }

    /// Whether nothing must be delivered before this aside. An output of the page is sent after its approval, and a
    /// message after the answers before it.
    pub(in crate::machine) fn is_next(&self, item: &Item) -> bool {
        if item.kind == Kind::PassedMessage {
            return self.is_next_message(item);
        }
        let Some(carried) = item.carried.first().filter(|carried| carried.approval.is_none()) else { return true };
        let approval = self.transcript.call(carried.call).and_then(|part| self.delivery(part));
        approval.is_none_or(|state| state == DeliveryState::Acknowledged)
    }

    /// Marks this answer as delivered.
    pub(in crate::machine) fn aside_arrived(&mut self, id: u32) {
        let Some(item) = self.item(id).filter(|item| item.is_aside() && item.state() != ItemState::Ready) else {
            return;
        };
        let input = if item.expects_reply { ItemInput::ArrivesBeforeReply } else { ItemInput::Arrives };
        self.move_item(id, input);
    }

    /// Marks the answers about this call as delivered, if they were sent.
    pub(in crate::machine) fn answers_arrived(&mut self, call: CallKey) {
        let Some(part) = self.transcript.call(call).filter(|_| self.options.answering).copied() else { return };
        part.items(&mut |id| self.aside_arrived(id));
    }

    /// The backend has a decision on the call from elsewhere, so answers about it that were not sent are dropped.
    pub(in crate::machine) fn drop_unsent_answers(&mut self, at: PartPos) {
        let Some(key) = self.transcript.tool(at).map(ToolPart::key) else { return };
        self.withdraw_unsent(at);
        self.answers_arrived(key);
        let Some(part) = self.transcript.tool(at).filter(|part| part.is_undelivered()).copied() else { return };
        // The backend knows the model's input only.
        if part.models_input() != part.input {
            let ToolPart { call, name: tool, .. } = part;
            let approval = part.approval_id();
            self.push_event(Event::InputChanged { call, tool, approval, decision_void: true });
        }
        self.transcript.update(at, &mut |part| {
            part.undo_edit();
            part.set_delivery(Delivery::None);
        });
        self.apply(at, Input::Sent);
    }

    /// Closes a call without a result: cancels it, or interrupts it. A backend that accepts cancellations, or that
    /// takes no message before it has an answer to each approval, is then sent an answer. An answering backend of one
    /// of these kinds is also sent one for a page tool.
    pub(in crate::machine) fn close_call(&mut self, at: PartPos, input: Input, reason: Payload) {
        let Some(part) = self.transcript.tool(at) else { return };
        let in_page = self.options.is_page_tool(part);
        let asked = part.is_unanswered();
        // The host may have started an approved page tool.
        if in_page {
            self.apply(at, Input::Sent);
        }
        // The table refuses to cancel an automatic request, because the backend decides it: nobody asked about that.
        self.close(at, input, reason);
        if asked && self.options.answers_ahead() {
            self.transcript.update(at, &mut |part| part.set_delivery(Delivery::Held));
        }
    }
}
