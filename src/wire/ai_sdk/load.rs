//! Reading what an app has kept: `UIMessage`s, or `ModelMessage`s.

use super::Kind;
use super::load_model::Models;
use crate::machine::{
    Approval, Author, Decision, Id, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, Repair, RepairCode,
    Role, ToolPart,
};
use crate::wire::{Name, Values};

/// Replaces the machine's transcript by `history`, an array of messages. Returns what was mended.
/// `fresh` gives ids to messages that have none.
pub fn load<V: Values>(
    machine: &mut Machine,
    values: &mut V,
    history: &V::Value,
    mut fresh: impl FnMut() -> Id,
) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut messages: Vec<Message> = Vec::new();
    let mut models = Models::default();
    for index in 0..values.len(history) {
        let entry = values.at(history, index);
        let Some(role) = role(values, &entry) else {
            repairs.push(Repair::new(RepairCode::Malformed, None, format!("entry {index} is no message: left out")));
            continue;
        };
        let parts = values.get(&entry, Name::Parts);
        if values.has(&entry, Name::Content) && !values.is_some(&parts) {
            models.read(values, &entry, role, &mut messages, &mut fresh);
            continue;
        }
        let Some(role) = models.ui_role(role) else {
            repairs.push(Repair::new(RepairCode::Malformed, None, format!("entry {index} is no message: left out")));
            continue;
        };
        let id = values.text(&entry, Name::Id).map_or_else(&mut fresh, Into::into);
        let mut message = Message::new(id, role);
        message.fields = values.keep(values.rest(&entry, &[Name::Id, Name::Role, Name::Parts]));
        read_parts(values, &parts, &mut message, &mut repairs);
        messages.push(message);
    }
    machine.load(messages, repairs)
}

/// Reads a user's message: `{ text }`, or a whole one.
pub fn user_message<V: Values>(values: &mut V, message: &V::Value, fresh: Id) -> Message {
    let id = values.text(message, Name::Id).map_or(fresh, Into::into);
    let role = match values.name(message, Name::Role) {
        Some(Name::System) => Role::System,
        Some(Name::Assistant) => Role::Assistant,
        _ => Role::User,
    };
    let mut read = Message::new(id, role);
    read.fields = values.keep(values.rest(message, &[Name::Id, Name::Role, Name::Parts, Name::Text, Name::MessageId]));
    let parts = values.get(message, Name::Parts);
    read_parts(values, &parts, &mut read, &mut Vec::new());
    let text = values.get(message, Name::Text);
    if values.is_text(&text) {
        let mut part = values.object();
        values.set_name(&mut part, Name::Type, Name::Text);
        values.set(&mut part, Name::Text, &text);
        let value = values.keep(part);
        read.parts.push(Part::Content { kind: Kind::Text as u8, value });
    }
    read
}

/// A role, and the tool messages of a model history beside it.
fn role<V: Values>(values: &V, entry: &V::Value) -> Option<Name> {
    values
        .name(entry, Name::Role)
        .filter(|role| matches!(role, Name::System | Name::User | Name::Assistant | Name::Tool))
}

fn read_parts<V: Values>(values: &mut V, parts: &V::Value, message: &mut Message, repairs: &mut Vec<Repair>) {
    for index in 0..values.len(parts) {
        let part = values.at(parts, index);
        let Some(kind) = values.text(&part, Name::Type) else {
            repairs.push(Repair::new(
                RepairCode::Malformed,
                None,
                format!("a part of message \"{}\" is no part: left out", message.id),
            ));
            continue;
        };
        let name = values.name(&part, Name::Type);
        if name == Some(Name::StepStart) {
            message.parts.push(Part::StepStart);
        } else if let Some(tool) = tool_name(values, &part, &kind) {
            let read = tool_part(values, &part, tool, name == Some(Name::DynamicTool), repairs);
            message.parts.extend(read.map(|tool| Part::Tool(Box::new(tool))));
        } else {
            let kind = Kind::of(name, kind.starts_with("data-"));
            let value = values.keep(part);
            message.parts.push(Part::Content { kind: kind as u8, value });
        }
    }
}

fn tool_name<V: Values>(values: &V, part: &V::Value, kind: &str) -> Option<String> {
    if kind == Name::DynamicTool.text() {
        return values.text(part, Name::ToolName);
    }
    kind.strip_prefix("tool-").map(str::to_owned)
}

/// What a tool part says in properties that have a place of their own.
const PLACED: &[Name] = &[
    Name::Type,
    Name::ToolCallId,
    Name::ToolName,
    Name::State,
    Name::Input,
    Name::Output,
    Name::ErrorText,
    Name::Preliminary,
    Name::Approval,
    Name::Outcome,
    Name::Delivery,
];

fn tool_part<V: Values>(
    values: &mut V,
    part: &V::Value,
    name: String,
    dynamic: bool,
    repairs: &mut Vec<Repair>,
) -> Option<ToolPart> {
    let Some(call) = values.text(part, Name::ToolCallId) else {
        let detail = format!("a call of \"{name}\" has no toolCallId: left out");
        repairs.push(Repair::new(RepairCode::Malformed, None, detail));
        return None;
    };
    let approval = values.get(part, Name::Approval);
    let approved = values.flag(&approval, Name::Approved);
    let phase = phase(values, part, &approval, approved, &call, repairs);
    let mut read = ToolPart::new(call.into(), name.into(), phase);
    read.dynamic = dynamic;
    read.provider_executed = values.flag(part, Name::ProviderExecuted) == Some(true);
    read.input_complete = phase != Phase::InputStreaming;
    read.input = values.keep(values.get(part, Name::Input));
    read.fields = values.keep(values.rest(part, PLACED));
    read.output = match phase {
        Phase::OutputAvailable | Phase::Preliminary => values.keep(values.get(part, Name::Output)),
        Phase::OutputError => values.keep(values.get(part, Name::ErrorText)),
        _ => Payload::NONE,
    };
    read.approval = read_approval(values, &approval, approved, phase, &read.call, repairs);
    read.outcome = outcome(values, &mut read, phase);
    Some(read)
}

fn phase<V: Values>(
    values: &V,
    part: &V::Value,
    approval: &V::Value,
    approved: Option<bool>,
    call: &str,
    repairs: &mut Vec<Repair>,
) -> Phase {
    let asked = values.text(approval, Name::Id).is_some();
    match values.name(part, Name::State) {
        Some(Name::InputStreaming) => return Phase::InputStreaming,
        Some(Name::InputAvailable) => return Phase::InputAvailable,
        Some(Name::ApprovalRequested) if asked && values.flag(approval, Name::IsAutomatic) == Some(true) => {
            return Phase::AutomaticRequest;
        }
        Some(Name::ApprovalRequested) if asked => return Phase::ApprovalRequested,
        Some(Name::ApprovalResponded) if asked && approved == Some(true) => return Phase::Approved,
        Some(Name::ApprovalResponded) if asked && approved == Some(false) => return Phase::Denied,
        Some(Name::OutputAvailable) if values.flag(part, Name::Preliminary) == Some(true) => return Phase::Preliminary,
        Some(Name::OutputAvailable) => return Phase::OutputAvailable,
        Some(Name::OutputError) => return Phase::OutputError,
        Some(Name::OutputDenied) => return Phase::OutputDenied,
        _ => {}
    }
    let phase = if values.has(part, Name::Output) {
        Phase::OutputAvailable
    } else if values.has(part, Name::ErrorText) {
        Phase::OutputError
    } else {
        match (asked, approved) {
            (true, None) => Phase::ApprovalRequested,
            (true, Some(true)) => Phase::Approved,
            (true, Some(false)) => Phase::Denied,
            (false, _) => Phase::InputAvailable,
        }
    };
    let detail = format!("its state was missing, unknown or at odds with its approval: taken as {}", phase.state());
    repairs.push(Repair::new(RepairCode::MissingState, Some(call), detail));
    phase
}

fn read_approval<V: Values>(
    values: &mut V,
    approval: &V::Value,
    approved: Option<bool>,
    phase: Phase,
    call: &Id,
    repairs: &mut Vec<Repair>,
) -> Option<Approval> {
    let denied = phase == Phase::OutputDenied;
    let id = values.text(approval, Name::Id);
    if denied && (id.is_none() || approved != Some(false)) {
        let detail = "it was denied without an approval that says so: one was added";
        repairs.push(Repair::new(RepairCode::MissingApproval, Some(call), detail));
    }
    let id = id.map(Into::into).or_else(|| denied.then(|| call.clone()))?;
    let reason = values.get(approval, Name::Reason);
    let automatic = values.flag(approval, Name::IsAutomatic) == Some(true);
    let settled = approved.filter(|_| !denied).or_else(|| denied.then_some(false));
    let decision = settled.map(|approved| Decision {
        approved,
        reason: if values.is_text(&reason) { values.keep(reason) } else { Payload::NONE },
        by: if automatic { Author::Backend } else { Author::User },
    });
    let envelope = values.rest(approval, &[Name::Id, Name::Approved, Name::Reason, Name::IsAutomatic]);
    Some(Approval { id, envelope: values.keep(envelope), automatic, requested_at: 0, decision })
}

fn outcome<V: Values>(values: &mut V, part: &mut ToolPart, phase: Phase) -> Option<Outcome> {
    let reason = part.decision().map_or(Payload::NONE, |decision| decision.reason);
    let plain = |kind, reason| Some(Outcome { kind, reason, may_have_run: false });
    match phase {
        Phase::OutputAvailable => plain(OutcomeKind::Executed, Payload::NONE),
        Phase::Denied | Phase::OutputDenied => plain(OutcomeKind::Denied, reason),
        Phase::OutputError => {
            let fields = values.load(part.fields);
            let metadata = values.get(&fields, Name::CallProviderMetadata);
            kept_outcome(values, &metadata).or_else(|| plain(OutcomeKind::Failed, Payload::NONE))
        }
        _ => None,
    }
}

/// The outcome that was kept in the call's provider metadata.
pub(super) fn kept_outcome<V: Values>(values: &mut V, metadata: &V::Value) -> Option<Outcome> {
    let kept = values.get(metadata, Name::Toolgate);
    let kind = match values.text(&kept, Name::Outcome)?.as_str() {
        "cancelled" => OutcomeKind::Cancelled,
        "interrupted" => OutcomeKind::Interrupted,
        _ => return None,
    };
    let reason = values.get(&kept, Name::Reason);
    let reason = if values.is_text(&reason) { values.keep(reason) } else { Payload::NONE };
    Some(Outcome { kind, reason, may_have_run: values.flag(&kept, Name::MayHaveRun) == Some(true) })
}
