//! Finds the call that an event is about. Ids may repeat, so an id does not always mean the same call.
//!
//! The AI SDK looks for a call only in the current step of the current message (`ui/process-ui-message-stream.ts`).
//! Replays, and servers that repeat what they received, need more rules.

use crate::machine::{Admission, Id, Input, Machine, OutcomeKind, PartPos, Payload, Phase, ToolPart, first_of_step};

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
pub(in crate::machine) enum Meant {
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
    pub(in crate::machine) fn which_opening(&mut self, message: usize, opening: &mut Opening<'_>) -> Meant {
        let (mut current, mut unread, mut open, mut replaces) = (None, None, None, None);
        let base = PartPos { message, part: self.exchange.reply().map_or(0, |reply| reply.base) };
        for (at, part) in self.transcript.calls_named(opening.call) {
            let is_in_turn = self.transcript.is_in_turn(at.message);
            let is_open = is_in_turn && !part.phase().is_settled();
            if part.reread.unread {
                if agrees_again(part, opening) {
                    unread = Some(at);
                }
            } else {
                let in_step = self.is_in_reached_step(message, at);
                if (in_step || is_open || part.reread.open) && agrees_again(part, opening) {
                    let found = if in_step { &mut current } else { &mut open };
                    found.get_or_insert(at);
                }
            }
            if !part.reread.unread && !is_in_turn {
                break;
            }
            replaces = replaces.or((is_open && !self.follows_reset(part)).then_some(at));
        }
        let known = current.or(unread).or(open);
        if let Some(at) = known.filter(|at| *at >= base) {
            return Meant::Known(at);
        }
        if let Some(at) = self.repetition(base, opening) {
            return Meant::Repeated(at);
        }
        known.map_or(Meant::New { replaces }, Meant::Known)
    }

    /// Whether a call is in the last step of the reply's message, or behind it; in a second reading, in the step that
    /// the reading has reached.
    fn is_in_reached_step(&self, message: usize, at: PartPos) -> bool {
        let (of, reply) = (self.transcript.messages().get(message), self.exchange.reply());
        at.message > message
            || at.message == message
                && of.zip(reply).is_none_or(|(of, reply)| reply.replay.has_in_step(&of.parts, at.part))
    }

    /// From now on, the opening of a settled call is not a repetition.
    pub(in crate::machine) fn end_repetitions(&mut self) {
        if let Some(reply) = self.exchange.reply_mut() {
            reply.may_repeat = false;
        }
    }

    /// The settled call before the reply that an opening event repeats. Some servers repeat the calls that they
    /// received, including settled ones, before they continue.
    ///
    /// Others repeat in a reconnected stream a reply that came before the last one. A reply that came whole has no
    /// further calls, and an id of the backend's own for an approval shows which call it belongs to: `request` makes
    /// this a new call if its approval has another id.
    fn repetition(&self, base: PartPos, opening: &mut Opening<'_>) -> Option<PartPos> {
        let reply = self.exchange.reply()?;
        let is_older = |(at, _): &(PartPos, &ToolPart)| *at < base && self.transcript.is_in_turn(at.message);
        let (at, part) = self.transcript.calls_named(opening.call).find(is_older)?;
        let item = reply.item.filter(|_| reply.may_repeat).and_then(|id| self.item(id));
        let step = item.and_then(|item| self.transcript.place(item.carried.first()?.call));
        let is_in_step = step.filter(|step| step.message == at.message).is_some_and(|step| {
            let parts = &self.transcript.messages()[step.message].parts;
            at.part >= first_of_step(&parts[..step.part]) && part.phase() != Phase::Denied
        });
        let is_whole = self.turn.last_reply().is_some_and(|last| !last.is_cut());
        let is_identified = is_whole || part.approval_id().is_some_and(|approval| approval != part.call);
        let is_replayed = reply.reconnected && reply.is_replay && is_identified;
        ((is_in_step || is_replayed) && part.phase().is_settled() && agrees(part, opening)).then_some(at)
    }

    /// Finds the call that any other event with this id is about; `None` if the event may not change any.
    pub(in crate::machine) fn which_reported(&self, admission: Admission, call: Id) -> Option<PartPos> {
        let newest = || self.transcript.calls_named(call).next().map(|(at, _)| at);
        let newest_in =
            |message: usize| self.transcript.calls_named(call).map(|(at, _)| at).find(|at| at.message == message);
        match admission {
            Admission::Current => {
                // Until a second reading opens the id again, it means the call that it meant before the reply. If there
                // is none, the reading has lost the opening of the first one.
                let named = || self.transcript.calls_named(call);
                let is_meant =
                    |(at, part): &(PartPos, &ToolPart)| !part.reread.unread && self.transcript.is_in_turn(at.message);
                let first = || named().take_while(|(_, part)| part.reread.unread).last();
                named().find(is_meant).or_else(first).map(|(at, _)| at).or_else(newest)
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
    pub(in crate::machine) fn is_older_result(
        &self,
        at: PartPos,
        input: Input,
        same: &mut dyn FnMut(Payload) -> bool,
    ) -> bool {
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

/// Like [`agrees`], for an opening that a second reading may repeat. An update may have replaced its input since.
fn agrees_again(part: &ToolPart, opening: &mut Opening<'_>) -> bool {
    (part.reread.unread || part.reread.open) && part.input_changes > 0 || agrees(part, opening)
}

/// Whether an opening event can be about this call: its input is not complete, or tool and input are equal.
pub(in crate::machine) fn agrees(part: &ToolPart, opening: &mut Opening<'_>) -> bool {
    let unfinished = opening.input == Input::InputStart || part.is_cut_short();
    // The tool's name may change until the input is complete.
    part.phase().is_streaming()
        || part.name == opening.name
            && (unfinished || (opening.same)(part.input) || (opening.same)(part.models_input()))
}
