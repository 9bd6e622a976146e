//! Reads the approvals, decisions and results of a model history, and adds them to their calls.

use super::content_output::content_fields;
use super::load_call::decided_phase;
use super::property_checks::{OF_APPROVALS, expiry, without_invalid};
use super::reading::Reading;
use super::stored_outcome::{settle, settle_error, stored_outcome};
use crate::machine::{
    Approval, DecidedBy, Decision, Id, Message, Outcome, OutcomeKind, Part, Payload, Phase, RepairCode, ToolPart,
};
use crate::wire::{Name, OmitKeys, Values};

pub(super) fn push_request<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    let call = r.values.id(part, Name::ToolCallId);
    let (Some(id), Some(of)) = (r.values.id(part, Name::ApprovalId), call) else { return r.skipped(call) };
    let Some((tool, _)) = find(messages, Wanted::Call(of)) else { return r.orphaned(call) };
    // An approval request does not undo a result or a decision.
    if tool.phase().is_settled() || tool.approval.as_ref().is_some_and(|approval| approval.id == id) {
        return r.repair(RepairCode::DuplicateApproval, of, tool.phase());
    }
    let envelope = r.values.omit(part, OmitKeys::PlacedInRequest);
    r.values.set(envelope, Name::RequestReason, r.values.get(part, Name::Reason));
    r.values.set(envelope, Name::Signature, r.values.get(part, Name::Signature));
    let automatic = r.values.flag(part, Name::IsAutomatic) == Some(true);
    let (envelope, invalid) = without_invalid(r.values, envelope, &OF_APPROVALS);
    let envelope = r.values.retain(envelope);
    let repeat_unsafe = r.values.flag(part, Name::RepeatUnsafe) == Some(true);
    let expires_at = expiry(r.values, part);
    let backend_expires = expires_at.is_some();
    let approval = Approval { envelope, automatic, repeat_unsafe, expires_at, backend_expires, ..Approval::new(id) };
    tool.approval = Some(approval);
    tool.read_as(if automatic { Phase::AutomaticRequest } else { Phase::ApprovalRequested }, None);
    if invalid {
        r.repair(RepairCode::InvalidValue, of, tool.phase());
    }
}

pub(super) fn push_tool_part<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    match r.values.name(part, Name::Type) {
        Some(Name::ToolApprovalResponse) => push_response(r, part, messages),
        Some(Name::ToolResult) => push_result(r, part, messages),
        _ => r.skipped(None),
    }
}

fn push_response<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    let (Some(id), Some(approved)) = (r.values.id(part, Name::ApprovalId), r.values.flag(part, Name::Approved)) else {
        return r.skipped(None);
    };
    let Some((tool, is_later)) = find(messages, Wanted::Approval(id)) else { return r.orphaned(None) };
    let Some(approval) = tool.approval.as_mut().filter(|approval| approval.decision.is_none()) else {
        return r.repair(RepairCode::DuplicateApproval, tool.call, tool.phase());
    };
    let reason = r.values.get(part, Name::Reason);
    let reason = r.values.retain_text(reason);
    let by = if approval.automatic { DecidedBy::Backend } else { DecidedBy::User };
    approval.decision = Some(Decision::new(approved, reason, by));
    // A provider's own result may come before the decision that let the call run.
    if !tool.phase().is_settled() {
        tool.read_as(decided_phase(approved, by), None);
        settle(r.values, tool);
    }
    if is_later {
        r.repair(RepairCode::Orphaned, tool.call, tool.phase());
    }
}

fn push_result<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    let call = r.values.id(part, Name::ToolCallId);
    let output = r.values.get(part, Name::Output);
    let kind = r.values.name(output, Name::Type);
    // A result without an output is invalid: it does not show that the call succeeded.
    let failed = matches!(kind, Some(Name::ExecutionDenied | Name::TextError | Name::ErrorJson));
    let is_valid = failed || (r.values.is_text(r.values.get(output, Name::Type)) && r.values.has(output, Name::Value));
    let Some(of) = call.filter(|_| is_valid) else { return r.skipped(call) };
    let Some((tool, is_later)) = find(messages, Wanted::Unanswered(of)) else { return r.orphaned(call) };
    let denied = tool.phase() == Phase::Denied;
    if tool.phase().is_settled() && !denied {
        return r.repair(RepairCode::DuplicateCall, of, tool.phase());
    }
    let options = r.values.get(part, Name::ProviderOptions);
    let value = r.values.retain(r.values.get(output, Name::Value));
    match kind {
        // The AI SDK writes a denial from an earlier turn like this. Source: `output-denied` in
        // `ui/convert-to-model-messages.ts`.
        Some(Name::TextError) if denied => tool.read_as(Phase::OutputDenied, tool.outcome().cloned()),
        Some(Name::ExecutionDenied) => {
            let reason = r.values.get(output, Name::Reason);
            push_denial(r, tool, reason);
        }
        // The denial wins: clients used to write this artificial result to tell the model that the user had denied the
        // call.
        _ if denied => {
            tool.read_as(Phase::OutputDenied, tool.outcome().cloned());
            r.repair(RepairCode::DeniedOutput, of, tool.phase());
        }
        Some(Name::TextError | Name::ErrorJson) => {
            tool.output = value;
            settle_error(tool, stored_outcome(r.values, options));
        }
        _ => {
            tool.output = value;
            tool.read_as(Phase::OutputAvailable, Some(Outcome::new(OutcomeKind::Executed)));
        }
    }
    if is_later {
        r.repair(RepairCode::Orphaned, of, tool.phase());
    }
    let failed = tool.phase() == Phase::OutputError;
    // A result proves that the call ran, so an approval that was not given is removed. The decision on a call of the
    // provider may still follow.
    let approved = tool.decision().map(|decision| decision.approved);
    if tool.phase() != Phase::OutputDenied
        && tool.approval.is_some()
        && approved != Some(true)
        && !(tool.provider_executed && approved.is_none())
    {
        tool.approval = None;
        r.repair(RepairCode::InvalidValue, of, tool.phase());
    }
    let of_call = r.values.get(tool.fields, Name::CallProviderMetadata);
    // A failed call without metadata shows the metadata of its result.
    if failed && !tool.provider_executed && !r.values.is_some(options) && r.values.is_some(of_call) {
        let fields = r.values.omit(tool.fields, OmitKeys::CallMetadata);
        r.values.set(fields, Name::ResultProviderMetadata, r.values.omit(of_call, OmitKeys::Toolgate));
        tool.fields = r.values.retain(fields);
    }
    if tool.provider_executed && r.values.is_object(options) {
        let fields = r.values.omit(tool.fields, OmitKeys::Nothing);
        r.values.set(fields, Name::ResultProviderMetadata, options);
        tool.fields = r.values.retain(fields);
    }
    if tool.phase() == Phase::OutputAvailable && kind == Some(Name::Content) {
        tool.fields = r.values.retain(content_fields(r.values, tool.fields));
    }
}

/// Applies a result that reports a denial.
fn push_denial<V: Values>(r: &mut Reading<V>, tool: &mut ToolPart, reason: Payload) {
    let reason = r.values.retain_text(reason);
    let denied = tool.phase() == Phase::Denied;
    tool.record_denial();
    if let Some(decision) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
        decision.reason = if decision.reason.is_some() { decision.reason } else { reason };
    }
    let known = tool.outcome().cloned();
    tool.read_as(Phase::OutputDenied, known);
    // A response has already set the outcome that the host rewrote.
    if !tool.written.is_some() {
        settle(r.values, tool);
    }
    if !denied {
        r.repair(RepairCode::MissingApproval, tool.call, tool.phase());
    }
}

/// Which call to find.
#[derive(Clone, Copy)]
enum Wanted {
    /// The last call with this id.
    Call(Id),
    /// The call with this approval.
    Approval(Id),
    /// In the last step that has this id, the first call without a result: results come in call order.
    Unanswered(Id),
}

/// Finds a call in the history, starting from the end, because a decision may come after a later message. Also returns
/// whether a later message exists.
fn find(messages: &mut [Message], wanted: Wanted) -> Option<(&mut ToolPart, bool)> {
    let matches_wanted = |tool: &ToolPart| match wanted {
        Wanted::Call(id) | Wanted::Unanswered(id) => tool.call == id,
        Wanted::Approval(id) => tool.approval.as_ref().is_some_and(|approval| approval.id == id),
    };
    let is_open = |tool: &ToolPart| !tool.phase().is_settled() || tool.phase() == Phase::Denied;
    let count = messages.len();
    for (index, message) in messages.iter_mut().enumerate().rev() {
        let mut found = None;
        for (place, part) in message.parts.iter().enumerate().rev() {
            match part {
                Part::StepStart if found.is_some() => break,
                Part::Tool(tool) if matches_wanted(tool) => {
                    if found.is_none() || (matches!(wanted, Wanted::Unanswered(_)) && is_open(tool)) {
                        found = Some(place);
                    }
                }
                Part::StepStart | Part::Content { .. } | Part::Tool(_) => {}
            }
        }
        if let Some(Part::Tool(tool)) = found.and_then(|place| message.parts.get_mut(place)) {
            return Some((tool, index + 1 < count));
        }
    }
    None
}
