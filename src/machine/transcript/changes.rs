//! What changed in the transcript since the view last looked.

use super::PartPos;
use crate::prelude::*;

/// What changed since the view last looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// One part, in place.
    Part(PartPos),
    /// The message's head, or how many parts it has.
    Message(usize),
    /// The message is new at its place.
    New(usize),
}

/// The list of changes, each place once, and how often anything changed.
#[derive(Clone, Default, Debug)]
pub(super) struct Changes {
    list: Vec<Change>,
    /// By message: what of it is in the list already. First its head, then that it is new, then its parts.
    noted: Vec<Vec<bool>>,
    revision: u32,
}

impl Changes {
    /// Notes a change.
    pub fn note(&mut self, change: Change) {
        self.touch();
        let (message, slot) = slot(change);
        if message >= self.noted.len() {
            self.noted.resize(message + 1, Vec::new());
        }
        let noted = &mut self.noted[message];
        if slot >= noted.len() {
            noted.resize(slot + 1, false);
        }
        if !noted[slot] {
            noted[slot] = true;
            self.list.push(change);
        }
    }

    /// Something changed that is in no place: messages were removed at the end.
    pub fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Grows with every change.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// What changed since the last call, each place once. Places behind the end are gone.
    pub fn take(&mut self) -> Vec<Change> {
        let list = core::mem::take(&mut self.list);
        for change in &list {
            // Only what was noted: a reply of thousands of parts is not gone through for each of them.
            let (message, slot) = slot(*change);
            self.noted[message][slot] = false;
        }
        list
    }
}

/// The message of a change, and what of it changed: first its head, then that it is new, then its parts.
fn slot(change: Change) -> (usize, usize) {
    match change {
        Change::Message(message) => (message, 0),
        Change::New(message) => (message, 1),
        Change::Part(at) => (at.message, at.part + 2),
    }
}
