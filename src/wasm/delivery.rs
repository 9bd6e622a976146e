//! Outgoing items: listing, claiming and reporting them.

use super::host::Host;
use super::record::Record;
use super::{Core, events};
use crate::machine::{Item, ItemState, Machine, Payload, WaitsOn};
use crate::prelude::*;
use crate::wire::{Values, decisions};

impl Core {
    /// The items that may be sent now, without bodies, as a record: their number, then each item. `only`: the one item
    /// to list, or 0 for all.
    pub fn outgoing(&mut self, only: u32) -> u32 {
        let Self { machine, host, record, .. } = self;
        let is_listed = |item: &Item| machine.is_listed(item);
        let one = machine.item(only).filter(|item| is_listed(item)).map(|item| item.id);
        let listed = if only == 0 { machine.awaited_items(WaitsOn::Host) } else { one.into_iter().listed() };
        items(record, host, machine, &listed)
    }

    /// The items that failed, stalled or may not have arrived, as a record like that of `outgoing`.
    pub fn undelivered(&mut self) -> u32 {
        let Self { machine, host, record, .. } = self;
        items(record, host, machine, &machine.outbox().undelivered_numbers())
    }

    /// The contents of an item, call by call.
    pub fn decisions(&self, id: u32) -> u32 {
        self.machine.item(id).map_or(0, |item| decisions(&self.writer(), item).0)
    }

    /// Claims the item for sending. Returns `false` if it is not listed.
    pub fn claim(&mut self, id: u32) -> bool {
        self.machine.claim(id)
    }

    /// Whether the item exists and is no longer ready.
    pub fn is_taken(&self, id: u32) -> bool {
        self.machine.item(id).is_some_and(|item| item.state() != ItemState::Ready)
    }

    /// Stores the item's body and key for a retry.
    pub fn freeze(&mut self, id: u32, body: u32, key: u32) {
        let (body, key) = (Values::retain(&self.host, Payload(body)), Values::retain(&self.host, Payload(key)));
        self.machine.freeze(id, body, key, &mut |dropped| self.host.replace(dropped, Payload::NONE));
    }

    /// The backend has received the item.
    pub fn mark_sent(&mut self, id: u32) -> i32 {
        let done = self.machine.mark_sent(id);
        self.done(done)
    }

    /// The item could not be sent.
    pub fn mark_failed(&mut self, id: u32, error: u32) -> i32 {
        let error = Values::retain(&self.host, Payload(error));
        let done = self.machine.mark_failed(id, error);
        self.done(done)
    }

    /// The backend's turn ended, and its model has not read the message of this item.
    pub fn message_unread(&mut self, id: u32) {
        self.machine.message_unread(id);
    }

    /// Makes the item ready for one more attempt.
    pub fn retry(&mut self, id: u32) -> i32 {
        let done = self.machine.retry(id);
        self.done(done)
    }
}

fn items(record: &mut Record, host: &Host, machine: &Machine, listed: &[u32]) -> u32 {
    record.begin().add(listed.len() as u32);
    for item in listed.iter().filter_map(|&id| machine.item(id)) {
        events::item(record, host, machine, item);
    }
    record.place()
}
