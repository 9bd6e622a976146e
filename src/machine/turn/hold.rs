//! Reasons to hold decisions that could be sent.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, flag};

enumerated! {
    /// A reason to hold decisions.
    pub enum Hold {
        /// The user stopped.
        Stopped,
        /// The reply that requested them ended badly.
        BadEnding,
        /// A denial ended the turn. Nothing is sent until the user writes.
        TurnEnded,
        /// Only denials and outputs of the page remain of a turn that was cancelled or cut. They are sent with the
        /// user's next message.
        DenialsOnly,
    }
}

/// The set of reasons that apply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Holds {
    holds: [bool; Hold::ALL.len()],
}

impl Holds {
    /// Whether this reason applies.
    #[must_use]
    pub fn has(self, hold: Hold) -> bool {
        self.holds[hold as usize]
    }

    /// Adds or removes a reason.
    pub(in crate::machine) fn set(&mut self, hold: Hold, holds: bool) {
        self.holds[hold as usize] = holds;
    }

    /// Removes the reasons that `resume` or a decision of the user ends: stopping, and bad endings.
    pub(in crate::machine) fn resume(&mut self) {
        self.set(Hold::Stopped, false);
        self.set(Hold::BadEnding, false);
    }

    /// Whether decisions are held until the user resumes, decides or writes.
    #[must_use]
    pub fn until_resumed(self) -> bool {
        self.has(Hold::Stopped) || self.has(Hold::BadEnding)
    }

    /// Visits the fields, to save or restore them.
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        self.holds.iter_mut().for_each(|hold| flag(ledger, hold));
    }
}
