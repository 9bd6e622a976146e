//! The remembered decisions, found by tool and input.

use super::RememberedDecision;
use crate::machine::ledger::{Ledger, counter, list};
use crate::machine::{Id, IdMap, Payload};
use crate::prelude::*;

/// The remembered decisions, oldest first.
#[derive(Clone, Default, Debug)]
pub struct Remembered {
    /// A hole is one that was forgotten or replaced.
    decisions: Vec<Option<RememberedDecision>>,
    holes: usize,
    last: u32,
    /// By digest: the newest decision for this input, and by decision: the one before it for an equal input of another tool.
    by_input: IdMap<usize>,
    before: Vec<Option<usize>>,
    by_tool: IdMap<usize>,
    /// How many decisions of a tool are for one input.
    scoped: IdMap<usize>,
    revision: u32,
}

impl Remembered {
    /// All of them, oldest first, also those whose time is over.
    pub fn all(&self) -> impl Iterator<Item = &RememberedDecision> {
        self.decisions.iter().flatten()
    }

    /// Grows with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Whether a decision of this tool is for one input.
    #[must_use]
    pub fn has_scoped(&self, tool: Id) -> bool {
        self.scoped.get(tool).is_some_and(|count| count > 0)
    }

    /// The decision that answers a call of this tool: one for this very input goes before one for the tool.
    #[must_use]
    pub fn find(&self, tool: Id, input: Option<Id>, now: u64) -> Option<&RememberedDecision> {
        let scoped = input.and_then(|input| self.place(tool, Some(input))).and_then(|place| self.at(place));
        let of_tool = self.place(tool, None).and_then(|place| self.at(place));
        scoped.filter(|decision| decision.holds(now)).or(of_tool.filter(|decision| decision.holds(now)))
    }

    /// Remembers a decision, in place of an earlier one for the same. Its number is given here.
    pub(in crate::machine) fn add(&mut self, mut decision: RememberedDecision) {
        if let Some(place) = self.place(decision.tool, decision.input) {
            self.remove(place);
        }
        self.last += 1;
        decision.id = self.last;
        self.insert(decision);
        self.touch();
    }

    /// Forgets the decision with this number.
    pub(in crate::machine) fn forget(&mut self, id: u32) {
        let is_meant = |decision: &Option<RememberedDecision>| decision.as_ref().is_some_and(|one| one.id == id);
        if let Some(place) = self.decisions.iter().position(is_meant) {
            self.remove(place);
            self.touch();
        }
    }

    fn at(&self, place: usize) -> Option<&RememberedDecision> {
        self.decisions.get(place)?.as_ref()
    }

    fn place(&self, tool: Id, input: Option<Id>) -> Option<usize> {
        let Some(input) = input else { return self.by_tool.get(tool) };
        let mut next = self.by_input.get(input);
        while let Some(place) = next {
            if self.at(place).is_some_and(|decision| decision.tool == tool) {
                return Some(place);
            }
            next = self.before[place];
        }
        None
    }

    fn insert(&mut self, decision: RememberedDecision) {
        let (place, tool, input) = (self.decisions.len(), decision.tool, decision.input);
        self.decisions.push(Some(decision));
        self.before.push(None);
        match input {
            Some(input) => {
                self.before[place] = self.by_input.get(input);
                self.by_input.set(input, Some(place));
                self.scoped.set(tool, Some(self.scoped.get(tool).unwrap_or_default() + 1));
            }
            None => self.by_tool.set(tool, Some(place)),
        }
    }

    fn remove(&mut self, place: usize) {
        let Some(decision) = self.decisions[place].take() else { return };
        self.holes += 1;
        match decision.input {
            Some(_) => {
                let left = self.scoped.get(decision.tool).unwrap_or_default().saturating_sub(1);
                self.scoped.set(decision.tool, Some(left));
            }
            None => self.by_tool.set(decision.tool, None),
        }
        if 2 * self.holes > self.decisions.len() {
            self.rebuild();
        }
    }

    /// Builds the indexes anew, without holes.
    fn rebuild(&mut self) {
        let decisions = core::mem::take(&mut self.decisions);
        (self.holes, self.before) = (0, Vec::new());
        (self.by_input, self.by_tool, self.scoped) = (IdMap::default(), IdMap::default(), IdMap::default());
        decisions.into_iter().flatten().for_each(|decision| self.insert(decision));
    }

    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Every value that it holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        self.all().for_each(|decision| each(decision.reason));
    }

    /// Every id that it holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        for decision in self.all() {
            each(decision.tool);
            decision.input.into_iter().for_each(&mut *each);
        }
    }

    /// Its fields, for saving and restoring.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        // The indexes follow from the decisions.
        let Self { decisions, holes: _, last, by_input: _, before: _, by_tool: _, scoped: _, revision: _ } = self;
        counter(ledger, last);
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
        let mut all: Vec<RememberedDecision> = decisions.iter().flatten().cloned().collect();
        list(ledger, &mut all, empty, |ledger, decision| decision.ledger(ledger));
        if ledger.is_reading() {
            let mut before = 0;
            let ascending = all.iter().all(|decision| core::mem::replace(&mut before, decision.id) < decision.id);
            if !ascending || before > *last {
                ledger.refuse();
            }
            *decisions = all.into_iter().map(Some).collect();
            self.rebuild();
            self.touch();
        }
    }
}
