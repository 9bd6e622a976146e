//! Decisions that the user asked to remember. They are applied to later calls, too. A user makes few of them, so they
//! are searched one by one.

use crate::machine::ledger::{Ledger, counter, flag, list, option};
use crate::machine::{Id, Payload};
use crate::prelude::*;

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
    fn ledger(&mut self, ledger: &mut dyn Ledger) {
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

/// The remembered decisions, oldest first.
#[derive(Clone, Default, Debug)]
pub struct Remembered {
    decisions: Vec<RememberedDecision>,
    last_id: u32,
    revision: u32,
}

impl Remembered {
    /// All decisions, oldest first, including expired ones.
    pub fn all(&self) -> impl Iterator<Item = &RememberedDecision> {
        self.decisions.iter()
    }

    /// Increases with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Whether a decision applies to one input only.
    #[must_use]
    pub fn has_scoped(&self) -> bool {
        self.all().any(|decision| decision.input.is_some())
    }

    /// The decision to apply to a call of this tool. A decision for this input takes precedence over one for the tool.
    #[must_use]
    pub fn find(&self, tool: Id, input: Option<Id>, now: u64) -> Option<&RememberedDecision> {
        let of = |input| self.all().find(|one| one.tool == tool && one.input == input && one.holds(now));
        input.and_then(|input| of(Some(input))).or_else(|| of(None))
    }

    /// Adds a decision, replaces an earlier one for the same tool and input, and assigns its number.
    pub(in crate::machine) fn add(&mut self, mut decision: RememberedDecision) {
        self.remove(|one| one.tool == decision.tool && one.input == decision.input);
        self.last_id += 1;
        decision.id = self.last_id;
        self.decisions.push(decision);
        self.touch();
    }

    /// Forgets the decision with this number.
    pub(in crate::machine) fn forget(&mut self, id: u32) {
        if self.remove(|one| one.id == id) {
            self.touch();
        }
    }

    fn remove(&mut self, is_meant: impl Fn(&RememberedDecision) -> bool) -> bool {
        let place = self.decisions.iter().position(is_meant);
        place.map(|place| self.decisions.remove(place)).is_some()
    }

    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Visits every value that the decisions hold.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        self.all().for_each(|decision| each(decision.reason));
    }

    /// Visits every id that the decisions hold.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        for decision in self.all() {
            each(decision.tool);
            decision.input.into_iter().for_each(&mut *each);
        }
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { decisions, last_id, revision: _ } = self;
        counter(ledger, last_id);
        let empty = || RememberedDecision {
            id: 0,
            tool: Id::default(),
            input: None,
            approved: false,
            reason: Payload::NONE,
            always: false,
            decided_at: 0,
            expires_at: None,
        };
        list(ledger, decisions, empty, |ledger, decision| decision.ledger(ledger));
        if ledger.is_reading() {
            let mut previous = 0;
            let is_next = |decision: &RememberedDecision| core::mem::replace(&mut previous, decision.id) < decision.id;
            let ascending = decisions.iter().all(is_next);
            if !ascending || previous > *last_id {
                ledger.refuse();
            }
            self.touch();
        }
    }
}
