//! What reading a history needs throughout: the host's values, and the repairs made so far.

use crate::machine::{Id, Phase, Repair, RepairCode};
use crate::prelude::*;
use crate::wire::Values;

/// The state of reading one history.
pub(super) struct Reading<'a, V: Values> {
    pub(super) values: &'a V,
    pub(super) repairs: Vec<Repair>,
    /// The index of the message that is being read, in the history.
    pub(super) message: Option<u32>,
}

impl<V: Values> Reading<'_, V> {
    pub(super) fn repair(&mut self, code: RepairCode, call: Id, phase: Phase) {
        self.repairs.push(Repair::of(code, call, phase));
    }

    /// Reports an invalid or incomplete entry, which is skipped.
    pub(super) fn skipped(&mut self, call: Option<Id>) {
        self.push(RepairCode::Malformed, call);
    }

    /// Reports a decision or a result without its call, which is skipped.
    pub(super) fn orphaned(&mut self, call: Option<Id>) {
        self.push(RepairCode::Orphaned, call);
    }

    /// Reports a repaired message, or a repaired part that is not a call.
    pub(super) fn repaired(&mut self, code: RepairCode) {
        self.push(code, None);
    }

    fn push(&mut self, code: RepairCode, call: Option<Id>) {
        self.repairs.push(Repair { call, message: self.message, ..Repair::new(code) });
    }
}
