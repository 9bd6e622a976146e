//! Writes entries: the history that the model receives, in the form that protocols read (`HistoryMessage` of
//! `src/ts/types/protocol-definition.ts`).
//!
//! An entry is a system or user message, or a step of the assistant, whose calls carry their requests, decisions and
//! results. Each call is written once, in call order, with one result, or with one approval response if it has not run
//! yet. A call that has neither is left out, because providers refuse a history with an open call; only a call that its
//! provider runs stays. The parts are those of `ModelMessage`s; source: `ui/convert-to-model-messages.ts` of `ai`
//! 7.0.173.

use super::Kind;
use super::Writer;
use super::entry_call::call;
use super::sent_parts::sent_parts;
use super::ui_message::{closed, closed_by_request, content};
use crate::machine::{Message, Part, Payload, Phase, Role, ToolPart};
use crate::prelude::*;
use crate::wire::{Name, Values, enum_names};

/// Appends the entries of one message to `out`, an array.
///
/// `is_last`: no message follows, so the server may still execute the last step.
pub fn entries<V: Values>(w: &Writer<V>, message: &Message, is_last: bool, out: Payload) {
    let role = message.role;
    let mut block: Vec<&Part> = Vec::new();
    let parts = sent_parts(w.machine, message);
    for part in &parts {
        match &**part {
            Part::StepStart if role == Role::Assistant => write_block(w, role, &mut block, false, out),
            Part::Content { kind, value } if Kind::from_number(*kind) == Kind::Steering => {
                write_block(w, role, &mut block, false, out);
                write_steering(w, *value, out);
            }
            Part::StepStart | Part::Content { .. } | Part::Tool(_) => block.push(part),
        }
    }
    write_block(w, role, &mut block, is_last, out);
}

/// Writes one step, or a whole message of another role.
fn write_block<V: Values>(w: &Writer<V>, role: Role, block: &mut Vec<&Part>, is_last: bool, out: Payload) {
    let block = core::mem::take(block);
    let parts = w.values.array();
    for part in &block {
        match part {
            Part::Content { kind, value } => push_content(w, role, content(*kind, *value), parts),
            Part::Tool(tool) if role == Role::Assistant => {
                let closed = closed_by_request(w.machine, tool)
                    .or_else(|| (!is_last).then(|| closed_before_more(tool)).flatten());
                let tool = closed.as_ref().unwrap_or(tool);
                if has_result_or_decision(tool) {
                    w.values.push(parts, call(w, tool, &block));
                }
            }
            Part::StepStart | Part::Tool(_) => {}
        }
    }
    push_entry(w, role, if role == Role::System && w.values.len(parts) > 1 { joined(w, parts) } else { parts }, out);
}

/// Joins texts to one, as the AI SDK does with a system message.
fn joined<V: Values>(w: &Writer<V>, texts: Payload) -> Payload {
    let mut whole = w.values.at(texts, 0);
    let metadata = w.values.object();
    for index in 0..w.values.len(texts) {
        let part = w.values.at(texts, index);
        if index > 0 {
            whole = w.values.append(whole, w.values.get(part, Name::Text));
        }
        let own = w.values.get(part, Name::ProviderOptions);
        if w.values.is_some(own) {
            w.values.extend(metadata, own);
            w.values.set(whole, Name::ProviderOptions, metadata);
        }
    }
    let one = w.values.array();
    w.values.push(one, whole);
    one
}

/// Writes a user's message that was added while the reply was streaming.
fn write_steering<V: Values>(w: &Writer<V>, message: Payload, out: Payload) {
    let steering = w.values.get(message, Name::Parts);
    let parts = w.values.array();
    for index in 0..w.values.len(steering) {
        let part = w.values.at(steering, index);
        let kind = Kind::of(w.values.name(part, Name::Type), false);
        push_content(w, Role::User, (kind, part), parts);
    }
    push_entry(w, Role::User, parts, out);
}

/// Adds an entry, unless it is empty: providers refuse a message without content.
fn push_entry<V: Values>(w: &Writer<V>, role: Role, content: Payload, out: Payload) {
    if w.values.len(content) == 0 {
        return;
    }
    let entry = w.values.object();
    w.values.set_name(entry, Name::Role, enum_names::role(role));
    w.values.set(entry, Name::Content, content);
    w.values.push(out, entry);
}

fn push_content<V: Values>(w: &Writer<V>, role: Role, (kind, part): (Kind, Payload), out: Payload) {
    let fits = match role {
        Role::System => kind == Kind::Text,
        // A protocol may have content of its own here. Model messages of the AI SDK do not (`model-messages.ts`).
        Role::User => matches!(kind, Kind::Text | Kind::File | Kind::Custom),
        Role::Assistant => true,
    };
    // Versions 6 and 7 of `ai` take the URL of a file as a text.
    let (name, fields): (_, &[(Name, Name)]) = match kind {
        Kind::Text => (Name::Text, &[(Name::Text, Name::Text)]),
        Kind::Reasoning => (Name::Reasoning, &[(Name::Text, Name::Text)]),
        Kind::File => (Name::File, &[(Name::MediaType, Name::MediaType), (Name::Filename, Name::Filename)]),
        Kind::ReasoningFile => (Name::ReasoningFile, &[(Name::Url, Name::Data), (Name::MediaType, Name::MediaType)]),
        Kind::Custom => (Name::Custom, &[(Name::Kind, Name::Kind)]),
        Kind::Steering | Kind::Source | Kind::Data | Kind::Other => return,
    };
    if !fits {
        return;
    }
    let model = w.typed(name);
    w.copy_all(part, model, fields);
    if kind == Kind::File {
        let reference = w.values.get(part, Name::ProviderReference);
        if w.values.is_some(reference) {
            let data = w.typed(Name::Reference);
            w.values.set(data, Name::Reference, reference);
            w.values.set(model, Name::Data, data);
        } else {
            w.values.copy(part, Name::Url, model, Name::Data);
        }
    }
    w.values.copy(part, Name::ProviderMetadata, model, Name::ProviderOptions);
    w.values.push(out, model);
}

/// Closes an approved call without a result that is followed by other content, because servers only execute the last
/// step. Returns `None` for other calls.
fn closed_before_more(tool: &ToolPart) -> Option<ToolPart> {
    if tool.provider_executed || !tool.phase().is_approved() {
        return None;
    }
    Some(closed(tool, true))
}

/// Whether the call has a result or a decision.
pub(super) fn has_result_or_decision(part: &ToolPart) -> bool {
    let phase = part.known_phase();
    // A call that its provider runs has its result stored there.
    phase.is_settled() || phase.is_approved() || (phase == Phase::InputAvailable && part.provider_executed)
}
