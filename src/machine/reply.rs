//! What a reply writes: its message, its steps and its content.

use super::turn::{Followed, Replay};
use super::{Code, Id, Machine, Message, Part, PartPos, Payload, Refusal, RefusalReason, Role};
use crate::prelude::*;

impl Machine {
    /// The backend names the message that its reply writes. `fresh` is used when it gives no id. Without an open reply,
    /// nothing happens.
    pub fn begin(&mut self, id: Option<Id>, fresh: Id) {
        self.settle_what_is_replayed(id);
        let Some(reply) = self.exchange.reply() else { return };
        let (item, message) = (reply.item, reply.message);
        let named = id.and_then(|id| self.transcript.position(id));
        // Two messages never have one id, whatever a backend or a user calls them.
        let free = id.filter(|id| named.is_none() && !self.queue.has(*id));
        if let Some(message) = message {
            if let Some(id) = free {
                self.transcript.set_head(message, &mut |message| message.id = id);
                self.show_message();
            }
            return;
        }
        let last = self.transcript.messages().len().checked_sub(1);
        let replayed = last.filter(|&last| self.repeats_last_reply(id, last, item));
        let continued = replayed.or(last.filter(|&last| self.continues(id, last, item)));
        // What answers a request is new, whatever a backend calls it: its content must not be lost.
        if let Some(named) = named.filter(|_| named != last && item.is_none()) {
            if let Some(reply) = self.exchange.reply_mut() {
                reply.superseded = Some(named);
            }
            return;
        }
        let known = self.turn.last_reply().filter(|_| replayed.is_some()).cloned();
        let base = match (&known, continued) {
            (Some(known), _) => known.base,
            (None, Some(at)) => self.transcript.messages()[at].parts.len(),
            (None, None) => 0,
        };
        let is_replay = replayed.is_some() && id.is_some();
        let message = continued.unwrap_or_else(|| self.add_message(free.unwrap_or(fresh)));
        if let Some(reply) = self.exchange.reply_mut() {
            reply.message = Some(message);
            reply.base = base;
            reply.is_new = continued.is_none();
            reply.hidden = continued.is_none() && id.is_none();
            reply.is_replay = is_replay;
            reply.replay = is_replay.then(|| Replay { cursor: base, opened: Vec::new() });
            reply.cancelled |= known.is_some_and(|known| known.cancelled);
        }
        self.touch_exchange();
    }

    /// Whether a reply with this message id is the last one again, or the rest of it: that was cut off, or no request was
    /// sent since it ended well and a page that resumes is sent it again.
    fn repeats_last_reply(&self, id: Option<Id>, last: usize, item: Option<u32>) -> bool {
        let Some(known) = self.turn.last_reply().filter(|known| known.written() == Some(last)) else { return false };
        let same = id == Some(self.transcript.messages()[last].id);
        let was_cut = !known.ending.completes_step() && known.item == item && (same || id.is_none());
        // A reply that was read without its request, and is got hold of again.
        let reconnected = known.item.is_none() && self.exchange.reply().is_some_and(|reply| reply.reconnected);
        was_cut || (same && known.followed == Followed::Not && (item.is_none() || item == known.item || reconnected))
    }

    /// Whether a reply goes on with the last message.
    fn continues(&self, id: Option<Id>, last: usize, item: Option<u32>) -> bool {
        let message = &self.transcript.messages()[last];
        // One id is one message: a reply that names the last one goes on with it, whatever was asked.
        let named = id == Some(message.id);
        let asks_anew = item.and_then(|id| self.item(id)).is_some_and(super::Item::asks_anew);
        message.role == Role::Assistant && (named || (id.is_none() && !asks_anew))
    }

    /// Adds the message of a new reply. A user's message that is about to be sent stays the last one.
    fn add_message(&mut self, id: Id) -> usize {
        let unsent = self.outbox.ready_submission().map_or(0, |item| item.messages.len());
        let place = self.transcript.messages().len().saturating_sub(unsent);
        if unsent == 0
            && let Some(last) = place.checked_sub(1)
        {
            self.supersede_calls(self.transcript.open_calls_from(last));
        }
        self.turn.leave_step();
        self.turn.shift(place);
        self.transcript.insert_message(place, Message::new(id, Role::Assistant))
    }

    /// Closes approvals that a later step or message supersedes: servers execute only the last step.
    pub(super) fn supersede_calls(&mut self, calls: Vec<PartPos>) {
        for at in calls {
            let Some(part) = self.transcript.tool(at) else { continue };
            if matches!(part.phase(), super::Phase::ApprovalRequested | super::Phase::Approved) {
                self.supersede_approval(at);
                self.close(at, super::Input::Interrupt, self.options.superseded);
            }
        }
    }

    /// Closes the approval of a call for good.
    pub(super) fn supersede_approval(&mut self, at: PartPos) {
        let Some(part) = self.transcript.tool(at) else { return };
        if let (Some(approval), key) = (part.approval.as_ref().map(|approval| approval.id), part.key()) {
            self.transcript.supersede(approval, key);
        }
    }

    /// The message that the reply writes; it is begun if the backend never named one. None without an open reply.
    pub(super) fn reply_message(&mut self, fresh: Id) -> Option<usize> {
        if self.exchange.reply()?.message.is_none() {
            self.begin(None, fresh);
        }
        self.exchange.reply()?.message
    }

    /// The message that the reply writes, if it has begun one.
    #[must_use]
    pub fn current_message(&self) -> Option<usize> {
        self.exchange.reply()?.message
    }

    /// The backend adds something that is no tool call. Returns its position; none without an open reply.
    pub fn content(&mut self, kind: u8, value: Payload, fresh: Id) -> Option<PartPos> {
        let message = self.reply_message(fresh)?;
        self.mark_content();
        let repeated = self.replayed(|part| matches!(part, Part::Content { kind: was, .. } if *was == kind));
        if let Some(at) = repeated {
            self.transcript.set_content(at, kind, value);
            return Some(at);
        }
        self.push_new(message, Part::Content { kind, value })
    }

    /// The backend adds text: what is announced after it is new.
    pub fn text(&mut self, kind: u8, value: Payload, fresh: Id) -> Option<PartPos> {
        let at = self.content(kind, value, fresh);
        self.end_repetitions();
        at
    }

    /// The backend adds something that is no tool call while no reply is open: it goes to the last message, if that is the
    /// assistant's. Returns its position.
    pub fn content_outside(&mut self, kind: u8, value: Payload) -> Option<PartPos> {
        let last = self.transcript.messages().iter().rposition(|message| message.role == Role::Assistant);
        let Some(message) = last.filter(|&last| self.transcript.is_in_turn(last)) else {
            self.anomaly(Refusal::new(Code::MalformedEvent, RefusalReason::NoReply));
            return None;
        };
        self.transcript.push_part(message, Part::Content { kind, value })
    }

    /// The value of a content part changed.
    pub fn content_changed(&mut self, at: PartPos, value: Payload) {
        if let Some((kind, _)) = self.transcript.content(at) {
            self.transcript.set_content(at, kind, value);
            self.mark_content();
        }
    }

    /// The model is called (again): a new step begins.
    pub fn step_start(&mut self, fresh: Id) {
        let Some(message) = self.reply_message(fresh) else { return };
        self.answers_nothing_else();
        if self.replayed(|part| matches!(part, Part::StepStart)).is_some() {
            return;
        }
        self.end_repetitions();
        if self.transcript.is_in_turn(message) {
            self.supersede_calls(self.transcript.open_calls_from(message));
        }
        self.turn.leave_step();
        self.push_new(message, Part::StepStart);
    }

    /// The model has finished a step. One that failed is no work, though backends finish it too.
    pub fn step_finish(&mut self) {
        if self.exchange.reply().is_some_and(|reply| reply.content && reply.ending.is_none()) {
            self.turn.work();
        }
    }

    /// The backend takes back everything of the current step, as far as it came in this reply.
    pub fn step_reset(&mut self) {
        let Some((message, base)) = self.exchange.reply().and_then(|reply| Some((reply.message?, reply.base))) else {
            return;
        };
        let Some(from) = self.transcript.messages().get(message).map(|message| message.last_step().max(base)) else {
            return;
        };
        let removed = self.transcript.cut_parts(message, from);
        self.turn.remove(removed);
        self.turn.cut(message, from);
        if let Some(reply) = self.exchange.reply_mut() {
            reply.replay = None;
        }
        // A request about what was taken back is not sent.
        let gone = |item: &super::Item| item.carried.iter().any(|carried| self.transcript.call(carried.call).is_none());
        let ready: Vec<u32> = self.outbox.ready().filter(|item| gone(item)).map(|item| item.id).collect();
        for id in ready {
            self.take_back(id);
        }
    }

    /// The message's fields (metadata) changed.
    pub fn message_fields(&mut self, fields: Payload, fresh: Id) {
        if let Some(message) = self.reply_message(fresh) {
            self.transcript.set_head(message, &mut |message| message.fields = fields);
            self.show_message();
        }
    }

    pub(super) fn mark_content(&mut self) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        if !reply.content {
            reply.content = true;
            let is_unrequested = reply.item.is_none() && !reply.is_earlier;
            if is_unrequested {
                self.turn.reopen();
            }
        }
        self.mark_shown();
    }

    pub(super) fn mark_shown(&mut self) {
        if let Some(reply) = self.exchange.reply_mut().filter(|reply| !reply.shown) {
            reply.shown = true;
            self.touch_exchange();
            self.show_message();
        }
    }

    /// The host names the message that the backend gave no id: that shows nothing yet.
    pub fn name_message(&mut self, id: Id) {
        let Some(message) = self.current_message() else { return };
        if self.transcript.position(id).is_none() && !self.queue.has(id) {
            self.transcript.set_head(message, &mut |message| message.id = id);
        }
    }

    /// The reply's message is shown from here on.
    ///
    /// As in the AI SDK (`ui/process-ui-message-stream.ts`): the start of a message shows it if it names it or brings metadata.
    fn show_message(&mut self) {
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

    /// From here on an announcement of a settled call is no repetition.
    pub(super) fn end_repetitions(&mut self) {
        if let Some(reply) = self.exchange.reply_mut() {
            reply.may_repeat = false;
        }
    }

    /// During a replay: the part where this one would go, if it is of the same sort.
    pub(super) fn replayed(&mut self, same: impl FnOnce(&Part) -> bool) -> Option<PartPos> {
        let reply = self.exchange.reply_mut()?;
        let (message, cursor) = (reply.message?, reply.replay.as_ref()?.cursor);
        let part = self.transcript.messages().get(message)?.parts.get(cursor);
        if part.is_some_and(same) {
            if let Some(replay) = &mut reply.replay {
                replay.cursor = cursor + 1;
            }
            return Some(PartPos { message, part: cursor });
        }
        // Past its end: what comes now is new.
        if part.is_none() {
            reply.replay = None;
        }
        None
    }

    /// Adds a part that is new. From here on a replay brings what did not come before.
    pub(super) fn push_new(&mut self, message: usize, part: Part) -> Option<PartPos> {
        let end = self.transcript.messages().get(message).map_or(0, |message| message.parts.len());
        if let Some(reply) = self.exchange.reply_mut() {
            // The reply to a retry may differ from the first one: what it brings begins here, if it is replayed in turn.
            let unfinished = reply.replay.as_ref().is_some_and(|replay| replay.cursor < end);
            let is_other = reply.attempt > 1 && unfinished && part.tool().is_none();
            reply.replay = None;
            if is_other {
                (reply.base, reply.is_replay) = (end, false);
            }
        }
        self.transcript.push_part(message, part)
    }

    /// Whether the part was there before this reply, and the reply repeats it.
    pub(super) fn is_replayed(&self, at: PartPos) -> bool {
        self.exchange.reply().is_some_and(|reply| reply.is_replay && reply.message == Some(at.message))
    }
}
