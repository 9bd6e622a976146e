//! What an item carries, call by call, as the codec of a protocol is told it: `Decision` in `src/ts/codecs/codec.ts`.

use super::ai_sdk::told_reason;
use super::{Name, Values, words};
use crate::machine::{Item, Machine, OutcomeKind, Payload, ToolPart};

/// The decisions of an item that has not left, and the results that its tools gave in the browser, in call order.
pub fn decisions<V: Values>(values: &V, machine: &Machine, item: &Item) -> Payload {
    let list = values.array();
    for part in item.calls.iter().filter_map(|&call| machine.transcript().call(call)) {
        values.push(list, decision(values, item, part));
    }
    list
}

fn decision<V: Values>(values: &V, item: &Item, part: &ToolPart) -> Payload {
    let to = values.object();
    let decision = part.decision();
    let (original, remember) = decision.map_or((None, None), |of| (of.original, of.remember));
    let is_output = item.outputs.contains(&part.call);
    let outcome = part.outcome.as_ref().filter(|outcome| is_output || !outcome.kind.is_from_tool());
    let mut reason = told_reason(part);
    values.set_id(to, Name::ApprovalId, part.approval.as_ref().map_or(part.call, |approval| approval.id));
    values.set_id(to, Name::ToolCallId, part.call);
    values.set_id(to, Name::ToolName, part.name);
    values.set(to, Name::Input, original.unwrap_or(part.input));
    match outcome {
        Some(outcome) => {
            let kind = if part.is_closed() { OutcomeKind::Cancelled } else { outcome.kind };
            values.set_name(to, Name::Outcome, words::outcome(kind));
            if part.is_closed() {
                reason = outcome.reason;
            } else if is_output {
                let failed = kind == OutcomeKind::Failed;
                reason = if failed { part.output } else { Payload::NONE };
                values.set(to, Name::Output, if failed { Payload::NONE } else { part.output });
            }
        }
        None => {
            values.set_name(to, Name::Outcome, Name::Approved);
            if original.is_some() {
                values.set(to, Name::EditedInput, part.input);
            }
        }
    }
    values.set(to, Name::Reason, reason);
    if let Some(always) = remember {
        values.set_name(to, Name::Remember, if always { Name::Always } else { Name::Chat });
    }
    if let Some(approval) = &part.approval {
        let asked = values.object();
        values.set_id(asked, Name::Id, approval.id);
        values.extend(asked, approval.envelope);
        values.set(to, Name::Approval, asked);
    }
    values.set(to, Name::Metadata, values.get(part.fields, Name::CallProviderMetadata));
    to
}
