//! The list of outgoing items.

use super::{Carried, Item, ItemInput, ItemState, ItemTransition, Kind, item_transition};
use crate::machine::ledger::{Ledger, counter, list};
use crate::machine::sorted::SortedNumbers;
use crate::machine::{CallKey, Id, Payload};
use crate::prelude::*;

/// How many finished items are remembered, for listings and late events.
const KEPT: usize = 32;

/// The outgoing items, oldest first, with indexes of those that need attention.
#[derive(Clone, Debug)]
pub struct Outbox {
    items: Vec<Item>,
    next: u32,
    index: Index,
    revision: u32,
}

/// Which items are in which states.
#[derive(Clone, PartialEq, Default, Debug)]
struct Index {
    /// The submission that is ready, in flight, or whose reply is open.
    active: Option<u32>,
    /// Ready items, in order.
    ready: SortedNumbers,
    /// Answers that wait until another request about their call is answered, in order.
    waiting: SortedNumbers,
    /// Items that need the user's attention, in order.
    undelivered: SortedNumbers,
    /// How many submissions are unconfirmed or stalled.
    doubtful: u32,
    /// How many asides are in flight, or wait for the reply in which the backend continues.
    sent_asides: u32,
    /// How many items are done.
    done: usize,
}

impl Index {
    /// The index of these items.
    fn of(items: &[Item]) -> Self {
        let mut index = Self::default();
        items.iter().for_each(|item| index.count(item, true));
        index
    }

    /// Adds an item in its state, or removes it.
    fn count(&mut self, item: &Item, is_in: bool) {
        let (id, state) = (item.id, item.state);
        if state == ItemState::Ready {
            let list = if item.waits { &mut self.waiting } else { &mut self.ready };
            list.set(id, is_in);
        }
        if state.is_undelivered() {
            self.undelivered.set(id, is_in);
        }
        if item.is_active() {
            self.active = is_in.then_some(id);
        }
        let by = if is_in { 1 } else { -1 };
        if item.is_aside() {
            if state.is_under_way() {
                self.sent_asides = self.sent_asides.saturating_add_signed(by);
            }
        } else if matches!(state, ItemState::Unconfirmed | ItemState::Stalled) {
            self.doubtful = self.doubtful.saturating_add_signed(by);
        }
        if state == ItemState::Done {
            self.done = self.done.saturating_add_signed(by as isize);
        }
    }
}

impl Default for Outbox {
    fn default() -> Self {
        Self { items: Vec::new(), next: 1, index: Index::default(), revision: 0 }
    }
}

impl Outbox {
    /// All items that exist, oldest first.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The number of the next item.
    #[must_use]
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Increases with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// The item with this number, while it exists.
    #[must_use]
    pub fn item(&self, id: u32) -> Option<&Item> {
        self.items.get(self.place(id)?)
    }

    /// The submission that is ready, in flight, or whose reply is open.
    #[must_use]
    pub fn active(&self) -> Option<&Item> {
        self.item(self.index.active?)
    }

    /// The submission that is ready.
    #[must_use]
    pub fn ready_submission(&self) -> Option<&Item> {
        self.active().filter(|item| item.state == ItemState::Ready)
    }

    /// All ready items. The machine may still not list them.
    pub fn ready(&self) -> impl Iterator<Item = &Item> {
        self.index.ready.as_slice().iter().filter_map(|&id| self.item(id))
    }

    /// Items that need the user's attention: failed, unconfirmed and stalled ones.
    pub fn undelivered(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.index.undelivered.as_slice().iter().filter_map(|&id| self.item(id))
    }

    /// The newest submission that is unconfirmed, or that is stalled.
    #[must_use]
    pub fn submission_in(&self, state: ItemState) -> Option<&Item> {
        if self.index.doubtful == 0 {
            return None;
        }
        self.find_undelivered(&|item| item.state == state && !item.is_aside())
    }

    /// Whether asides are ready.
    #[must_use]
    pub fn has_ready_asides(&self) -> bool {
        self.index.ready.as_slice().len() > usize::from(self.ready_submission().is_some())
    }

    /// Whether asides are in flight, or wait for the reply in which the backend continues.
    #[must_use]
    pub fn has_sent_asides(&self) -> bool {
        self.index.sent_asides > 0
    }

    /// Whether an item ever had this number.
    #[must_use]
    pub fn is_known(&self, id: u32) -> bool {
        (1..self.next).contains(&id)
    }

    /// The numbers of matching items, collected because the callers change the list.
    pub(in crate::machine) fn numbers(&self, matches: &dyn Fn(&Item) -> bool) -> Vec<u32> {
        self.items.iter().filter(|item| matches(item)).map(|item| item.id).listed()
    }

    /// The numbers of all ready items.
    pub(in crate::machine) fn ready_numbers(&self) -> Vec<u32> {
        self.index.ready.as_slice().to_vec()
    }

    /// The numbers of the answers that wait until another request about their call is answered.
    pub(in crate::machine) fn waiting(&self) -> &[u32] {
        self.index.waiting.as_slice()
    }

    /// The numbers of the items that need the user's attention.
    #[must_use]
    pub fn undelivered_numbers(&self) -> Vec<u32> {
        self.index.undelivered.as_slice().to_vec()
    }

    /// The newest matching item that needs the user's attention.
    pub(in crate::machine) fn find_undelivered(&self, matches: &dyn Fn(&Item) -> bool) -> Option<&Item> {
        self.undelivered().rev().find(|item| matches(item))
    }

    /// Adds a ready item. `fill` sets its contents.
    pub(in crate::machine) fn push(&mut self, kind: Kind, fill: impl FnOnce(&mut Item)) -> u32 {
        let id = self.next;
        self.next += 1;
        let mut item = Item::new(id, kind);
        fill(&mut item);
        let begins_turn = self.items.last().is_some_and(|last| last.turn != item.turn);
        if begins_turn && self.index.done >= 2 * KEPT {
            self.forget_done();
        }
        self.index.count(&item, true);
        self.items.push(item);
        self.touch();
        id
    }

    /// Drops the bodies of submissions that are done, when the next one is sent: none of them is sent again.
    pub(in crate::machine) fn drop_bodies(&mut self, drop: &mut dyn FnMut(Payload)) {
        let is_over = |item: &&mut Item| item.state == ItemState::Done && !item.is_aside() && item.body.is_some();
        for item in self.items.iter_mut().filter(is_over) {
            drop(core::mem::replace(&mut item.body, Payload::NONE));
        }
    }

    /// Removes the oldest items that are done, when a turn begins: results of the calls in its own items may still
    /// come.
    fn forget_done(&mut self) {
        let mut surplus = self.index.done - KEPT;
        self.items.keep(|item| {
            let goes = surplus > 0 && item.state == ItemState::Done;
            surplus -= usize::from(goes);
            !goes
        });
        self.index.done = KEPT;
    }

    /// Applies an input to an item according to the table. Returns the transition.
    pub(in crate::machine) fn apply(&mut self, id: u32, input: ItemInput) -> ItemTransition {
        let Some(place) = self.place(id) else { return ItemTransition::Ignore };
        let item = &self.items[place];
        // Its reply had ended before it was read again, and a later request was sent.
        let is_over = item.key.is_some() && !item.body.is_some() && item.state == ItemState::Replying;
        let transition =
            item_transition(item.state, if is_over && input.ends_reply() { ItemInput::ReplyEnds } else { input });
        match transition {
            ItemTransition::To(state) => {
                let item = &mut self.items[place];
                self.index.count(item, false);
                item.state = state;
                self.index.count(item, true);
                self.touch();
            }
            ItemTransition::Remove => {
                let item = self.items.remove(place);
                self.index.count(&item, false);
                self.touch();
            }
            ItemTransition::Ignore => {}
        }
        transition
    }

    /// Whether a call in the item still has no result. Calls that were found to have one are not checked again.
    pub(in crate::machine) fn owes(&mut self, id: u32, owes: &dyn Fn(CallKey) -> bool) -> bool {
        let Some(item) = self.place(id).and_then(|place| self.items.get_mut(place)) else { return false };
        while item.carried.get(item.owes_from).is_some_and(|carried| !owes(carried.call)) {
            item.owes_from += 1;
        }
        item.owes_from < item.carried.len()
    }

    /// Changes anything of an item except its state.
    pub(in crate::machine) fn change(&mut self, id: u32, change: impl FnOnce(&mut Item)) {
        if let Some(place) = self.place(id) {
            change(&mut self.items[place]);
            self.touch();
        }
    }

    /// An answer does not wait any more. It has these contents now, and therefore another number, which is returned.
    pub(in crate::machine) fn release(&mut self, id: u32, carried: Carried) -> u32 {
        let Some(place) = self.place(id) else { return id };
        let mut item = self.items.remove(place);
        self.index.count(&item, false);
        item.carried.iter_mut().for_each(|old| *old = carried);
        (item.id, item.waits) = (self.next, false);
        // Nothing of an earlier attempt with other contents stays.
        (item.attempt, item.body, item.key) = (1, Payload::NONE, Payload::NONE);
        self.next += 1;
        self.index.count(&item, true);
        self.items.push(item);
        self.touch();
        self.next - 1
    }

    /// Removes the items that don't match, because the conversation was replaced.
    pub(in crate::machine) fn retain(&mut self, matches: &dyn Fn(&Item) -> bool) {
        self.items.keep(matches);
        self.index = Index::of(&self.items);
        self.touch();
    }

    /// Replaces the keys of calls, because the conversation was loaded.
    pub(in crate::machine) fn rekey(&mut self, key_of: &dyn Fn(&Carried) -> Option<CallKey>) {
        for item in &mut self.items {
            // Two calls with one id may have become one: then it is the first of them.
            for place in 0..item.carried.len() {
                let key = key_of(&item.carried[place]);
                let is_taken = |&key: &CallKey| item.carried[..place].iter().any(|carried| carried.call == key);
                item.carried[place].call = key.filter(|key| !is_taken(key)).unwrap_or(CallKey::GONE);
            }
            item.carried = in_key_order(core::mem::take(&mut item.carried));
            item.owes_from = 0;
        }
    }

    fn place(&self, id: u32) -> Option<usize> {
        self.items.binary_search_by_key(&id, |item| item.id).ok()
    }

    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Whether all indexes and counters equal what rebuilding them gives.
    #[must_use]
    pub fn is_counted_right(&self) -> bool {
        Index::of(&self.items) == self.index
    }

    /// Visits every value that the items hold.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        self.items.iter().for_each(|item| item.payloads(each));
    }

    /// Visits every id that the items hold.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.items.iter().for_each(|item| item.ids(each));
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        // The index is derived from the items.
        let Self { items, next, index: _, revision: _ } = self;
        list(ledger, items, || Item::new(0, Kind::Step), |ledger, item| item.ledger(ledger));
        counter(ledger, next);
        if !ledger.is_reading() {
            return;
        }
        let mut last = 0;
        let ascending = items.iter().all(|item| core::mem::replace(&mut last, item.id) < item.id);
        let active = items.iter().filter(|item| item.is_active()).count();
        if !ascending || last >= *next || active > 1 {
            ledger.refuse();
        }
        self.index = Index::of(&self.items);
        self.touch();
    }
}

/// Sorts calls by their keys. They are mostly in order; the standard library's sorts would cost a page 5 KB.
fn in_key_order(calls: Vec<Carried>) -> Vec<Carried> {
    let mut ordered: Vec<Carried> = Vec::with_capacity(calls.len());
    for carried in calls {
        let place = ordered.partition_point(|before| before.call <= carried.call);
        ordered.insert(place, carried);
    }
    ordered
}
