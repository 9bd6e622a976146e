//! Reading one kept tool call: its state, its approval and its result, made to go together.

use super::load::{Reading, settle};
use super::tool_chunk::expiry;
use crate::machine::{Approval, DecidedBy, Decision, Id, Payload, Phase, RepairCode, ToolPart};
use crate::wire::{Name, Values, Without};

/// What is of one type in every schema, by where it is.
pub(super) const OF_CONTENT: [Name; 4] = [Name::ProviderMetadata, Name::Filename, Name::Title, Name::ProviderReference];
pub(super) const OF_CALLS: [Name; 5] =
    [Name::Title, Name::ToolMetadata, Name::ProviderExecuted, Name::CallProviderMetadata, Name::ResultProviderMetadata];
pub(super) const OF_APPROVALS: [Name; 2] = [Name::Signature, Name::RequestReason];

/// The same without properties of a type that no schema allows: optional ones that are `null`, above all.
/// With it, whether there were any among `names`.
pub(super) fn tidy<V: Values>(values: &V, of: Payload, names: &[Name]) -> (Payload, bool) {
    let fits = |&name: &Name| match name {
        Name::ProviderExecuted => values.flag(of, name).is_some(),
        Name::Title | Name::Filename | Name::Signature | Name::RequestReason => values.is_text(values.get(of, name)),
        _ => values.is_object(values.get(of, name)),
    };
    if names.iter().all(|name| !values.get(of, *name).is_some() || fits(name)) {
        return (of, false);
    }
    let tidied = values.rest(of, Without::Typed);
    for &name in Without::Typed.names().iter().filter(|name| fits(name)) {
        values.set(tidied, name, values.get(of, name));
    }
    (tidied, true)
}

/// Reads one call; none for what has no id.
pub(super) fn tool_part<V: Values>(r: &mut Reading<V>, part: Payload, name: Id, dynamic: bool) -> Option<ToolPart> {
    let values = r.values;
    let Some(call) = values.id(part, Name::ToolCallId) else {
        r.left_out(None);
        return None;
    };
    let approval = values.get(part, Name::Approval);
    let approved = values.flag(approval, Name::Approved);
    let (phase, contradicts) = phase(values, part, approval, approved);
    if let Some(code) = contradicts {
        r.repair(code, call, phase);
    }
    let mut read = ToolPart::new(call, name, phase);
    let (fields, mut odd) = tidy(values, values.rest(part, Without::PlacedInToolPart), &OF_CALLS);
    read.dynamic = dynamic;
    read.provider_executed = values.flag(part, Name::ProviderExecuted) == Some(true);
    read.fields = values.keep(fields);
    let kept = values.get(values.get(fields, Name::CallProviderMetadata), Name::Toolgate);
    let cut_off = phase == Phase::OutputError && values.name(kept, Name::State) == Some(Name::InputStreaming);
    read.input_complete = phase != Phase::InputStreaming && !cut_off;
    // What JSON lost was `undefined`, and every schema wants a value there.
    let mut demand = |name: Name, needed: bool| {
        let value = values.get(part, name);
        let lacks = needed && !values.has(part, name);
        odd |= lacks;
        values.keep(if lacks { values.json(value) } else { value })
    };
    read.input = demand(Name::Input, read.input_complete && phase != Phase::OutputError);
    read.output = match phase {
        Phase::OutputAvailable | Phase::Preliminary => demand(Name::Output, true),
        Phase::OutputError => values.keep(values.get(part, Name::ErrorText)),
        _ => Payload::NONE,
    };
    let there = |name| values.get(part, name).is_some();
    let has_output = matches!(phase, Phase::OutputAvailable | Phase::Preliminary);
    let error = values.is_text(values.get(part, Name::ErrorText));
    let denied = contradicts == Some(RepairCode::DeniedOutput);
    odd |= (there(Name::Output) && !has_output && !denied)
        || ((phase == Phase::OutputError) != error && !denied)
        || (there(Name::ErrorText) && !error)
        || (there(Name::Preliminary) && !(has_output && values.flag(part, Name::Preliminary).is_some()));
    read.approval = read_approval(r, approval, approved, phase, call, &mut odd);
    odd |= approval.is_some() && read.approval.is_none();
    if odd {
        r.repair(RepairCode::InvalidValue, call, phase);
    }
    settle(values, &mut read);
    Some(read)
}

/// The phase of an answered call. What the backend approved by itself is its own to run.
pub(super) fn answered(approved: bool, by: DecidedBy) -> Phase {
    match (approved, by) {
        (false, _) => Phase::Denied,
        (true, DecidedBy::Backend) => Phase::Submitted,
        (true, DecidedBy::User | DecidedBy::Policy | DecidedBy::Remembered) => Phase::Approved,
    }
}

/// A call's phase, and how that is at odds with the state it is given.
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
    // The denial counts: this is the made-up output with which clients used to tell that the user said no.
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
        // A denied call has no result, whatever is beside the denial.
        Some(Name::ApprovalResponded) if asked && approved == Some(false) => Some(Phase::Denied),
        // A result says more than a state that awaits one.
        _ if output || error => None,
        Some(Name::InputStreaming) => Some(Phase::InputStreaming),
        Some(Name::InputAvailable) if !asked => Some(Phase::InputAvailable),
        Some(Name::ApprovalRequested) if asked && approved.is_none() => {
            Some(if automatic { Phase::AutomaticRequest } else { Phase::ApprovalRequested })
        }
        Some(Name::ApprovalResponded) if asked && approved == Some(true) => Some(answered(true, by)),
        _ => None,
    };
    let found = match (asked, approved) {
        _ if output && preliminary => Phase::Preliminary,
        _ if output => Phase::OutputAvailable,
        _ if error => Phase::OutputError,
        (true, None) if automatic => Phase::AutomaticRequest,
        (true, None) => Phase::ApprovalRequested,
        (true, Some(approved)) => answered(approved, by),
        (false, _) => Phase::InputAvailable,
    };
    (given.unwrap_or(found), given.is_none().then_some(RepairCode::MissingState))
}

/// The approval, if the call may have one in its phase.
fn read_approval<V: Values>(
    r: &mut Reading<V>,
    approval: Payload,
    approved: Option<bool>,
    phase: Phase,
    call: Id,
    odd: &mut bool,
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
    let decision = settled.map(|approved| Decision::new(approved, r.values.keep_text(reason), by));
    let (envelope, untidy) = tidy(r.values, r.values.rest(approval, Without::PlacedInApproval), &OF_APPROVALS);
    let there = |name| r.values.get(approval, name).is_some();
    *odd |= untidy
        || (reason.is_some() && (decision.is_none() || !r.values.is_text(reason)))
        || (there(Name::IsAutomatic) && automatic.is_none())
        || (there(Name::Approved) && approved.is_none());
    Some(Approval {
        envelope: r.values.keep(envelope),
        automatic: automatic == Some(true),
        expires_at: expiry(r.values, approval),
        decision,
        ..Approval::new(id)
    })
}
