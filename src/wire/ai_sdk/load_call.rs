//! Reads one stored tool call, and makes its state, its approval and its result consistent.

use super::property_checks::{OF_APPROVALS, OF_CALLS, expiry, without_invalid};
use super::reading::Reading;
use super::stored_outcome::settle;
use crate::machine::{Approval, DecidedBy, Decision, Id, Payload, Phase, RepairCode, ToolPart};
use crate::wire::{Name, OmitKeys, Values};

/// Reads one call; `None` if it has no id.
pub(super) fn tool_part<V: Values>(r: &mut Reading<V>, part: Payload, name: Id, dynamic: bool) -> Option<ToolPart> {
    let values = r.values;
    let Some(call) = values.id(part, Name::ToolCallId) else {
        r.skipped(None);
        return None;
    };
    let approval = values.get(part, Name::Approval);
    let approved = values.flag(approval, Name::Approved);
    let (phase, contradicts) = phase(values, part, approval, approved);
    if let Some(code) = contradicts {
        r.repair(code, call, phase);
    }
    let mut read = ToolPart::new(call, name, phase);
    let (fields, mut invalid) = without_invalid(values, values.omit(part, OmitKeys::PlacedInToolPart), &OF_CALLS);
    read.dynamic = dynamic;
    read.provider_executed = values.flag(part, Name::ProviderExecuted) == Some(true);
    read.fields = values.retain(fields);
    let kept = values.get(values.get(fields, Name::CallProviderMetadata), Name::Toolgate);
    let is_incomplete = phase == Phase::OutputError && values.name(kept, Name::State) == Some(Name::InputStreaming);
    read.input_complete = phase != Phase::InputStreaming && !is_incomplete;
    // JSON drops `undefined`, but the AI SDK's schemas require a value here.
    let mut required = |name: Name, needed: bool| {
        let value = values.get(part, name);
        let lacks = needed && !values.has(part, name);
        invalid |= lacks;
        values.retain(if lacks { values.as_json(value) } else { value })
    };
    read.input = required(Name::Input, read.input_complete && phase != Phase::OutputError);
    read.output = match phase {
        Phase::OutputAvailable | Phase::Preliminary => required(Name::Output, true),
        Phase::OutputError => values.retain(values.get(part, Name::ErrorText)),
        _ => Payload::NONE,
    };
    let is_set = |name| values.get(part, name).is_some();
    let has_output = matches!(phase, Phase::OutputAvailable | Phase::Preliminary);
    let error = values.is_text(values.get(part, Name::ErrorText));
    let denied = contradicts == Some(RepairCode::DeniedOutput);
    invalid |= (is_set(Name::Output) && !has_output && !denied)
        || ((phase == Phase::OutputError) != error && !denied)
        || (is_set(Name::ErrorText) && !error)
        || (is_set(Name::Preliminary) && !(has_output && values.flag(part, Name::Preliminary).is_some()));
    read.approval = read_approval(r, approval, approved, phase, call, &mut invalid);
    invalid |= approval.is_some() && read.approval.is_none();
    if invalid {
        r.repair(RepairCode::InvalidValue, call, phase);
    }
    settle(values, &mut read);
    // Only a closed call is stored with an incomplete input.
    read.input_complete |=
        phase == Phase::OutputError && read.outcome().is_none_or(|outcome| !outcome.kind.is_closed());
    Some(read)
}

/// The phase of a decided call. A call that the backend approved counts as submitted: nothing has to be sent for it.
pub(super) fn decided_phase(approved: bool, by: DecidedBy) -> Phase {
    match (approved, by) {
        (false, _) => Phase::Denied,
        (true, DecidedBy::Backend) => Phase::Submitted,
        (true, DecidedBy::User | DecidedBy::Policy | DecidedBy::Remembered) => Phase::Approved,
    }
}

/// The phase of a stored call, and the repair code if its state contradicts its contents.
fn phase<V: Values>(
    values: &V,
    part: Payload,
    approval: Payload,
    approved: Option<bool>,
) -> (Phase, Option<RepairCode>) {
    let state = values.name(part, Name::State);
    let asked = values.id(approval, Name::Id).is_some();
    let automatic = values.flag(approval, Name::IsAutomatic) == Some(true);
    let preliminary = values.flag(part, Name::Preliminary) == Some(true);
    let output = values.is_some(values.get(part, Name::Output));
    let error = values.is_text(values.get(part, Name::ErrorText));
    let by = if automatic { DecidedBy::Backend } else { DecidedBy::User };
    // The denial wins over a result: clients used to write an artificial one to inform the model of the denial.
    let settled = matches!(state, Some(Name::OutputAvailable | Name::OutputError));
    if settled && asked && approved == Some(false) {
        return (Phase::OutputDenied, Some(RepairCode::DeniedOutput));
    }
    let given = match state {
        Some(Name::OutputDenied) => Some(Phase::OutputDenied),
        Some(Name::OutputError) => Some(Phase::OutputError),
        Some(Name::OutputAvailable) if output || !error => {
            Some(if preliminary { Phase::Preliminary } else { Phase::OutputAvailable })
        }
        // A denied call has no result, even if the stored part has one.
        Some(Name::ApprovalResponded) if asked && approved == Some(false) => Some(Phase::Denied),
        // An output or error shows that the call has run, even if the stored state still waits.
        _ if output || error => None,
        Some(Name::InputStreaming) => Some(Phase::InputStreaming),
        Some(Name::InputAvailable) if !asked => Some(Phase::InputAvailable),
        Some(Name::ApprovalRequested) if asked && approved.is_none() => {
            Some(if automatic { Phase::AutomaticRequest } else { Phase::ApprovalRequested })
        }
        Some(Name::ApprovalResponded) if asked && approved == Some(true) => Some(decided_phase(true, by)),
        _ => None,
    };
    let derived = match (asked, approved) {
        _ if output && preliminary => Phase::Preliminary,
        _ if output => Phase::OutputAvailable,
        _ if error => Phase::OutputError,
        (true, None) if automatic => Phase::AutomaticRequest,
        (true, None) => Phase::ApprovalRequested,
        (true, Some(approved)) => decided_phase(approved, by),
        (false, _) => Phase::InputAvailable,
    };
    (given.unwrap_or(derived), given.is_none().then_some(RepairCode::MissingState))
}

/// The stored approval, if the phase allows one.
fn read_approval<V: Values>(
    r: &mut Reading<V>,
    approval: Payload,
    approved: Option<bool>,
    phase: Phase,
    call: Id,
    invalid: &mut bool,
) -> Option<Approval> {
    let denied = phase == Phase::OutputDenied;
    let id = r.values.id(approval, Name::Id);
    let allowed = match phase {
        Phase::InputStreaming | Phase::InputAvailable => false,
        Phase::Preliminary | Phase::OutputAvailable | Phase::OutputError => approved == Some(true),
        _ => true,
    };
    if denied && (id.is_none() || approved != Some(false)) {
        r.repair(RepairCode::MissingApproval, call, phase);
    }
    let id = id.filter(|_| allowed).or_else(|| denied.then_some(call))?;
    let reason = r.values.get(approval, Name::Reason);
    let automatic = r.values.flag(approval, Name::IsAutomatic);
    let settled = if denied { Some(false) } else { approved };
    let by = if automatic == Some(true) { DecidedBy::Backend } else { DecidedBy::User };
    let decision = settled.map(|approved| Decision::new(approved, r.values.retain_text(reason), by));
    let (envelope, envelope_invalid) =
        without_invalid(r.values, r.values.omit(approval, OmitKeys::PlacedInApproval), &OF_APPROVALS);
    let is_set = |name| r.values.get(approval, name).is_some();
    *invalid |= envelope_invalid
        || (reason.is_some() && (decision.is_none() || !r.values.is_text(reason)))
        || (is_set(Name::IsAutomatic) && automatic.is_none())
        || (is_set(Name::Approved) && approved.is_none());
    let expires_at = expiry(r.values, approval);
    Some(Approval {
        envelope: r.values.retain(envelope),
        automatic: automatic == Some(true),
        is_local: r.values.flag(approval, Name::IsLocal) == Some(true),
        expires_at,
        backend_expires: expires_at.is_some(),
        decision,
        ..Approval::new(id)
    })
}
