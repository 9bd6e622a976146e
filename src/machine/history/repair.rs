//! What was repaired in a loaded history.

use crate::machine::enumerated::enumerated;
use crate::machine::{Id, Phase};

enumerated! {
    /// What was wrong in a loaded history.
    pub enum RepairCode {
        /// The same call, or its result, was in the history more than once.
        DuplicateCall = "duplicate-call",
        /// A tool part had no state, an unknown one, or one at odds with what it holds.
        MissingState = "missing-state",
        /// A denied call had no approval, or one that was granted.
        MissingApproval = "missing-approval",
        /// An approval was still asked for, and something follows it.
        StaleApproval = "stale-approval",
        /// A call had no result, and something follows it.
        UnansweredCall = "unanswered-call",
        /// A call's input was never complete.
        IncompleteInput = "incomplete-input",
        /// An entry was not a message, or a part not a part.
        Malformed = "malformed",
        /// A message's id was in the history more than once, or the same answer twice in a row.
        DuplicateMessage = "duplicate-message",
        /// Two calls had one approval, or an approval was asked or answered twice.
        DuplicateApproval = "duplicate-approval",
        /// A request, an answer or a result belonged to no call.
        Orphaned = "orphaned",
        /// A value was of a wrong type, or one that the state of its call does not allow.
        InvalidValue = "invalid-value",
        /// A denied call had an output: the denial is what counts.
        DeniedOutput = "denied-output",
    }
}

/// One thing that was repaired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repair {
    /// What was wrong.
    pub code: RepairCode,
    /// The call concerned.
    pub call: Option<Id>,
    /// The call's phase now.
    pub phase: Option<Phase>,
}

impl Repair {
    /// A repair that concerns no call.
    #[must_use]
    pub fn new(code: RepairCode) -> Self {
        Self { code, call: None, phase: None }
    }

    /// A repair of a call.
    #[must_use]
    pub fn of(code: RepairCode, call: Id, phase: Phase) -> Self {
        Self { code, call: Some(call), phase: Some(phase) }
    }
}
