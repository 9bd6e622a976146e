//! Ends a reply: settles or closes its calls, and settles or stalls its item.

use crate::machine::{
    Code, DeliveryState, Ending, Event, Exchange, Hold, Id, Input, Item, ItemInput, ItemState, LastReply, Machine,
    Part, Phase, Refusal, RefusalReason, Reply, Role, ToolPart, TurnStatus,
};
use crate::prelude::*;

impl Machine {
    /// Ends the open reply.
    pub(in crate::machine) fn end_reply(&mut self, ending: Ending) {
        if ending.completes_step() {
            self.pass_known_parts(false);
        }
        self.read_on();
        let Exchange::Replying(reply) = core::mem::take(&mut self.exchange) else { return };
        self.touch_exchange();
        let reply = *reply;
        let ending = match ending {
            Ending::Finished if !reply.content || self.ends_in_an_empty_step(&reply) => Ending::Empty,
            ending => ending,
        };
        let message = self.drop_unshown_message(&reply);
        // An unrequested reply without content does not end the turn, unless it was the rest of a reply that broke off.
        let counts = reply.item.is_some() || reply.content || (reply.is_replay && self.turn.broke_off());
        let counts = counts && !reply.is_earlier;
        if counts {
            self.turn.end(ending);
        }
        // A reply that was reopened, and has written nothing, may still be written.
        let writes = message.is_some() || (counts && !reply.reopened);
        if writes && !reply.is_earlier {
            let (item, cancelled) = (reply.item, reply.cancelled);
            // The rest of a reply that broke off belongs to it: a stream from the start begins where that reply began.
            let known = if reply.is_replay { self.turn.last_reply() } else { None };
            let base = known.map_or(reply.base, |last| last.base);
            self.turn.set_last_reply(Some(LastReply { item, message, base, ending, cancelled, ..LastReply::empty() }));
        }
        self.close_items(&reply, ending);
        self.close_unfinished(message, ending);
        if counts {
            self.turn.set_broke_off(!ending.completes_step());
        }
        if reply.is_replay && !reply.is_earlier && ending.completes_step() {
            self.turn.resume();
        }
        let is_over_limit = counts && self.turn.is_over_limit(reply.invalid);
        if reply.stopping {
            self.hold_decisions(Hold::Stopped);
        } else if is_over_limit && ending.completes_step() {
            self.turn.end(Ending::Failed);
            self.hold_decisions(Hold::BadEnding);
            self.anomaly(Refusal::new(Code::MalformedEvent, RefusalReason::InvalidInputs));
        } else if counts && !ending.completes_step() {
            self.hold_decisions(Hold::BadEnding);
        }
        self.asides_are_followed(false);
    }

    /// Settles the item of a reply that ended, or marks it as stalled.
    fn close_items(&mut self, reply: &Reply, ending: Ending) {
        let Some(item) = reply.item.and_then(|id| self.item(id)) else { return };
        let (id, is_aside) = (item.id, item.is_aside());
        if item.state() != ItemState::Replying {
            return;
        }
        let calls = item.calls();
        // A repeated item or a cancellation only has to arrive; its reply may be empty.
        let only_arrives = item.cancels() || (item.repeated && item.attempt > 1);
        let owes_content = !is_aside && !only_arrives;
        for &key in &calls {
            if let Some(at) = self.transcript.place(key) {
                self.apply(at, Input::ConfirmDenial);
            }
        }
        let owes = self.item(id).is_some_and(|item| self.owes_to_user(item));
        let empty = owes_content && !reply.content;
        let complete = matches!(ending, Ending::Finished | Ending::Empty);
        if !is_aside && complete && (owes || empty) {
            let approvals: Vec<Id> = self.item(id).map(|item| item.approvals().listed()).unwrap_or_default();
            self.move_item(id, ItemInput::ReplyIsIncomplete);
            if self.item(id).is_some_and(|item| item.state() == ItemState::Stalled) {
                self.push_event(Event::Stalled { item: id, approvals });
            }
        } else {
            self.move_item(id, ItemInput::ReplyEnds);
        }
    }

    /// Removes the message of a reply that showed nothing. Returns the message that stays.
    fn drop_unshown_message(&mut self, reply: &Reply) -> Option<usize> {
        let index = reply.message?;
        let is_last = index + 1 == self.transcript.messages().len();
        if !(reply.hidden && is_last) {
            return Some(index);
        }
        self.transcript.cut_messages(index);
        self.turn.forget_message(index);
        None
    }

    /// Removes a turn that ended badly, so that the user's message is the last one again. Returns whether there was
    /// one.
    pub fn drop_turn(&mut self) -> bool {
        let bad = matches!(self.turn_status(), TurnStatus::Incomplete | TurnStatus::Error | TurnStatus::Stalled);
        let messages = self.transcript.messages();
        let user = messages.iter().rposition(|message| message.role == Role::User);
        let Some(next) = user.and_then(|user| messages.get(user + 1)).map(|next| next.id).filter(|_| bad) else {
            return false;
        };
        self.truncate_at(next, false).is_ok()
    }

    /// Whether the last step of the reply is empty. The turn is then not done.
    fn ends_in_an_empty_step(&self, reply: &Reply) -> bool {
        let message = reply.message.and_then(|index| self.transcript.messages().get(index));
        message.is_some_and(|message| message.parts.last() == Some(&Part::StepStart))
    }

    /// Whether an approved call of the item has no result, and the provider does not run it.
    fn owes_to_user(&self, item: &Item) -> bool {
        let owes = |part: &ToolPart| part.phase() == Phase::Submitted && !part.provider_executed;
        item.carried.iter().any(|carried| self.transcript.call(carried.call).is_some_and(owes))
    }

    /// Holds the decisions made so far until the user's next command.
    pub(in crate::machine) fn hold_decisions(&mut self, hold: Hold) {
        if self.transcript.has_unsent() {
            self.turn.hold(hold, true);
        }
    }

    /// Closes what a stream left unfinished. After a stream that broke off, a replay may still finish it, so the next
    /// request closes it instead.
    fn close_unfinished(&mut self, message: Option<usize>, ending: Ending) {
        // A reply that only reports on calls has no message of its own: these calls are in the last message.
        let last = self.transcript.messages().len().checked_sub(1);
        let Some(index) = message.or(last) else { return };
        let mut calls = self.transcript.open_calls_from(index);
        calls.keep(|at| at.message == index);
        for at in calls {
            let Some(part) = self.transcript.tool(at) else { continue };
            // A user message follows the call.
            if !self.transcript.is_in_turn(at.message) && !part.is_with_provider() {
                self.supersede_approval(at);
                self.apply(at, Input::Interrupt);
                self.apply(at, Input::ConfirmDenial);
                continue;
            }
            let was_delivered = self.delivery(part).is_none_or(|state| state == DeliveryState::Acknowledged);
            let phase = part.phase();
            if ending.completes_step() && (phase.is_streaming() || phase == Phase::Preliminary) {
                self.apply(at, Input::Interrupt);
            } else if was_delivered && phase == Phase::Denied {
                // The backend denied the call itself, or has received the denial.
                self.apply(at, Input::ConfirmDenial);
            }
        }
    }
}
