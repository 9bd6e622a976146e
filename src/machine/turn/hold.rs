//! Why decisions that could be sent are held back.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, flag};

enumerated! {
    /// A reason for which decided things are held.
    pub enum Hold {
        /// The user stopped.
        Stopped,
        /// The reply in which they were decided ended badly.
        BadEnding,
        /// A denial ended the turn: nothing is sent until the user writes.
        TurnEnded,
        /// Denials alone are left of a turn that was cancelled or cut: they are sent with the user's next message.
        DenialsOnly,
    }
}

/// The reasons that hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Holds {
    holds: [bool; Hold::ALL.len()],
}

impl Holds {
    /// Whether this reason holds.
    #[must_use]
    pub fn has(self, hold: Hold) -> bool {
        self.holds[hold as usize]
    }

    /// Sets or clears a reason.
    pub(in crate::machine) fn set(&mut self, hold: Hold, holds: bool) {
        self.holds[hold as usize] = holds;
    }

    /// The user's act, but for a message, clears what stopping and bad endings held.
    pub(in crate::machine) fn resume(&mut self) {
        self.set(Hold::Stopped, false);
        self.set(Hold::BadEnding, false);
    }

    /// Whether decisions are held until the user resumes, decides or writes.
    #[must_use]
    pub fn until_resumed(self) -> bool {
        self.has(Hold::Stopped) || self.has(Hold::BadEnding)
    }

    /// Its fields, for saving and restoring.
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        self.holds.iter_mut().for_each(|hold| flag(ledger, hold));
    }
}
