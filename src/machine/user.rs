//! What the user does beside answering: writes, cancels, stops, resumes, regenerates.

use super::{
    Code, Exchange, ExchangeInput, Hold, Id, Input, Item, ItemInput, ItemState, Kind, Machine, Message, OnUserMessage,
    Part, Payload, Phase, Queued, Refusal, RefusalReason, Role, ToolPart,
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

impl Machine {
    /// The user sends a message. With `replace`, it takes the place of that message and of all that follow it. Tool parts in
    /// it are left out, and an id that another message has is refused.
    ///
    /// # Errors
    /// `message-blocked` while approvals are pending and the policy is to block; `malformed-event` for a message whose id
    /// another one has; for `replace`: `busy` during a request, `malformed-event` for a message that does not exist.
    pub fn send_user_message(&mut self, mut message: Message, replace: Option<Id>) -> Result<Sent, Refusal> {
        let pending = self.transcript.waiting_for_user() > 0;
        if self.options.on_user_message == OnUserMessage::Block && pending && replace.is_none() {
            return Err(Refusal::new(Code::MessageBlocked, RefusalReason::Blocked));
        }
        let kept = replace.and_then(|id| self.transcript.position(id)).unwrap_or(usize::MAX);
        let known = self.transcript.position(message.id).is_some_and(|index| index < kept);
        if known || self.queue.has(message.id) {
            return Err(Refusal::new(Code::MalformedEvent, RefusalReason::KnownMessage));
        }
        if let Some(id) = replace {
            self.truncate_at(id, false)?;
        }
        // Who writes waits for no stream that was lost.
        if matches!(self.exchange, Exchange::Reconnecting { .. }) {
            self.set_exchange(Exchange::Idle);
        }
        message.parts.retain(|part| matches!(part, Part::Content { .. }));
        // The second message says that the user will not wait for the retry of a failed request.
        if !self.queue.is_empty() {
            self.answers_are_followed(true);
            self.give_up_for_message();
        }
        self.take_back_denials();
        let id = message.id;
        self.queue.push(Queued { message, replaces: replace.is_some() });
        self.advance();
        Ok(if self.queue.has(id) { Sent::Queued } else { Sent::Sent })
    }

    /// Gives up what the queue waits for: failed items with approvals, and lost answers of a backend that takes them first.
    fn give_up_for_message(&mut self) {
        if let Some(failed) = self.failed_with_approvals() {
            self.give_up(failed, Input::Interrupt, Payload::NONE);
        }
        if self.options.answers_first {
            for id in self.outbox.undelivered_numbers() {
                self.give_up(id, Input::Interrupt, Payload::NONE);
            }
        }
    }

    /// Takes back a submission that was not sent and carries denials only: they are sent with the message.
    fn take_back_denials(&mut self) {
        let ready = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step && !item.approves());
        let ready = ready.filter(|item| !self.runs_something(item)).map(|item| item.id);
        if let Some(id) = ready {
            self.take_back(id);
        }
    }

    /// Whether an item carries an approval that is still one.
    fn runs_something(&self, item: &Item) -> bool {
        let approves = |part: &ToolPart| part.phase() == Phase::Approved;
        item.carried.iter().any(|carried| self.transcript.call(carried.call).is_some_and(approves))
    }

    /// The user withdraws without answering. Undecided calls and undelivered approvals are settled
    /// as cancelled; denials stay denials, and decisions in flight are left alone.
    pub fn cancel(&mut self, reason: Payload) {
        // What the host has not written by now is not waited for; what is cancelled here it may write.
        self.stop_rewriting();
        self.answers_are_followed(true);
        if let Some(id) = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step).map(|item| item.id) {
            self.take_back(id);
        }
        let given_up = self.outbox.undelivered_numbers();
        // What was told already, and may be lost, is not told again automatically.
        let lost = given_up.iter().any(|&id| self.item(id).is_some_and(Item::cancels));
        for id in given_up {
            self.give_up(id, Input::Cancel, reason);
        }
        let streaming = matches!(self.exchange, Exchange::Replying(_) | Exchange::Reconnecting { .. });
        let sent = streaming || self.outbox.active().is_some();
        let over = !streaming && self.turn.ending().is_none_or(|ending| ending.completes_step());
        let cancels = |part: &ToolPart| {
            let in_page = self.options.is_page_tool(part) || (over && !part.provider_executed);
            match part.phase() {
                Phase::ApprovalRequested | Phase::Approved => true,
                Phase::InputAvailable => in_page,
                // Cancel only if the reply has ended; a request in flight is left alone.
                Phase::Submitted if self.options.answering => self.options.is_page_tool(part),
                Phase::Submitted => !sent && !part.provider_executed,
                Phase::InputStreaming
                | Phase::AutomaticRequest
                | Phase::Denied
                | Phase::Preliminary
                | Phase::OutputAvailable
                | Phase::OutputError
                | Phase::OutputDenied => false,
            }
        };
        for at in self.turn_places(&|_, part| cancels(part)) {
            self.call_off(at, reason);
        }
        if self.exchange == Exchange::Idle {
            self.turn.cancel();
        }
        self.move_exchange(ExchangeInput::Cancel);
        // Undelivered denials are sent with the next message. Cancelling sends nothing, except where the backend is told.
        let closed = self.transcript.unsent_calls().any(|(_, part)| part.is_closed());
        let told = self.options.cancel_answers && !lost && closed;
        self.turn.hold(Hold::DenialsOnly, !told && self.transcript.has_unsent());
        if told {
            self.turn.resume();
        }
        self.advance();
    }

    /// The user stops: automatic submissions that were not sent are withdrawn, decisions are held until
    /// `resume` or the next message, approvals stay pending. The host ends the stream of a request.
    pub fn stop(&mut self) {
        let ready: Vec<u32> = self.outbox.ready().filter(|item| item.messages.is_empty()).map(|item| item.id).collect();
        for id in ready {
            self.take_back(id);
        }
        self.answers_are_followed(true);
        self.move_exchange(ExchangeInput::Stop);
        let open = self.exchange != Exchange::Idle;
        if !open || self.options.answering {
            self.hold_decisions(Hold::Stopped);
        }
        self.advance();
    }

    /// Releases decisions held by `stop()` or by a stream that ended badly.
    pub fn resume(&mut self) {
        self.turn.resume();
        self.advance();
    }

    /// The last answer (or the one to or at `message_id`) is wanted again.
    ///
    /// # Errors
    /// `busy` during a request, `malformed-event` for a message that does not exist.
    pub fn regenerate(&mut self, message_id: Option<Id>) -> Result<(), Refusal> {
        let target = message_id.or_else(|| self.transcript.last().map(|message| message.id));
        let Some(target) = target else {
            return Err(Refusal::new(Code::MalformedEvent, RefusalReason::NoMessage));
        };
        let messages = self.transcript.messages();
        let asked = self.transcript.position(target).filter(|&at| messages[at].role == Role::User);
        let replaced = asked.and_then(|at| messages.get(at + 1)).map_or(target, |answer| answer.id);
        self.truncate_at(target, true)?;
        let item = self.push_item(Kind::Regenerate, &[], Vec::new(), message_id);
        self.outbox.change(item, |item| item.replaced = Some(replaced));
        Ok(())
    }

    /// Drops the message and all that follow it; with `keep_user`, a user's message itself stays.
    pub(super) fn truncate_at(&mut self, id: Id, keep_user: bool) -> Result<(), Refusal> {
        let under_way = self.outbox.has_sent_answers() || self.exchange.item().is_some();
        if under_way || self.exchange.reply().is_some() {
            return Err(Refusal::new(Code::Busy, RefusalReason::UnderWay));
        }
        let Some(index) = self.transcript.position(id) else {
            return Err(Refusal::new(Code::MalformedEvent, RefusalReason::NoMessage).on_call(id));
        };
        if matches!(self.exchange, Exchange::Reconnecting { .. }) {
            self.set_exchange(Exchange::Idle);
        }
        let user = self.transcript.messages()[index].role == Role::User;
        let ready: Vec<u32> = self.outbox.ready().map(|item| item.id).collect();
        for item in ready {
            self.take_back(item);
        }
        for id in self.outbox.undelivered_numbers() {
            self.give_up(id, Input::Interrupt, Payload::NONE);
        }
        let removed = self.transcript.cut_messages(if user && keep_user { index + 1 } else { index });
        self.turn.remove(removed);
        self.turn.forget_course();
        self.close_calls();
        // As after `cancel`: a denial that was not sent is sent with the next message.
        self.turn.hold(Hold::DenialsOnly, self.transcript.has_unsent());
        Ok(())
    }

    /// Closes the turn's calls for good: something else will follow them.
    fn close_calls(&mut self) {
        for at in self.turn_places(&|_, part| !part.is_with_provider()) {
            self.apply(at, Input::Interrupt);
            self.apply(at, Input::ConfirmDenial);
        }
    }

    /// Takes back a ready message: it was replaced or the conversation was loaded anew.
    pub(super) fn drop_ready_items(&mut self) {
        let ready = self.outbox.numbers(&|item| item.state() == ItemState::Ready);
        for id in ready {
            self.outbox.apply(id, ItemInput::GiveUp);
        }
    }
}
