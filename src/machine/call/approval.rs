//! An approval request and its decision. Each approval is decided once.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, flag, option, variant};
use crate::machine::{Id, Payload};

enumerated! {
    /// Who made a decision.
    pub enum DecidedBy {
        /// The user, with `respond`.
        User,
        /// A policy of this client, such as `deny-pending`.
        Policy,
        /// The backend, so the decision is not sent.
        Backend,
        /// A remembered decision of the user.
        Remembered,
    }
}

/// The decision on an approval.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    /// Whether the call may run.
    pub approved: bool,
    /// The reason given, if any.
    pub reason: Payload,
    /// Who made it.
    pub by: DecidedBy,
    /// The input as the model wrote it, if the user edited it.
    pub original: Option<Payload>,
    /// Set if the user asked to remember the decision: `true` for all chats, `false` for this chat.
    pub remember: Option<bool>,
}

impl Decision {
    /// A decision on the unedited input.
    #[must_use]
    pub fn new(approved: bool, reason: Payload, by: DecidedBy) -> Self {
        Self { approved, reason, by, original: None, remember: None }
    }
}

/// An approval request and, once it is decided, the decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Approval {
    /// The approval's id. Some backends use the call's own id.
    pub id: Id,
    /// Everything else the backend sent with the approval request (signature, descriptor, unknown fields).
    pub envelope: Payload,
    /// Whether the backend decides this approval request itself.
    pub automatic: bool,
    /// Whether the decision must not be sent twice, because the backend could take the second copy for a decision on a
    /// newer approval request.
    pub repeat_unsafe: bool,
    /// Whether this client asks, and not the backend: about a call that the page runs. The backend is told the result
    /// of the call only.
    pub is_local: bool,
    /// Whether an earlier approval request used the same id. If so, a decision must name the input that was shown.
    pub reused_id: bool,
    /// When the approval request arrived, in ms since 1970; 0 for a loaded one without a known time.
    pub requested_at: u64,
    /// When it expires, in ms since 1970; `None` for never.
    pub expires_at: Option<u64>,
    /// Whether the backend set that time. It would not accept a later decision.
    pub backend_expires: bool,
    /// The decision, once it is made.
    pub decision: Option<Decision>,
}

impl Approval {
    /// An approval request with an id, and defaults for everything else.
    #[must_use]
    pub fn new(id: Id) -> Self {
        Self {
            id,
            envelope: Payload::NONE,
            automatic: false,
            repeat_unsafe: false,
            is_local: false,
            reused_id: false,
            requested_at: 0,
            expires_at: None,
            backend_expires: false,
            decision: None,
        }
    }

    /// Whether it expires at a time that [`Machine::extend`](crate::machine::Machine::extend) can change.
    #[must_use]
    pub fn is_extendable(&self) -> bool {
        self.expires_at.is_some() && !self.backend_expires
    }
}

/// Visits the fields of an approval, to save or restore them.
pub(super) fn approval_ledger(ledger: &mut dyn Ledger, approval: &mut Approval) {
    let Approval {
        id,
        envelope,
        automatic,
        repeat_unsafe,
        is_local,
        reused_id,
        requested_at,
        expires_at,
        backend_expires,
        decision,
    } = approval;
    ledger.id(id);
    ledger.payload(envelope);
    for value in [automatic, repeat_unsafe, is_local, reused_id, backend_expires] {
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
