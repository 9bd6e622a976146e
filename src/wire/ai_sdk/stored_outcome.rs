//! Reads the outcome of a stored call: from its state, and from the metadata in which Toolgate stored it.

use crate::machine::{Approval, DecidedBy, Decision, Outcome, OutcomeKind, Payload, Phase, ToolPart};
use crate::wire::{Name, Values, enum_names};

/// Sets the outcome of a call from its state and its metadata.
pub(super) fn settle<V: Values>(values: &V, part: &mut ToolPart) {
    let stored = stored_outcome(values, values.get(part.fields, Name::CallProviderMetadata));
    let outcome_of = |kind, reason| Outcome { kind, reason, may_have_run: false };
    let phase = part.phase();
    let outcome = match phase {
        Phase::OutputAvailable => Some(outcome_of(OutcomeKind::Executed, Payload::NONE)),
        Phase::OutputError => return settle_error(part, stored),
        _ => phase.is_denied().then(|| denial(part, stored)),
    };
    part.read_as(part.phase(), outcome);
}

/// Sets the outcome of a call with an error, which may be the text that was sent for another outcome.
pub(super) fn settle_error(part: &mut ToolPart, stored: Option<Outcome>) {
    let mut phase = Phase::OutputError;
    let mut outcome = stored.filter(|outcome| !outcome.kind.is_from_tool());
    if let Some(outcome) = &mut outcome {
        // Keep that text, even if the configured texts have changed.
        part.written = part.output;
        // A request that this client made itself was denied: see `Approval::is_local`.
        if outcome.kind.is_denial() {
            let decision = Some(Decision::new(false, outcome.reason, DecidedBy::User));
            part.approval = Some(Approval { is_local: true, decision, ..Approval::new(part.call) });
            (part.output, outcome.may_have_run) = (Payload::NONE, false);
            phase = Phase::OutputDenied;
        }
    }
    part.read_as(phase, outcome.or(Some(Outcome::new(OutcomeKind::Failed))));
}

fn denial(part: &mut ToolPart, stored: Option<Outcome>) -> Outcome {
    let given = part.decision().map_or(Payload::NONE, |decision| decision.reason);
    let Some(stored) = stored.filter(|outcome| outcome.kind.is_denial()) else {
        return Outcome { kind: OutcomeKind::Denied, reason: given, may_have_run: false };
    };
    // The host rewrote the reason that the user gave.
    if stored.kind == OutcomeKind::Denied && !part.is_asked_locally() {
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
    let kind = enum_names::outcome_named(values.name(stored, Name::Outcome)?)?;
    let reason = values.get(stored, Name::Reason);
    let reason = values.retain_text(reason);
    Some(Outcome { kind, reason, may_have_run: values.flag(stored, Name::MayHaveRun) == Some(true) })
}
