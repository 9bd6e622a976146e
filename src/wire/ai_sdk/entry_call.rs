//! Writes the calls of entries, with their requests, decisions and results.

use super::Writer;
use super::content_output::is_content;
use super::entry::has_result_or_decision;
use super::ui_message::{Shape, UiApproval, error_text, outcome_metadata, sent_reason, ui_approval};
use crate::machine::{ApprovalOwner, Id, OutcomeKind, Part, Payload, Phase, ToolPart};
use crate::wire::{Name, OmitKeys, Values};

/// The call as a part of its step's entry. `step`: the parts of the step.
pub(super) fn call<V: Values>(w: &Writer<V>, part: &ToolPart, step: &[&Part]) -> Payload {
    let fields = part.fields;
    let call = w.typed(Name::ToolCall);
    w.values.set_id(call, Name::ToolCallId, part.call);
    w.values.set_id(call, Name::ToolName, part.name);
    let input = part.input;
    let raw = w.values.get(fields, Name::RawInput);
    let failed = part.known_phase() == Phase::OutputError && !w.values.is_some(input);
    let input = if failed { raw } else { input };
    // JSON drops `undefined`, but a model's schema requires a value here.
    w.values.set(call, Name::Input, if w.values.is_some(input) { input } else { w.values.as_json(input) });
    let executed = w.values.get(fields, Name::ProviderExecuted);
    w.values.set(call, Name::ProviderExecuted, executed);
    let own = w.values.get(fields, Name::ResultProviderMetadata);
    let metadata = outcome_metadata(w, part).unwrap_or_else(|| w.values.get(fields, Name::CallProviderMetadata));
    // A failed call without metadata shows the metadata of its result.
    let of_result = part.known_phase() == Phase::OutputError && !w.values.is_some(metadata);
    // Toolgate's own marks in it are not about the call.
    let of_call = if of_result && w.values.is_object(own) { w.values.omit(own, OmitKeys::Toolgate) } else { metadata };
    w.values.set(call, Name::ProviderOptions, of_call);
    if let Some((approval, id)) = approval_in(w, part, step) {
        let request = w.typed(Name::ToolApprovalRequest);
        w.values.set_id(request, Name::ApprovalId, id);
        if approval.automatic {
            w.values.set_flag(request, Name::IsAutomatic, true);
        }
        let fields = [(Name::RequestReason, Name::Reason), (Name::Signature, Name::Signature)];
        w.copy_all(approval.envelope, request, &fields);
        w.values.set_id(request, Name::ToolCallId, part.call);
        // `null` is an input, too.
        w.values.set(request, Name::InputSchemaInput, w.values.get(approval.envelope, Name::InputSchemaInput));
        w.values.set(call, Name::Request, request);
        if let Some((approved, reason)) = approval.decision {
            let response = w.typed(Name::ToolApprovalResponse);
            w.values.set_id(response, Name::ApprovalId, id);
            w.values.set_flag(response, Name::Approved, approved);
            w.values.set(response, Name::Reason, reason);
            w.values.set(response, Name::ProviderExecuted, executed);
            w.values.set(call, Name::Response, response);
        }
    }
    if let Some(output) = output(w, part) {
        let result = w.typed(Name::ToolResult);
        w.values.set(result, Name::Output, output);
        let by_provider =
            part.provider_executed && matches!(part.known_phase(), Phase::OutputAvailable | Phase::OutputError);
        let metadata = match by_provider {
            true if w.values.is_some(own) => own,
            true => of_call,
            false => metadata,
        };
        w.values.set(result, Name::ProviderOptions, metadata);
        w.values.set(call, Name::Result, result);
    }
    call
}

/// The approval of the call, with its id. Servers find the decisions of a step by approval id: if a later call that is
/// written has the same one, the id of the call takes its place, unless another call of the step has that.
fn approval_in<V: Values>(w: &Writer<V>, part: &ToolPart, step: &[&Part]) -> Option<(UiApproval, Id)> {
    let approval = ui_approval(part, Shape::Body)?;
    let id = approval.id;
    let written = || step.iter().rev().filter_map(|other| other.tool()).filter(|other| has_result_or_decision(other));
    let owner = w.machine.transcript().approval(id).map(ApprovalOwner::key);
    // A step may have thousands of approvals, so it is searched only if the newest one is not this.
    let last = || written().find(|other| other.approval_id() == Some(id));
    if owner == Some(part.key()) || last().is_none_or(|last| last.key() == part.key()) {
        return Some((approval, id));
    }
    let is_free = !written().any(|other| other.key() != part.key() && other.approval_id() == Some(part.call));
    (is_free && id != part.call).then_some((approval, part.call))
}

/// The output of the result; `None` if the call has no result yet.
fn output<V: Values>(w: &Writer<V>, part: &ToolPart) -> Option<Payload> {
    let value = match part.known_phase() {
        phase if phase.is_denied() => {
            let denied = w.typed(Name::ExecutionDenied);
            w.values.set(denied, Name::Reason, sent_reason(part));
            return Some(denied);
        }
        Phase::OutputError => return Some(error_output(w, part)),
        Phase::OutputAvailable => part.output,
        _ => return None,
    };
    debug_assert!(part.outcome().is_none_or(|outcome| outcome.kind != OutcomeKind::Denied));
    // The tool that would have filtered this output is gone, so the model must not see it. Source:
    // `ui/unavailable-tool.ts`.
    if part.dynamic && w.values.flag(part.fields, Name::Dynamic) == Some(false) {
        let output = w.typed(Name::Text);
        w.values.set_name(output, Name::Value, Name::OmittedOutput);
        return Some(output);
    }
    let (kind, value) = if is_content(w.values, part) {
        (Name::Content, value)
    } else {
        (if w.values.is_text(value) { Name::Text } else { Name::Json }, w.values.as_json(value))
    };
    let output = w.typed(kind);
    w.values.set(output, Name::Value, value);
    Some(output)
}

fn error_output<V: Values>(w: &Writer<V>, part: &ToolPart) -> Payload {
    let value = error_text(w, part);
    let by_provider = part.provider_executed;
    let output = w.typed(if by_provider { Name::ErrorJson } else { Name::TextError });
    if w.values.is_text(value) || (by_provider && w.values.is_some(value)) {
        w.values.set(output, Name::Value, w.values.as_json(value));
    } else {
        w.values.set_name(output, Name::Value, Name::UnknownError);
    }
    output
}
