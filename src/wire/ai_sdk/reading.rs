//! What reading a history needs throughout: the host's values, and the repairs made so far.

use crate::machine::{Id, Phase, Repair, RepairCode};
use crate::prelude::*;
use crate::wire::Values;

/// The state of reading one history.
pub(super) struct Reading<'a, V: Values> {
    pub(super) values: &'a V,
    pub(super) repairs: Vec<Repair>,
}

impl<V: Values> Reading<'_, V> {
    pub(super) fn repair(&mut self, code: RepairCode, call: Id, phase: Phase) {
        self.repairs.push(Repair::of(code, call, phase));
    }

    /// Reports an invalid or incomplete entry, which is skipped.
    pub(super) fn skipped(&mut self, call: Option<Id>) {
        self.repairs.push(Repair { call, ..Repair::new(RepairCode::Malformed) });
    }

    /// Reports a decision or a result without its call, which is skipped.
    pub(super) fn orphaned(&mut self, call: Option<Id>) {
        self.repairs.push(Repair { call, ..Repair::new(RepairCode::Orphaned) });
    }

    /// Reports a repaired message, or a repaired part that is not a call.
    pub(super) fn repaired(&mut self, code: RepairCode) {
        self.repairs.push(Repair::new(code));
    }
}
