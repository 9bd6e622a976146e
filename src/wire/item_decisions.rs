//! The contents of an outgoing item, call by call, in the form that protocols receive: `Decision` in
//! `src/ts/protocols/shared/codec.ts`.

use super::ai_sdk::{Writer, error_text, is_content, sent_reason};
use super::{Name, Values, enum_names};
use crate::machine::{Carried, Id, Item, OutcomeKind, Payload, Phase, ToolPart};

/// The decisions of an item that was not sent, and the results of tools that ran in the page, in call order.
pub fn decisions<V: Values>(w: &Writer<V>, item: &Item) -> Payload {
    let list = w.values.array();
    for carried in &item.carried {
        let part = w.machine.transcript().call(carried.call);
        let to = match (part, item.tool) {
            (Some(part), _) => decision(w, carried, part),
            (None, Some(tool)) => refusal(w, carried.id, tool),
            (None, None) => continue,
        };
        if let (Some(_), Some(approval)) = (item.tool, carried.approval) {
            set_request(w, to, approval, item.envelope);
        }
        w.values.push(list, to);
    }
    list
}

/// Refuses a request that its call does not have.
fn refusal<V: Values>(w: &Writer<V>, call: Id, tool: Id) -> Payload {
    let to = w.values.object();
    w.values.set_id(to, Name::ToolCallId, call);
    w.values.set_id(to, Name::ToolName, tool);
    w.values.set_name(to, Name::Outcome, enum_names::outcome(OutcomeKind::Skipped));
    w.values.set(to, Name::Reason, w.machine.options().superseded);
    to
}

/// Sets the request that an answer is about.
fn set_request<V: Values>(w: &Writer<V>, to: Payload, id: Id, envelope: Payload) {
    let asked = w.values.object();
    w.values.set_id(to, Name::ApprovalId, id);
    w.values.set_id(asked, Name::Id, id);
    w.values.extend(asked, envelope);
    w.values.set(to, Name::Approval, asked);
}

fn decision<V: Values>(w: &Writer<V>, carried: &Carried, part: &ToolPart) -> Payload {
    let values = w.values;
    let to = values.object();
    let decision = part.decision();
    let (original, remember) = decision.map_or((None, None), |of| (of.original, of.remember));
    let is_output = carried.output;
    let outcome = part.outcome().filter(|outcome| is_output || !outcome.kind.is_from_tool());
    let mut reason = sent_reason(part);
    values.set_id(to, Name::ApprovalId, part.approval_id().unwrap_or(part.call));
    values.set_id(to, Name::ToolCallId, part.call);
    values.set_id(to, Name::ToolName, part.name);
    values.set(to, Name::Input, values.partial_value(original.unwrap_or(part.input)));
    match outcome {
        Some(outcome) => {
            // The denial of a request that this client made is an error of the page.
            let failed = is_output && part.known_phase() == Phase::OutputError;
            let kind = match outcome.kind {
                // Refuses this call, and nothing else: a cancellation may end the whole turn.
                OutcomeKind::Interrupted => OutcomeKind::Skipped,
                _ if failed && !part.is_closed() => OutcomeKind::Failed,
                kind => kind,
            };
            values.set_name(to, Name::Outcome, enum_names::outcome(kind));
            if part.is_closed() {
                reason = outcome.reason;
            } else if is_output {
                reason = if failed { error_text(w, part) } else { Payload::NONE };
                let name = if is_content(values, part) { Name::Content } else { Name::Output };
                values.set(to, name, if failed { Payload::NONE } else { part.output });
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
    if let Some(approval) = part.approval.as_ref().filter(|approval| !approval.is_local) {
        set_request(w, to, approval.id, approval.envelope);
    }
    values.set(to, Name::Metadata, values.get(part.fields, Name::CallProviderMetadata));
    to
}
