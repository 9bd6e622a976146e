//! The reply that is coming in: which request it answers, which message it writes, how it ends.

use super::machine::Machine;
use super::transcript::Message;
use super::{At, DeliveryState, Ending, Id, Part, Payload, Role, Trigger};
use crate::prelude::*;

/// Which request an event answers, as far as its reader knows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// The outgoing item; none: the one whose reply is awaited.
    pub request: Option<u32>,
    /// Which attempt of it; none: the last.
    pub attempt: Option<u32>,
}

/// Whether an event may write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// It belongs to the reply that is coming in.
    Current,
    /// It belongs to a request that something newer replaced: it may settle the calls which that
    /// request carried, and nothing else.
    Late(Option<u32>),
}

/// A reply that is coming in.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reply {
    /// The item it answers; none: the host fed it without one.
    pub item: Option<u32>,
    /// The attempt it answers.
    pub attempt: u32,
    /// The message it writes, once it has begun one.
    pub message: Option<usize>,
    /// How many parts that message had before.
    pub base: usize,
    /// Some content came.
    pub content: bool,
    /// Something came that a user can see.
    pub shown: bool,
    /// How it ends, if an event has said so.
    pub ending: Option<Ending>,
    /// `cancel` was called while it came in: requests that still come are cancelled too.
    pub cancelled: bool,
    /// It is the reply before once more: no request was made in between.
    pub again: bool,
    /// It names a message behind which others stand: it may settle its own calls, and nothing else.
    pub stale: bool,
    /// While it tells what is there already: where in the message it is.
    pub replay: Option<usize>,
}

/// The last reply that ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PastReply {
    pub(super) item: Option<u32>,
    pub(super) message: Option<usize>,
    pub(super) base: usize,
    pub(super) ending: Ending,
    /// The number of the item that would be next: as long as it is, no request was made since.
    pub(super) next_item: u32,
}

impl Machine {
    /// Lets an event in. The first one of a reply acknowledges its item.
    pub fn admit(&mut self, about: About) -> Admission {
        // What comes in answer to an answer goes on with the reply that it is about.
        let answer = about.request.filter(|&id| self.item(id).is_some_and(super::Item::is_answer));
        if let Some(id) = answer {
            self.take(id);
            self.arrived(Some(id), None);
        }
        if let Some(reply) = &self.reply {
            let same = answer.is_some()
                || about.request.is_none_or(|id| reply.item == Some(id))
                    && about.attempt.is_none_or(|attempt| attempt == reply.attempt);
            return match same {
                true if reply.stale => Admission::Late(reply.item),
                true => Admission::Current,
                false => Admission::Late(about.request),
            };
        }
        let resumed = self.past.as_ref().filter(|past| !past.ending.completes_step()).map(|past| past.item);
        let awaited = self.active().filter(|item| item.state == DeliveryState::InFlight);
        let (item, attempt) = match (about.request, awaited) {
            (None, Some(item)) => (Some(item.id), item.attempt),
            (Some(id), Some(item)) if id == item.id && about.attempt.is_none_or(|attempt| attempt == item.attempt) => {
                (Some(item.id), item.attempt)
            }
            (Some(id), Some(_)) => return Admission::Late(Some(id)),
            (None, None) => {
                // Nobody claimed what is ready, and here is a stream: its reply, or the rest of the one before.
                let ready = self.active().filter(|item| item.state == DeliveryState::Ready).map(|item| item.id);
                let item = match (ready, resumed) {
                    (Some(ready), Some(_)) => {
                        self.withdraw(ready);
                        resumed.flatten()
                    }
                    (Some(ready), None) => {
                        self.take(ready);
                        Some(ready)
                    }
                    (None, _) => resumed.flatten(),
                };
                (item, item.and_then(|id| self.item(id)).map_or(1, |item| item.attempt))
            }
            (Some(id), None) => {
                let reopens = answer.is_some()
                    || resumed == Some(Some(id))
                    || self.item(id).is_some_and(|item| {
                        matches!(item.state, DeliveryState::Unconfirmed | DeliveryState::Ready | DeliveryState::Failed)
                            && about.attempt.is_none_or(|attempt| attempt == item.attempt)
                    });
                if !reopens || self.active().is_some_and(|active| active.id != id) {
                    return Admission::Late(Some(id));
                }
                self.take(id);
                (Some(id), self.item(id).map_or(1, |item| item.attempt))
            }
        };
        if let Some(id) = item {
            if let Some(item) = self.item_mut(id) {
                item.ended = item.is_answer();
                item.error = Payload::NONE;
            }
            self.move_item(id, DeliveryState::Acknowledged);
        }
        self.go_on_behind_answers(true);
        self.turn.reopen();
        self.touch();
        self.reply = Some(Reply { item, attempt, ..Reply::default() });
        Admission::Current
    }

    /// The backend names the message that its reply writes. `fresh` is used when it gives no id.
    pub fn begin(&mut self, id: Option<Id>, fresh: Id) {
        let Some(reply) = &self.reply else { return };
        let named = id.and_then(|id| self.transcript.messages().iter().position(|message| message.id == id));
        // Two messages never have one id, what a backend or a user calls them.
        let free = id.filter(|id| named.is_none() && self.queue.iter().all(|queued| queued.message.id != *id));
        if let Some(message) = reply.message {
            if let Some(id) = free {
                self.transcript.rename(message, id);
            }
            return;
        }
        let same = |message: &Message| id.is_none_or(|id| id == message.id);
        let last = self.transcript.messages().len().checked_sub(1);
        // The rest of a reply that was cut off, or all of it once more.
        let resumed = last.filter(|&last| {
            same(&self.transcript.messages()[last])
                && self.past.as_ref().is_some_and(|past| {
                    past.message == Some(last) && past.item == reply.item && !past.ending.completes_step()
                })
        });
        // A reply that ended well can be told again too: a page that resumes does not know that it did.
        let told_again = last.filter(|&last| {
            id == Some(self.transcript.messages()[last].id)
                && self.past.as_ref().is_some_and(|past| {
                    past.message == Some(last) && past.next_item == self.next_item && reply.item.is_none()
                })
        });
        let resumed = resumed.or(told_again);
        let replayed = resumed.filter(|_| id.is_some());
        let goes_on = resumed.or(last.filter(|&last| {
            let message = &self.transcript.messages()[last];
            // One id is one message: a reply that names the last one goes on with it, whatever was asked.
            let named = id == Some(message.id);
            message.role == Role::Assistant && (named || (id.is_none() && !self.asks_anew(reply.item)))
        }));
        // What answers a request is new, whatever a backend calls it: its content must not be lost.
        if named.is_some() && named != last && reply.item.is_none() {
            if let Some(reply) = &mut self.reply {
                reply.stale = true;
            }
            return;
        }
        let base = match (&self.past, replayed) {
            (Some(past), Some(_)) => past.base,
            _ => goes_on.map_or(0, |last| self.transcript.messages()[last].parts.len()),
        };
        let message = goes_on.unwrap_or_else(|| {
            if let Some(last) = last {
                let behind = super::barrier::calls_of(last, &self.transcript.messages()[last]);
                self.close_behind(behind);
            }
            self.leave_step();
            self.transcript.push_message(Message::new(free.unwrap_or(fresh), Role::Assistant))
        });
        if let Some(reply) = &mut self.reply {
            reply.message = Some(message);
            reply.base = base;
            reply.again = replayed.is_some();
            reply.replay = replayed.map(|_| base);
        }
        self.touch();
    }

    /// Whether the item asks for a new message rather than for more of the last one.
    fn asks_anew(&self, item: Option<u32>) -> bool {
        item.and_then(|id| self.item(id))
            .is_some_and(|item| !item.messages.is_empty() || item.trigger == Trigger::Regenerate)
    }

    /// The message that the reply writes; it is begun if the backend never named one.
    pub(super) fn reply_message(&mut self, fresh: Id) -> usize {
        if self.reply.as_ref().is_none_or(|reply| reply.message.is_none()) {
            self.begin(None, fresh);
        }
        self.reply.as_ref().and_then(|reply| reply.message).unwrap_or_default()
    }

    /// The message that the reply writes, if it has begun one.
    #[must_use]
    pub fn current_message(&self) -> Option<usize> {
        self.reply.as_ref()?.message
    }

    /// The backend adds something that is no tool call. Returns where it stands.
    pub fn content(&mut self, kind: u8, value: Payload, fresh: Id) -> At {
        let message = self.reply_message(fresh);
        self.mark_content();
        if let Some(at) = self.replayed(|part| matches!(part, Part::Content { kind: was, .. } if *was == kind)) {
            self.transcript.set_part(at, Part::Content { kind, value });
            return at;
        }
        self.push_new(message, Part::Content { kind, value }).unwrap_or(At { message, part: 0 })
    }

    /// The value of the content part at this place.
    #[must_use]
    pub fn content_at(&self, at: At) -> Option<Payload> {
        match self.transcript.messages().get(at.message)?.parts.get(at.part)? {
            Part::Content { value, .. } => Some(*value),
            Part::StepStart | Part::Tool(_) => None,
        }
    }

    /// The value of a content part changed.
    pub fn content_changed(&mut self, at: At, value: Payload) {
        if let Some(Part::Content { kind, .. }) =
            self.transcript.messages().get(at.message).and_then(|m| m.parts.get(at.part))
        {
            let kind = *kind;
            self.transcript.set_part(at, Part::Content { kind, value });
            self.mark_content();
            self.touch();
        }
    }

    /// The model is called (again): a new step begins.
    pub fn step_start(&mut self, fresh: Id) {
        let message = self.reply_message(fresh);
        if self.replayed(|part| matches!(part, Part::StepStart)).is_some() {
            return;
        }
        let places = super::barrier::calls_of(message, &self.transcript.messages()[message]);
        self.close_behind(places);
        self.blocker = None;
        self.leave_step();
        self.push_new(message, Part::StepStart);
    }

    /// The model is through with a step. One that failed is no work, though backends finish it too.
    pub fn step_finish(&mut self) {
        if self.reply.as_ref().is_some_and(|reply| reply.content && reply.ending.is_none()) {
            self.turn.work = true;
        }
    }

    /// The backend takes back everything of the current step: of what this reply has told, and no other.
    pub fn step_reset(&mut self) {
        let Some((message, base)) = self.reply.as_ref().and_then(|reply| Some((reply.message?, reply.base))) else {
            return;
        };
        let Some(from) = self.transcript.messages().get(message).map(|message| message.last_step().max(base)) else {
            return;
        };
        self.transcript.cut_parts(message, from);
        // Nobody waits for an answer about what was taken back.
        let gone = |item: &&super::Item| item.calls.iter().any(|call| self.transcript.find(*call).is_none());
        let ready = self.items.iter().filter(|item| item.is_answer() && item.state == DeliveryState::Ready);
        for id in ready.filter(gone).map(|item| item.id).collect::<Vec<_>>() {
            self.withdraw(id);
        }
        self.recount();
        self.touch();
    }

    /// The message's fields (metadata) changed.
    pub fn message_fields(&mut self, fields: Payload, fresh: Id) {
        let message = self.reply_message(fresh);
        self.transcript.set_fields(message, fields);
        if let Some(reply) = &mut self.reply {
            reply.shown = true;
        }
        self.touch();
    }

    /// An event says how the reply ends. The first one counts.
    pub fn fix_ending(&mut self, ending: Ending) {
        if let Some(reply) = &mut self.reply
            && reply.ending.is_none()
        {
            reply.ending = Some(ending);
        }
    }

    pub(super) fn mark_content(&mut self) {
        if let Some(reply) = &mut self.reply {
            reply.content = true;
            reply.shown = true;
        }
    }

    pub(super) fn mark_shown(&mut self) {
        if let Some(reply) = &mut self.reply {
            reply.shown = true;
        }
    }

    /// During a replay: the part that stands where this one would go, if it is of the same sort.
    pub(super) fn replayed(&mut self, same: impl FnOnce(&Part) -> bool) -> Option<At> {
        let reply = self.reply.as_mut()?;
        let (message, cursor) = (reply.message?, reply.replay?);
        let part = self.transcript.messages().get(message)?.parts.get(cursor);
        if part.is_some_and(same) {
            reply.replay = Some(cursor + 1);
            return Some(At { message, part: cursor });
        }
        // Past its end: what comes now is new.
        if part.is_none() {
            reply.replay = None;
        }
        None
    }

    /// Adds a part that is new. From here on a replay tells what was not told before.
    pub(super) fn push_new(&mut self, message: usize, part: Part) -> Option<At> {
        let end = self.transcript.messages().get(message).map_or(0, |message| message.parts.len());
        if let Some(reply) = &mut self.reply {
            // A retry may be answered otherwise than before: what it tells begins here, if it is told again.
            let is_other = reply.attempt > 1 && reply.replay.is_some_and(|at| at < end) && part.tool().is_none();
            reply.replay = None;
            if is_other {
                (reply.base, reply.again) = (end, false);
            }
        }
        self.touch();
        self.transcript.push_part(message, part)
    }

    /// Whether the call is being told again.
    pub(super) fn is_replay(&self, at: At) -> bool {
        self.reply.as_ref().is_some_and(|reply| reply.again && reply.message == Some(at.message))
    }

    pub(super) fn recount(&mut self) {
        (self.undecided, self.unwritten) = (0, 0);
        for part in self.transcript.messages().iter().flat_map(Message::calls) {
            self.undecided += u32::from(part.is_pending());
            self.unwritten += u32::from(part.unwritten);
        }
        self.blocker = None;
    }
}
