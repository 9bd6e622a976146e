//! The cursor of a reply that arrives again: which of the known parts it repeats, and where its own parts begin.

use super::{Machine, Part, PartPos};

impl Machine {
    /// From now on, the opening of a settled call is not a repetition.
    pub(super) fn end_repetitions(&mut self) {
        if let Some(reply) = self.exchange.reply_mut() {
            reply.may_repeat = false;
        }
    }

    /// During a replay: the position of the known part that the next event repeats, if it is of the same kind.
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
        // The replay has reached the end of the known parts.
        if part.is_none() {
            reply.replay = None;
        }
        None
    }

    /// Adds a new part. If the reply is a replay, its later events add new parts, too.
    pub(super) fn push_new(&mut self, message: usize, part: Part) -> Option<PartPos> {
        let end = self.transcript.messages().get(message).map_or(0, |message| message.parts.len());
        if let Some(reply) = self.exchange.reply_mut() {
            // The reply to a retry may differ from the reply to the first attempt. Its own parts begin here: a later
            // replay of it starts with them.
            let unfinished = reply.replay.as_ref().is_some_and(|replay| replay.cursor < end);
            let is_other = reply.attempt > 1 && unfinished && part.tool().is_none();
            reply.replay = None;
            if is_other {
                (reply.base, reply.is_replay) = (end, false);
            }
        }
        self.transcript.push_part(message, part)
    }

    /// Whether the part existed before this reply, and the reply repeats it.
    pub(super) fn is_replayed(&self, at: PartPos) -> bool {
        self.exchange.reply().is_some_and(|reply| reply.is_replay && reply.message == Some(at.message))
    }
}
