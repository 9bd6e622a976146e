//! Which call an id means: calls by key and by id, approvals by id.

use super::PartPos;
use crate::machine::{CallKey, Id, IdMap};
use crate::prelude::*;

/// Whom an approval id belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ApprovalOwner {
    /// It is the approval of this call.
    Call(CallKey),
    /// A later message, step, request or edit closed it; it belonged to this call.
    Superseded(CallKey),
}

impl ApprovalOwner {
    /// The call, whether the approval is closed or not.
    #[must_use]
    pub fn key(self) -> CallKey {
        match self {
            ApprovalOwner::Call(key) | ApprovalOwner::Superseded(key) => key,
        }
    }
}

/// How many approvals of removed calls are remembered, to say that they are closed.
const REMOVED: usize = 32;

/// The index of calls and approvals.
#[derive(Clone, Default, Debug)]
pub(super) struct Calls {
    /// By key, which grows: where each call is.
    places: Vec<(CallKey, PartPos)>,
    /// How many calls were introduced, removed ones included.
    introduced: u32,
    /// The newest call with an id.
    newest: IdMap<CallKey>,
    approvals: IdMap<ApprovalOwner>,
    /// Approvals of calls that were removed, oldest first.
    removed: Vec<Id>,
}

impl Calls {
    /// The number of the next call.
    pub fn introduced(&self) -> u32 {
        self.introduced
    }

    /// Goes on counting from here.
    pub fn count_from(&mut self, introduced: u32) {
        self.introduced = introduced;
    }

    /// A key for a call that is new.
    pub fn introduce(&mut self) -> CallKey {
        let key = CallKey(self.introduced);
        self.introduced += 1;
        key
    }

    /// A call stands here from now on. Keys are added in order.
    pub fn add(&mut self, key: CallKey, id: Id, at: PartPos) {
        self.places.push((key, at));
        self.newest.set(id, Some(key));
    }

    /// Where a call is.
    pub fn place(&self, key: CallKey) -> Option<PartPos> {
        let index = self.places.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.places[index].1)
    }

    /// The newest call with this id.
    pub fn newest(&self, id: Id) -> Option<CallKey> {
        self.newest.get(id)
    }

    /// Messages from `from` on moved by one place.
    pub fn shift(&mut self, from: usize) {
        self.places.iter_mut().filter(|(_, at)| at.message >= from).for_each(|(_, at)| at.message += 1);
    }

    /// Whom the approval belongs to.
    pub fn owner(&self, approval: Id) -> Option<ApprovalOwner> {
        self.approvals.get(approval)
    }

    /// Every approval that is known, with its owner.
    pub fn owners(&self) -> impl Iterator<Item = (Id, ApprovalOwner)> {
        self.approvals.iter()
    }

    /// The approval belongs to this call.
    pub fn own(&mut self, approval: Id, owner: ApprovalOwner) {
        self.removed.retain(|&removed| removed != approval);
        self.approvals.set(approval, Some(owner));
    }

    /// No approval belongs to a call.
    pub fn disown_all(&mut self) {
        self.approvals = IdMap::default();
    }

    /// The approval of this call is closed for good.
    pub fn supersede(&mut self, approval: Id, key: CallKey) {
        if self.approvals.get(approval) == Some(ApprovalOwner::Call(key)) {
            self.approvals.set(approval, Some(ApprovalOwner::Superseded(key)));
        }
    }

    /// These calls are removed: the last ones, newest first, each with its id and the call before it with that id.
    pub fn remove(&mut self, calls: impl Iterator<Item = (CallKey, Id, Option<CallKey>)>) {
        let mut first = None;
        for (key, id, previous) in calls {
            self.newest.set(id, previous);
            first = Some(key);
        }
        let Some(first) = first else { return };
        self.places.retain(|(key, _)| *key < first);
        let gone: Vec<Id> = self.approvals.iter().filter(|(_, owner)| owner.key() >= first).map(|(id, _)| id).collect();
        for id in gone {
            self.approvals.set(id, None);
            self.remember_removed(id);
        }
    }

    /// Remembers the approval of a call that is gone.
    pub fn remember_removed(&mut self, approval: Id) {
        if self.removed.len() >= REMOVED {
            self.removed.remove(0);
        }
        self.removed.push(approval);
    }

    /// The approvals of removed calls that are remembered.
    pub fn removed(&self) -> &[Id] {
        &self.removed
    }
}
