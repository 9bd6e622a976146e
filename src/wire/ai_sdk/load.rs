//! Reading what an app has kept: `UIMessage`s, or `ModelMessage`s.

use super::Kind;
use super::load_model::Models;
use super::tool_chunk::expiry;
use crate::machine::{
    Approval, Author, Decision, Id, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, Repair, RepairCode,
    Role, ToolPart,
};
use crate::prelude::*;
use crate::wire::{Name, Values, Without};

/// What reading a history takes.
pub(super) struct Reading<'a, V: Values> {
    pub(super) values: &'a V,
    repairs: Vec<Repair>,
}

impl<V: Values> Reading<'_, V> {
    fn repair(&mut self, code: RepairCode, call: Id, phase: Phase) {
        self.repairs.push(Repair::of(code, call, phase));
    }

    fn left_out(&mut self) {
        self.repairs.push(Repair::new(RepairCode::Malformed));
    }
}

/// Replaces the machine's transcript by `history`, an array of messages. Returns what was mended.
pub fn load<V: Values>(machine: &mut Machine, values: &V, history: Payload) -> Vec<Repair> {
    let mut r = Reading { values, repairs: Vec::new() };
    let mut messages: Vec<Message> = Vec::new();
    let mut models = Models::default();
    for index in 0..values.len(history) {
        let entry = values.at(history, index);
        let Some(role) = role(&mut r, entry) else {
            r.left_out();
            continue;
        };
        let parts = values.get(entry, Name::Parts);
        if values.has(entry, Name::Content) && !values.is_some(parts) {
            models.read(&mut r, entry, role, &mut messages);
            continue;
        }
        let Some(role) = models.ui_role(role) else {
            r.left_out();
            continue;
        };
        let id = values.id(entry, Name::Id);
        let mut message = Message::new(id.unwrap_or_else(|| values.fresh()), role);
        message.fields = values.keep(values.rest(entry, Without::PlacedInMessage));
        let mended = r.repairs.len();
        read_parts(&mut r, parts, &mut message);
        let ours = (0..values.len(parts)).any(|place| {
            let part = values.at(parts, place);
            values.has(part, Name::Outcome) || values.has(part, Name::Delivery)
        });
        if id.is_some() && r.repairs.len() == mended && !ours && message.parts.iter().all(says_the_same) {
            message.source = values.keep(entry);
        }
        messages.push(message);
    }
    let repairs = r.repairs;
    machine.load(messages, repairs)
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
    let told = matches!(tool.phase, Phase::OutputAvailable | Phase::OutputError) && tool.approval.is_none();
    let plain = tool
        .outcome
        .as_ref()
        .is_some_and(|outcome| matches!(outcome.kind, OutcomeKind::Executed | OutcomeKind::Failed));
    told && plain
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
        if r.values.id(part, Name::Type).is_none() {
            r.left_out();
            continue;
        }
        let name = r.values.name(part, Name::Type);
        if name == Some(Name::StepStart) {
            message.parts.push(Part::StepStart);
        } else if let Some(tool) = r.values.tool(part) {
            let read = tool_part(r, part, tool, name == Some(Name::DynamicTool));
            message.parts.extend(read.map(|tool| Part::Tool(Box::new(tool))));
        } else {
            let kind = Kind::of(name, r.values.is_data(part));
            message.parts.push(Part::Content { kind: kind as u8, value: r.values.keep(part) });
        }
    }
}

fn tool_part<V: Values>(r: &mut Reading<V>, part: Payload, name: Id, dynamic: bool) -> Option<ToolPart> {
    let Some(call) = r.values.id(part, Name::ToolCallId) else {
        r.left_out();
        return None;
    };
    let approval = r.values.get(part, Name::Approval);
    let approved = r.values.flag(approval, Name::Approved);
    let phase = phase(r, part, approval, approved, call);
    let mut read = ToolPart::new(call, name, phase);
    read.dynamic = dynamic;
    read.provider_executed = r.values.flag(part, Name::ProviderExecuted) == Some(true);
    read.input_complete = phase != Phase::InputStreaming;
    read.input = r.values.keep(r.values.get(part, Name::Input));
    read.fields = r.values.keep(r.values.rest(part, Without::PlacedInToolPart));
    read.output = match phase {
        Phase::OutputAvailable | Phase::Preliminary => r.values.keep(r.values.get(part, Name::Output)),
        Phase::OutputError => r.values.keep(r.values.get(part, Name::ErrorText)),
        _ => Payload::NONE,
    };
    read.approval = read_approval(r, approval, approved, phase, read.call);
    settle(r.values, &mut read);
    Some(read)
}

fn phase<V: Values>(r: &mut Reading<V>, part: Payload, approval: Payload, approved: Option<bool>, call: Id) -> Phase {
    let asked = r.values.id(approval, Name::Id).is_some();
    match r.values.name(part, Name::State) {
        Some(Name::InputStreaming) => return Phase::InputStreaming,
        Some(Name::InputAvailable) => return Phase::InputAvailable,
        Some(Name::ApprovalRequested) if asked && r.values.flag(approval, Name::IsAutomatic) == Some(true) => {
            return Phase::AutomaticRequest;
        }
        Some(Name::ApprovalRequested) if asked => return Phase::ApprovalRequested,
        Some(Name::ApprovalResponded) if asked && approved == Some(true) => return Phase::Approved,
        Some(Name::ApprovalResponded) if asked && approved == Some(false) => return Phase::Denied,
        Some(Name::OutputAvailable) if r.values.flag(part, Name::Preliminary) == Some(true) => {
            return Phase::Preliminary;
        }
        Some(Name::OutputAvailable) => return Phase::OutputAvailable,
        Some(Name::OutputError) => return Phase::OutputError,
        Some(Name::OutputDenied) => return Phase::OutputDenied,
        _ => {}
    }
    let phase = if r.values.has(part, Name::Output) {
        Phase::OutputAvailable
    } else if r.values.has(part, Name::ErrorText) {
        Phase::OutputError
    } else {
        match (asked, approved) {
            (true, None) => Phase::ApprovalRequested,
            (true, Some(true)) => Phase::Approved,
            (true, Some(false)) => Phase::Denied,
            (false, _) => Phase::InputAvailable,
        }
    };
    r.repair(RepairCode::MissingState, call, phase);
    phase
}

fn read_approval<V: Values>(
    r: &mut Reading<V>,
    approval: Payload,
    approved: Option<bool>,
    phase: Phase,
    call: Id,
) -> Option<Approval> {
    let denied = phase == Phase::OutputDenied;
    let id = r.values.id(approval, Name::Id);
    if denied && (id.is_none() || approved != Some(false)) {
        r.repair(RepairCode::MissingApproval, call, phase);
    }
    let id = id.or_else(|| denied.then_some(call))?;
    let reason = r.values.get(approval, Name::Reason);
    let automatic = r.values.flag(approval, Name::IsAutomatic) == Some(true);
    let settled = approved.filter(|_| !denied).or_else(|| denied.then_some(false));
    let decision = settled.map(|approved| Decision {
        approved,
        reason: r.values.keep_text(reason),
        by: if automatic { Author::Backend } else { Author::User },
    });
    let envelope = r.values.rest(approval, Without::PlacedInApproval);
    let expires_at = expiry(r.values, approval);
    Some(Approval { id, envelope: r.values.keep(envelope), automatic, requested_at: 0, expires_at, decision })
}

/// Writes how a call settled, as its state and its metadata tell it.
pub(super) fn settle<V: Values>(values: &V, part: &mut ToolPart) {
    let kept = kept_outcome(values, values.get(part.fields, Name::CallProviderMetadata));
    let plain = |kind, reason| Outcome { kind, reason, may_have_run: false };
    part.outcome = match part.phase {
        Phase::OutputAvailable => Some(plain(OutcomeKind::Executed, Payload::NONE)),
        Phase::OutputError => {
            let closed =
                kept.filter(|outcome| matches!(outcome.kind, OutcomeKind::Cancelled | OutcomeKind::Interrupted));
            // The text stays as it was told, whatever the texts are by now.
            if closed.is_some() {
                part.written = part.output;
            }
            closed.or_else(|| Some(plain(OutcomeKind::Failed, Payload::NONE)))
        }
        Phase::Denied | Phase::OutputDenied => Some(denial(part, kept)),
        _ => None,
    };
}

fn denial(part: &mut ToolPart, kept: Option<Outcome>) -> Outcome {
    let told = part.decision().map_or(Payload::NONE, |decision| decision.reason);
    let kept = kept
        .filter(|outcome| matches!(outcome.kind, OutcomeKind::Denied | OutcomeKind::Skipped | OutcomeKind::Expired));
    let Some(kept) = kept else { return Outcome { kind: OutcomeKind::Denied, reason: told, may_have_run: false } };
    // The host made something else of the reason that was given.
    if kept.kind == OutcomeKind::Denied {
        part.written = told;
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
