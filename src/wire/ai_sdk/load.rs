//! Reads a stored history: `UIMessage`s or `ModelMessage`s.

use super::Kind;
use super::dedupe::remove_copies;
use super::load_call::tool_part;
use super::load_index::HistoryIndex;
use super::load_model::ModelReader;
use super::property_checks::{OF_CONTENT, has_file, has_text, without_invalid};
use super::reading::Reading;
use crate::machine::{Id, Machine, Message, Part, Payload, Phase, Repair, RepairCode, Role};
use crate::prelude::*;
use crate::wire::{Name, OmitKeys, ValueKind, Values};

/// Replaces the machine's transcript with `history`, an array of messages. Returns the repairs. If `history` is not an
/// array, returns `None` and changes nothing. `now`: the host's time in milliseconds.
pub fn load<V: Values>(machine: &mut Machine, values: &V, history: Payload, now: u64) -> Option<Vec<Repair>> {
    load_indexed(machine, values, history, HistoryIndex::new(Vec::new(), 0), now)
}

/// [`load`], for a history whose first messages the host has indexed.
pub fn load_indexed<V: Values>(
    machine: &mut Machine,
    values: &V,
    history: Payload,
    mut index: HistoryIndex,
    now: u64,
) -> Option<Vec<Repair>> {
    let mut r = Reading { values, repairs: Vec::new(), message: None };
    let mut messages: Vec<Message> = Vec::new();
    let mut model_reader = ModelReader::default();
    if values.kind(history) != ValueKind::Array {
        return None;
    }
    for place in 0..values.len(history) {
        if let Some(message) = index.message() {
            model_reader.ui_role(Name::User);
            messages.push(message);
            continue;
        }
        let entry = values.at(history, place);
        r.message = Some(place);
        let Some(role) = role(&mut r, entry) else {
            r.skipped(None);
            continue;
        };
        let parts = values.get(entry, Name::Parts);
        if values.has(entry, Name::Content) && !values.is_some(parts) {
            model_reader.read(&mut r, entry, role, &mut messages);
            continue;
        }
        let Some(role) = model_reader.ui_role(role).filter(|_| values.kind(parts) == ValueKind::Array) else {
            r.skipped(None);
            continue;
        };
        let id = values.id(entry, Name::Id);
        if id.is_none() {
            r.repaired(RepairCode::InvalidValue);
        }
        let mut message = Message::new(id.unwrap_or_else(|| values.new_id()), role);
        message.fields = values.retain(values.omit(entry, OmitKeys::PlacedInMessage));
        let repaired = r.repairs.len();
        read_parts(&mut r, parts, &mut message);
        // Servers refuse an empty message, except the assistant's.
        if message.parts.is_empty() && role != Role::Assistant {
            if r.repairs.len() == repaired {
                r.skipped(None);
            }
            continue;
        }
        let has_own_fields = (0..values.len(parts)).any(|place| {
            let part = values.at(parts, place);
            [Name::Outcome, Name::Delivery, Name::Preliminary].into_iter().any(|name| values.has(part, name))
        });
        if id.is_some()
            && r.repairs.len() == repaired
            && !has_own_fields
            && message.parts.iter().all(is_written_unchanged)
        {
            message.source = values.retain(entry);
        }
        messages.push(message);
    }
    r.message = None;
    remove_copies(&mut r, &mut messages);
    let repairs = r.repairs;
    Some(machine.load(messages, repairs, now))
}

/// Reads a user's message: `{ text }`, or a complete message. `id` is used if the message has no id.
pub fn user_message<V: Values>(values: &V, message: Payload, id: Id) -> Message {
    let id = values.id(message, Name::Id).unwrap_or(id);
    let role = match values.name(message, Name::Role) {
        Some(Name::System) => Role::System,
        // `sendUserMessage` refuses all other roles.
        _ => Role::User,
    };
    let mut read = Message::new(id, role);
    read.fields = values.retain(values.omit(message, OmitKeys::PlacedInNewMessage));
    let mut r = Reading { values, repairs: Vec::new(), message: None };
    read_parts(&mut r, values.get(message, Name::Parts), &mut read);
    let text = values.get(message, Name::Text);
    if values.is_text(text) {
        let part = values.object();
        values.set_name(part, Name::Type, Name::Text);
        values.set(part, Name::Text, text);
        read.parts.push(Part::Content { kind: Kind::Text as u8, value: values.retain(part) });
    }
    read
}

/// Whether a part will certainly be written as it was read. Calls that wait or have an approval are written from the
/// machine's state, so they may differ.
fn is_written_unchanged(part: &Part) -> bool {
    let Part::Tool(tool) = part else { return true };
    let whole = tool.input.is_some() && tool.output.is_some();
    let settled = matches!(tool.phase(), Phase::OutputAvailable | Phase::OutputError) && tool.approval.is_none();
    whole && settled && tool.outcome().is_some_and(|outcome| outcome.kind.is_from_tool())
}

/// The role of an entry. A model's history also has the role `tool`.
fn role<V: Values>(r: &mut Reading<V>, entry: Payload) -> Option<Name> {
    r.values
        .name(entry, Name::Role)
        .filter(|role| matches!(role, Name::System | Name::User | Name::Assistant | Name::Tool))
}

fn read_parts<V: Values>(r: &mut Reading<V>, parts: Payload, message: &mut Message) {
    for index in 0..r.values.len(parts) {
        let part = r.values.at(parts, index);
        let name = r.values.name(part, Name::Type);
        let kind = Kind::of(name, r.values.is_data(part));
        if name == Some(Name::StepStart) {
            message.parts.push(Part::StepStart);
        } else if let Some(tool) = r.values.tool_name(part) {
            let read = tool_part(r, part, tool, name == Some(Name::DynamicTool));
            message.parts.extend(read.map(|tool| Part::Tool(Box::new(tool))));
        } else if name == Some(Name::DynamicTool) || !has_text(r.values, part, kind) || !has_file(r.values, part, kind)
        {
            r.skipped(r.values.id(part, Name::ToolCallId));
        } else {
            let (cleaned, invalid) = without_invalid(r.values, part, &OF_CONTENT);
            if invalid {
                r.repaired(RepairCode::InvalidValue);
            }
            message.parts.push(Part::Content { kind: kind as u8, value: r.values.retain(cleaned) });
        }
    }
}
