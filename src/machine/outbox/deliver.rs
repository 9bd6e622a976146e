//! The delivery of outgoing items: they are listed, claimed, sent, failed, or withdrawn.

use crate::machine::{
    CallKey, Carried, Code, Delivery, Ending, Event, Exchange, ExchangeState, Id, Input, Item, ItemInput, ItemState,
    ItemTransition, Kind, Machine, PartPos, Payload, Refusal, RefusalReason,
};
use crate::prelude::*;

impl Machine {
    /// The items that may be sent now. Listing changes nothing.
    pub fn outgoing(&self) -> impl Iterator<Item = &Item> {
        self.outbox.ready().filter(|item| self.is_listed(item))
    }

    /// Whether this item may be sent now.
    #[must_use]
    pub fn is_listed(&self, item: &Item) -> bool {
        // A submission waits for the open reply to another one. It does not wait for a reply that no request opened.
        let free = match &self.exchange {
            Exchange::Idle => true,
            Exchange::Replying(_) => self.exchange.state() == ExchangeState::Unrequested,
            Exchange::InFlight { .. } | Exchange::Reconnecting { .. } => false,
        };
        item.state() == ItemState::Ready
            && !item.waits
            && self.transcript.awaiting_rewrite() == 0
            && if item.is_aside() { self.is_next(item) } else { free }
    }

    /// Claims an item, so that no other caller sends it. Must be called before any bytes are sent. Returns `false` if
    /// the item may not be sent now, for example because it was claimed or withdrawn before.
    pub fn claim(&mut self, id: u32) -> bool {
        let listed = self.item(id).is_some_and(|item| self.is_listed(item));
        if listed {
            self.send(id);
        }
        listed
    }

    /// Marks a ready item as in flight, and the decisions in it as sent.
    pub(in crate::machine) fn send(&mut self, id: u32) {
        let Some(item) = self.item(id).filter(|item| item.state() == ItemState::Ready) else { return };
        let has_calls = !item.carried.is_empty();
        let (kind, is_aside) = (item.kind, item.is_aside());
        let is_first_step = kind == Kind::Step && item.attempt == 1;
        let closes = if kind == Kind::Step { self.abandoned_calls(&item.carried) } else { Vec::new() };
        self.turn.follow(is_aside);
        // A retry sends its first body again.
        if is_first_step {
            self.close_earlier_steps();
        }
        if !is_aside {
            self.turn.set_broke_off(false);
            // The backend knows of the denial in this request, so the policy does not skip later requests.
            if has_calls {
                self.turn.leave_step();
            }
            self.claim_in_exchange(id);
        }
        let expects_reply = is_aside && self.expects_reply_to(id);
        self.outbox.change(id, |item| (item.error, item.expects_reply) = (Payload::NONE, expects_reply));
        self.move_item(id, ItemInput::Claim);
        for key in closes {
            if let Some(at) = self.transcript.place(key) {
                self.supersede_approval(at);
                self.apply(at, Input::Interrupt);
            }
        }
        self.mark_calls_sent(id);
        if kind == Kind::Answer {
            self.await_rest();
        }
        self.answer_joined();
    }

    /// Marks the decisions in an item as sent.
    fn mark_calls_sent(&mut self, id: u32) {
        for key in self.item(id).map(Item::calls).unwrap_or_default() {
            if let Some(at) = self.transcript.place(key) {
                self.apply(at, Input::Sent);
            }
        }
    }

    /// Stores the body and the key that the host built for a claimed item, so that a retry sends the same. `drop`:
    /// called with each body that is not needed any more. A body may hold a list of all messages.
    pub fn freeze(&mut self, id: u32, body: Payload, key: Payload, drop: &mut dyn FnMut(Payload)) {
        if self.item(id).is_some_and(|item| !item.is_aside()) {
            self.outbox.drop_bodies(drop);
        }
        self.outbox.change(id, |item| {
            if !item.body.is_some() {
                (item.body, item.key) = (body, key);
            }
        });
    }

    /// The backend has received the item. Also claims it, if it was not claimed.
    ///
    /// # Errors
    /// `unknown-outgoing` if no item ever had this number.
    pub fn mark_sent(&mut self, id: u32) -> Result<(), Refusal> {
        self.known(id)?;
        self.claim(id);
        if self.options.answering {
            self.aside_arrived(id);
            self.advance();
        }
        Ok(())
    }

    /// The item could not be sent. If its reply has begun, the connection was lost instead.
    ///
    /// # Errors
    /// `unknown-outgoing` if no item ever had this number.
    pub fn mark_failed(&mut self, id: u32, error: Payload) -> Result<(), Refusal> {
        self.known(id)?;
        let Some(item) = self.item(id) else { return Ok(()) };
        let is_aside = item.is_aside();
        match item.state() {
            ItemState::Ready | ItemState::InFlight => {
                self.claim(id);
                self.outbox.change(id, |item| item.error = error);
                if self.exchange.item() == Some(id) {
                    self.fail_in_exchange();
                } else {
                    // The item is an answer, or a submission that the host tried to send during another exchange.
                    self.mark_calls_sent(id);
                    self.move_item(id, ItemInput::SendFails);
                }
                self.advance();
            }
            ItemState::Replying if !is_aside => {
                self.outbox.change(id, |item| item.error = error);
                // An unlabelled reply may belong to another request, so it does not prove that the item was delivered.
                let doubtful = self.exchange.reply().is_some_and(|reply| reply.item == Some(id) && !reply.labelled);
                if doubtful {
                    self.lose_reply();
                } else if self.exchange.item() == Some(id) {
                    self.fail_in_exchange();
                }
            }
            ItemState::Replying | ItemState::Done | ItemState::Failed | ItemState::Unconfirmed | ItemState::Stalled => {
            }
        }
        Ok(())
    }

    pub(in crate::machine) fn known(&self, id: u32) -> Result<(), Refusal> {
        if self.outbox.is_known(id) {
            return Ok(());
        }
        Err(Refusal::new(Code::UnknownOutgoing, RefusalReason::NoItem))
    }

    /// Creates an item that is ready to be sent, with the unsent decisions and outputs of these calls.
    pub(in crate::machine) fn push_item(
        &mut self,
        kind: Kind,
        calls: &[PartPos],
        messages: Vec<Id>,
        message_id: Option<Id>,
    ) -> u32 {
        let mut carried = Vec::new();
        let mut repeat_unsafe = false;
        for &at in calls {
            let Some(part) = self.transcript.tool(at) else { continue };
            let decides = part.is_undelivered();
            // Each answer carries one thing; the decision is sent before the output.
            let alone = kind == Kind::Answer && decides && !self.options.output_approves(part);
            let approval = part.approval.as_ref().filter(|_| decides);
            let closed = part.is_closed();
            let approved = part.decision().is_some_and(|decision| decision.approved);
            repeat_unsafe |= approval.is_some_and(|approval| approval.repeat_unsafe);
            carried.push(Carried {
                call: part.key(),
                id: part.call,
                approval: approval.map(|approval| approval.id),
                approved: approval.is_some() && !closed && approved,
                cancelled: approval.is_some() && closed,
                output: !alone && part.has_unsent_output(),
            });
        }
        let (after, turn) = (self.transcript.last().map(|message| message.id), self.transcript.turn_message());
        let abandoned = if kind == Kind::Step { self.abandoned_calls(&carried) } else { Vec::new() };
        let of_item = carried.clone();
        let id = self.outbox.push(kind, |item| {
            (item.message_id, item.after, item.turn, item.messages) = (message_id, after, turn, messages);
            (item.carried, item.repeat_unsafe) = (carried, repeat_unsafe);
        });
        for carried in of_item {
            let Some(at) = self.transcript.place(carried.call) else { continue };
            self.transcript.update(at, &mut |part| {
                if carried.output {
                    part.unsent_output = false;
                    part.output_in = Some(id);
                }
                if carried.approval.is_some() {
                    part.set_delivery(Delivery::In(id));
                }
            });
        }
        self.note_calls(&abandoned);
        if self.item(id).is_some_and(|item| !item.is_aside()) {
            self.turn.reopen();
        }
        let to = Some(super::DeliveryState::Ready);
        self.push_event(Event::Delivery { item: id, from: None, to, attempt: 1 });
        id
    }

    /// Reports that the view or a request shows these calls differently now.
    fn note_calls(&mut self, calls: &[CallKey]) {
        for &key in calls {
            if let Some(at) = self.transcript.place(key) {
                self.transcript.note(at);
            }
        }
    }

    /// Withdraws an item that was not sent. Its decisions are held again.
    pub(in crate::machine) fn take_back(&mut self, id: u32) {
        // A refusal is not a decision of the user, so it is not withdrawn.
        let Some(item) = self.item(id).filter(|item| item.tool.is_none()) else { return };
        if item.attempt > 1 {
            // A withdrawn retry keeps its body, and becomes failed or unconfirmed again.
            let failed = item.error.is_some();
            if !item.is_aside() {
                self.turn.end(Ending::Interrupted);
            }
            self.outbox.change(id, |item| item.attempt -= 1);
            self.move_item(id, if failed { ItemInput::BackToFailed } else { ItemInput::BackToUnconfirmed });
            return;
        }
        let carried = item.carried.clone();
        let is_step = item.kind == Kind::Step;
        let abandoned = if is_step { self.abandoned_calls(&carried) } else { Vec::new() };
        self.move_item(id, ItemInput::TakeBack);
        if is_step && carried.is_empty() {
            // It would have continued a reply that reached a step limit.
            self.turn.end(Ending::StepLimit);
        }
        for carried in carried {
            let Some(at) = self.transcript.place(carried.call) else { continue };
            self.transcript.update(at, &mut |part| {
                if carried.output {
                    part.unsent_output = true;
                    part.output_in = None;
                }
                if part.delivery() == Delivery::In(id) {
                    part.set_delivery(Delivery::Held);
                }
            });
        }
        self.note_calls(&abandoned);
    }

    /// Applies an input to an item according to its table, and reports the change.
    pub(in crate::machine) fn move_item(&mut self, id: u32, input: ItemInput) -> ItemTransition {
        let Some(item) = self.item(id) else { return ItemTransition::Ignore };
        let (before, attempt) = (item.state(), item.attempt);
        let from = before.delivery();
        let passes = if item.kind == Kind::PassedMessage { item.messages.clone() } else { Vec::new() };
        let calls = item.calls();
        let transition = self.outbox.apply(id, input);
        match transition {
            ItemTransition::To(state) => {
                self.note_passing(&passes, id, state);
                if state.is_undelivered() {
                    self.transcript.check_item(id);
                }
                let to = state.delivery();
                if from != to {
                    self.note_calls(&calls);
                    self.push_event(Event::Delivery { item: id, from: Some(from), to: Some(to), attempt });
                }
            }
            ItemTransition::Remove => {
                self.note_passing(&passes, 0, before);
                self.note_calls(&calls);
                if input == ItemInput::TakeBack {
                    self.push_event(Event::Delivery { item: id, from: Some(from), to: None, attempt });
                }
            }
            ItemTransition::Ignore => {}
        }
        transition
    }
}
