//! One remembered decision.

use crate::machine::ledger::{Ledger, flag, option};
use crate::machine::{Id, Payload};

/// A decision that is also applied to later calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RememberedDecision {
    /// Its number, which `Remembered` assigns.
    pub id: u32,
    /// The name of the tool.
    pub tool: Id,
    /// The digest of the only input that it applies to; `None` if it applies to every input of the tool.
    pub input: Option<Id>,
    /// Whether it approves or denies.
    pub approved: bool,
    /// The reason given, if any.
    pub reason: Payload,
    /// Whether the host applies it in other chats, too.
    pub always: bool,
    /// When it was made, in ms since 1970.
    pub decided_at: u64,
    /// When it expires, in ms since 1970; `None` for never.
    pub expires_at: Option<u64>,
}

/// The host's digest of an input, as an id; `None` for an input without a digest. Equal inputs have equal digests.
pub type Digest<'a> = &'a mut dyn FnMut(Payload) -> Option<Id>;

impl RememberedDecision {
    /// Whether it is valid at this time.
    #[must_use]
    pub fn holds(&self, now: u64) -> bool {
        self.expires_at.is_none_or(|end| end > now)
    }

    /// Visits the fields, to save or restore them.
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
