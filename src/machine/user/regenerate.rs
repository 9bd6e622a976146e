//! The user asks for a message once more: what followed it is removed.

use crate::machine::{Code, ExchangeInput, Hold, Id, Input, Kind, Machine, Payload, Refusal, RefusalReason, Role};
use crate::prelude::*;

impl Machine {
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
    pub(in crate::machine) fn truncate_at(&mut self, id: Id, keep_user: bool) -> Result<(), Refusal> {
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
