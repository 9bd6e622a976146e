//! Writing `ModelMessage`s: the history as the model will see it.
//!
//! Every call once, one result for each in call order, or one response that awaits execution. A call
//! that has neither is left out: a provider refuses a history in which it dangles.
//! Source of the shapes: `ui/convert-to-model-messages.ts`, 7.0.173.

use super::Kind;
use super::Writer;
use super::ui_message::{approval, closed, content, error_text, is_left_out, left_over, outcome_metadata, sent_reason};
use crate::machine::{ApprovalOwner, Message, OutcomeKind, Part, Payload, Phase, Role, ToolPart};
use crate::prelude::*;
use crate::wire::{Name, Values};

/// Adds what becomes of one message to `out`, an array.
///
/// `is_last`: nothing stands behind the message, so its last step may still be executed.
pub fn model_messages<V: Values>(w: &Writer<V>, message: &Message, is_last: bool, out: Payload) {
    match message.role {
        Role::System => system(w, message, out),
        Role::User => {
            let parts = w.values.array();
            for part in contents(w, message) {
                push_user_part(w, part, parts);
            }
            // A provider refuses a message without content, and a model would learn nothing from it.
            if w.values.len(parts) > 0 {
                push_message(w, Name::User, parts, out);
            }
        }
        Role::Assistant => {
            let mut block: Vec<&Part> = Vec::new();
            for part in &message.parts {
                match part {
                    Part::StepStart => write_step(w, &mut block, false, out),
                    Part::Content { kind, value } if Kind::from_number(*kind) == Kind::Steering => {
                        write_step(w, &mut block, false, out);
                        let steering = w.values.get(*value, Name::Parts);
                        let parts = w.values.array();
                        for index in 0..w.values.len(steering) {
                            let part = w.values.at(steering, index);
                            let kind = Kind::of(w.values.name(part, Name::Type), false);
                            push_user_part(w, (kind, part), parts);
                        }
                        push_message(w, Name::User, parts, out);
                    }
                    Part::Content { .. } | Part::Tool(_) => block.push(part),
                }
            }
            write_step(w, &mut block, is_last, out);
        }
    }
}

fn contents<V: Values>(w: &Writer<V>, message: &Message) -> Vec<(Kind, Payload)> {
    let parts = message.parts.iter();
    parts
        .filter_map(|part| match part {
            Part::Content { kind, value } => Some(content(w, *kind, *value)),
            Part::StepStart | Part::Tool(_) => None,
        })
        .collect()
}

fn system<V: Values>(w: &Writer<V>, message: &Message, out: Payload) {
    let mut text = Payload::NONE;
    let options = w.values.object();
    let mut any = false;
    for (kind, part) in contents(w, message) {
        if kind != Kind::Text {
            continue;
        }
        text = w.values.concat(text, w.values.get(part, Name::Text));
        let metadata = w.values.get(part, Name::ProviderMetadata);
        if w.values.is_some(metadata) {
            w.values.extend(options, metadata);
            any = true;
        }
    }
    let model = w.values.object();
    w.values.set_name(model, Name::Role, Name::System);
    w.values.set(model, Name::Content, w.values.concat(text, Payload::NONE));
    if any {
        w.values.set(model, Name::ProviderOptions, options);
    }
    w.values.push(out, model);
}

fn push_message<V: Values>(w: &Writer<V>, role: Name, content: Payload, out: Payload) {
    let model = w.values.object();
    w.values.set_name(model, Name::Role, role);
    w.values.set(model, Name::Content, content);
    w.values.push(out, model);
}

fn push_user_part<V: Values>(w: &Writer<V>, (kind, part): (Kind, Payload), out: Payload) {
    match kind {
        Kind::Text => w.values.push(out, text(w, part)),
        Kind::File => w.values.push(out, file(w, part)),
        Kind::Reasoning
        | Kind::ReasoningFile
        | Kind::Custom
        | Kind::Steering
        | Kind::Source
        | Kind::Data
        | Kind::Other => {}
    }
}

fn typed<V: Values>(w: &Writer<V>, kind: Name) -> Payload {
    let part = w.values.object();
    w.values.set_name(part, Name::Type, kind);
    part
}

fn text<V: Values>(w: &Writer<V>, part: Payload) -> Payload {
    let model = typed(w, Name::Text);
    w.values.copy(part, Name::Text, model, Name::Text);
    w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
    model
}

fn file<V: Values>(w: &Writer<V>, part: Payload) -> Payload {
    let model = typed(w, Name::File);
    w.values.copy(part, Name::MediaType, model, Name::MediaType);
    w.values.copy(part, Name::Filename, model, Name::Filename);
    let reference = w.values.get(part, Name::ProviderReference);
    let data = if w.values.is_some(reference) {
        let data = typed(w, Name::Reference);
        w.values.set(data, Name::Reference, reference);
        data
    } else {
        url_data(w, part)
    };
    w.values.set(model, Name::Data, data);
    w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
    model
}

fn url_data<V: Values>(w: &Writer<V>, part: Payload) -> Payload {
    let data = typed(w, Name::Url);
    w.values.set(data, Name::Url, w.values.url(w.values.get(part, Name::Url)));
    data
}

/// Writes one step: what the model said, then what became of its calls.
fn write_step<V: Values>(w: &Writer<V>, block: &mut Vec<&Part>, is_last: bool, out: Payload) {
    let block = core::mem::take(block);
    let said = w.values.array();
    let results = w.values.array();
    for part in &block {
        match part {
            Part::Content { kind, value } => push_said(w, content(w, *kind, *value), said),
            Part::Tool(tool) => {
                let closed = left_over(w.machine, tool).or_else(|| (!is_last).then(|| superseded(tool)).flatten());
                let tool = closed.as_ref().unwrap_or(tool);
                if !is_left_out(w.machine, tool) && is_answered(tool) {
                    push_call(w, tool, said);
                    push_result(w, tool, results);
                }
            }
            Part::StepStart => {}
        }
    }
    if w.values.len(said) > 0 {
        push_message(w, Name::Assistant, said, out);
    }
    if w.values.len(results) > 0 {
        push_message(w, Name::Tool, results, out);
    }
}

/// An approved call without a result that something follows, as the most that it will ever be: servers execute only the last
/// step.
fn superseded(tool: &ToolPart) -> Option<ToolPart> {
    if tool.provider_executed || !matches!(tool.phase(), Phase::Approved | Phase::Submitted) {
        return None;
    }
    Some(closed(tool, true))
}

/// Whether the call has its result or its answer.
fn is_answered(part: &ToolPart) -> bool {
    match part.phase() {
        Phase::Approved
        | Phase::Submitted
        | Phase::Denied
        | Phase::OutputAvailable
        | Phase::OutputError
        | Phase::OutputDenied => true,
        // The provider runs it, and keeps its result on its own side.
        Phase::InputAvailable => part.provider_executed,
        Phase::InputStreaming | Phase::ApprovalRequested | Phase::AutomaticRequest | Phase::Preliminary => false,
    }
}

fn push_said<V: Values>(w: &Writer<V>, (kind, part): (Kind, Payload), out: Payload) {
    let model = match kind {
        Kind::Text => text(w, part),
        Kind::File => file(w, part),
        Kind::Reasoning => {
            let model = typed(w, Name::Reasoning);
            w.values.copy(part, Name::Text, model, Name::Text);
            w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
            model
        }
        Kind::ReasoningFile => {
            let model = typed(w, Name::ReasoningFile);
            w.values.set(model, Name::Data, url_data(w, part));
            w.values.copy(part, Name::MediaType, model, Name::MediaType);
            w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
            model
        }
        Kind::Custom => {
            let model = typed(w, Name::Custom);
            w.values.copy(part, Name::Kind, model, Name::Kind);
            w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
            model
        }
        Kind::Steering | Kind::Source | Kind::Data | Kind::Other => return,
    };
    w.values.push(out, model);
}

fn push_call<V: Values>(w: &Writer<V>, part: &ToolPart, said: Payload) {
    let fields = part.fields;
    let call = typed(w, Name::ToolCall);
    w.values.set_id(call, Name::ToolCallId, part.call);
    w.values.set_id(call, Name::ToolName, part.name);
    let input = part.input;
    let raw = w.values.get(fields, Name::RawInput);
    let failed = part.phase() == Phase::OutputError && !w.values.is_some(input);
    let input = if failed { raw } else { input };
    // JSON loses `undefined`, and a model's schema wants a value there.
    w.values.set(call, Name::Input, if w.values.is_some(input) { input } else { w.values.json(input) });
    w.values.set(call, Name::ProviderExecuted, w.values.get(fields, Name::ProviderExecuted));
    let metadata = call_metadata(w, part, fields);
    if w.values.is_some(metadata) {
        w.values.set(call, Name::ProviderOptions, metadata);
    }
    w.values.push(said, call);
    if let Some(approval) = own_approval(w, part) {
        let request = typed(w, Name::ToolApprovalRequest);
        w.values.copy(approval, Name::Id, request, Name::ApprovalId);
        w.values.copy(approval, Name::IsAutomatic, request, Name::IsAutomatic);
        w.values.copy(approval, Name::RequestReason, request, Name::Reason);
        w.values.copy(approval, Name::Signature, request, Name::Signature);
        w.values.set_id(request, Name::ToolCallId, part.call);
        w.values.set(request, Name::InputSchemaInput, w.values.get(approval, Name::InputSchemaInput));
        w.values.push(said, request);
    }
    if part.provider_executed && matches!(part.phase(), Phase::OutputAvailable | Phase::OutputError) {
        let result = result_head(w, part);
        w.values.set(result, Name::Output, result_output(w, part, Name::ErrorJson));
        let own = w.values.get(fields, Name::ResultProviderMetadata);
        let metadata = if w.values.is_some(own) { own } else { metadata };
        if w.values.is_some(metadata) {
            w.values.set(result, Name::ProviderOptions, metadata);
        }
        w.values.push(said, result);
    }
}

/// The call's approval, unless its id belongs to a later call by now: a model's history names a request once.
fn own_approval<V: Values>(w: &Writer<V>, part: &ToolPart) -> Option<Payload> {
    let id = part.approval.as_ref()?.id;
    let transcript = w.machine.transcript();
    // Of a call that had it and was removed, the id is nobody's: the last one of those before it names it.
    let owner = transcript.approval(id).map(ApprovalOwner::key).or_else(|| transcript.last_with_approval(id));
    approval(w, part).filter(|_| owner.is_none_or(|owner| owner == part.key()))
}

fn call_metadata<V: Values>(w: &Writer<V>, part: &ToolPart, fields: Payload) -> Payload {
    if let Some(metadata) = outcome_metadata(w, part) {
        return metadata;
    }
    let own = w.values.get(fields, Name::CallProviderMetadata);
    if w.values.is_some(own) || part.phase() != Phase::OutputError {
        return own;
    }
    w.values.get(fields, Name::ResultProviderMetadata)
}

fn push_result<V: Values>(w: &Writer<V>, part: &ToolPart, results: Payload) {
    let approval = own_approval(w, part);
    let response = approval.filter(|&approval| w.values.flag(approval, Name::Approved).is_some());
    if part.provider_executed && response.is_none() {
        return;
    }
    let fields = part.fields;
    if let Some(approval) = response {
        let answer = typed(w, Name::ToolApprovalResponse);
        w.values.copy(approval, Name::Id, answer, Name::ApprovalId);
        w.values.copy(approval, Name::Approved, answer, Name::Approved);
        w.values.copy(approval, Name::Reason, answer, Name::Reason);
        w.values.set(answer, Name::ProviderExecuted, w.values.get(fields, Name::ProviderExecuted));
        w.values.push(results, answer);
    }
    let output = match part.phase() {
        Phase::Denied | Phase::OutputDenied => {
            let denied = typed(w, Name::ExecutionDenied);
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
    let result = typed(w, Name::ToolResult);
    w.values.set_id(result, Name::ToolCallId, part.call);
    w.values.set_id(result, Name::ToolName, part.name);
    result
}

fn result_output<V: Values>(w: &Writer<V>, part: &ToolPart, error_as: Name) -> Payload {
    let failed = part.phase() == Phase::OutputError;
    let value = if failed { error_text(w, part) } else { part.output };
    // What a tool that is gone would have filtered must not reach the model unfiltered.
    // Source: `ui/unavailable-tool.ts`.
    if !failed && part.dynamic && w.values.flag(part.fields, Name::Dynamic) == Some(false) {
        let output = typed(w, Name::Text);
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
    let output = typed(w, kind);
    w.values.set(output, Name::Value, w.values.json(value));
    output
}
