//! Writing `ModelMessage`s: the history as the model will see it.
//!
//! Every call once, one result for each in call order, or one response that awaits execution. A call
//! that has neither is left out: a provider refuses a history in which it dangles.
//! Source of the shapes: `ui/convert-to-model-messages.ts`, 7.0.173.

use super::Kind;
use super::ui_message::{approval, content, error_text, never_called, outcome_metadata};
use crate::machine::{Message, OutcomeKind, Part, Phase, Role, ToolPart};
use crate::wire::{Name, Texts, Values};

/// Adds what becomes of one message to `out`, an array.
pub fn model_messages<V: Values>(values: &V, texts: &Texts, message: &Message, out: &mut V::Value) {
    match message.role {
        Role::System => system(values, message, out),
        Role::User => {
            let mut parts = values.array();
            for part in contents(values, message) {
                push_user_part(values, &part, &mut parts);
            }
            push_message(values, Name::User, parts, out);
        }
        Role::Assistant => {
            let mut block: Vec<&Part> = Vec::new();
            for part in &message.parts {
                match part {
                    Part::StepStart => write_step(values, texts, &mut block, out),
                    Part::Content { kind, value } if Kind::from_number(*kind) == Kind::Steering => {
                        write_step(values, texts, &mut block, out);
                        let steering = values.get(&values.load(*value), Name::Parts);
                        let mut parts = values.array();
                        for index in 0..values.len(&steering) {
                            let part = values.at(&steering, index);
                            let kind = Kind::of(values.name(&part, Name::Type), false);
                            push_user_part(values, &(kind, part), &mut parts);
                        }
                        push_message(values, Name::User, parts, out);
                    }
                    Part::Content { .. } | Part::Tool(_) => block.push(part),
                }
            }
            write_step(values, texts, &mut block, out);
        }
    }
}

fn contents<V: Values>(values: &V, message: &Message) -> Vec<(Kind, V::Value)> {
    let parts = message.parts.iter();
    parts
        .filter_map(|part| match part {
            Part::Content { kind, value } => Some(content(values, *kind, *value)),
            Part::StepStart | Part::Tool(_) => None,
        })
        .collect()
}

fn system<V: Values>(values: &V, message: &Message, out: &mut V::Value) {
    let mut text = String::new();
    let mut options = values.object();
    let mut any = false;
    for (kind, part) in contents(values, message) {
        if kind != Kind::Text {
            continue;
        }
        text.push_str(&values.text(&part, Name::Text).unwrap_or_default());
        let metadata = values.get(&part, Name::ProviderMetadata);
        if values.is_some(&metadata) {
            values.extend(&mut options, &metadata);
            any = true;
        }
    }
    let mut model = values.object();
    values.set_name(&mut model, Name::Role, Name::System);
    values.set_text(&mut model, Name::Content, &text);
    if any {
        values.set(&mut model, Name::ProviderOptions, &options);
    }
    values.push(out, &model);
}

fn push_message<V: Values>(values: &V, role: Name, content: V::Value, out: &mut V::Value) {
    let mut model = values.object();
    values.set_name(&mut model, Name::Role, role);
    values.set(&mut model, Name::Content, &content);
    values.push(out, &model);
}

fn push_user_part<V: Values>(values: &V, (kind, part): &(Kind, V::Value), out: &mut V::Value) {
    match kind {
        Kind::Text => values.push(out, &text(values, part)),
        Kind::File => values.push(out, &file(values, part)),
        Kind::Reasoning
        | Kind::ReasoningFile
        | Kind::Custom
        | Kind::Steering
        | Kind::Source
        | Kind::Data
        | Kind::Other => {}
    }
}

fn typed<V: Values>(values: &V, kind: Name) -> V::Value {
    let mut part = values.object();
    values.set_name(&mut part, Name::Type, kind);
    part
}

fn copy<V: Values>(values: &V, from: &V::Value, to: &mut V::Value, names: &[(Name, Name)]) {
    for (source, target) in names {
        let value = values.get(from, *source);
        if values.is_some(&value) {
            values.set(to, *target, &value);
        }
    }
}

fn text<V: Values>(values: &V, part: &V::Value) -> V::Value {
    let mut model = typed(values, Name::Text);
    copy(values, part, &mut model, &[(Name::Text, Name::Text), (Name::ProviderMetadata, Name::ProviderOptions)]);
    model
}

fn file<V: Values>(values: &V, part: &V::Value) -> V::Value {
    let mut model = typed(values, Name::File);
    copy(values, part, &mut model, &[(Name::MediaType, Name::MediaType), (Name::Filename, Name::Filename)]);
    let reference = values.get(part, Name::ProviderReference);
    let data = if values.is_some(&reference) {
        let mut data = typed(values, Name::Reference);
        values.set(&mut data, Name::Reference, &reference);
        data
    } else {
        url_data(values, part)
    };
    values.set(&mut model, Name::Data, &data);
    copy(values, part, &mut model, &[(Name::ProviderMetadata, Name::ProviderOptions)]);
    model
}

fn url_data<V: Values>(values: &V, part: &V::Value) -> V::Value {
    let mut data = typed(values, Name::Url);
    values.set(&mut data, Name::Url, &values.url(&values.get(part, Name::Url)));
    data
}

/// Writes one step: what the model said, then what became of its calls.
fn write_step<V: Values>(values: &V, texts: &Texts, block: &mut Vec<&Part>, out: &mut V::Value) {
    let block = std::mem::take(block);
    let mut said = values.array();
    let mut results = values.array();
    for part in &block {
        match part {
            Part::Content { kind, value } => push_said(values, &content(values, *kind, *value), &mut said),
            Part::Tool(tool) if !never_called(tool) && is_answered(tool) => {
                push_call(values, texts, tool, &mut said);
                push_result(values, texts, tool, &mut results);
            }
            Part::Tool(_) | Part::StepStart => {}
        }
    }
    if values.len(&said) > 0 {
        push_message(values, Name::Assistant, said, out);
    }
    if values.len(&results) > 0 {
        push_message(values, Name::Tool, results, out);
    }
}

/// Whether the call has its result or its answer.
fn is_answered(part: &ToolPart) -> bool {
    match part.phase {
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

fn push_said<V: Values>(values: &V, (kind, part): &(Kind, V::Value), out: &mut V::Value) {
    let model = match kind {
        Kind::Text => text(values, part),
        Kind::File => file(values, part),
        Kind::Reasoning => {
            let mut model = typed(values, Name::Reasoning);
            copy(
                values,
                part,
                &mut model,
                &[(Name::Text, Name::Text), (Name::ProviderMetadata, Name::ProviderOptions)],
            );
            model
        }
        Kind::ReasoningFile => {
            let mut model = typed(values, Name::ReasoningFile);
            values.set(&mut model, Name::Data, &url_data(values, part));
            copy(
                values,
                part,
                &mut model,
                &[(Name::MediaType, Name::MediaType), (Name::ProviderMetadata, Name::ProviderOptions)],
            );
            model
        }
        Kind::Custom => {
            let mut model = typed(values, Name::Custom);
            copy(
                values,
                part,
                &mut model,
                &[(Name::Kind, Name::Kind), (Name::ProviderMetadata, Name::ProviderOptions)],
            );
            model
        }
        Kind::Steering | Kind::Source | Kind::Data | Kind::Other => return,
    };
    values.push(out, &model);
}

fn push_call<V: Values>(values: &V, texts: &Texts, part: &ToolPart, said: &mut V::Value) {
    let fields = values.load(part.fields);
    let mut call = typed(values, Name::ToolCall);
    values.set_text(&mut call, Name::ToolCallId, &part.call);
    values.set_text(&mut call, Name::ToolName, &part.name);
    let input = values.load(part.input);
    let raw = values.get(&fields, Name::RawInput);
    let failed = part.phase == Phase::OutputError && !values.is_some(&input);
    values.set(&mut call, Name::Input, if failed { &raw } else { &input });
    values.set(&mut call, Name::ProviderExecuted, &values.get(&fields, Name::ProviderExecuted));
    let metadata = call_metadata(values, part, &fields);
    if values.is_some(&metadata) {
        values.set(&mut call, Name::ProviderOptions, &metadata);
    }
    values.push(said, &call);
    if let Some(approval) = approval(values, part) {
        let mut request = typed(values, Name::ToolApprovalRequest);
        copy(
            values,
            &approval,
            &mut request,
            &[
                (Name::Id, Name::ApprovalId),
                (Name::IsAutomatic, Name::IsAutomatic),
                (Name::RequestReason, Name::Reason),
                (Name::Signature, Name::Signature),
            ],
        );
        values.set_text(&mut request, Name::ToolCallId, &part.call);
        if values.has(&approval, Name::InputSchemaInput) {
            values.set(&mut request, Name::InputSchemaInput, &values.get(&approval, Name::InputSchemaInput));
        }
        values.push(said, &request);
    }
    if part.provider_executed && matches!(part.phase, Phase::OutputAvailable | Phase::OutputError) {
        let mut result = result_head(values, part);
        values.set(&mut result, Name::Output, &result_output(values, texts, part, Name::ErrorJson));
        let own = values.get(&fields, Name::ResultProviderMetadata);
        let metadata = if values.is_some(&own) { own } else { metadata };
        if values.is_some(&metadata) {
            values.set(&mut result, Name::ProviderOptions, &metadata);
        }
        values.push(said, &result);
    }
}

fn call_metadata<V: Values>(values: &V, part: &ToolPart, fields: &V::Value) -> V::Value {
    if let Some(metadata) = outcome_metadata(values, part) {
        return metadata;
    }
    let own = values.get(fields, Name::CallProviderMetadata);
    if values.is_some(&own) || part.phase != Phase::OutputError {
        return own;
    }
    values.get(fields, Name::ResultProviderMetadata)
}

fn push_result<V: Values>(values: &V, texts: &Texts, part: &ToolPart, results: &mut V::Value) {
    let approval = approval(values, part);
    let response = approval.filter(|approval| values.flag(approval, Name::Approved).is_some());
    if part.provider_executed && response.is_none() {
        return;
    }
    let fields = values.load(part.fields);
    if let Some(approval) = response {
        let mut answer = typed(values, Name::ToolApprovalResponse);
        copy(
            values,
            &approval,
            &mut answer,
            &[(Name::Id, Name::ApprovalId), (Name::Approved, Name::Approved), (Name::Reason, Name::Reason)],
        );
        values.set(&mut answer, Name::ProviderExecuted, &values.get(&fields, Name::ProviderExecuted));
        values.push(results, &answer);
    }
    let output = match part.phase {
        Phase::Denied | Phase::OutputDenied => {
            let mut denied = typed(values, Name::ExecutionDenied);
            let reason = part.decision().map_or_else(|| values.none(), |decision| values.load(decision.reason));
            values.set(&mut denied, Name::Reason, &reason);
            denied
        }
        Phase::OutputAvailable | Phase::OutputError if !part.provider_executed => {
            result_output(values, texts, part, Name::ErrorText)
        }
        _ => return,
    };
    let mut result = result_head(values, part);
    values.set(&mut result, Name::Output, &output);
    let metadata = match outcome_metadata(values, part) {
        Some(metadata) => metadata,
        None => values.get(&fields, Name::CallProviderMetadata),
    };
    if values.is_some(&metadata) {
        values.set(&mut result, Name::ProviderOptions, &metadata);
    }
    values.push(results, &result);
}

fn result_head<V: Values>(values: &V, part: &ToolPart) -> V::Value {
    let mut result = typed(values, Name::ToolResult);
    values.set_text(&mut result, Name::ToolCallId, &part.call);
    values.set_text(&mut result, Name::ToolName, &part.name);
    result
}

fn result_output<V: Values>(values: &V, texts: &Texts, part: &ToolPart, error_as: Name) -> V::Value {
    let failed = part.phase == Phase::OutputError;
    let value = if failed { error_text(values, texts, part) } else { values.load(part.output) };
    let kind = match (failed, values.is_text(&value)) {
        (true, _) if error_as == Name::ErrorJson => Name::ErrorJson,
        (true, _) => {
            let mut output = values.object();
            values.set_text(&mut output, Name::Type, "error-text");
            let text = if values.is_text(&value) { value } else { values.string(UNKNOWN_ERROR) };
            values.set(&mut output, Name::Value, &text);
            return output;
        }
        (false, true) => Name::Text,
        (false, false) => Name::Json,
    };
    debug_assert!(part.outcome.as_ref().is_none_or(|outcome| outcome.kind != OutcomeKind::Denied));
    let mut output = typed(values, kind);
    values.set(&mut output, Name::Value, &values.json(&value));
    output
}

/// What the package writes for an error without a text. Source: `getErrorMessage` of `@ai-sdk/provider`.
const UNKNOWN_ERROR: &str = "unknown error";
