//! Opens a reply: to a request to the server, without one, or as a replay.

use crate::machine::{
    About, Admission, Brings, Code, Exchange, Item, ItemInput, ItemState, Kind, LastReply, Machine, Payload, Reconnect,
    Refusal, RefusalReason, Reply,
};
use crate::prelude::*;

impl Machine {
    /// Opens the reply to an item, or the reply that a reconnected stream continues.
    pub(in crate::machine) fn open_reply(&mut self, item: Option<u32>, about: About) -> Admission {
        if let Some(id) = item {
            self.withdraw_for(id);
            // The previous attempt continues, because its retry has not been sent.
            let retried = self.item(id).filter(|item| item.state() == ItemState::Ready && item.attempt > 1);
            if retried.is_some() && about.request.is_none() {
                self.take_back(id);
            }
            self.send(id);
        }
        let is_step = item.and_then(|id| self.item(id)).is_some_and(|item| !item.carried.is_empty());
        let attempt = item.and_then(|id| self.item(id)).map_or(1, |item| item.attempt);
        let labelled = about.request.is_some() || about.reconnect.is_some();
        let stopping = matches!(self.exchange, Exchange::InFlight { stopping: true, .. });
        // `await_rest` removes the limit, because an answer was sent.
        let until = u64::from(self.exchange == Exchange::Idle && self.may_have_rest());
        let reply = Reply { item, attempt, labelled, stopping, may_repeat: is_step, until, ..Reply::default() };
        self.set_exchange(Exchange::Replying(Box::new(reply)));
        if let Some(id) = item {
            self.move_item(id, ItemInput::ReplyBegins);
            self.outbox.change(id, |item| item.error = Payload::NONE);
            self.turn.reopen();
        }
        self.asides_are_followed(true);
        if let Some(how) = about.reconnect {
            self.restart_replay(how);
        }
        Admission::Current
    }

    /// Withdraws a ready request because the reply to this item continues. It is built again after the reply.
    fn withdraw_for(&mut self, id: u32) {
        let ready = self.outbox.ready_submission().filter(|ready| ready.id != id && ready.messages.is_empty());
        if let Some(ready) = ready.map(|ready| ready.id) {
            self.take_back(ready);
        }
    }

    /// Withdraws a ready retry because a reply that it does not know continues. The user can retry again after it.
    pub(in crate::machine) fn withdraw_retry(&mut self) {
        if let Some(retry) = self.outbox.ready_submission().filter(|ready| ready.attempt > 1).map(|ready| ready.id) {
            self.take_back(retry);
        }
    }

    /// Opens a reply for content that does not say which request it answers, while none is in flight, or for a
    /// reconnected stream.
    pub(in crate::machine) fn open_unrequested(&mut self, about: About, brings: Brings) -> Admission {
        let last = self.transcript.last().map(|message| message.id);
        let names_last = matches!(brings, Brings::Start(Some(id)) if Some(id) == last);
        let returns = |last: &LastReply| match about.reconnect {
            Some(_) => last.may_return(),
            None => names_last && last.is_cut(),
        };
        let cut = self.turn.last_reply().is_some_and(returns);
        // If a user message is ready that was never sent, the reply is read, and comes before the message. If the
        // decisions of a step are ready and the reply continues, they are withdrawn and submitted after it.
        let allows_reply = |ready: &Item| match ready.kind {
            Kind::Message => ready.attempt == 1 || cut,
            Kind::Step => cut,
            Kind::Regenerate | Kind::Answer | Kind::PassedMessage => false,
        };
        if let Some(ready) = self.outbox.ready_submission().filter(|ready| !allows_reply(ready)) {
            // The ready request is sent unchanged, without the unrequested content.
            let approval = ready.approvals().next();
            let refusal = Refusal::new(Code::Superseded, RefusalReason::Unasked);
            self.anomaly(Refusal { approval, ..refusal });
            return Admission::Ignored;
        }
        // The ready request was built without this content. It is withdrawn below or in `open_reply`, and built again.
        let item = if cut { self.cut_item() } else { None };
        if item.is_none() {
            self.withdraw_for(0);
            self.withdraw_retry();
        }
        let admission = self.open_reply(item, about);
        if let Some(reply) = self.exchange.reply_mut() {
            reply.reopened = item.is_some();
        }
        admission
    }

    /// Prepares a replay after a reconnect, so that repeated parts are not added twice.
    pub(in crate::machine) fn restart_replay(&mut self, how: Reconnect) {
        let last = self.turn.last_reply().copied();
        let messages = self.transcript.messages();
        // Calls are in the order of their messages: no call can be added to a message if a later one has calls.
        let may_grow = |&message: &usize| {
            message < messages.len() && messages[message + 1..].iter().all(|later| later.calls().next().is_none())
        };
        let Some(reply) = self.exchange.reply_mut().filter(|reply| !reply.reconnected) else { return };
        reply.reconnected = true;
        let last = last.filter(|last| last.may_return() && last.item == reply.item && !reply.is_earlier);
        if let (None, Some(last)) = (reply.message, last) {
            (reply.message, reply.base, reply.cancelled) = (last.written().filter(may_grow), last.base, last.cancelled);
        }
        reply.is_replay |= reply.message.is_some();
        if how == Reconnect::Start {
            self.read_again();
        }
        self.touch_exchange();
    }
}
