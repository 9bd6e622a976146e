//! Copies of one call in a loaded history.

use super::{Repair, RepairCode};
use crate::machine::{IdMap, Message, OutcomeKind, Part, PartPos, Payload, Phase, Role, ToolPart};
use crate::prelude::*;

/// How far a call got: of two copies, the one that knows more is kept.
fn rank(part: &ToolPart) -> u8 {
    let outcome = part.outcome().map(|outcome| outcome.kind);
    match part.phase() {
        Phase::InputStreaming => 0,
        Phase::InputAvailable => 1,
        Phase::ApprovalRequested | Phase::AutomaticRequest => 2,
        Phase::Approved | Phase::Submitted => 3,
        Phase::Denied => 4,
        Phase::Preliminary => 5,
        // Closed for want of a result: a copy that has one knows more.
        Phase::OutputError if outcome != Some(OutcomeKind::Failed) => 6,
        Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => 7,
    }
}

/// Keeps each copied call once, where it first was, with what its copies knew. `same`: whether two values are the same.
///
/// Calls with one id are copies if they are in one turn, have the same tool and input, and do not contradict each other.
/// Others are different calls: an id may come again.
pub fn merge_calls(messages: &mut Vec<Message>, repairs: &mut Vec<Repair>, same: &dyn Fn(Payload, Payload) -> bool) {
    let mut first: IdMap<PartPos> = IdMap::default();
    let mut earlier: Vec<Vec<Option<PartPos>>> = Vec::new();
    let mut copies: Vec<PartPos> = Vec::new();
    let mut turn = 0;
    for m in 0..messages.len() {
        if messages[m].role == Role::User {
            turn = m + 1;
        }
        earlier.push(vec_of_none(messages[m].parts.len()));
        for p in 0..messages[m].parts.len() {
            let Some(tool) = messages[m].parts[p].tool() else { continue };
            let at = PartPos { message: m, part: p };
            let mut known = first.get(tool.call).filter(|known| known.message >= turn);
            let copy = tool.clone();
            while let Some(place) = known {
                let Some(kept) = messages[place.message].parts[place.part].tool() else { break };
                let here = place.message == m;
                if same_step(messages, place, at) && is_copy(kept, &copy, here, same) {
                    break;
                }
                known = earlier[place.message][place.part].filter(|known| known.message >= turn);
            }
            let Some(place) = known else {
                earlier[m][p] = first.get(copy.call);
                first.set(copy.call, Some(at));
                continue;
            };
            copies.push(at);
            if let Part::Tool(kept) = &mut messages[place.message].parts[place.part] {
                if rank(&copy) > rank(kept) {
                    **kept = copy;
                }
                repairs.push(Repair::of(RepairCode::DuplicateCall, kept.call, kept.phase()));
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
    list.resize(length, None);
    list
}

/// Whether two parts are in different messages, or in one step of a message.
fn same_step(messages: &[Message], a: PartPos, b: PartPos) -> bool {
    let between = || messages[a.message].parts.get(a.part..b.part).unwrap_or_default();
    a.message != b.message || !between().contains(&Part::StepStart)
}

/// Whether two parts with one id are copies of one call. `here`: they are in one step, where an open call is asked about anew
/// under another approval, and stays the same call.
fn is_copy(a: &ToolPart, b: &ToolPart, here: bool, same: &dyn Fn(Payload, Payload) -> bool) -> bool {
    let unfinished = a.phase() == Phase::InputStreaming || b.phase() == Phase::InputStreaming;
    let asked = match (&a.approval, &b.approval) {
        (Some(asked), Some(again)) => {
            asked.id == again.id || (here && !a.phase().is_settled() && !b.phase().is_settled())
        }
        (None, _) | (_, None) => true,
    };
    let kind = |part: &ToolPart| part.outcome().map(|outcome| outcome.kind).filter(|kind| kind.is_from_tool());
    let results = match (kind(a), kind(b)) {
        (Some(in_a), Some(in_b)) => in_a == in_b && same(a.output, b.output),
        (None, _) | (_, None) => true,
    };
    a.name == b.name && (unfinished || same(a.input, b.input)) && asked && results
}
