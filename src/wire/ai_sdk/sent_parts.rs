//! The parts of a message as a request to the server has them.

use super::ui_message::{closed, closed_by_request, is_incomplete_call};
use crate::machine::{Machine, Message, Part, Phase, ToolPart};
use crate::prelude::*;
use alloc::borrow::Cow;

/// The parts of a message without the calls that a request omits. A call is in a step of its own, before its step, if
/// another call of its step has its id: providers refuse a step in which an id occurs twice.
pub fn sent_parts<'a>(machine: &Machine, message: &'a Message) -> Vec<Cow<'a, Part>> {
    let mut sent = Vec::new();
    let mut from = 0;
    for (at, part) in message.parts.iter().enumerate() {
        if matches!(part, Part::StepStart) {
            push_step(machine, &message.parts[from..at], from, &mut sent);
            sent.push(Cow::Borrowed(part));
            from = at + 1;
        }
    }
    push_step(machine, &message.parts[from..], from, &mut sent);
    sent
}

/// Adds a step, whose first part is the message's part `from`.
fn push_step<'a>(machine: &Machine, step: &'a [Part], from: usize, sent: &mut Vec<Cow<'a, Part>>) {
    // How many later calls of the step have the id of the call at this place.
    let mut repeats: Vec<usize> = Vec::new();
    repeats.grow(step.len(), 0);
    let mut steps = Vec::from([Vec::new()]);
    for (at, part) in step.iter().enumerate().rev() {
        let Some(tool) = part.tool() else {
            steps[0].push(Cow::Borrowed(part));
            continue;
        };
        let later = repeats[at];
        let is_sent = !is_omitted(machine, tool, later > 0);
        if let Some(earlier) = machine.transcript().earlier_in_step(tool, from) {
            repeats[earlier - from] = later + usize::from(is_sent);
        }
        if is_sent {
            steps.grow(later + 1, Vec::new());
            steps[later].push(if later > 0 { Cow::Owned(settled(tool)) } else { Cow::Borrowed(part) });
        }
    }
    while let Some(step) = steps.pop() {
        sent.extend(step.into_iter().rev());
        if !steps.is_empty() {
            sent.push(Cow::Owned(Part::StepStart));
        }
    }
}

/// Whether a request omits the call: its input was never complete, or a call with its id replaced it before it ran.
fn is_omitted(machine: &Machine, part: &ToolPart, is_replaced: bool) -> bool {
    let closed = closed_by_request(machine, part);
    let now = closed.as_ref().unwrap_or(part);
    let may_have_run = now.outcome().is_some_and(|outcome| outcome.may_have_run);
    is_incomplete_call(now) || (is_replaced && now.is_closed() && !may_have_run)
}

/// A copy of a call of an earlier step: servers decide and execute only calls of the last one.
fn settled(part: &ToolPart) -> Part {
    let mut copy = *part;
    if part.phase() == Phase::Denied {
        copy.read_as(Phase::OutputDenied, part.outcome().copied());
    } else if !part.phase().is_settled() {
        copy = closed(part, part.phase().may_have_started());
    }
    Part::Tool(Box::new(copy))
}
