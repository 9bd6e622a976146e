//! One remembered decision.

use crate::machine::ledger::{Ledger, flag, option};
use crate::machine::{Id, Payload};

/// A decision that answers later calls too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RememberedDecision {
    /// Its number.
    pub id: u32,
    /// The tool.
    pub tool: Id,
    /// The digest of the one input that it holds for; none: for every input of the tool.
    pub input: Option<Id>,
    /// The answer.
    pub approved: bool,
    /// Its reason.
    pub reason: Payload,
    /// The host carries it to other chats.
    pub always: bool,
    /// When it was made, in the host's milliseconds.
    pub decided_at: u64,
    /// From when on it holds no longer.
    pub expires_at: Option<u64>,
}

/// How the host tells two inputs apart: the id of an input's digest, none for an input that has no digest.
pub type Digest<'a> = &'a mut dyn FnMut(Payload) -> Option<Id>;

impl RememberedDecision {
    /// Whether it still holds.
    #[must_use]
    pub fn holds(&self, now: u64) -> bool {
        self.expires_at.is_none_or(|end| end > now)
    }

    /// Its fields, for saving and restoring.
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { id, tool, input, approved, reason, always, decided_at, expires_at } = self;
        ledger.number(id);
        ledger.id(tool);
        option(ledger, input, Id::default, |ledger, id| ledger.id(id));
        flag(ledger, approved);
        ledger.payload(reason);
        flag(ledger, always);
        ledger.time(decided_at);
        option(ledger, expires_at, || 0, |ledger, time| ledger.time(time));
    }
}
