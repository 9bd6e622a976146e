//! Outgoing items: what must reach the backend, and how far it has come.
//!
//! An item is listed until it is claimed, and claimed by one caller only. No path starts it a second
//! time but `retry`, which keeps its key and its body.

use super::machine::Machine;
use super::{At, Cause, Code, DeliveryState, Event, Id, Payload, Phase, Refusal, Why};
use crate::prelude::*;

/// Why the backend is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// A message or the decisions of a step.
    Submit,
    /// The last answer is wanted once more.
    Regenerate,
}

/// A submission: the conversation, with the decisions of its last step or the user's next message.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its number. The host shows it as `Outgoing.id`.
    pub id: u32,
    /// How far it has come.
    pub state: DeliveryState,
    /// How often it has been tried, counting this time; from 1.
    pub attempt: u32,
    /// Why it is sent.
    pub trigger: Trigger,
    /// The message it continues or replaces, where the wire names it.
    pub message_id: Option<Id>,
    /// The approvals whose decisions it carries, in call order.
    pub approvals: Vec<Id>,
    /// For each of these approvals, whether it was given.
    pub granted: Vec<bool>,
    /// The message that stood last when it was made.
    pub behind: Option<Id>,
    /// The calls it concerns: those of its approvals and of the outputs it carries.
    pub calls: Vec<Id>,
    /// Those of the calls whose output, given by the browser, it carries.
    pub outputs: Vec<Id>,
    /// The user's messages that leave with it.
    pub messages: Vec<Id>,
    /// What the host froze as its body when it was first claimed.
    pub body: Payload,
    /// Why it failed, in the host's words.
    pub error: Payload,
    /// Its reply ended without what it owed.
    pub stalled: bool,
    /// Its reply has ended, however.
    pub ended: bool,
}

impl Item {
    /// Whether it is about to leave, or its reply is awaited.
    #[must_use]
    pub fn is_active(&self) -> bool {
        match self.state {
            DeliveryState::Ready | DeliveryState::InFlight => true,
            DeliveryState::Acknowledged => !self.ended,
            DeliveryState::Held | DeliveryState::Failed | DeliveryState::Unconfirmed => false,
        }
    }

    /// Whether the user has to do something about it.
    #[must_use]
    pub fn is_undelivered(&self) -> bool {
        self.stalled || matches!(self.state, DeliveryState::Failed | DeliveryState::Unconfirmed)
    }
}

/// How many items whose story is over are kept, for listings and late answers.
const KEPT: usize = 32;

impl Machine {
    /// What may leave now. Listing changes nothing.
    pub fn outgoing(&self) -> impl Iterator<Item = &Item> {
        let open = self.reply.is_none() && self.unwritten == 0;
        self.items.iter().filter(move |item| open && item.state == DeliveryState::Ready)
    }

    /// What needs the user: failed, unconfirmed and stalled items.
    pub fn undelivered(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.is_undelivered())
    }

    /// The item with this number, while it is remembered.
    #[must_use]
    pub fn item(&self, id: u32) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    /// Takes the item off the list: to be called before bytes leave. `false` if somebody else did,
    /// or if it was withdrawn.
    pub fn claim(&mut self, id: u32) -> bool {
        let listed = self.outgoing().any(|item| item.id == id);
        if listed {
            self.take(id);
        }
        listed
    }

    /// Takes a ready item as claimed, and its approvals as sent.
    pub(super) fn take(&mut self, id: u32) {
        let Some(item) = self.item(id).filter(|item| item.state == DeliveryState::Ready) else { return };
        let calls = item.calls.clone();
        // What is asked from here on is asked by a backend that knows of the denial.
        if !calls.is_empty() {
            self.leave_step();
        }
        self.move_item(id, DeliveryState::InFlight);
        for call in calls {
            if let Some(at) = self.transcript.find(call) {
                self.apply(at, Cause::Sent);
            }
        }
    }

    /// Keeps what the host made of a claimed item, so that a retry sends the same.
    pub fn freeze(&mut self, id: u32, body: Payload) {
        if let Some(item) = self.item_mut(id)
            && !item.body.is_some()
        {
            item.body = body;
        }
    }

    /// The backend has the item. Claims it too, if nobody did.
    ///
    /// # Errors
    /// `unknown-outgoing` for a number that was never listed.
    pub fn mark_sent(&mut self, id: u32) -> Result<(), Refusal> {
        self.known(id)?;
        self.claim(id);
        Ok(())
    }

    /// The item could not be sent. After the reply has begun this is a lost connection instead.
    ///
    /// # Errors
    /// `unknown-outgoing` for a number that was never listed.
    pub fn mark_failed(&mut self, id: u32, error: Payload) -> Result<(), Refusal> {
        self.known(id)?;
        let Some(item) = self.item_mut(id) else { return Ok(()) };
        match item.state {
            DeliveryState::Ready | DeliveryState::InFlight => {
                item.error = error;
                item.ended = true;
                self.take(id);
                self.move_item(id, DeliveryState::Failed);
                self.reply_failed();
            }
            DeliveryState::Acknowledged if !item.ended => {
                item.error = error;
                self.stream_ended(super::StreamEnd::Disconnected, super::About { request: Some(id), attempt: None });
            }
            DeliveryState::Acknowledged | DeliveryState::Held | DeliveryState::Failed | DeliveryState::Unconfirmed => {}
        }
        Ok(())
    }

    /// Puts a failed, unconfirmed or stalled item on the list again.
    ///
    /// # Errors
    /// `unknown-outgoing` for a number that was never listed, `busy` for one that needs no retry or
    /// while another item is on its way.
    pub fn retry(&mut self, id: u32) -> Result<(), Refusal> {
        self.known(id)?;
        if !self.item(id).is_some_and(Item::is_undelivered) {
            return Err(Refusal::new(Code::Busy, Why::NotUndelivered));
        }
        if self.active().is_some() || self.reply.is_some() {
            return Err(Refusal::new(Code::Busy, Why::UnderWay));
        }
        if let Some(item) = self.item_mut(id) {
            item.attempt += 1;
            item.error = Payload::NONE;
            item.stalled = false;
            item.ended = false;
        }
        self.close_partial_reply(id);
        // The user takes the turn up again.
        self.hold = false;
        self.rule = None;
        self.turn.reopen();
        self.move_item(id, DeliveryState::Ready);
        Ok(())
    }

    /// What a reply that will be asked for anew has left half done is nobody's to finish.
    fn close_partial_reply(&mut self, id: u32) {
        let carried = self.item(id).map(|item| item.calls.clone()).unwrap_or_default();
        let mut left = self.turn_calls();
        left.retain(|&at| self.transcript.tool(at).is_some_and(|part| !carried.contains(&part.call)));
        self.close_behind(left.clone());
        for at in left {
            if self.transcript.tool(at).is_some_and(|part| !part.provider_executed) {
                self.apply(at, Cause::Interrupt);
            }
        }
    }

    /// The item that is about to leave, or whose reply is awaited.
    #[must_use]
    pub fn active(&self) -> Option<&Item> {
        self.items.iter().find(|item| item.is_active())
    }

    pub(super) fn item_mut(&mut self, id: u32) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    fn known(&self, id: u32) -> Result<(), Refusal> {
        if id < self.next_item {
            return Ok(());
        }
        Err(Refusal::new(Code::UnknownOutgoing, Why::NoItem))
    }

    /// A new item, ready to leave.
    pub(super) fn push_item(
        &mut self,
        trigger: Trigger,
        calls: &[At],
        messages: Vec<Id>,
        message_id: Option<Id>,
    ) -> u32 {
        let id = self.next_item;
        self.next_item += 1;
        let mut item = Item {
            id,
            state: DeliveryState::Held,
            attempt: 1,
            trigger,
            message_id,
            approvals: Vec::new(),
            granted: Vec::new(),
            behind: self.transcript.last().map(|message| message.id),
            calls: Vec::new(),
            outputs: Vec::new(),
            messages,
            body: Payload::NONE,
            error: Payload::NONE,
            stalled: false,
            ended: false,
        };
        for &at in calls {
            let Some(part) = self.transcript.tool_mut(at) else { continue };
            item.calls.push(part.call);
            if core::mem::take(&mut part.unsent_output) {
                item.outputs.push(part.call);
            }
            if let Some(approval) = part.approval.as_ref().filter(|_| part.is_undelivered()) {
                item.approvals.push(approval.id);
                item.granted.push(approval.decision.as_ref().is_some_and(|decision| decision.approved));
            }
        }
        while self.items.len() >= KEPT {
            let Some(old) = self.items.iter().position(|item| item.ended && !item.is_undelivered()) else { break };
            self.items.remove(old);
        }
        self.items.push(item);
        self.turn.reopen();
        self.move_item(id, DeliveryState::Ready);
        id
    }

    /// Takes an item back that has not left. Its decisions are undelivered again.
    pub(super) fn withdraw(&mut self, id: u32) {
        let Some(index) = self.items.iter().position(|item| item.id == id) else { return };
        let item = self.items.remove(index);
        for call in &item.calls {
            let Some(at) = self.transcript.find(*call) else { continue };
            let Some(part) = self.transcript.tool_mut(at) else { continue };
            part.unsent_output = item.outputs.contains(call);
            if part.delivery == Some(DeliveryState::Ready) {
                part.delivery = Some(DeliveryState::Held);
            }
        }
        self.push_event(Event::Delivery { item: id, from: Some(item.state), to: None, attempt: item.attempt });
    }

    /// Forgets an item that will never be tried again.
    pub(super) fn drop_item(&mut self, id: u32) {
        self.items.retain(|item| item.id != id);
    }

    /// Moves an item, and the decisions that it carries with it.
    pub(super) fn move_item(&mut self, id: u32, to: DeliveryState) {
        let Some(item) = self.item_mut(id) else { return };
        let from = item.state;
        if from == to {
            return;
        }
        item.state = to;
        let (attempt, approvals, calls) = (item.attempt, item.approvals.clone(), item.calls.clone());
        for call in &calls {
            let Some(at) = self.transcript.find(*call) else { continue };
            // A call that was asked again, or is settled otherwise, has left this item's story.
            let carries = self
                .transcript
                .tool(at)
                .and_then(|part| part.approval.as_ref())
                .is_some_and(|approval| approval.decision.is_some() && approvals.contains(&approval.id));
            if carries && let Some(part) = self.transcript.tool_mut(at) {
                part.delivery = Some(to);
            }
        }
        let from = (from != DeliveryState::Held).then_some(from);
        self.push_event(Event::Delivery { item: id, from, to: Some(to), attempt });
    }

    /// Whether the item carries an approval whose call has no result yet.
    pub(super) fn owes(&self, item: &Item) -> bool {
        item.calls.iter().any(|call| {
            self.transcript
                .call(*call)
                .is_some_and(|part| matches!(part.phase, Phase::Submitted | Phase::Approved | Phase::Preliminary))
        })
    }
}
