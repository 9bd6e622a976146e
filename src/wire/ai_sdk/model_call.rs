//! Writes the calls, decisions and results of `ModelMessage`s.

use super::Writer;
use super::ui_message::{approval, error_text, outcome_metadata, sent_reason};
use crate::machine::{ApprovalOwner, OutcomeKind, Payload, Phase, ToolPart};
use crate::wire::{Name, Values};

pub(super) fn push_call<V: Values>(w: &Writer<V>, part: &ToolPart, assistant: Payload) {
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
    w.values.set(call, Name::ProviderExecuted, w.values.get(fields, Name::ProviderExecuted));
    let metadata = call_metadata(w, part, fields);
    if w.values.is_some(metadata) {
        w.values.set(call, Name::ProviderOptions, metadata);
    }
    w.values.push(assistant, call);
    if let Some(approval) = own_approval(w, part) {
        let request = w.typed(Name::ToolApprovalRequest);
        w.values.copy(approval, Name::Id, request, Name::ApprovalId);
        w.values.copy(approval, Name::IsAutomatic, request, Name::IsAutomatic);
        w.values.copy(approval, Name::RequestReason, request, Name::Reason);
        w.values.copy(approval, Name::Signature, request, Name::Signature);
        w.values.set_id(request, Name::ToolCallId, part.call);
        w.values.set(request, Name::InputSchemaInput, w.values.get(approval, Name::InputSchemaInput));
        w.values.push(assistant, request);
    }
    if part.provider_executed && matches!(part.known_phase(), Phase::OutputAvailable | Phase::OutputError) {
        let result = result_head(w, part);
        w.values.set(result, Name::Output, result_output(w, part, Name::ErrorJson));
        let own = w.values.get(fields, Name::ResultProviderMetadata);
        let metadata = if w.values.is_some(own) { own } else { metadata };
        if w.values.is_some(metadata) {
            w.values.set(result, Name::ProviderOptions, metadata);
        }
        w.values.push(assistant, result);
    }
}

/// The call's approval, unless a later call has its id now: a model's history contains each approval id once.
fn own_approval<V: Values>(w: &Writer<V>, part: &ToolPart) -> Option<Payload> {
    let id = part.approval.as_ref()?.id;
    let transcript = w.machine.transcript();
    // If the owner was removed, the last remaining call with this approval id has it.
    let owner = transcript.approval(id).map(ApprovalOwner::key).or_else(|| transcript.last_with_approval(id));
    approval(w, part).filter(|_| owner.is_none_or(|owner| owner == part.key()))
}

fn call_metadata<V: Values>(w: &Writer<V>, part: &ToolPart, fields: Payload) -> Payload {
    if let Some(metadata) = outcome_metadata(w, part) {
        return metadata;
    }
    let own = w.values.get(fields, Name::CallProviderMetadata);
    if w.values.is_some(own) || part.known_phase() != Phase::OutputError {
        return own;
    }
    w.values.get(fields, Name::ResultProviderMetadata)
}

pub(super) fn push_result<V: Values>(w: &Writer<V>, part: &ToolPart, results: Payload) {
    let approval = own_approval(w, part);
    let response = approval.filter(|&approval| w.values.flag(approval, Name::Approved).is_some());
    if part.provider_executed && response.is_none() {
        return;
    }
    let fields = part.fields;
    if let Some(approval) = response {
        let answer = w.typed(Name::ToolApprovalResponse);
        w.values.copy(approval, Name::Id, answer, Name::ApprovalId);
        w.values.copy(approval, Name::Approved, answer, Name::Approved);
        w.values.copy(approval, Name::Reason, answer, Name::Reason);
        w.values.set(answer, Name::ProviderExecuted, w.values.get(fields, Name::ProviderExecuted));
        w.values.push(results, answer);
    }
    let output = match part.known_phase() {
        Phase::Denied | Phase::OutputDenied => {
            let denied = w.typed(Name::ExecutionDenied);
            w.values.set(denied, Name::Reason, sent_reason(part));
            denied
        }
        Phase::OutputAvailable | Phase::OutputError if !part.provider_executed => {
            result_output(w, part, Name::TextError)
        }
        _ => return,
    };
    let result = result_head(w, part);
    w.values.set(result, Name::Output, output);
    let metadata = match outcome_metadata(w, part) {
        Some(metadata) => metadata,
        None => w.values.get(fields, Name::CallProviderMetadata),
    };
    if w.values.is_some(metadata) {
        w.values.set(result, Name::ProviderOptions, metadata);
    }
    w.values.push(results, result);
}

fn result_head<V: Values>(w: &Writer<V>, part: &ToolPart) -> Payload {
    let result = w.typed(Name::ToolResult);
    w.values.set_id(result, Name::ToolCallId, part.call);
    w.values.set_id(result, Name::ToolName, part.name);
    result
}

fn result_output<V: Values>(w: &Writer<V>, part: &ToolPart, error_as: Name) -> Payload {
    let failed = part.known_phase() == Phase::OutputError;
    let value = if failed { error_text(w, part) } else { part.output };
    // The tool that would have filtered this output is gone, so the model must not see it. Source:
    // `ui/unavailable-tool.ts`.
    if !failed && part.dynamic && w.values.flag(part.fields, Name::Dynamic) == Some(false) {
        let output = w.typed(Name::Text);
        w.values.set_name(output, Name::Value, Name::OmittedOutput);
        return output;
    }
    let kind = match (failed, w.values.is_text(value)) {
        (true, _) if error_as == Name::ErrorJson && w.values.is_some(value) => Name::ErrorJson,
        (true, _) => {
            let output = w.values.object();
            w.values.set_name(output, Name::Type, error_as);
            if w.values.is_text(value) {
                w.values.set(output, Name::Value, value);
            } else {
                w.values.set_name(output, Name::Value, Name::UnknownError);
            }
            return output;
        }
        (false, true) => Name::Text,
        (false, false) => Name::Json,
    };
    debug_assert!(part.outcome().is_none_or(|outcome| outcome.kind != OutcomeKind::Denied));
    let output = w.typed(kind);
    w.values.set(output, Name::Value, w.values.as_json(value));
    output
}
