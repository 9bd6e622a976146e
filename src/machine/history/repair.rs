//! The repairs of a loaded history.

use crate::machine::enumerated::enumerated;
use crate::machine::{Id, Phase};

enumerated! {
    /// What was wrong in a loaded history.
    pub enum RepairCode {
        /// The same call, or its result, was in the history more than once.
        DuplicateCall = "duplicate-call",
        /// A tool part's state was missing, unknown, or contradicted its other properties.
        MissingState = "missing-state",
        /// A denied call had no approval, or one with `approved: true`.
        MissingApproval = "missing-approval",
        /// An approval was pending, and later content follows it.
        StaleApproval = "stale-approval",
        /// A call had no result, and later content follows it.
        UnansweredCall = "unanswered-call",
        /// A call's input was not complete.
        IncompleteInput = "incomplete-input",
        /// An entry was not a message, or a part not valid.
        Malformed = "malformed",
        /// A message's id occurred more than once, or the same reply twice in a row.
        DuplicateMessage = "duplicate-message",
        /// Two calls had the same approval, or an approval was requested or decided twice.
        DuplicateApproval = "duplicate-approval",
        /// An approval request, a decision or a result had no call.
        Orphaned = "orphaned",
        /// A value had a wrong type, or is not allowed in the call's state.
        InvalidValue = "invalid-value",
        /// A denied call had an output. The denial wins.
        DeniedOutput = "denied-output",
    }
}

/// One repair of a loaded history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repair {
    /// What was repaired.
    pub code: RepairCode,
    /// The id of the repaired call.
    pub call: Option<Id>,
    /// The call's phase after the repair.
    pub phase: Option<Phase>,
    /// The index of the repaired message in the loaded history, if it is not a call that was repaired.
    pub message: Option<u32>,
}

impl Repair {
    /// A repair of something other than a call.
    #[must_use]
    pub fn new(code: RepairCode) -> Self {
        Self { code, call: None, phase: None, message: None }
    }

    /// A repair of this call.
    #[must_use]
    pub fn of(code: RepairCode, call: Id, phase: Phase) -> Self {
        Self { call: Some(call), phase: Some(phase), ..Self::new(code) }
    }
}
