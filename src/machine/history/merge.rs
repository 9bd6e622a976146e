//! Merges copies of one call in a loaded history.

use super::{Repair, RepairCode};
use crate::machine::{IdMap, Message, Part, PartPos, Payload, Role, ToolPart};
use crate::prelude::*;

/// How far a call has progressed: a call that was closed without a result less than one with a result. Of two copies,
/// the one with the higher rank is kept.
fn rank(part: &ToolPart) -> u16 {
    part.phase().rank() - u16::from(part.is_closed())
}

/// Keeps one part of each copied call, at the position of the first copy, with the state of the copy that progressed
/// most. `deep_equal`: whether two values are equal.
///
/// Calls with the same id are copies if they are in the same turn, have the same tool and input, and do not contradict
/// each other. Otherwise they are different calls whose backend reused the id.
pub fn merge_calls(
    messages: &mut Vec<Message>,
    repairs: &mut Vec<Repair>,
    deep_equal: &dyn Fn(Payload, Payload) -> bool,
) {
    let mut first: IdMap<PartPos> = IdMap::default();
    let mut earlier: Vec<Vec<Option<PartPos>>> = Vec::new();
    let mut copies: Vec<PartPos> = Vec::new();
    let mut turn = 0;
    for m in 0..messages.len() {
        if messages[m].role == Role::User {
            turn = m + 1;
        }
        earlier.push(vec_of_none(messages[m].parts.len()));
        let mut step = 0;
        let step_of = |part: &Part| {
            step += u32::from(matches!(part, Part::StepStart));
            step
        };
        // The number of the step of each part.
        let steps: Vec<u32> = messages[m].parts.iter().map(step_of).listed();
        for p in 0..messages[m].parts.len() {
            let Some(tool) = messages[m].parts[p].tool() else { continue };
            let at = PartPos { message: m, part: p };
            let mut candidate = first.get(tool.call).filter(|candidate| candidate.message >= turn);
            let copy = *tool;
            while let Some(place) = candidate {
                let Some(first_copy) = messages[place.message].parts[place.part].tool() else { break };
                let in_message = place.message == m;
                let same_step = !in_message || steps[place.part] == steps[p];
                if same_step && is_copy(first_copy, &copy, in_message, deep_equal) {
                    break;
                }
                if in_message && same_step {
                    // A request has them in steps of their own.
                    messages[m].source = Payload::NONE;
                }
                candidate = earlier[place.message][place.part].filter(|candidate| candidate.message >= turn);
            }
            let Some(place) = candidate else {
                earlier[m][p] = first.get(copy.call);
                first.set(copy.call, Some(at));
                continue;
            };
            copies.push(at);
            if let Part::Tool(first_copy) = &mut messages[place.message].parts[place.part] {
                if rank(&copy) > rank(first_copy) {
                    **first_copy = copy;
                }
                repairs.push(Repair::of(RepairCode::DuplicateCall, first_copy.call, first_copy.phase()));
            }
            messages[m].source = Payload::NONE;
            messages[place.message].source = Payload::NONE;
        }
    }
    for at in copies.into_iter().rev() {
        messages[at.message].parts.remove(at.part);
        if messages[at.message].parts.iter().all(|part| matches!(part, Part::StepStart)) {
            messages.remove(at.message);
        }
    }
}

fn vec_of_none<T: Clone>(length: usize) -> Vec<Option<T>> {
    let mut list = Vec::new();
    list.grow(length, None);
    list
}

/// Whether two parts with the same id are copies of one call. `in_message`: both are in one message. There, two open
/// parts with different approvals are one call, whose approval was requested again.
fn is_copy(a: &ToolPart, b: &ToolPart, in_message: bool, deep_equal: &dyn Fn(Payload, Payload) -> bool) -> bool {
    let unfinished = a.phase().is_streaming() || b.phase().is_streaming();
    let same_request = match (&a.approval, &b.approval) {
        (Some(in_a), Some(in_b)) => {
            in_a.id == in_b.id || (in_message && !a.phase().is_settled() && !b.phase().is_settled())
        }
        (None, _) | (_, None) => true,
    };
    let kind = |part: &ToolPart| part.outcome().map(|outcome| outcome.kind).filter(|kind| kind.is_from_tool());
    let results = match (kind(a), kind(b)) {
        (Some(in_a), Some(in_b)) => in_a == in_b && deep_equal(a.output, b.output),
        (None, _) | (_, None) => true,
    };
    a.name == b.name && (unfinished || deep_equal(a.input, b.input)) && same_request && results
}
