//! Outgoing items: what must reach the backend, and how far it has come.
//!
//! An item is listed until it is claimed, and claimed by one caller only. No path starts it a second
//! time but `retry`, which keeps its key and its body.

use super::machine::Machine;
use super::{At, Cause, Code, DeliveryState, Event, Id, Options, Payload, Phase, Refusal, Why};
use crate::prelude::*;

/// Why the backend is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trigger {
    /// A message or the decisions of a step.
    Submit,
    /// The last answer is wanted once more.
    Regenerate,
    /// One decision, or one output of the browser: nobody waits for a reply to it.
    Answer,
}

/// A submission: the conversation, with the decisions of its last step or the user's next message. Or an answer: what one
/// call came to.
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
    /// Its reply has ended, however. Of an answer: a reply has begun behind it, or none is waited for.
    pub ended: bool,
    /// Some of what it carries is called off.
    pub cancels: bool,
}

impl Item {
    /// Whether it is an answer.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.trigger == Trigger::Answer
    }

    /// Whether the backend goes on in a reply when it has it: there is something to run, or it tells the model of denials too.
    pub(super) fn goes_on(&self, options: &Options) -> bool {
        options.replies_to_denials || self.granted.contains(&true) || !self.outputs.is_empty()
    }

    /// Whether it is a submission that is about to leave, or whose reply is awaited.
    #[must_use]
    pub fn is_active(&self) -> bool {
        match self.state {
            _ if self.is_answer() => false,
            DeliveryState::Ready | DeliveryState::InFlight => true,
            DeliveryState::Acknowledged => !self.ended,
            DeliveryState::Held | DeliveryState::Failed | DeliveryState::Unconfirmed => false,
        }
    }

    /// Whether it has left, and what became of it is still to be seen.
    pub(super) fn is_under_way(&self) -> bool {
        self.state == DeliveryState::InFlight || (self.is_active() && self.state != DeliveryState::Ready)
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
        self.listed(0)
    }

    /// What may leave now, if it is this item; with 0 whichever it is.
    pub fn listed(&self, only: u32) -> impl Iterator<Item = &Item> {
        let written = self.unwritten == 0;
        let open = |item: &Item| if item.is_answer() { self.is_next(item) } else { self.reply.is_none() };
        let meant = move |item: &Item| only == 0 || item.id == only;
        self.items.iter().filter(move |item| written && meant(item) && item.state == DeliveryState::Ready && open(item))
    }

    /// The numbers of the items that are meant. They are taken first, because what becomes of one may change the list; and
    /// here, because to collect them anew wherever they are meant is a kilobyte more to download.
    pub(super) fn items_that(&self, are_meant: &dyn Fn(&Item) -> bool) -> Vec<u32> {
        self.items.iter().filter(|item| are_meant(item)).map(|item| item.id).collect()
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
        let listed = self.listed(id).any(|item| item.id == id);
        if listed {
            self.take(id);
        }
        listed
    }

    /// Takes a ready item as claimed, and its approvals as sent.
    pub(super) fn take(&mut self, id: u32) {
        let Some(item) = self.item(id).filter(|item| item.state == DeliveryState::Ready) else { return };
        let calls = item.calls.clone();
        let answers = item.is_answer();
        self.set_error(id, Payload::NONE);
        // What is asked from here on is asked by a backend that knows of the denial. An answer is of a step that goes on.
        if answers {
            // What comes behind it is new, not the last reply once more.
            if let Some(past) = self.past.as_mut().filter(|past| past.ending.completes_step()) {
                past.next_item = 0;
            }
        } else if !calls.is_empty() {
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
        if self.options.answering {
            self.arrived(Some(id), None);
            self.advance();
        }
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
                item.ended = true;
                let answers = item.is_answer();
                self.take(id);
                self.set_error(id, error);
                self.move_item(id, DeliveryState::Failed);
                if answers {
                    self.advance();
                } else {
                    self.reply_failed();
                }
            }
            DeliveryState::Acknowledged if !item.ended => {
                item.error = error;
                self.stream_ended(super::StreamEnd::Disconnected, super::About { request: Some(id), attempt: None });
            }
            DeliveryState::Acknowledged | DeliveryState::Held | DeliveryState::Failed | DeliveryState::Unconfirmed => {}
        }
        Ok(())
    }

    /// The item that is about to leave, or whose reply is awaited.
    #[must_use]
    pub fn active(&self) -> Option<&Item> {
        self.items.iter().find(|item| item.is_active())
    }

    pub(super) fn item_mut(&mut self, id: u32) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    fn set_error(&mut self, id: u32, error: Payload) {
        if let Some(item) = self.item_mut(id) {
            item.error = error;
        }
    }

    pub(super) fn known(&self, id: u32) -> Result<(), Refusal> {
        if (1..self.next_item).contains(&id) {
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
            ended: trigger == Trigger::Answer,
            cancels: false,
        };
        for &at in calls {
            let Some(part) = self.transcript.tool_mut(at) else { continue };
            item.calls.push(part.call);
            // An answer is one thing: first the decision, then the output.
            let alone = trigger == Trigger::Answer && part.is_undelivered() && !self.options.outputs_approve;
            if !alone && core::mem::take(&mut part.unsent_output) {
                item.outputs.push(part.call);
            }
            if let Some(approval) = part.approval.as_ref().filter(|_| part.is_undelivered()) {
                let closed = part.is_closed();
                item.approvals.push(approval.id);
                item.granted.push(!closed && approval.decision.as_ref().is_some_and(|decision| decision.approved));
                item.cancels |= closed;
            }
        }
        item.ended &= !(self.options.answers_first && item.goes_on(&self.options));
        while self.items.len() >= KEPT {
            let Some(old) = self
                .items
                .iter()
                .position(|item| item.ended && item.state == DeliveryState::Acknowledged && !item.stalled)
            else {
                break;
            };
            self.items.remove(old);
        }
        self.items.push(item);
        if trigger != Trigger::Answer {
            self.turn.reopen();
        } else if let Some(past) = self.past.as_mut().filter(|past| past.next_item == id) {
            // Until it leaves, nothing was asked since the last reply.
            past.next_item += 1;
        }
        self.move_item(id, DeliveryState::Ready);
        id
    }

    /// Takes an item back that has not left. Its decisions are undelivered again.
    pub(super) fn withdraw(&mut self, id: u32) {
        let Some(index) = self.items.iter().position(|item| item.id == id) else { return };
        if self.items[index].attempt > 1 {
            // It has left before: it is not made anew, and only another retry sends it again.
            let item = &mut self.items[index];
            item.ended = true;
            item.attempt -= 1;
            let failed = item.error.is_some();
            if !item.is_answer() {
                self.turn.ending = Some(super::Ending::Interrupted);
            }
            self.move_item(id, if failed { DeliveryState::Failed } else { DeliveryState::Unconfirmed });
            return;
        }
        let item = self.items.remove(index);
        // What never left was never asked.
        if let Some(past) = self.past.as_mut().filter(|past| past.next_item == id) {
            past.next_item += 1;
        }
        for call in &item.calls {
            let Some(at) = self.transcript.find(*call) else { continue };
            let Some(part) = self.transcript.tool_mut(at) else { continue };
            part.unsent_output |= item.outputs.contains(call);
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
                .filter(|part| part.decision().is_some() || part.is_closed())
                .and_then(|part| part.approval.as_ref())
                .is_some_and(|approval| approvals.contains(&approval.id));
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
