//! The remembered decisions, found by tool and input.

use super::RememberedDecision;
use crate::machine::ledger::{Ledger, counter, list};
use crate::machine::{Id, IdMap, Payload};
use crate::prelude::*;

/// The remembered decisions, oldest first.
#[derive(Clone, Default, Debug)]
pub struct Remembered {
    /// A decision that was forgotten or replaced leaves `None`.
    decisions: Vec<Option<RememberedDecision>>,
    holes: usize,
    last_id: u32,
    /// The newest decision for each input digest, and for each tool with a decision on all inputs. `previous` has, for
    /// each decision, the one before it with the same digest, which belongs to another tool.
    newest: IdMap<usize>,
    previous: Vec<Option<usize>>,
    /// How many decisions apply to one input only.
    scoped: usize,
    revision: u32,
}

impl Remembered {
    /// All decisions, oldest first, including expired ones.
    pub fn all(&self) -> impl Iterator<Item = &RememberedDecision> {
        self.decisions.iter().flatten()
    }

    /// Increases with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Whether a decision applies to one input only.
    #[must_use]
    pub fn has_scoped(&self) -> bool {
        self.scoped > 0
    }

    /// The decision to apply to a call of this tool. A decision for this input takes precedence over one for the tool.
    #[must_use]
    pub fn find(&self, tool: Id, input: Option<Id>, now: u64) -> Option<&RememberedDecision> {
        let scoped = input.and_then(|input| self.index_of(tool, Some(input))).and_then(|index| self.at(index));
        let of_tool = self.index_of(tool, None).and_then(|index| self.at(index));
        scoped.filter(|decision| decision.holds(now)).or(of_tool.filter(|decision| decision.holds(now)))
    }

    /// Adds a decision, replaces an earlier one for the same tool and input, and assigns its number.
    pub(in crate::machine) fn add(&mut self, mut decision: RememberedDecision) {
        if let Some(index) = self.index_of(decision.tool, decision.input) {
            self.remove(index);
        }
        self.last_id += 1;
        decision.id = self.last_id;
        self.insert(decision);
        self.touch();
    }

    /// Forgets the decision with this number.
    pub(in crate::machine) fn forget(&mut self, id: u32) {
        let has_id = |decision: &Option<RememberedDecision>| decision.as_ref().is_some_and(|one| one.id == id);
        if let Some(index) = self.decisions.iter().position(has_id) {
            self.remove(index);
            self.touch();
        }
    }

    fn at(&self, index: usize) -> Option<&RememberedDecision> {
        self.decisions.get(index)?.as_ref()
    }

    fn index_of(&self, tool: Id, input: Option<Id>) -> Option<usize> {
        let mut next = self.newest.get(input.unwrap_or(tool));
        while let Some(index) = next {
            if self.at(index).is_some_and(|decision| decision.tool == tool && decision.input == input) {
                return Some(index);
            }
            next = self.previous[index];
        }
        None
    }

    fn insert(&mut self, decision: RememberedDecision) {
        let (index, tool, input) = (self.decisions.len(), decision.tool, decision.input);
        self.decisions.push(Some(decision));
        let key = input.unwrap_or(tool);
        self.previous.push(self.newest.get(key));
        self.newest.set(key, Some(index));
        self.scoped += usize::from(input.is_some());
    }

    fn remove(&mut self, index: usize) {
        let Some(decision) = self.decisions[index].take() else { return };
        self.holes += 1;
        self.scoped -= usize::from(decision.input.is_some());
        if 2 * self.holes > self.decisions.len() {
            self.rebuild();
        }
    }

    /// Rebuilds the indexes, and removes the holes.
    fn rebuild(&mut self) {
        let decisions = core::mem::take(&mut self.decisions);
        (self.holes, self.previous, self.newest, self.scoped) = (0, Vec::new(), IdMap::default(), 0);
        decisions.into_iter().flatten().for_each(|decision| self.insert(decision));
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
        // The indexes are derived from the decisions.
        let Self { decisions, holes: _, last_id, newest: _, previous: _, scoped: _, revision: _ } = self;
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
        let mut all: Vec<RememberedDecision> = decisions.iter().flatten().cloned().listed();
        list(ledger, &mut all, empty, |ledger, decision| decision.ledger(ledger));
        if ledger.is_reading() {
            let mut previous = 0;
            let ascending = all.iter().all(|decision| core::mem::replace(&mut previous, decision.id) < decision.id);
            if !ascending || previous > *last_id {
                ledger.refuse();
            }
            *decisions = all.into_iter().map(Some).listed();
            self.rebuild();
            self.touch();
        }
    }
}
