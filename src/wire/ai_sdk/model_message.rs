//! Writes `ModelMessage`s: the history that the model receives.
//!
//! Each call is written once, in call order, with one result, or with one approval response if it has not run yet. A
//! call that has neither is left out, because providers refuse a history with an open call; only a call that its
//! provider runs stays. Source of the shapes: `ui/convert-to-model-messages.ts` of `ai` 7.0.173.

use super::Kind;
use super::Writer;
use super::model_call::{push_call, push_result};
use super::ui_message::{closed, closed_by_request, content, is_left_out};
use crate::machine::{Message, Part, Payload, Phase, Role, ToolPart};
use crate::prelude::*;
use crate::wire::{Name, Values};

/// Appends the model messages of one message to `out`, an array.
///
/// `is_last`: no message follows, so the server may still execute the last step.
pub fn model_messages<V: Values>(w: &Writer<V>, message: &Message, is_last: bool, out: Payload) {
    match message.role {
        Role::System => system(w, message, out),
        Role::User => {
            let parts = w.values.array();
            for part in contents(message) {
                push_user_part(w, part, parts);
            }
            // Providers refuse a message without content.
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

fn contents(message: &Message) -> Vec<(Kind, Payload)> {
    let parts = message.parts.iter();
    parts
        .filter_map(|part| match part {
            Part::Content { kind, value } => Some(content(*kind, *value)),
            Part::StepStart | Part::Tool(_) => None,
        })
        .listed()
}

fn system<V: Values>(w: &Writer<V>, message: &Message, out: Payload) {
    let mut text = Payload::NONE;
    let options = w.values.object();
    let mut any = false;
    for (kind, part) in contents(message) {
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

fn text<V: Values>(w: &Writer<V>, part: Payload) -> Payload {
    let model = w.typed(Name::Text);
    w.values.copy(part, Name::Text, model, Name::Text);
    w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
    model
}

fn file<V: Values>(w: &Writer<V>, part: Payload) -> Payload {
    let model = w.typed(Name::File);
    w.values.copy(part, Name::MediaType, model, Name::MediaType);
    w.values.copy(part, Name::Filename, model, Name::Filename);
    let reference = w.values.get(part, Name::ProviderReference);
    let data = if w.values.is_some(reference) {
        let data = w.typed(Name::Reference);
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
    let data = w.typed(Name::Url);
    w.values.set(data, Name::Url, w.values.url(w.values.get(part, Name::Url)));
    data
}

/// Writes one step: the assistant's content and calls, then the results of the calls.
fn write_step<V: Values>(w: &Writer<V>, block: &mut Vec<&Part>, is_last: bool, out: Payload) {
    let block = core::mem::take(block);
    let assistant = w.values.array();
    let results = w.values.array();
    for part in &block {
        match part {
            Part::Content { kind, value } => push_assistant_part(w, content(*kind, *value), assistant),
            Part::Tool(tool) => {
                let closed = closed_by_request(w.machine, tool)
                    .or_else(|| (!is_last).then(|| closed_before_more(tool)).flatten());
                let tool = closed.as_ref().unwrap_or(tool);
                if !is_left_out(w.machine, tool) && has_result_or_decision(tool) {
                    push_call(w, tool, assistant);
                    push_result(w, tool, results);
                }
            }
            Part::StepStart => {}
        }
    }
    if w.values.len(assistant) > 0 {
        push_message(w, Name::Assistant, assistant, out);
    }
    if w.values.len(results) > 0 {
        push_message(w, Name::Tool, results, out);
    }
}

/// Closes an approved call without a result that is followed by other content, because servers only execute the last
/// step. Returns `None` for other calls.
fn closed_before_more(tool: &ToolPart) -> Option<ToolPart> {
    if tool.provider_executed || !matches!(tool.phase(), Phase::Approved | Phase::Submitted) {
        return None;
    }
    Some(closed(tool, true))
}

/// Whether the call has a result or a decision.
fn has_result_or_decision(part: &ToolPart) -> bool {
    match part.known_phase() {
        Phase::Approved
        | Phase::Submitted
        | Phase::Denied
        | Phase::OutputAvailable
        | Phase::OutputError
        | Phase::OutputDenied => true,
        // The provider runs the call, and stores its result.
        Phase::InputAvailable => part.provider_executed,
        Phase::InputStreaming | Phase::ApprovalRequested | Phase::AutomaticRequest | Phase::Preliminary => false,
    }
}

fn push_assistant_part<V: Values>(w: &Writer<V>, (kind, part): (Kind, Payload), out: Payload) {
    let model = match kind {
        Kind::Text => text(w, part),
        Kind::File => file(w, part),
        Kind::Reasoning => {
            let model = w.typed(Name::Reasoning);
            w.values.copy(part, Name::Text, model, Name::Text);
            w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
            model
        }
        Kind::ReasoningFile => {
            let model = w.typed(Name::ReasoningFile);
            w.values.set(model, Name::Data, url_data(w, part));
            w.values.copy(part, Name::MediaType, model, Name::MediaType);
            w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
            model
        }
        Kind::Custom => {
            let model = w.typed(Name::Custom);
            w.values.copy(part, Name::Kind, model, Name::Kind);
            w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
            model
        }
        Kind::Steering | Kind::Source | Kind::Data | Kind::Other => return,
    };
    w.values.push(out, model);
}
