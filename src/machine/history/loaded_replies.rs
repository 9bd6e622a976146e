//! Replies and a history that is taken in: which message an open reply writes, and which replies are behind us.

use crate::machine::turn::{LastReply, Reply};
use crate::machine::{Ending, Id, ItemState, Machine, Part, PartPos, Role};

impl Machine {
    /// The message that the open reply writes, in the loaded history; and the earlier one that it has named, if it has.
    pub(super) fn find_reply(&mut self, written: Option<Id>, named: Option<Option<Id>>) {
        let own = |&at: &usize| self.transcript.messages()[at].role == Role::Assistant;
        let place = written.and_then(|id| self.transcript.position(id)).filter(own);
        let named = named.map(|id| id.and_then(|id| self.transcript.position(id)).unwrap_or(Reply::NO_MESSAGE));
        let followed = place.filter(|at| at + 1 < self.transcript.messages().len());
        let parts = place.map_or(0, |at| self.transcript.messages()[at].parts.len());
        if let Some(reply) = self.exchange.reply_mut() {
            reply.message = place;
            reply.base = reply.base.min(parts);
            // The app has it: it is not dropped as one that was never shown.
            reply.hidden = false;
            (reply.is_replay, reply.is_earlier, reply.may_answer) = (false, false, false);
            // If messages follow the one being streamed, the stream may no longer add to it.
            reply.superseded = named.or(followed);
            reply.replay = None;
            reply.repeated.clear();
        }
    }

    /// The reply that wrote the last message may still be running: if the host gets hold of it again, it comes from its
    /// beginning, and nothing may be doubled.
    pub(super) fn expect_replay(&mut self) {
        let messages = self.transcript.messages();
        let Some(last) = messages.last().filter(|last| last.role == Role::Assistant) else { return };
        let unconfirmed = self.outbox.undelivered().find(|item| item.state() == ItemState::Unconfirmed);
        let base = unconfirmed.map_or(0, |_| last.parts.len());
        let (item, message) = (unconfirmed.map(|item| item.id), Some(messages.len() - 1));
        let ending = Ending::Disconnected;
        self.turn.set_last_reply(Some(LastReply { item, message, base, ending, ..LastReply::empty() }));
    }

    /// Where the history goes on after an answered call, so did the backend: that reply is not waited for any longer.
    pub(super) fn find_replies_to_answers(&mut self) {
        let follows = |at: PartPos| {
            let behind = self.transcript.messages().get(at.message).map(|message| &message.parts[at.part..]);
            behind.is_some_and(|parts| parts.iter().any(|part| matches!(part, Part::Content { .. })))
                || self.transcript.messages().len() > at.message + 1
        };
        let answered = self.outbox.items().iter().filter(|item| item.is_answer()).flat_map(|item| &item.carried);
        let mut places = answered.filter_map(|carried| self.transcript.place(carried.call));
        if places.any(follows) {
            self.answers_are_followed(false);
        }
    }
}
