//! The user's commands other than decisions: send a message, cancel, stop, resume, regenerate.

use super::{
    Code, Exchange, ExchangeInput, Hold, Id, Input, Item, Kind, Machine, Message, OnUserMessage, Part, PartPos,
    Payload, Phase, Queued, Refusal, RefusalReason, Role, ToolPart,
};
use crate::prelude::*;

/// The outcome of [`Machine::send_user_message`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sent {
    /// The message is in an outgoing item.
    Sent,
    /// The message waits until something else is delivered or decided.
    Queued,
}

impl Machine {
    /// Sends a user message. `replace`: the message to replace; it and all later ones, queued ones too, are removed.
    /// Tool parts of the message are dropped.
    ///
    /// # Errors
    /// `message-blocked` if approvals are pending and the policy is `Block`; `malformed-event` if another message has
    /// the same id, or if there is no message to replace; `busy` for a replacement during a request to the server.
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
            self.queue.take();
        }
        self.move_exchange(ExchangeInput::MoveOn);
        message.parts.keep(|part| matches!(part, Part::Content { .. }));
        // A second message shows that the user will not wait for the retry of a failed request.
        if self.has_waiting_message() || self.has_lost_message() {
            self.asides_are_followed(true);
            self.give_up_for_message();
        }
        self.close_held();
        self.take_back_denials();
        let id = message.id;
        self.queue.push(Queued::new(message, replace.is_some()));
        self.advance();
        let last = self.queue.messages().last().filter(|last| last.message.id == id);
        Ok(if last.is_some_and(|last| self.passing_item(last).is_none()) { Sent::Queued } else { Sent::Sent })
    }

    /// Gives up the items that block queued messages: a failed one with approvals, answers and messages that may be
    /// lost, for which the agent waits, and whatever the backend requires before a message.
    fn give_up_for_message(&mut self) {
        if let Some(failed) = self.failed_with_approvals() {
            self.give_up(failed, Input::Interrupt, Payload::NONE);
        }
        for id in self.outbox.undelivered_numbers() {
            if self.options.answers_first || self.item(id).is_some_and(Item::is_aside) {
                self.give_up(id, Input::Interrupt, Payload::NONE);
            }
        }
    }

    /// Withdraws a ready submission that has denials only: they are sent with the message.
    fn take_back_denials(&mut self) {
        let ready = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step && !item.approves());
        let ready = ready.filter(|item| !self.runs_something(item)).map(|item| item.id);
        if let Some(id) = ready {
            self.take_back(id);
        }
    }

    /// Whether an item has an approval that still applies.
    fn runs_something(&self, item: &Item) -> bool {
        let approves = |part: &ToolPart| part.phase() == Phase::Approved;
        item.carried.iter().any(|carried| self.transcript.call(carried.call).is_some_and(approves))
    }

    /// Cancels everything that is pending. Undecided calls and undelivered approvals settle as cancelled. Denials and
    /// outputs stay, and requests in flight are not changed.
    pub fn cancel(&mut self, reason: Payload) {
        // Stop waiting for rewrites now; the host may still rewrite results of calls that are cancelled below.
        self.stop_rewriting();
        self.asides_are_followed(true);
        if let Some(id) = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step).map(|item| item.id) {
            self.take_back(id);
        }
        // A cancellation that was sent once, and may be lost, is not sent again automatically.
        let lost = self.outbox.find_undelivered(&Item::cancels).is_some();
        self.give_up_all(Input::Cancel, reason);
        let streaming = matches!(self.exchange, Exchange::Replying(_) | Exchange::Reconnecting { .. });
        let sent = streaming || self.outbox.active().is_some();
        let over = self.options.page_tools.rest
            && !streaming
            && self.turn.ending().is_none_or(|ending| ending.completes_step());
        let cancels = |part: &ToolPart| {
            let in_page = self.options.is_page_tool(part) || (over && !part.provider_executed);
            match part.phase() {
                phase if phase.is_revocable() => true,
                Phase::InputAvailable => in_page,
                // A request in flight is not changed: approved calls are cancelled only if no request is under way.
                Phase::Submitted if self.options.answering => self.options.is_page_tool(part),
                phase => phase == Phase::Submitted && !sent && !part.provider_executed,
            }
        };
        for at in self.turn_places(&|_, part| cancels(part)) {
            self.close_call(at, Input::Cancel, reason);
        }
        if self.exchange == Exchange::Idle {
            self.turn.cancel();
        }
        self.move_exchange(ExchangeInput::Cancel);
        self.settle_cancelled(lost);
    }

    /// Cancels the call of an approval that was given and is in no request yet. Other calls stay as they are, so other
    /// approvals are held as before. Nothing happens if the approval was sent, is undecided, or has no call.
    pub fn cancel_unsent(&mut self, approval: Id, reason: Payload) {
        let owns = |at: &PartPos| self.transcript.tool(*at).and_then(ToolPart::approval_id) == Some(approval);
        let Some(at) = self.unsent_approvals().find(owns) else { return };
        self.close_call(at, Input::Cancel, reason);
        self.settle_cancelled(false);
    }

    /// Gives up one undelivered item, as `cancel` does with all of them. Its approved calls are cancelled, and may have
    /// run.
    ///
    /// # Errors
    /// `unknown-outgoing` if no item ever had this number.
    pub fn cancel_item(&mut self, id: u32, reason: Payload) -> Result<(), Refusal> {
        self.known(id)?;
        let Some(item) = self.item(id).filter(|item| item.state().is_undelivered()) else { return Ok(()) };
        let lost = item.cancels();
        self.give_up(id, Input::Cancel, reason);
        self.settle_cancelled(lost);
        Ok(())
    }

    /// Sends what a cancellation leaves. Unsent denials and outputs are sent with the next message: cancelling sends
    /// nothing, except on protocols that report cancellations. `lost`: the cancellation was sent before, and may be
    /// lost. An approval that is still held is not released.
    fn settle_cancelled(&mut self, lost: bool) {
        let closed = self.transcript.unsent_calls().any(|(_, part)| part.is_closed());
        let reports_cancellation = self.options.cancel_answers && !lost && closed;
        self.turn.hold(Hold::DenialsOnly, !reports_cancellation && self.transcript.has_unsent());
        if reports_cancellation && self.unsent_approvals().next().is_none() {
            self.turn.resume();
        }
        self.advance();
    }

    /// Stops automatic sending: submissions that were not sent are withdrawn, and approvals stay pending. Approvals
    /// that were given before are held until `resume`, a retry or another approval; the next message closes them. The
    /// host must end the stream of an open request itself.
    pub fn stop(&mut self) {
        for id in self.outbox.ready_numbers() {
            if self.item(id).is_some_and(|item| item.tool.is_some() && item.approves()) {
                // The approval of its call was sent before, so nothing could release this one later.
                self.refuse_request(id);
            } else if self.item(id).is_some_and(|item| item.messages.is_empty()) {
                self.take_back(id);
            }
        }
        self.asides_are_followed(true);
        self.move_exchange(ExchangeInput::Stop);
        let open = self.exchange != Exchange::Idle;
        if !open || self.options.answering {
            self.hold_decisions(Hold::Stopped);
        }
        self.advance();
    }

    /// Releases decisions held by `stop` or by a stream that ended badly.
    ///
    /// Unless the protocol is an answering one, also continues a reply that reached a step limit.
    pub fn resume(&mut self) {
        let continues = self.is_paused();
        self.turn.resume();
        if continues {
            let message_id = self.transcript.last().map(|message| message.id);
            self.push_item(Kind::Step, &[], Vec::new(), message_id);
        }
        self.advance();
    }

    /// Asks for the last reply again. `message_id`: asks for this reply, or for the reply to this user message. Removes
    /// the old reply and all messages after it, queued ones too.
    ///
    /// # Errors
    /// `busy` during a request to the server; `malformed-event` if there is no such message.
    pub fn regenerate(&mut self, message_id: Option<Id>) -> Result<(), Refusal> {
        let target = message_id.or_else(|| self.transcript.last().map(|message| message.id));
        let Some(target) = target else {
            return Err(Refusal::new(Code::MalformedEvent, RefusalReason::NoMessage));
        };
        let messages = self.transcript.messages();
        let asked = self.transcript.position(target).filter(|&at| messages[at].role == Role::User);
        let replaced = asked.and_then(|at| messages.get(at + 1)).map_or(target, |answer| answer.id);
        self.truncate_at(target, true)?;
        self.queue.take();
        let item = self.push_item(Kind::Regenerate, &[], Vec::new(), message_id);
        self.outbox.change(item, |item| item.replaced = Some(replaced));
        Ok(())
    }

    /// Removes the message and all later ones. With `keep_user`, a user message with this id stays.
    pub(super) fn truncate_at(&mut self, id: Id, keep_user: bool) -> Result<(), Refusal> {
        let under_way = self.outbox.has_sent_asides() || self.exchange.item().is_some();
        if under_way || self.exchange.reply().is_some() {
            return Err(Refusal::new(Code::Busy, RefusalReason::UnderWay));
        }
        let Some(index) = self.transcript.position(id) else {
            return Err(Refusal::new(Code::MalformedEvent, RefusalReason::NoMessage).on_call(id));
        };
        self.move_exchange(ExchangeInput::MoveOn);
        let user = self.transcript.messages()[index].role == Role::User;
        for item in self.outbox.ready_numbers() {
            self.take_back(item);
        }
        self.give_up_all(Input::Interrupt, Payload::NONE);
        let from = if user && keep_user { index + 1 } else { index };
        self.keep_removed_requests(from);
        let (removed, _) = self.transcript.cut_messages(from);
        self.turn.remove(removed);
        self.turn.forget_course();
        self.turn.set_last_reply(None);
        self.close_calls();
        // As in `cancel`: what was not sent is sent with the next message.
        self.turn.hold(Hold::DenialsOnly, self.transcript.has_unsent());
        Ok(())
    }

    /// Closes the turn's calls, because other content will follow them.
    fn close_calls(&mut self) {
        for at in self.turn_places(&|_, part| !part.is_with_provider()) {
            self.apply(at, Input::Interrupt);
            self.apply(at, Input::ConfirmDenial);
        }
    }
}
