//! Reconciles a second reading of a reply with the message that the first one wrote: after a reconnect from the start,
//! or after a load while the reply is read.
//!
//! An opening means the first such call that this reading has not opened yet: with the same id and tool, and an equal
//! input. Steps, texts and data make no difference. Other content is matched by its kind, in order. What has no match
//! is new, and is added at the end.

use super::turn::{Opened, Replay};
use super::which_call::agrees;
use super::{Admission, CallKey, Input, Machine, Message, Opening, Part, PartPos, Payload, ToolPart};
use crate::prelude::*;

impl Replay {
    /// A reading from part `base` of a message that has this many parts.
    pub(super) fn new(base: usize, end: usize) -> Self {
        Self { cursor: base, end, ..Self::default() }
    }

    /// The index of a call's entry, or where it would be.
    fn place(&self, call: CallKey) -> Result<usize, usize> {
        self.opened.binary_search_by_key(&call, |opened| opened.call)
    }

    pub(super) fn opened(&mut self, part: &ToolPart) -> Option<&mut Opened> {
        let place = self.place(part.key()).ok()?;
        self.opened.get_mut(place)
    }

    pub(super) fn has_opened(&self, part: &ToolPart) -> bool {
        self.place(part.key()).is_ok()
    }

    /// Adds an entry for a call, if it has none.
    fn open(&mut self, opened: Opened) {
        if let Err(place) = self.place(opened.call) {
            self.opened.insert(place, opened);
        }
    }

    /// A reading of `was` that goes on in a loaded message, whose n-th call stands for the n-th one before. A first
    /// reading has opened all calls of `was`.
    pub(super) fn loaded(reading: Option<Self>, was: &Message, now: &Message) -> Self {
        let (parts, is_first) = (now.parts.len(), reading.is_none());
        let mut replay = reading.unwrap_or_else(|| Self { step: 1, ..Self::new(was.parts.len(), was.parts.len()) });
        let in_step = was.parts.get(was.last_step()..).unwrap_or_default().iter().find_map(Part::tool);
        let copies = was.calls().zip(now.calls()).filter_map(|(part, copy)| {
            let step = u32::from(in_step.is_some_and(|first| part.key() >= first.key()));
            let (complete, settled) = (!part.phase().is_streaming(), part.phase().is_settled());
            let known = replay.place(part.key()).ok().and_then(|place| replay.opened.get(place)).copied();
            let known = known.or(is_first.then_some(Opened { step, complete, settled, ..Opened::default() }))?;
            Some(Opened { call: copy.key(), ..known })
        });
        replay.opened = copies.listed();
        if was.parts.len() != parts {
            (replay.cursor, replay.end) = (replay.cursor.min(parts), parts);
        }
        replay
    }

    /// The known parts that follow.
    fn rest<'a>(&self, parts: &'a [Part]) -> &'a [Part] {
        parts.get(self.cursor..self.end).unwrap_or_default()
    }

    /// Whether a known call of this step or a later one was not opened. A new part before it shows that one of the
    /// readings has lost an event, or has it elsewhere.
    pub(super) fn is_within(&self, parts: &[Part]) -> bool {
        let known = parts.get(self.known_step(parts)..self.end).unwrap_or_default();
        known.iter().filter_map(Part::tool).any(|part| !self.has_opened(part))
    }

    /// How many steps have begun that are not known.
    fn new_steps(&self, parts: &[Part]) -> usize {
        let known = self.rest(parts).iter().filter(|part| part.is_boundary()).count();
        (self.pending as usize).saturating_sub(known)
    }

    /// The index of the first part of the step that this reading has reached.
    pub(super) fn step_start(&self, parts: &[Part]) -> usize {
        if self.pending > 0 {
            let next = self.rest(parts).iter().position(Part::is_boundary);
            return next.map_or(parts.len(), |next| self.cursor + next + 1);
        }
        self.known_step(parts)
    }

    /// The index of the first part of the step that has the last known part which was repeated.
    fn known_step(&self, parts: &[Part]) -> usize {
        let before = parts.get(..self.cursor).filter(|_| self.cursor < self.end).unwrap_or(parts);
        before.iter().rposition(Part::is_boundary).map_or(0, |at| at + 1)
    }
}

impl Machine {
    /// The known part that content of this kind repeats. `same`: whether it can repeat a part with this value.
    pub(super) fn repeated_content(&mut self, kind: u8, same: &mut dyn FnMut(Payload) -> bool) -> Option<PartPos> {
        let reply = self.exchange.reply_mut()?;
        let (message, replay) = (reply.message?, reply.replay.as_mut()?);
        let parts = &self.transcript.messages().get(message)?.parts;
        let mut is_same = |part: &Part| match part {
            Part::Content { kind: known, value } => *known == kind && same(*value),
            Part::StepStart | Part::Tool(_) => false,
        };
        let mut find = |from: usize| (from..replay.end).find(|&part| parts.get(part).is_some_and(&mut is_same));
        let part = find(replay.step_start(parts).max(replay.cursor)).or_else(|| find(replay.cursor))?;
        (replay.cursor, replay.pending) = (part + 1, 0);
        Some(PartPos { message, part })
    }

    /// The known call that an opening repeats.
    pub(super) fn repeated_opening(&mut self, message: usize, opening: &mut Opening<'_>) -> Option<PartPos> {
        let reply = self.exchange.reply_mut().filter(|reply| reply.message == Some(message))?;
        let (base, replay) = (reply.base, reply.replay.as_mut()?);
        let (call, completes) = (opening.call, opening.input != Input::InputStart);
        let parts = &self.transcript.messages().get(message)?.parts;
        let mut named: Vec<PartPos> = Vec::new();
        for (at, part) in self.transcript.calls_named(call).take_while(|(at, _)| at.message == message) {
            if at.part < base {
                // Before its first step, the reply is about the calls of the step that it continues.
                let is_in_step = !parts.get(at.part..base).unwrap_or_default().iter().any(Part::is_boundary);
                if replay.step == 0 && is_in_step && agrees(part, opening) {
                    return None;
                }
                break;
            }
            named.push(at);
        }
        let step = replay.step;
        let opened = named.iter().find(|&&at| {
            self.transcript.tool(at).is_some_and(|part| replay.has_opened(part) && agrees_in_replay(part, opening))
        });
        let current = opened.and_then(|&at| Some((at, self.transcript.tool(at)?)));
        // The same opening continues: this event completes its input, or repeats it.
        if let Some((at, part)) = current
            && let Some(opened) = replay.opened(part)
            && (!opened.complete || opened.step == step)
        {
            opened.complete |= completes;
            return Some(at);
        }
        let known = named.iter().rfind(|&&at| {
            self.transcript
                .tool(at)
                .is_some_and(|part| at.part < replay.end && !replay.has_opened(part) && agrees_in_replay(part, opening))
        });
        if let Some((at, part)) = known.and_then(|&at| Some((at, self.transcript.tool(at)?))) {
            replay.open(Opened { call: part.key(), step, complete: completes, ..Opened::default() });
            if replay.pending > 0 {
                let boundary = parts.get(..at.part).unwrap_or_default().iter().rposition(Part::is_boundary);
                replay.cursor = replay.cursor.max(boundary.map_or(0, |at| at + 1));
                replay.pending = 0;
            }
            return Some(at);
        }
        // The call was still open when it was opened again.
        let (at, part) = current?;
        replay.opened(part).filter(|opened| !opened.settled).map(|opened| opened.step = step)?;
        Some(at)
    }

    /// Whether a second reading knows the part at this position, or has added it.
    pub(super) fn is_read_again(&self, at: PartPos) -> bool {
        let reply = self.exchange.reply().filter(|reply| reply.message == Some(at.message));
        reply.is_some_and(|reply| reply.replay.is_some() && at.part >= reply.base)
    }

    /// Whether a second reading has not reached this call, and may open one with its id that a reset removed before it.
    pub(super) fn follows_reset(&self, at: PartPos, part: &ToolPart) -> bool {
        let replay = self.exchange.reply().and_then(|reply| reply.replay.as_ref());
        let is_ahead = replay.is_some_and(|replay| at.part < replay.end && !replay.has_opened(part));
        is_ahead && self.is_read_again(at) && self.turn.removed(part.call) > 0
    }

    /// Marks a call as opened by a second reading.
    pub(super) fn mark_read(&mut self, at: PartPos, complete: bool, settles: bool) {
        let (is_known, Some(part)) = (self.is_read_again(at), self.transcript.tool(at)) else { return };
        if let Some(replay) = self.exchange.reply_mut().and_then(|reply| reply.replay.as_mut()).filter(|_| is_known) {
            replay.open(Opened { call: part.key(), step: replay.step, complete, ..Opened::default() });
            if let Some(opened) = replay.opened(part) {
                opened.settled |= settles;
            }
        }
    }

    /// A report on a call. If it is the first event of a second reading, the reply began after the step of that call: a
    /// loaded history does not say where in its message the reply began.
    pub(super) fn mark_reported(&mut self, admission: Admission, at: PartPos, settles: bool) {
        if admission != Admission::Current || !self.is_read_again(at) {
            return;
        }
        let parts = self.transcript.messages().get(at.message).map_or(&[][..], |message| &message.parts[at.part..]);
        let Some(reply) = self.exchange.reply_mut() else { return };
        let begins = |replay: &&mut Replay| replay.cursor == reply.base && replay.step == 0 && replay.opened.is_empty();
        if let Some(replay) = reply.replay.as_mut().filter(begins) {
            replay.cursor = at.part + parts.iter().position(Part::is_boundary).unwrap_or(parts.len());
            reply.base = replay.cursor;
            return;
        }
        self.mark_read(at, true, settles);
        let parts = self.transcript.messages().get(at.message).map_or(&[][..], |message| &message.parts);
        if self.exchange.reply().and_then(|reply| reply.replay.as_ref()).is_some_and(|read| read.new_steps(parts) > 0) {
            self.pass_known_parts(false);
        }
    }

    /// Adds a new part to the reply's message. After the known parts, the steps that a second reading has added begin.
    pub(super) fn push_new(&mut self, message: usize, part: Part) -> Option<PartPos> {
        self.pass_known_parts(part.tool().is_none());
        self.transcript.push_part(message, part)
    }

    /// Leaves the known parts behind, if no known call follows, and begins the steps that a second reading has added.
    pub(super) fn pass_known_parts(&mut self, is_content: bool) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        let (Some(message), Some(replay)) = (reply.message, &mut reply.replay) else { return };
        let Some(parts) = self.transcript.messages().get(message).map(|message| &message.parts) else { return };
        // The reply to a retry may differ from the reply to the first attempt. Its own parts begin here: a later replay
        // of it starts with them.
        let is_other = reply.attempt > 1 && !reply.reconnected && is_content && !replay.rest(parts).is_empty();
        if !is_other && replay.is_within(parts) {
            return;
        }
        let steps = replay.new_steps(parts);
        (replay.cursor, replay.pending) = (replay.end, 0);
        if is_other {
            (reply.base, reply.is_replay, reply.replay) = (parts.len(), false, None);
        }
        (0..steps).for_each(|_| self.begin_step(message));
    }

    /// From where a reset removes the parts of the current step. In a second reading, these are the parts that it has
    /// added: the resets of the first reading came before the known parts. If nothing known follows and nothing in the
    /// step is decided, the reset is new.
    pub(super) fn reset_start(&mut self, message: usize) -> Option<usize> {
        let reply = self.exchange.reply_mut()?;
        let of = self.transcript.messages().get(message)?;
        let Some(replay) = &mut reply.replay else { return Some(of.last_step().max(reply.base)) };
        let start = replay.step_start(&of.parts).max(reply.base);
        let step = of.parts.get(start..).unwrap_or_default();
        let is_decided = step.iter().filter_map(Part::tool).any(|part| part.decision().is_some());
        let follows = replay.is_within(&of.parts) || replay.rest(&of.parts).iter().any(|part| part.tool().is_none());
        let current = replay.step;
        replay.opened.keep(|opened| opened.step != current);
        if !follows && !is_decided {
            (replay.cursor, replay.end) = (start, start);
            return Some(start);
        }
        replay.cursor = replay.cursor.min(start);
        Some(replay.end.max(of.last_step()))
    }

    /// Whether the part existed before this reply, and the reply repeats it.
    pub(super) fn is_replayed(&self, at: PartPos) -> bool {
        self.exchange.reply().is_some_and(|reply| reply.is_replay && reply.message == Some(at.message))
    }
}

/// Like [`agrees`], for the opening that a second reading repeats. An update may have replaced its input since.
fn agrees_in_replay(part: &ToolPart, opening: &mut Opening<'_>) -> bool {
    part.input_changes > 0 || agrees(part, opening)
}
