//! The changes to the transcript: those since the view last read it, and when each message last changed.

use super::PartPos;
use crate::prelude::*;

/// A change to the transcript since the view last read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// This part changed.
    Part(PartPos),
    /// The message's head changed, or the number of its parts.
    Message(usize),
    /// This message is new.
    New(usize),
}

/// The list of changes, each listed once, and the transcript's revision.
#[derive(Clone, Default, Debug)]
pub(super) struct Changes {
    list: Vec<Change>,
    /// Flags for each message: whether the list has a change of its head, that it is new, and a change of each part.
    noted: Vec<Vec<bool>>,
    revision: u32,
    /// Counts the changes that a saved state must contain, including those that no view shows.
    clock: u32,
    /// For each message, the clock at its last change.
    stamps: Vec<u32>,
}

impl Changes {
    /// Records a change.
    pub fn note(&mut self, change: Change) {
        self.touch();
        let (message, slot) = slot(change);
        self.stamp(message);
        if message >= self.noted.len() {
            self.noted.grow(message + 1, Vec::new());
        }
        let noted = &mut self.noted[message];
        if slot >= noted.len() {
            noted.grow(slot + 1, false);
        }
        if !noted[slot] {
            noted[slot] = true;
            self.list.push(change);
        }
    }

    /// Records a change that has no position: messages were removed at the end.
    pub fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Records that a message must be saved again, although no view shows a difference.
    pub fn stamp(&mut self, message: usize) {
        self.clock = self.clock.wrapping_add(1);
        if message >= self.stamps.len() {
            self.stamps.grow(message + 1, 0);
        }
        self.stamps[message] = self.clock;
    }

    /// The time of the last change, for [`Self::is_since`].
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Whether the message changed after this time.
    pub fn is_since(&self, message: usize, clock: u32) -> bool {
        // The clock may have wrapped.
        self.stamps.get(message).is_some_and(|stamp| stamp.wrapping_sub(clock).wrapping_sub(1) < u32::MAX / 2)
    }

    /// Increases with every change.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Returns and clears the changes since the last call, each listed once. Changes after the end of the transcript
    /// are dropped.
    pub fn take(&mut self) -> Vec<Change> {
        let list = core::mem::take(&mut self.list);
        for change in &list {
            // Clear only the recorded flags, so that a reply with thousands of parts costs no more than its changes.
            let (message, slot) = slot(*change);
            self.noted[message][slot] = false;
        }
        list
    }
}

/// The message of a change, and its flag's index in `noted`.
fn slot(change: Change) -> (usize, usize) {
    match change {
        Change::Message(message) => (message, 0),
        Change::New(message) => (message, 1),
        Change::Part(at) => (at.message, at.part + 2),
    }
}
