//! Reconciles a second reading of a reply with the message that the first one wrote: after a reconnect from the start,
//! or after a load while the reply is read.
//!
//! Until a second reading opens a known call, the call is *unread*. An opening is about a call that the reading has
//! opened, as in a first reading, or about the first unread call with the same id and tool, and an equal input. Steps,
//! texts and data make no difference. Other content is matched by its kind, in order. What has no match is new, and is
//! added at the end.

use crate::machine::{Admission, Machine, Message, Part, PartPos, Replay, Reply, Reread, ToolPart, first_of_step};

impl Replay {
    /// The known parts that follow.
    fn rest<'a>(&self, parts: &'a [Part]) -> &'a [Part] {
        parts.get(self.cursor..self.end).unwrap_or_default()
    }

    /// Whether a known call of this step or a later one is unread. A new part before it shows that one of the readings
    /// has lost an event, or has it elsewhere.
    fn is_within(&self, parts: &[Part]) -> bool {
        if self.end == 0 {
            return false;
        }
        let known = parts.get(self.known_step(parts)..self.end).unwrap_or_default();
        known.iter().filter_map(Part::tool).any(|part| part.reread.unread)
    }

    /// Whether the part with this index is in the step that this reading has reached, or behind it. Looks only at the
    /// parts after it, which are few if the call is new.
    pub(in crate::machine) fn has_in_step(&self, parts: &[Part], part: usize) -> bool {
        let end = if self.cursor < self.end { self.cursor } else { parts.len() };
        let is_last = !parts.get(part..end).unwrap_or_default().iter().any(Part::is_boundary);
        if self.pending > 0 { part >= self.step_start(parts) } else { is_last }
    }

    /// The index of the first part of the step that this reading has reached.
    pub(in crate::machine) fn step_start(&self, parts: &[Part]) -> usize {
        if self.pending > 0 {
            let next = self.rest(parts).iter().position(Part::is_boundary);
            return next.map_or(parts.len(), |next| self.cursor + next + 1);
        }
        self.known_step(parts)
    }

    /// The index of the first part of the step that has the last known part which was repeated.
    fn known_step(&self, parts: &[Part]) -> usize {
        let before = parts.get(..self.cursor).filter(|_| self.cursor < self.end);
        first_of_step(before.unwrap_or(parts))
    }
}

impl Machine {
    /// From now on, the open reply reads its message a second time.
    pub(in crate::machine) fn read_again(&mut self) {
        let Some((message, reply)) = self.exchange.reply_mut().and_then(|reply| Some((reply.message?, reply))) else {
            return;
        };
        let base = reply.base;
        let end = self.transcript.messages().get(message).map_or(0, |message| message.parts.len());
        reply.replay = Replay { cursor: base, end, pending: 0 };
        self.transcript.reread(message, &mut |at, part| {
            if at < base {
                return Reread::default();
            }
            Reread { unread: true, open: false, updates: part.input_changes }
        });
    }

    /// From now on, everything that the open reply contains is new.
    pub(in crate::machine) fn read_on(&mut self) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        reply.replay = Replay::default();
        if let Some(message) = reply.message {
            self.transcript.reread(message, &mut |_, _| Reread::default());
        }
    }

    /// The reply goes on in a loaded message, whose n-th call stands for the n-th one of `was`. What is behind the last
    /// of them was loaded ahead of the stream.
    pub(in crate::machine) fn read_on_in(&mut self, was: &Message, message: usize) {
        let end = self.transcript.messages().get(message).map_or(0, |message| message.parts.len());
        let Some(reply) = self.exchange.reply_mut() else { return };
        let replay = &mut reply.replay;
        let cursor = if replay.cursor < replay.end { replay.cursor } else { was.parts.len() };
        (replay.cursor, replay.end) = (cursor.min(end), end);
        let mut was = was.calls();
        let unread = Reread { unread: true, ..Reread::default() };
        self.transcript.reread(message, &mut |_, _| was.next().map_or(unread, |was| was.reread));
    }

    /// The known part that content of this kind repeats.
    pub(in crate::machine) fn repeated_content(&mut self, kind: u8) -> Option<PartPos> {
        let reply = self.exchange.reply_mut()?;
        let (message, replay) = (reply.message?, &reply.replay);
        if replay.cursor >= replay.end {
            return None;
        }
        let parts = &self.transcript.messages().get(message)?.parts;
        let is_same = |part: &Part| matches!(part, Part::Content { kind: known, .. } if *known == kind);
        let find = |from: usize| Some(from + parts.get(from..replay.end)?.iter().position(is_same)?);
        let part = find(replay.step_start(parts).max(replay.cursor)).or_else(|| find(replay.cursor))?;
        let at = PartPos { message, part };
        self.pass_content(at);
        Some(at)
    }

    /// The reply contains the content part at this position.
    pub(in crate::machine) fn pass_content(&mut self, at: PartPos) {
        if let Some(reply) = self.exchange.reply_mut()
            && reply.message == Some(at.message)
            && at.part >= reply.replay.cursor
        {
            (reply.replay.cursor, reply.replay.pending) = (at.part + 1, 0);
        }
    }

    /// A second reading has opened a call, or reports on it.
    pub(in crate::machine) fn mark_read(&mut self, at: PartPos, settles: bool) {
        let Some(part) = self.transcript.reread_mut(at) else { return };
        let was_unread = core::mem::take(&mut part.unread);
        part.open = (part.open || was_unread) && !settles;
        let parts = self.transcript.messages().get(at.message).map_or(&[][..], |message| &message.parts[..at.part]);
        if let Some(reply) = self.exchange.reply_mut().filter(|reply| was_unread && reply.replay.pending > 0) {
            reply.replay.cursor = reply.replay.cursor.max(first_of_step(parts));
            reply.replay.pending = 0;
        }
    }

    /// Whether a second reading has not reached this call, and may open one with its id that a reset removed before it.
    pub(in crate::machine) fn follows_reset(&self, part: &ToolPart) -> bool {
        part.reread.unread && self.turn.removed(part.call) > 0
    }

    /// A report on a call. If it is the first event of a second reading, the reply began after the step of that call: a
    /// loaded history does not say where in its message the reply began.
    pub(in crate::machine) fn mark_reported(&mut self, admission: Admission, at: PartPos, settles: bool) {
        let Some(part) = self.transcript.tool(at).filter(|_| admission == Admission::Current) else { return };
        let begins =
            |reply: &&mut Reply| part.reread.unread && reply.replay.cursor == reply.base && reply.replay.pending == 0;
        let parts = self.transcript.messages().get(at.message).map_or(&[][..], |message| &message.parts[at.part..]);
        if let Some(reply) = self.exchange.reply_mut().filter(begins) {
            reply.base = at.part + parts.iter().position(Part::is_boundary).unwrap_or(parts.len());
            self.read_again();
        }
        self.mark_read(at, settles);
    }

    /// Adds a new part to the reply's message. After the known parts, the steps that a second reading has added begin.
    pub(in crate::machine) fn push_new(&mut self, message: usize, part: Part) -> Option<PartPos> {
        self.pass_known_parts(part.tool().is_none());
        self.transcript.push_part(message, part)
    }

    /// Leaves the known parts behind, if no known call follows, and begins the steps that a second reading has added.
    pub(in crate::machine) fn pass_known_parts(&mut self, is_content: bool) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        let (Some(message), replay) = (reply.message, &mut reply.replay) else { return };
        let Some(parts) = self.transcript.messages().get(message).map(|message| &message.parts) else { return };
        // The reply to a retry may differ from the reply to the first attempt: it does not read all of its parts. Its
        // own parts begin here: a later replay of it starts with them.
        let is_within = replay.is_within(parts);
        let is_ahead = replay.rest(parts).iter().any(|part| part.tool().is_none()) || is_within;
        let is_other = is_ahead && is_content && reply.attempt > 1 && !reply.reconnected;
        if is_within && !is_other {
            return;
        }
        let known = replay.rest(parts).iter().filter(|part| part.is_boundary()).count();
        let steps = known..replay.pending as usize;
        (replay.cursor, replay.pending) = (replay.end, 0);
        if is_other {
            (reply.base, reply.is_replay) = (parts.len(), false);
            self.read_on();
        }
        steps.for_each(|_| self.begin_step(message));
    }

    /// From where a reset removes the parts of the current step. In a second reading, these are the parts that it has
    /// added: the resets of the first reading came before the known parts. If nothing known follows and nothing in the
    /// step is decided, the reset is new.
    pub(in crate::machine) fn reset_start(&mut self, message: usize) -> Option<usize> {
        let parts = &self.transcript.messages().get(message)?.parts;
        let reply = self.exchange.reply_mut()?;
        let (base, replay) = (reply.base, &mut reply.replay);
        let start = replay.step_start(parts).max(base);
        let stays = |part: &ToolPart| part.reread.unread || part.decision().is_some();
        let known = parts.get(start..replay.end).unwrap_or_default();
        let stays = known.iter().filter_map(Part::tool).any(stays)
            || replay.rest(parts).iter().any(|part| part.tool().is_none());
        replay.cursor = replay.cursor.min(start);
        if stays {
            return Some(replay.end.max(first_of_step(parts)));
        }
        replay.end = replay.end.min(start);
        Some(start)
    }

    /// Whether the part existed before this reply, and the reply repeats it.
    pub(in crate::machine) fn is_replayed(&self, at: PartPos) -> bool {
        self.exchange.reply().is_some_and(|reply| reply.is_replay && reply.message == Some(at.message))
    }
}
