//! Reading what an app has kept: `UIMessage`s, or `ModelMessage`s.

use super::Kind;
use super::dedupe::remove_copies;
use super::load_call::{OF_CONTENT, tidy, tool_part};
use super::load_model::Models;
use crate::machine::{
    Id, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, Repair, RepairCode, Role, ToolPart,
};
use crate::prelude::*;
use crate::wire::{Name, Sort, Values, Without};

/// What reading a history takes.
pub(super) struct Reading<'a, V: Values> {
    pub(super) values: &'a V,
    pub(super) repairs: Vec<Repair>,
}

impl<V: Values> Reading<'_, V> {
    pub(super) fn repair(&mut self, code: RepairCode, call: Id, phase: Phase) {
        self.repairs.push(Repair::of(code, call, phase));
    }

    /// Invalid or incomplete entries are skipped.
    pub(super) fn left_out(&mut self, call: Option<Id>) {
        self.repairs.push(Repair { call, ..Repair::new(RepairCode::Malformed) });
    }

    /// An answer or a result without its call is skipped.
    pub(super) fn orphaned(&mut self, call: Option<Id>) {
        self.repairs.push(Repair { call, ..Repair::new(RepairCode::Orphaned) });
    }

    /// A message is repaired, or a part that is not a call.
    pub(super) fn repaired(&mut self, code: RepairCode) {
        self.repairs.push(Repair::new(code));
    }
}

/// Replaces the machine's transcript by `history`, an array of messages. Returns what was repaired; none, and nothing
/// changed, for what is not an array. `now`: the host's time in milliseconds.
pub fn load<V: Values>(machine: &mut Machine, values: &V, history: Payload, now: u64) -> Option<Vec<Repair>> {
    let mut r = Reading { values, repairs: Vec::new() };
    let mut messages: Vec<Message> = Vec::new();
    let mut models = Models::default();
    if values.sort(history) != Sort::Array {
        return None;
    }
    for index in 0..values.len(history) {
        let entry = values.at(history, index);
        let Some(role) = role(&mut r, entry) else {
            r.left_out(None);
            continue;
        };
        let parts = values.get(entry, Name::Parts);
        if values.has(entry, Name::Content) && !values.is_some(parts) {
            models.read(&mut r, entry, role, &mut messages);
            continue;
        }
        let Some(role) = models.ui_role(role).filter(|_| values.sort(parts) == Sort::Array) else {
            r.left_out(None);
            continue;
        };
        let id = values.id(entry, Name::Id);
        if id.is_none() {
            r.repaired(RepairCode::InvalidValue);
        }
        let mut message = Message::new(id.unwrap_or_else(|| values.fresh()), role);
        message.fields = values.keep(values.rest(entry, Without::PlacedInMessage));
        let repaired = r.repairs.len();
        read_parts(&mut r, parts, &mut message);
        // Servers refuse an empty message, but for the assistant's.
        if message.parts.is_empty() && role != Role::Assistant {
            if r.repairs.len() == repaired {
                r.left_out(None);
            }
            continue;
        }
        let ours = (0..values.len(parts)).any(|place| {
            let part = values.at(parts, place);
            values.has(part, Name::Outcome) || values.has(part, Name::Delivery)
        });
        if id.is_some() && r.repairs.len() == repaired && !ours && message.parts.iter().all(says_the_same) {
            message.source = values.keep(entry);
        }
        messages.push(message);
    }
    remove_copies(&mut r, &mut messages);
    let repairs = r.repairs;
    Some(machine.load(messages, repairs, now))
}

/// Reads a user's message: `{ text }`, or a whole one.
/// `id` is that of a message without one.
pub fn user_message<V: Values>(values: &V, message: Payload, id: Id) -> Message {
    let id = values.id(message, Name::Id).unwrap_or(id);
    let role = match values.name(message, Name::Role) {
        Some(Name::System) => Role::System,
        Some(Name::Assistant) => Role::Assistant,
        _ => Role::User,
    };
    let mut read = Message::new(id, role);
    read.fields = values.keep(values.rest(message, Without::PlacedInNewMessage));
    let mut r = Reading { values, repairs: Vec::new() };
    read_parts(&mut r, values.get(message, Name::Parts), &mut read);
    let text = values.get(message, Name::Text);
    if values.is_text(text) {
        let part = values.object();
        values.set_name(part, Name::Type, Name::Text);
        values.set(part, Name::Text, text);
        read.parts.push(Part::Content { kind: Kind::Text as u8, value: values.keep(part) });
    }
    read
}

/// Whether a part that was read is sure to be written as it stood: not so for calls that wait, or
/// that have an approval, whose shape follows from the state here.
fn says_the_same(part: &Part) -> bool {
    let Part::Tool(tool) = part else { return true };
    let whole = tool.input.is_some() && tool.output.is_some();
    let settled = matches!(tool.phase(), Phase::OutputAvailable | Phase::OutputError) && tool.approval.is_none();
    whole && settled && tool.outcome().is_some_and(|outcome| outcome.kind.is_from_tool())
}

/// A role, and the tool messages of a model history beside it.
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
        } else if let Some(tool) = r.values.tool(part) {
            let read = tool_part(r, part, tool, name == Some(Name::DynamicTool));
            message.parts.extend(read.map(|tool| Part::Tool(Box::new(tool))));
        } else if name == Some(Name::DynamicTool) || !has_text(r.values, part, kind) || !has_file(r.values, part, kind)
        {
            r.left_out(r.values.id(part, Name::ToolCallId));
        } else {
            let (tidied, odd) = tidy(r.values, part, &OF_CONTENT);
            if odd {
                r.repaired(RepairCode::InvalidValue);
            }
            message.parts.push(Part::Content { kind: kind as u8, value: r.values.keep(tidied) });
        }
    }
}

/// Whether a part is one, with the text that its kind needs.
pub(super) fn has_text<V: Values>(values: &V, part: Payload, kind: Kind) -> bool {
    let name = if matches!(kind, Kind::Text | Kind::Reasoning) { Name::Text } else { Name::Type };
    values.is_text(values.get(part, name))
}

/// Whether a part that is a file says what sort of file it is, and where.
pub(super) fn has_file<V: Values>(values: &V, part: Payload, kind: Kind) -> bool {
    let url = values.get(part, Name::Url);
    let placed =
        values.is_text(url) || values.is_object(url) || values.is_object(values.get(part, Name::ProviderReference));
    !matches!(kind, Kind::File | Kind::ReasoningFile) || (placed && values.is_text(values.get(part, Name::MediaType)))
}

/// Writes how a call settled, as its state and its metadata say.
pub(super) fn settle<V: Values>(values: &V, part: &mut ToolPart) {
    let kept = kept_outcome(values, values.get(part.fields, Name::CallProviderMetadata));
    let plain = |kind, reason| Outcome { kind, reason, may_have_run: false };
    let outcome = match part.phase() {
        Phase::OutputAvailable => Some(plain(OutcomeKind::Executed, Payload::NONE)),
        Phase::OutputError => {
            let closed =
                kept.filter(|outcome| matches!(outcome.kind, OutcomeKind::Cancelled | OutcomeKind::Interrupted));
            // The text stays as it was sent, whatever the texts are by now.
            if closed.is_some() {
                part.written = part.output;
            }
            closed.or_else(|| Some(plain(OutcomeKind::Failed, Payload::NONE)))
        }
        Phase::Denied | Phase::OutputDenied => Some(denial(part, kept)),
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

fn denial(part: &mut ToolPart, kept: Option<Outcome>) -> Outcome {
    let given = part.decision().map_or(Payload::NONE, |decision| decision.reason);
    let kept = kept
        .filter(|outcome| matches!(outcome.kind, OutcomeKind::Denied | OutcomeKind::Skipped | OutcomeKind::Expired));
    let Some(kept) = kept else { return Outcome { kind: OutcomeKind::Denied, reason: given, may_have_run: false } };
    // The host made something else of the reason that was given.
    if kept.kind == OutcomeKind::Denied {
        part.written = given;
        if let Some(decision) = part.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
            decision.reason = kept.reason;
        }
    }
    Outcome { may_have_run: false, ..kept }
}

/// The outcome that was kept in the call's provider metadata.
pub(super) fn kept_outcome<V: Values>(values: &V, metadata: Payload) -> Option<Outcome> {
    let kept = values.get(metadata, Name::Toolgate);
    let kind = match values.name(kept, Name::Outcome)? {
        Name::Cancelled => OutcomeKind::Cancelled,
        Name::Interrupted => OutcomeKind::Interrupted,
        Name::Denied => OutcomeKind::Denied,
        Name::Skipped => OutcomeKind::Skipped,
        Name::Expired => OutcomeKind::Expired,
        _ => return None,
    };
    let reason = values.get(kept, Name::Reason);
    let reason = values.keep_text(reason);
    Some(Outcome { kind, reason, may_have_run: values.flag(kept, Name::MayHaveRun) == Some(true) })
}
