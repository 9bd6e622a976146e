//! The message that a reply writes: how it begins, its id, and whether it is shown.

use crate::machine::{Followed, Id, Item, Machine, Message, Payload, Role};

impl Machine {
    /// Starts the reply's message. `fallback_id` is its id if `id` is `None`. Does nothing without an open reply.
    pub fn begin(&mut self, id: Option<Id>, fallback_id: Id) {
        self.find_replayed_message(id);
        let Some(reply) = self.exchange.reply() else { return };
        let (item, message) = (reply.item, reply.message);
        let named = id.and_then(|id| self.transcript.position(id));
        // Two messages never have the same id, even if the backend or the user reuses one.
        let free = id.filter(|id| named.is_none() && !self.queue.has(*id));
        if let Some(message) = message {
            if let Some(id) = free {
                self.transcript.set_head(message, &mut |message| message.id = id);
                self.show_message();
            }
            // The server repeats a reply that came before the last one.
            if let (Some(earlier), Some(reply)) = (named.filter(|&named| named < message), self.exchange.reply_mut())
                && reply.reconnected
                && !reply.content
            {
                reply.superseded = Some(earlier);
                self.touch_exchange();
            }
            return;
        }
        let last = self.transcript.messages().len().checked_sub(1);
        let replayed = last.filter(|&last| self.repeats_last_reply(id, last, item));
        let continued = replayed.or(last.filter(|&last| self.continues(id, last, item)));
        // The reply to a request is new even if it reuses a message id. Its content must not be lost.
        if let Some(named) = named.filter(|_| named != last && item.is_none()) {
            if let Some(reply) = self.exchange.reply_mut() {
                reply.superseded = Some(named);
            }
            return;
        }
        let known = self.turn.last_reply().filter(|_| replayed.is_some()).copied();
        let base = match (&known, continued) {
            (Some(known), _) => known.base,
            (None, Some(at)) => self.transcript.messages()[at].parts.len(),
            (None, None) => 0,
        };
        let message = continued.unwrap_or_else(|| self.add_message(free.unwrap_or(fallback_id)));
        // Only the last message can be hidden. An unrequested reply comes before a user message that was not sent.
        let is_last = message + 1 == self.transcript.messages().len();
        if let Some(reply) = self.exchange.reply_mut() {
            reply.message = Some(message);
            reply.base = base;
            reply.hidden = is_last && continued.is_none() && id.is_none();
            reply.is_replay = replayed.is_some() && id.is_some();
            reply.cancelled |= known.is_some_and(|known| known.cancelled);
            if reply.is_replay {
                self.read_again();
            }
        }
        self.touch_exchange();
    }

    /// Whether a reply with this message id repeats or continues the last one. It does if the last one was cut off, or
    /// if it ended well and no request was sent since, as when a resumed page receives it again.
    fn repeats_last_reply(&self, id: Option<Id>, last: usize, item: Option<u32>) -> bool {
        let Some(known) = self.turn.last_reply().filter(|known| known.written() == Some(last)) else { return false };
        let same = id == Some(self.transcript.messages()[last].id);
        let was_cut = known.is_cut() && known.item == item && (same || id.is_none());
        // This reply was read without its request before, and the host has reconnected to it.
        let reconnected = known.item.is_none() && self.exchange.reply().is_some_and(|reply| reply.reconnected);
        was_cut || (same && known.followed == Followed::Not && (item.is_none() || item == known.item || reconnected))
    }

    /// Whether a reply continues the last message.
    fn continues(&self, id: Option<Id>, last: usize, item: Option<u32>) -> bool {
        let message = &self.transcript.messages()[last];
        // A reply that names the last message continues it, even if a new message was requested.
        let named = id == Some(message.id);
        let asks_for_reply = item.and_then(|id| self.item(id)).is_some_and(Item::asks_for_reply);
        message.role == Role::Assistant && (named || (id.is_none() && !asks_for_reply))
    }

    /// Adds the message of a new reply. A user message that is about to be sent stays the last one.
    fn add_message(&mut self, id: Id) -> usize {
        let unsent = self.outbox.ready_submission().map_or(0, |item| item.messages.len());
        let place = self.transcript.messages().len().saturating_sub(unsent);
        if unsent == 0
            && !self.options.answering
            && let Some(last) = place.checked_sub(1)
        {
            self.supersede_calls(&self.transcript.open_calls_from(last));
        }
        self.turn.leave_step();
        self.turn.shift(place);
        self.transcript.insert_message(place, Message::new(id, Role::Assistant))
    }

    /// The message that the reply writes, which is created if the backend never started one. `None` without an open
    /// reply.
    pub(in crate::machine) fn reply_message(&mut self, fallback_id: Id) -> Option<usize> {
        if self.exchange.reply()?.message.is_none() {
            self.begin(None, fallback_id);
        }
        self.exchange.reply()?.message
    }

    /// The message that the reply writes, if it has begun one.
    #[must_use]
    pub fn current_message(&self) -> Option<usize> {
        self.exchange.reply()?.message
    }

    /// Sets the message's fields (metadata).
    pub fn message_fields(&mut self, fields: Payload, fallback_id: Id) {
        if let Some(message) = self.reply_message(fallback_id) {
            self.transcript.set_head(message, &mut |message| message.fields = fields);
            self.show_message();
        }
    }

    /// Sets the id of a message that the backend did not name. This alone does not show the message.
    pub fn name_message(&mut self, id: Id) {
        let Some(message) = self.current_message() else { return };
        if self.transcript.position(id).is_none() && !self.queue.has(id) {
            self.transcript.set_head(message, &mut |message| message.id = id);
        }
    }

    /// Shows the reply's message from now on.
    ///
    /// As in the AI SDK (`ui/process-ui-message-stream.ts`), the start of a message shows it if it has an id or
    /// metadata.
    pub(in crate::machine) fn show_message(&mut self) {
        let Some(reply) = self.exchange.reply_mut().filter(|reply| reply.hidden) else { return };
        reply.hidden = false;
        if let Some(message) = reply.message {
            self.transcript.set_head(message, &mut |_| {});
        }
    }

    /// How many messages are shown.
    #[must_use]
    pub fn shown_messages(&self) -> usize {
        let hidden = self.exchange.reply().is_some_and(|reply| reply.hidden && reply.message.is_some());
        self.transcript.messages().len() - usize::from(hidden)
    }

    /// The index of the current step's first part in the last shown message; the number of its parts if no step is
    /// shown.
    #[must_use]
    pub fn shown_step(&self) -> usize {
        let last = self.shown_messages().checked_sub(1);
        let message = last.and_then(|last| self.transcript.messages().get(last));
        match self.transcript.step_start() {
            Some(start) if Some(start.message) == last => start.part,
            Some(start) if Some(start.message) < last => 0,
            Some(_) | None => message.map_or(0, |message| message.parts.len()),
        }
    }
}
