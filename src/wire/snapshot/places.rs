//! The kinds of things as numbers: each stands for a place in a list here, counted from 1; 0 is none.
//!
//! A list only ever grows at its end: snapshots that are stored know the places.

use crate::machine::{Author, DeliveryState, Ending, OutcomeKind, Role, Rule, Trigger};

pub(super) const ROLES: [Role; 3] = [Role::System, Role::User, Role::Assistant];
pub(super) const AUTHORS: [Author; 4] = [Author::User, Author::Policy, Author::Backend, Author::Remembered];
pub(super) const RULES: [Rule; 2] = [Rule::Skip, Rule::End];
pub(super) const TRIGGERS: [Trigger; 3] = [Trigger::Submit, Trigger::Regenerate, Trigger::Answer];
pub(super) const SPANS: [bool; 2] = [false, true];
pub(super) const OUTCOMES: [OutcomeKind; 7] = [
    OutcomeKind::Executed,
    OutcomeKind::Failed,
    OutcomeKind::Denied,
    OutcomeKind::Cancelled,
    OutcomeKind::Interrupted,
    OutcomeKind::Skipped,
    OutcomeKind::Expired,
];
pub(super) const DELIVERIES: [DeliveryState; 6] = [
    DeliveryState::Held,
    DeliveryState::Ready,
    DeliveryState::InFlight,
    DeliveryState::Acknowledged,
    DeliveryState::Failed,
    DeliveryState::Unconfirmed,
];
pub(super) const ENDINGS: [Ending; 6] =
    [Ending::Finished, Ending::Failed, Ending::Empty, Ending::StepLimit, Ending::Interrupted, Ending::Disconnected];
