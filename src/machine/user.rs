//! What the user does beside answering: writes, cancels, stops, goes on, wants it once more.

use super::machine::Machine;
use super::{
    At, Author, Cause, Code, DeliveryState, Id, Message, OnUserMessage, Payload, Phase, Refusal, Role, Trigger, Turn,
    Why,
};
use crate::prelude::*;

/// What became of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sent {
    /// It is in an outgoing item.
    Sent,
    /// It waits for something that must reach the backend first.
    Queued,
}

/// A message that waits to leave.
#[derive(Clone, PartialEq, Debug)]
pub struct Queued {
    pub(super) message: Message,
    pub(super) replaces: bool,
}

impl Machine {
    /// The user sends a message. With `replace`, it takes the place of that message and of all
    /// behind it.
    ///
    /// # Errors
    /// `message-blocked` while approvals are pending and the policy is to block; for `replace`:
    /// `busy` during a request, `malformed-event` for a message that does not exist.
    pub fn send_user_message(&mut self, message: Message, replace: Option<Id>) -> Result<Sent, Refusal> {
        if self.options.on_user_message == OnUserMessage::Block && self.undecided > 0 && replace.is_none() {
            return Err(Refusal::new(Code::MessageBlocked, Why::Blocked));
        }
        if let Some(id) = replace {
            self.truncate_at(id, false)?;
        }
        // The second message says that the user will not wait for the retry of a failed request.
        if !self.queue.is_empty() {
            self.go_on_behind_answers(true);
            if let Some(failed) = self.failed_with_approvals() {
                self.give_up(failed, Cause::Interrupt, Payload::NONE);
            }
        }
        self.take_back_denials();
        let id = message.id;
        self.queue.push(Queued { message, replaces: replace.is_some() });
        self.queue_revision += 1;
        self.touch();
        self.advance();
        let waits = self.queue.iter().any(|queued| queued.message.id == id);
        Ok(if waits { Sent::Queued } else { Sent::Sent })
    }

    /// Takes back a submission that has not left and carries denials only: they travel with the message.
    fn take_back_denials(&mut self) {
        let approves = |call: &Id| self.transcript.call(*call).is_some_and(|part| part.phase == Phase::Approved);
        let ready = self.items.iter().find(|item| {
            item.state == DeliveryState::Ready
                && item.trigger == Trigger::Submit
                && item.messages.is_empty()
                && !item.calls.iter().any(approves)
        });
        if let Some(id) = ready.map(|item| item.id) {
            self.withdraw(id);
        }
    }

    /// Lets the queued messages leave, if nothing has to reach the backend before them.
    pub(super) fn release_queue(&mut self) {
        if self.failed_with_approvals().is_some() || self.answers_wait() {
            return;
        }
        if self.undecided > 0 && !self.settle_pending() {
            return;
        }
        // What was sent and may be lost travels with the message: it has had its turn.
        let ahead = self.options.answers_ahead() && !(self.unsent().is_empty() && self.held_denials().is_empty());
        let given_up = self.items_that(&super::Item::is_undelivered);
        for id in given_up {
            self.give_up(id, Cause::Interrupt, Payload::NONE);
        }
        // What is neither decided nor settled by now will not be.
        let turn = self.turn_calls();
        for &at in &turn {
            let Some(part) = self.transcript.tool(at) else { continue };
            let kept = match part.phase {
                Phase::Approved => self.is_in_step(at) && !self.options.is_browser_tool(part),
                Phase::Denied => true,
                _ => part.is_with_provider(),
            };
            if !kept {
                // The host was free to run an approved tool of the browser.
                if self.is_in_step(at) {
                    self.apply(at, Cause::Sent);
                }
                self.apply(at, Cause::Interrupt);
            }
        }
        self.hold = false;
        self.left = false;
        let mut unsent = self.held_denials();
        unsent.extend(self.unsent());
        if self.options.answering && !unsent.is_empty() {
            self.push_answers();
            return;
        }
        let approved = |&at: &At| self.transcript.tool(at).is_some_and(|part| part.phase == Phase::Approved);
        if unsent.iter().any(|at| ahead || approved(at)) {
            self.close_earlier_steps();
            let message_id = self.transcript.last().map(|message| message.id);
            self.push_item(Trigger::Submit, &unsent, Vec::new(), message_id);
            return;
        }
        for at in turn {
            self.apply(at, Cause::ConfirmDenial);
        }
        let queue = core::mem::take(&mut self.queue);
        self.queue_revision += 1;
        let ids: Vec<Id> = queue.iter().map(|queued| queued.message.id).collect();
        let replaced = queue.iter().find(|queued| queued.replaces).map(|queued| queued.message.id);
        for queued in queue {
            self.transcript.push_message(queued.message);
        }
        self.turn = Turn::default();
        self.rule = None;
        self.decided = 0;
        self.past = None;
        self.blocker = None;
        self.push_item(Trigger::Submit, &unsent, ids, replaced);
    }

    /// Closes the turn's calls for good: something else will stand behind them.
    fn close_calls(&mut self) {
        for at in self.turn_calls() {
            if self.transcript.tool(at).is_some_and(|part| !part.is_with_provider()) {
                self.apply(at, Cause::Interrupt);
                self.apply(at, Cause::ConfirmDenial);
            }
        }
    }

    /// Applies the policy to pending approvals. `false` if the message has to wait for the user.
    pub(super) fn settle_pending(&mut self) -> bool {
        let places = self.step_calls(&|_| true);
        match self.options.on_user_message {
            OnUserMessage::Queue | OnUserMessage::Block => return false,
            OnUserMessage::DenyPending => {
                let reason = self.options.moved_on;
                for at in places {
                    if self.transcript.tool(at).is_some_and(super::ToolPart::is_pending) {
                        self.decide(at, Cause::Deny, reason, Author::Policy);
                    }
                }
            }
            OnUserMessage::CancelPending => {
                for at in places {
                    if self.transcript.tool(at).is_some_and(super::ToolPart::is_pending) {
                        self.call_off(at, Payload::NONE);
                    }
                }
            }
        }
        true
    }

    /// Gives an undelivered item up: what it carried may have run, and nobody will know.
    pub(super) fn give_up(&mut self, id: u32, cause: Cause, reason: Payload) {
        let Some(item) = self.item(id).cloned() else { return };
        // Closing its calls is no late settlement of it.
        self.drop_item(id);
        for &call in &item.calls {
            let Some(at) = self.transcript.find(call) else { continue };
            if self.transcript.tool(at).is_some_and(|part| part.phase == Phase::Submitted) {
                self.close(at, cause, reason);
            }
            let Some(part) = self.transcript.tool_mut(at) else { continue };
            // A call that was asked again has a newer decision, which is not this item's.
            let carried = part.approval.as_ref().is_some_and(|approval| item.approvals.contains(&approval.id));
            if item.state == DeliveryState::Acknowledged || part.delivery.is_none() || !carried {
                continue;
            }
            // A denial that may not have arrived travels with the next request; an answer only by a retry.
            let denied = matches!(part.phase, Phase::Denied | Phase::OutputDenied);
            // What never arrived is asked there still.
            let open = self.options.answers_ahead() && item.state == DeliveryState::Failed && part.is_closed();
            let travels = (denied || open) && !item.is_answer();
            part.delivery = travels.then_some(DeliveryState::Held);
        }
        self.touch();
    }

    /// The user withdraws without answering. Undecided calls and undelivered approvals are settled
    /// as cancelled; denials stay denials, and decisions on their way stand.
    pub fn cancel(&mut self, reason: Payload) {
        // Nobody waits for what the host has not written by now; what is cancelled here it may write.
        self.stop_rewriting();
        self.go_on_behind_answers(true);
        let ready = self.items_that(&|item| {
            item.state == DeliveryState::Ready && item.messages.is_empty() && item.trigger == Trigger::Submit
        });
        for id in ready {
            self.withdraw(id);
        }
        let given_up = self.items_that(&super::Item::is_undelivered);
        // What was told already and may be lost is not told again by itself.
        let lost = given_up.iter().any(|&id| self.item(id).is_some_and(|item| item.cancels));
        for id in given_up {
            self.give_up(id, Cause::Cancel, reason);
        }
        let streaming = self.reply.is_some();
        let sent = streaming || self.active().is_some();
        let over = self.turn.ending.is_none_or(|ending| ending.completes_step());
        for at in self.turn_calls() {
            let Some(part) = self.transcript.tool(at) else { continue };
            let browser = self.options.is_browser_tool(part) || (!streaming && over && !part.provider_executed);
            let cancels = match part.phase {
                Phase::ApprovalRequested | Phase::Approved => true,
                Phase::InputAvailable => browser,
                // Its reply ended without its result; what is on its way stands.
                Phase::Submitted if self.options.answering => self.options.is_browser_tool(part),
                Phase::Submitted => !sent && !part.provider_executed,
                _ => false,
            };
            if cancels {
                self.call_off(at, reason);
            }
        }
        if let Some(reply) = &mut self.reply {
            reply.cancelled = true;
        }
        // A denial that is left goes with the next message; nothing leaves by cancelling, unless the backend waits for it.
        let unsent = self.unsent();
        let told = self.options.cancel_answers
            && !lost
            && unsent.iter().any(|&at| self.transcript.tool(at).is_some_and(super::ToolPart::is_closed));
        self.left = !told && !unsent.is_empty();
        self.hold &= !told;
        self.touch();
        self.advance();
    }

    /// The user stops: automatic submissions that have not left are void, decisions wait for
    /// `resume` or the next message, approvals stay pending. The host ends the stream.
    pub fn stop(&mut self) {
        let ready = self.items_that(&|item| item.state == DeliveryState::Ready && item.messages.is_empty());
        for id in ready {
            self.withdraw(id);
        }
        // A message that has not left is the user's newer wish: there is no stream of it to stop.
        if self.reply.is_some() || self.active().is_some_and(|item| item.state != DeliveryState::Ready) {
            self.stopping = true;
        }
        if !self.stopping || self.options.answering {
            self.hold_decisions();
        }
        self.touch();
    }

    /// Lets go what `stop` or a bad ending held.
    pub fn resume(&mut self) {
        self.hold = false;
        self.touch();
        self.advance();
    }

    /// The last answer (or the one to or at `message_id`) is wanted once more.
    ///
    /// # Errors
    /// `busy` during a request, `malformed-event` for a message that does not exist.
    pub fn regenerate(&mut self, message_id: Option<Id>) -> Result<(), Refusal> {
        let target = message_id.or_else(|| self.transcript.last().map(|message| message.id));
        let Some(target) = target else {
            return Err(Refusal::new(Code::MalformedEvent, Why::NoMessage));
        };
        self.truncate_at(target, true)?;
        self.turn = Turn::default();
        self.push_item(Trigger::Regenerate, &[], Vec::new(), message_id);
        Ok(())
    }

    /// Drops the message and all behind it; with `keep_user`, a user's message itself stays.
    pub(super) fn truncate_at(&mut self, id: Id, keep_user: bool) -> Result<(), Refusal> {
        if self.reply.is_some() || self.items.iter().any(super::Item::is_under_way) {
            return Err(Refusal::new(Code::Busy, Why::UnderWay));
        }
        let Some(index) = self.transcript.messages().iter().position(|message| message.id == id) else {
            return Err(Refusal::new(Code::MalformedEvent, Why::NoMessage).on_call(id));
        };
        let user = self.transcript.messages()[index].role == Role::User;
        for item in self.items_that(&|item| item.state == DeliveryState::Ready) {
            self.withdraw(item);
        }
        let given_up = self.items_that(&super::Item::is_undelivered);
        for id in given_up {
            self.give_up(id, Cause::Interrupt, Payload::NONE);
        }
        self.hold = false;
        self.rule = None;
        self.past = None;
        self.transcript.cut_messages(if user && keep_user { index + 1 } else { index });
        self.close_calls();
        // As after `cancel`: a denial that is left goes with the next message.
        self.left = !self.unsent().is_empty();
        self.decided = 0;
        self.recount();
        self.touch();
        Ok(())
    }
}
