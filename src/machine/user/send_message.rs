//! The user sends a message: it is sent, or waits in the queue.

use crate::machine::{
    Code, ExchangeInput, Id, Input, Item, Kind, Machine, Message, OnUserMessage, Part, Payload, Phase, Queued, Refusal,
    RefusalReason, ToolPart,
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
}
