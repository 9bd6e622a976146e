//! The names of five enums in messages, events, decisions and the view, the same for every protocol: [`Phase`],
//! [`OutcomeKind`], [`DecidedBy`], [`DeliveryState`] and [`Role`]. Enums that JavaScript reads by number are listed in
//! `src/wasm/interface.rs`.

use super::Name;
use crate::machine::{DecidedBy, DeliveryState, OutcomeKind, Phase, Role};

/// The state of a tool part. Source: AI SDK, `UIToolInvocation` in `ui/ui-messages.ts`.
#[must_use]
pub fn state(phase: Phase) -> Name {
    match phase {
        Phase::InputStreaming | Phase::RequestWaits => Name::InputStreaming,
        Phase::InputAvailable => Name::InputAvailable,
        Phase::ApprovalRequested | Phase::AutomaticRequest => Name::ApprovalRequested,
        Phase::Approved | Phase::Submitted | Phase::Denied => Name::ApprovalResponded,
        Phase::Preliminary | Phase::OutputAvailable => Name::OutputAvailable,
        Phase::OutputError => Name::OutputError,
        Phase::OutputDenied => Name::OutputDenied,
    }
}

/// How a call settled.
#[must_use]
pub fn outcome(kind: OutcomeKind) -> Name {
    match kind {
        OutcomeKind::Executed => Name::Executed,
        OutcomeKind::Failed => Name::Failed,
        OutcomeKind::Denied => Name::Denied,
        OutcomeKind::Cancelled => Name::Cancelled,
        OutcomeKind::Interrupted => Name::Interrupted,
        OutcomeKind::Skipped => Name::Skipped,
        OutcomeKind::Expired => Name::Expired,
    }
}

/// The way of settling with this name, the inverse of [`outcome`].
#[must_use]
pub fn outcome_named(name: Name) -> Option<OutcomeKind> {
    OutcomeKind::ALL.iter().copied().find(|&kind| outcome(kind) == name)
}

/// Who made a decision.
#[must_use]
pub fn decided_by(by: DecidedBy) -> Name {
    match by {
        DecidedBy::User => Name::User,
        DecidedBy::Policy => Name::Policy,
        DecidedBy::Backend => Name::Backend,
        DecidedBy::Remembered => Name::Remembered,
    }
}

/// How far the delivery of a decision is.
#[must_use]
pub fn delivery(state: DeliveryState) -> Name {
    match state {
        DeliveryState::Held => Name::Held,
        DeliveryState::Ready => Name::Ready,
        DeliveryState::InFlight => Name::InFlight,
        DeliveryState::Acknowledged => Name::Acknowledged,
        DeliveryState::Failed => Name::Failed,
        DeliveryState::Unconfirmed => Name::Unconfirmed,
    }
}

/// Who wrote a message.
#[must_use]
pub fn role(role: Role) -> Name {
    match role {
        Role::System => Name::System,
        Role::User => Name::User,
        Role::Assistant => Name::Assistant,
    }
}
