//! Outgoing items: listing, claiming and reporting them.

use super::{Core, events};
use crate::machine::{Item, ItemState, Payload};
use crate::wire::{Values, decisions};

impl Core {
    /// The items that may be sent now, without bodies. `only`: the one item to list, or 0 for all.
    pub fn outgoing(&self, only: u32) -> u32 {
        if only == 0 {
            return self.items(self.machine.outgoing());
        }
        self.items(self.machine.item(only).filter(|item| self.machine.is_listed(item)).into_iter())
    }

    /// The items whose delivery needs the user.
    pub fn undelivered(&self) -> u32 {
        self.items(self.machine.outbox().undelivered())
    }

    fn items<'a>(&'a self, items: impl Iterator<Item = &'a Item>) -> u32 {
        let list = Values::array(&self.host);
        for item in items {
            Values::push(&self.host, list, events::item(&self.host, &self.machine, item));
        }
        list.0
    }

    /// The contents of an item, call by call.
    pub fn decisions(&self, id: u32) -> u32 {
        self.machine.item(id).map_or(0, |item| decisions(&self.host, &self.machine, item).0)
    }

    /// Claims the item for sending. Returns `false` if it is not listed.
    pub fn claim(&mut self, id: u32) -> bool {
        self.machine.claim(id)
    }

    /// Whether the item exists and is no longer ready.
    pub fn is_taken(&self, id: u32) -> bool {
        self.machine.item(id).is_some_and(|item| item.state() != ItemState::Ready)
    }

    /// Whether a submission is ready to be sent.
    pub fn has_ready(&self) -> bool {
        self.machine.outbox().ready_submission().is_some()
    }

    /// Stores the item's body and key for a retry.
    pub fn freeze(&mut self, id: u32, body: u32, key: u32) {
        let (body, key) = (Values::retain(&self.host, Payload(body)), Values::retain(&self.host, Payload(key)));
        self.machine.freeze(id, body, key);
    }

    /// The backend has received the item.
    pub fn mark_sent(&mut self, id: u32) -> i32 {
        let done = self.machine.mark_sent(id);
        self.check(done.map(|()| true))
    }

    /// The item could not be sent.
    pub fn mark_failed(&mut self, id: u32, error: u32) -> i32 {
        let error = Values::retain(&self.host, Payload(error));
        let done = self.machine.mark_failed(id, error);
        self.check(done.map(|()| true))
    }

    /// Sends the item again.
    pub fn retry(&mut self, id: u32) -> i32 {
        let done = self.machine.retry(id);
        self.check(done.map(|()| true))
    }
}
