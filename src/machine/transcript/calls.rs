//! Finds calls by key and by id, and approvals by id.

use super::PartPos;
use crate::machine::{CallKey, Id, IdMap};
use crate::prelude::*;

/// The owner of an approval id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ApprovalOwner {
    /// This call has the approval.
    Call(CallKey),
    /// Newer content (a message, step, approval request or edit) closed the approval of this call.
    Superseded(CallKey),
}

impl ApprovalOwner {
    /// The call, even if its approval was superseded.
    #[must_use]
    pub fn key(self) -> CallKey {
        match self {
            ApprovalOwner::Call(key) | ApprovalOwner::Superseded(key) => key,
        }
    }
}

/// How many approvals of removed calls are remembered, so that deciding one is refused as superseded.
const REMOVED: usize = 32;

/// The index of calls and approvals, by id and key.
#[derive(Clone, Default, Debug)]
pub(super) struct Calls {
    /// The position of each call, ordered by key, and how many earlier calls of its turn have its id.
    places: Vec<(CallKey, PartPos, u32)>,
    /// How many keys were given out, including those of removed calls.
    introduced: u32,
    /// The newest call with each id.
    newest: IdMap<CallKey>,
    approvals: IdMap<ApprovalOwner>,
    /// Approvals of calls that were removed, oldest first.
    removed: Vec<Id>,
}

impl Calls {
    /// How many keys were given out. The next key has this number.
    pub fn introduced(&self) -> u32 {
        self.introduced
    }

    /// Continues giving out keys from this number.
    pub fn count_from(&mut self, introduced: u32) {
        self.introduced = introduced;
    }

    /// Gives out a key for a new call.
    pub fn introduce(&mut self) -> CallKey {
        let key = CallKey(self.introduced);
        self.introduced += 1;
        key
    }

    /// Sets the position of a call. Keys must be added in ascending order. Returns how many earlier calls of its turn,
    /// which begins with the message `turn`, have its id.
    pub fn add(&mut self, key: CallKey, id: Id, at: PartPos, turn: usize) -> u32 {
        let previous = self.newest(id).and_then(|key| self.entry(key)).filter(|(_, at, _)| at.message >= turn);
        let repeats = previous.map_or(0, |(_, _, repeats)| repeats + 1);
        self.places.push((key, at, repeats));
        self.newest.set(id, Some(key));
        repeats
    }

    /// The position of a call.
    pub fn place(&self, key: CallKey) -> Option<PartPos> {
        self.entry(key).map(|(_, at, _)| *at)
    }

    /// The positions of the calls from this one on, in call order.
    pub fn from(&self, start: PartPos) -> impl Iterator<Item = PartPos> {
        let before = self.places.iter().rposition(|(_, at, _)| *at < start);
        self.places[before.map_or(0, |before| before + 1)..].iter().map(|(_, at, _)| *at)
    }

    fn entry(&self, key: CallKey) -> Option<&(CallKey, PartPos, u32)> {
        let (first, ..) = self.places.first()?;
        // If no call between the first one and this one was removed, the index is the distance of their keys.
        let index = key.0.checked_sub(first.0)? as usize;
        if let Some(entry) = self.places.get(index).filter(|(found, ..)| *found == key) {
            return Some(entry);
        }
        let index = self.places.binary_search_by_key(&key, |(key, ..)| *key).ok()?;
        self.places.get(index)
    }

    /// The newest call with this id.
    pub fn newest(&self, id: Id) -> Option<CallKey> {
        self.newest.get(id)
    }

    /// Increments the message index of all positions from message `from` on.
    pub fn shift(&mut self, from: usize) {
        self.places.iter_mut().filter(|(_, at, _)| at.message >= from).for_each(|(_, at, _)| at.message += 1);
    }

    /// The owner of the approval.
    pub fn owner(&self, approval: Id) -> Option<ApprovalOwner> {
        self.approvals.get(approval)
    }

    /// Every known approval, with its owner.
    pub fn owners(&self) -> impl Iterator<Item = (Id, ApprovalOwner)> {
        self.approvals.iter()
    }

    /// Sets the owner of the approval.
    pub fn own(&mut self, approval: Id, owner: ApprovalOwner) {
        self.removed.keep(|&removed| removed != approval);
        self.approvals.set(approval, Some(owner));
    }

    /// Removes the owners of all approvals.
    pub fn disown_all(&mut self) {
        self.approvals = IdMap::default();
    }

    /// Marks this call's approval as superseded. It cannot be decided any more.
    pub fn supersede(&mut self, approval: Id, key: CallKey) {
        if self.approvals.get(approval) == Some(ApprovalOwner::Call(key)) {
            self.approvals.set(approval, Some(ApprovalOwner::Superseded(key)));
        }
    }

    /// Removes the last calls, newest first, each given with its id and the previous call with that id.
    pub fn remove(&mut self, calls: impl Iterator<Item = (CallKey, Id, Option<CallKey>)>) {
        let mut first = None;
        for (key, id, previous) in calls {
            self.newest.set(id, previous);
            first = Some(key);
        }
        let Some(first) = first else { return };
        self.places.keep(|(key, ..)| *key < first);
        let gone: Vec<Id> = self.approvals.iter().filter(|(_, owner)| owner.key() >= first).map(|(id, _)| id).listed();
        for id in gone {
            self.approvals.set(id, None);
            self.remember_removed(id);
        }
    }

    /// Remembers the approval of a removed call.
    pub fn remember_removed(&mut self, approval: Id) {
        if self.removed.len() >= REMOVED {
            self.removed.remove(0);
        }
        self.removed.push(approval);
    }

    /// The remembered approvals of removed calls.
    pub fn removed(&self) -> &[Id] {
        &self.removed
    }
}
