//! Finds the call that an event is about. Ids may repeat, so an id does not always mean the same call.
//!
//! The AI SDK looks for a call only in the current step of the current message (`ui/process-ui-message-stream.ts`).
//! Replays, and servers that repeat what they received, need more rules.

use super::{Admission, Id, Input, Machine, OutcomeKind, PartPos, Payload, Phase, ToolPart};
use crate::machine::turn::Opened;
use crate::prelude::*;

/// An opening event: it starts a call's input, completes it, or reports it as invalid.
pub struct Opening<'a> {
    /// The call's id.
    pub call: Id,
    /// The tool's name.
    pub name: Id,
    /// `InputStart`, `InputAvailable` or `InputError`.
    pub input: Input,
    /// The id for a message that the backend does not name.
    pub fallback_id: Id,
    /// Whether the event's input equals this one.
    pub same: &'a mut dyn FnMut(Payload) -> bool,
}

/// The call that an opening event is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meant {
    /// An existing call.
    Known(PartPos),
    /// A settled call that the backend repeats. The event changes nothing.
    Repeated(PartPos),
    /// A new call. `replaces`: an open call of the turn with the same id, which can no longer be approved.
    New { replaces: Option<PartPos> },
}

impl Machine {
    /// Finds the call that an opening event is about. Opening events start an input, complete it, or report it as
    /// invalid.
    pub(super) fn which_opening(&mut self, message: usize, opening: &mut Opening<'_>) -> Meant {
        if let Some(at) = self.opened_in_replay(message, opening) {
            return Meant::Known(at);
        }
        if let Some(at) = self.repetition(opening) {
            return Meant::Repeated(at);
        }
        if let Some(at) = self.opened_in_older_reply(message, opening) {
            return Meant::Repeated(at);
        }
        let mut replaces = None;
        let replay = self.exchange.reply().and_then(|reply| reply.replay.as_ref()).map(|replay| replay.cursor);
        for (at, part) in self.transcript.calls_named(opening.call) {
            // A decision is not taken back because the replay has lost an event before the call.
            let is_decided = part.decision().is_some();
            // A reply that continues has not begun a step yet.
            let is_last = at.message + 1 == self.transcript.messages().len()
                && self.transcript.messages()[at.message].last_step() <= at.part;
            let in_step = is_decided && is_last || at.message == message && self.is_in_last_step_of(at);
            let is_open = self.transcript.is_in_turn(at.message) && !part.phase().is_settled();
            // A call that the replay has not reached is not meant, but it ends if another call takes its id.
            let is_reached = is_decided || at.message != message || replay.is_none_or(|cursor| at.part < cursor);
            let agrees = if replay.is_some() { agrees_in_replay } else { agrees };
            if is_reached && (in_step || is_open) && agrees(part, opening) {
                return Meant::Known(at);
            }
            if is_reached && !self.transcript.is_in_turn(at.message) {
                break;
            }
            replaces = replaces.or(is_open.then_some(at));
        }
        Meant::New { replaces }
    }

    /// Whether a part is in the last step of its message. In a replay, the last step is the one that the replay has
    /// reached.
    fn is_in_last_step_of(&self, at: PartPos) -> bool {
        let Some(message) = self.transcript.messages().get(at.message) else { return false };
        let reply = self.exchange.reply().filter(|reply| reply.message == Some(at.message));
        let end = reply.and_then(|reply| reply.replay.as_ref()).map_or(message.parts.len(), |replay| replay.cursor);
        let reached = &message.parts[..end.min(message.parts.len())];
        let start = reached.iter().rposition(|part| matches!(part, super::Part::StepStart)).map_or(0, |step| step + 1);
        (start..end).contains(&at.part)
    }

    /// In a replay, the n-th opening of an id is about the message's n-th call with that id.
    fn opened_in_replay(&mut self, message: usize, opening: &mut Opening<'_>) -> Option<PartPos> {
        let reply = self.exchange.reply_mut().filter(|reply| reply.message == Some(message))?;
        let replay = reply.replay.as_mut()?;
        let parts = &self.transcript.messages().get(message)?.parts;
        let call = opening.call;
        let named = |part: &&ToolPart| part.call == call;
        let current = replay.opened.iter_mut().find(|opened| opened.id == call);
        let before = &parts[..replay.cursor.min(parts.len())];
        let step = before.iter().rposition(|part| matches!(part, super::Part::StepStart));
        let place = current.as_ref().and_then(|opened| self.transcript.place(opened.call));
        let completes = opening.input != Input::InputStart;
        // The same opening continues: this event completes its input, or repeats it.
        if let (Some(opened), Some(at)) = (current, place)
            && (!opened.complete || step.is_none_or(|step| at.part > step))
            && self.transcript.tool(at).is_some_and(|part| agrees_in_replay(part, opening))
        {
            opened.complete |= completes;
            return Some(at);
        }
        let from = place.map_or(reply.base, |at| at.part + 1);
        let next = (from..parts.len()).find(|&part| parts[part].tool().filter(named).is_some());
        // A replay starts a step before it opens the step's calls, unless it begins in the middle of the reply.
        let joined = reply.reconnected && replay.cursor == reply.base && replay.opened.is_empty();
        let in_reach = |index: usize| {
            joined || !parts[replay.cursor.min(index)..index].iter().any(|part| matches!(part, super::Part::StepStart))
        };
        let part = next.filter(|&index| in_reach(index))?;
        let tool = parts[part].tool()?;
        if !agrees_in_replay(tool, opening) {
            return None;
        }
        let key = tool.key();
        replay.opened.keep(|opened| opened.id != call);
        replay.opened.push(Opened { id: call, call: key, complete: completes, updates: 0 });
        if replay.cursor == part || joined {
            replay.cursor = part + 1;
        }
        Some(PartPos { message, part })
    }

    /// Sets the start of the reply after the step of a known call, if a replay reports on the call without opening it.
    /// A loaded history does not say where in its message the reply began.
    pub(super) fn skip_earlier_steps(&mut self, admission: Admission, at: PartPos) {
        let parts = self.transcript.messages().get(at.message).map(|message| &message.parts[at.part..]);
        let Some(reply) = self.exchange.reply_mut().filter(|reply| reply.message == Some(at.message)) else { return };
        let Some(replay) = reply.replay.as_mut().filter(|replay| replay.cursor == reply.base) else { return };
        if admission != Admission::Current || at.part < replay.cursor || !replay.opened.is_empty() {
            return;
        }
        let rest = parts.unwrap_or_default();
        let step = rest.iter().position(|part| matches!(part, super::Part::StepStart)).unwrap_or(rest.len());
        replay.cursor = at.part + step;
        reply.base = replay.cursor;
    }

    /// The settled call that an opening event repeats. Some servers repeat the calls that they received, including
    /// settled ones, before they continue.
    fn repetition(&self, opening: &mut Opening<'_>) -> Option<PartPos> {
        let reply = self.exchange.reply().filter(|reply| reply.may_repeat)?;
        let carried = self.item(reply.item?)?.carried.first()?;
        let step = self.transcript.place(carried.call)?;
        let message = self.transcript.messages().get(step.message)?;
        let start =
            message.parts[..step.part].iter().rposition(|part| matches!(part, super::Part::StepStart)).unwrap_or(0);
        let in_step = |at: &PartPos| at.message == step.message && at.part >= start;
        let mut calls = self.transcript.calls_named(opening.call);
        let (at, part) = calls.find(|(at, part)| in_step(at) && part.phase().is_settled())?;
        (part.phase() != Phase::Denied && agrees(part, opening)).then_some(at)
    }

    /// The settled call of an earlier reply that a reconnected stream opens again. Servers may repeat a reply that came
    /// before the last one. A reply that came whole has no further calls, and an id of the backend's own for an
    /// approval shows which call it belongs to: `request` makes this a new call if its approval has another id.
    fn opened_in_older_reply(&self, message: usize, opening: &mut Opening<'_>) -> Option<PartPos> {
        let reply = self.exchange.reply().filter(|reply| reply.reconnected && reply.is_replay)?;
        let start = PartPos { message, part: reply.base };
        let is_whole = self.turn.last_reply().is_some_and(|last| !last.is_cut());
        let older = |at: &PartPos| *at < start && self.transcript.is_in_turn(at.message);
        let (at, part) = self.transcript.calls_named(opening.call).find(|(at, _)| older(at))?;
        let is_identified = is_whole || part.approval_id().is_some_and(|approval| approval != part.call);
        (part.phase().is_settled() && is_identified && agrees(part, opening)).then_some(at)
    }

    /// Finds the call that any other event with this id is about; `None` if the event may not change any.
    pub(super) fn which_reported(&self, admission: Admission, call: super::Id) -> Option<PartPos> {
        let newest = || self.transcript.calls_named(call).next().map(|(at, _)| at);
        let newest_in =
            |message: usize| self.transcript.calls_named(call).map(|(at, _)| at).find(|at| at.message == message);
        match admission {
            Admission::Current => {
                let reply = self.exchange.reply()?;
                let replay = reply.replay.as_ref();
                let opened = replay.and_then(|replay| replay.opened.iter().find(|opened| opened.id == call));
                let opened = opened.and_then(|opened| self.transcript.place(opened.call));
                // Until the replay opens the id again, it means the call that it meant at this point of the first
                // stream.
                let from = replay.zip(reply.message);
                let from = from.map(|(replay, message)| PartPos { message, part: replay.cursor });
                let before =
                    |at: &PartPos| self.transcript.is_in_turn(at.message) && from.is_some_and(|from| *at < from);
                let earlier = || self.transcript.calls_named(call).map(|(at, _)| at).find(before);
                opened.or_else(earlier).or_else(|| reply.message.and_then(newest_in)).or_else(newest)
            }
            Admission::Outside => newest(),
            Admission::Late(request) => {
                let item = self.item(request?)?;
                let carried = item.carried.iter().rev().find(|carried| carried.id == call)?;
                self.transcript.place(carried.call)
            }
            Admission::Superseded(message) => newest_in(message),
            Admission::Ignored => None,
        }
    }

    /// Whether an unexpected result repeats the result of an older call with the same id.
    pub(super) fn is_older_result(&self, at: PartPos, input: Input, same: &mut dyn FnMut(Payload) -> bool) -> bool {
        let Some(part) = self.transcript.tool(at) else { return false };
        let unexpected =
            part.phase().is_streaming() || matches!(part.phase(), Phase::ApprovalRequested | Phase::Approved);
        let kind = match input {
            Input::Output => OutcomeKind::Executed,
            Input::Error => OutcomeKind::Failed,
            _ => return false,
        };
        let mut older = self
            .transcript
            .calls_named(part.call)
            .map(|(_, older)| older)
            .skip_while(|older| older.key() >= part.key());
        let gave = |older: &ToolPart| older.outcome().is_some_and(|outcome| outcome.kind == kind);
        unexpected && older.any(|older| gave(older) && same(older.output))
    }
}

/// Like [`agrees`], for the opening that a replay repeats. An update may have replaced its input since.
fn agrees_in_replay(part: &ToolPart, opening: &mut Opening<'_>) -> bool {
    part.input_changes > 0 || agrees(part, opening)
}

/// Whether an opening event can be about this call: its input is not complete, or tool and input are equal.
pub(super) fn agrees(part: &ToolPart, opening: &mut Opening<'_>) -> bool {
    let unfinished = opening.input == Input::InputStart || part.is_cut_short();
    // The tool's name may change until the input is complete.
    part.phase().is_streaming()
        || part.name == opening.name
            && (unfinished || (opening.same)(part.input) || (opening.same)(part.models_input()))
}
