//! Reads a stored history: `UIMessage`s or `ModelMessage`s.

use super::Kind;
use super::dedupe::remove_copies;
use super::load_call::{OF_CONTENT, tool_part, without_invalid};
use super::load_model::ModelReader;
use crate::machine::{
    Id, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, Repair, RepairCode, Role, ToolPart,
};
use crate::prelude::*;
use crate::wire::{Name, OmitKeys, ValueKind, Values};

/// The state of reading one history.
pub(super) struct Reading<'a, V: Values> {
    pub(super) values: &'a V,
    pub(super) repairs: Vec<Repair>,
}

impl<V: Values> Reading<'_, V> {
    pub(super) fn repair(&mut self, code: RepairCode, call: Id, phase: Phase) {
        self.repairs.push(Repair::of(code, call, phase));
    }

    /// Reports an invalid or incomplete entry, which is skipped.
    pub(super) fn skipped(&mut self, call: Option<Id>) {
        self.repairs.push(Repair { call, ..Repair::new(RepairCode::Malformed) });
    }

    /// Reports a decision or a result without its call, which is skipped.
    pub(super) fn orphaned(&mut self, call: Option<Id>) {
        self.repairs.push(Repair { call, ..Repair::new(RepairCode::Orphaned) });
    }

    /// Reports a repaired message, or a repaired part that is not a call.
    pub(super) fn repaired(&mut self, code: RepairCode) {
        self.repairs.push(Repair::new(code));
    }
}

/// Replaces the machine's transcript with `history`, an array of messages. Returns the repairs. If `history` is not an
/// array, returns `None` and changes nothing. `now`: the host's time in milliseconds.
pub fn load<V: Values>(machine: &mut Machine, values: &V, history: Payload, now: u64) -> Option<Vec<Repair>> {
    let mut r = Reading { values, repairs: Vec::new() };
    let mut messages: Vec<Message> = Vec::new();
    let mut model_reader = ModelReader::default();
    if values.kind(history) != ValueKind::Array {
        return None;
    }
    for index in 0..values.len(history) {
        let entry = values.at(history, index);
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
            values.has(part, Name::Outcome) || values.has(part, Name::Delivery)
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
    remove_copies(&mut r, &mut messages);
    let repairs = r.repairs;
    Some(machine.load(messages, repairs, now))
}

/// Reads a user's message: `{ text }`, or a complete message. `id` is used if the message has no id.
pub fn user_message<V: Values>(values: &V, message: Payload, id: Id) -> Message {
    let id = values.id(message, Name::Id).unwrap_or(id);
    let role = match values.name(message, Name::Role) {
        Some(Name::System) => Role::System,
        Some(Name::Assistant) => Role::Assistant,
        _ => Role::User,
    };
    let mut read = Message::new(id, role);
    read.fields = values.retain(values.omit(message, OmitKeys::PlacedInNewMessage));
    let mut r = Reading { values, repairs: Vec::new() };
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

/// Whether a part is valid, and has the text that its kind requires.
pub(super) fn has_text<V: Values>(values: &V, part: Payload, kind: Kind) -> bool {
    let name = if matches!(kind, Kind::Text | Kind::Reasoning) { Name::Text } else { Name::Type };
    values.is_text(values.get(part, name))
}

/// Whether a file part has a media type and a location. Parts of other kinds always pass.
pub(super) fn has_file<V: Values>(values: &V, part: Payload, kind: Kind) -> bool {
    let url = values.get(part, Name::Url);
    let placed =
        values.is_text(url) || values.is_object(url) || values.is_object(values.get(part, Name::ProviderReference));
    !matches!(kind, Kind::File | Kind::ReasoningFile) || (placed && values.is_text(values.get(part, Name::MediaType)))
}

/// Sets the outcome of a call from its state and its metadata.
pub(super) fn settle<V: Values>(values: &V, part: &mut ToolPart) {
    let stored = stored_outcome(values, values.get(part.fields, Name::CallProviderMetadata));
    let outcome_of = |kind, reason| Outcome { kind, reason, may_have_run: false };
    let outcome = match part.phase() {
        Phase::OutputAvailable => Some(outcome_of(OutcomeKind::Executed, Payload::NONE)),
        Phase::OutputError => {
            let closed =
                stored.filter(|outcome| matches!(outcome.kind, OutcomeKind::Cancelled | OutcomeKind::Interrupted));
            // Keep the text that was sent, even if the configured texts have changed.
            if closed.is_some() {
                part.written = part.output;
            }
            closed.or_else(|| Some(outcome_of(OutcomeKind::Failed, Payload::NONE)))
        }
        Phase::Denied | Phase::OutputDenied => Some(denial(part, stored)),
        Phase::InputStreaming
        | Phase::InputAvailable
        | Phase::ApprovalRequested
        | Phase::AutomaticRequest
        | Phase::Approved
        | Phase::Submitted
        | Phase::Preliminary => None,
    };
    part.read_as(part.phase(), outcome);
}

fn denial(part: &mut ToolPart, stored: Option<Outcome>) -> Outcome {
    let given = part.decision().map_or(Payload::NONE, |decision| decision.reason);
    let stored = stored
        .filter(|outcome| matches!(outcome.kind, OutcomeKind::Denied | OutcomeKind::Skipped | OutcomeKind::Expired));
    let Some(stored) = stored else { return Outcome { kind: OutcomeKind::Denied, reason: given, may_have_run: false } };
    // The host rewrote the reason that the user gave.
    if stored.kind == OutcomeKind::Denied {
        part.written = given;
        if let Some(decision) = part.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
            decision.reason = stored.reason;
        }
    }
    Outcome { may_have_run: false, ..stored }
}

/// The outcome that Toolgate stored in the call's provider metadata.
pub(super) fn stored_outcome<V: Values>(values: &V, metadata: Payload) -> Option<Outcome> {
    let stored = values.get(metadata, Name::Toolgate);
    let kind = match values.name(stored, Name::Outcome)? {
        Name::Cancelled => OutcomeKind::Cancelled,
        Name::Interrupted => OutcomeKind::Interrupted,
        Name::Denied => OutcomeKind::Denied,
        Name::Skipped => OutcomeKind::Skipped,
        Name::Expired => OutcomeKind::Expired,
        _ => return None,
    };
    let reason = values.get(stored, Name::Reason);
    let reason = values.retain_text(reason);
    Some(Outcome { kind, reason, may_have_run: values.flag(stored, Name::MayHaveRun) == Some(true) })
}
