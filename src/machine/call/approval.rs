//! An approval request, and its one answer.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, flag, option, variant};
use crate::machine::{Id, Payload};

enumerated! {
    /// Who decided.
    pub enum DecidedBy {
        /// The user, by `respond`.
        User,
        /// A policy of this client, such as `deny-pending`.
        Policy,
        /// The backend: there is nothing to deliver.
        Backend,
        /// A decision that the user had remembered.
        Remembered,
    }
}

/// The one answer to an approval request.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    /// The answer.
    pub approved: bool,
    /// Its reason, if one was given.
    pub reason: Payload,
    /// Who gave it.
    pub by: DecidedBy,
    /// The input as the model wrote it, if the user changed it.
    pub original: Option<Payload>,
    /// The user had it remembered: for this chat (`false`), or for always.
    pub remember: Option<bool>,
}

impl Decision {
    /// A decision on the unedited input.
    #[must_use]
    pub fn new(approved: bool, reason: Payload, by: DecidedBy) -> Self {
        Self { approved, reason, by, original: None, remember: None }
    }
}

/// An approval request and, once there is one, its answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Approval {
    /// The approval's id. Some backends use the call's own id.
    pub id: Id,
    /// Everything else the backend sent with the request (signature, descriptor, unknown fields).
    pub envelope: Payload,
    /// The backend answers this request itself.
    pub automatic: bool,
    /// Its answer must not be sent twice: the backend has no way to tell the second from an answer to a newer request.
    pub repeat_unsafe: bool,
    /// Its id was used before, for another request: an answer must name the input that was shown.
    pub reused_id: bool,
    /// When the request arrived, in the host's milliseconds; 0 for a loaded one whose time is not known.
    pub requested_at: u64,
    /// When it expires, in the host's milliseconds; none: never.
    pub expires_at: Option<u64>,
    /// The answer.
    pub decision: Option<Decision>,
}

impl Approval {
    /// A request of which nothing but its id is known.
    #[must_use]
    pub fn new(id: Id) -> Self {
        Self {
            id,
            envelope: Payload::NONE,
            automatic: false,
            repeat_unsafe: false,
            reused_id: false,
            requested_at: 0,
            expires_at: None,
            decision: None,
        }
    }
}

/// The fields of an approval, for saving and restoring.
pub(super) fn approval_ledger(ledger: &mut dyn Ledger, approval: &mut Approval) {
    let Approval { id, envelope, automatic, repeat_unsafe, reused_id, requested_at, expires_at, decision } = approval;
    ledger.id(id);
    ledger.payload(envelope);
    for value in [automatic, repeat_unsafe, reused_id] {
        flag(ledger, value);
    }
    ledger.time(requested_at);
    option(ledger, expires_at, || 0, |ledger, time| ledger.time(time));
    option(
        ledger,
        decision,
        || Decision::new(false, Payload::NONE, DecidedBy::User),
        |ledger, decision| {
            let Decision { approved, reason, by, original, remember } = decision;
            flag(ledger, approved);
            ledger.payload(reason);
            variant(ledger, by, DecidedBy::ALL);
            option(ledger, original, || Payload::NONE, |ledger, input| ledger.payload(input));
            option(ledger, remember, || false, flag);
        },
    );
}
