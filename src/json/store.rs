//! The values of one chat in a Rust program. The machine and the codec use numbers; these tables have their values.
//!
//! A value is in one of two tables: the table of the current call, or the table of the values that the machine refers
//! to. Index 0 is `undefined`. An id is the index of its text. What the codec asks of the values is in
//! store_values.rs.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::Value;
use crate::machine::{Id, Machine, Payload};
use crate::wire::Name;
use serde_json::Value as Json;

/// Indices from here on are valid during one call only.
const FLEETING: u32 = 0x4000_0000;

/// The tables of one chat.
#[derive(Clone, Debug)]
pub struct Store {
    kept: RefCell<Vec<Value>>,
    /// The indices of freed values, which are used again. Empty unless [`Store::free`] is called.
    free: RefCell<Vec<u32>>,
    fleeting: RefCell<Vec<Value>>,
    texts: RefCell<Vec<Arc<str>>>,
    places: RefCell<BTreeMap<Arc<str>, u32>>,
    free_ids: RefCell<Vec<u32>>,
    made: Cell<u32>,
    /// The time that new ids contain, in ms since 1970.
    time: Cell<u64>,
}

impl Default for Store {
    fn default() -> Self {
        Store {
            kept: RefCell::new(vec![Value::Undefined]),
            free: RefCell::default(),
            fleeting: RefCell::default(),
            texts: RefCell::default(),
            places: RefCell::default(),
            free_ids: RefCell::default(),
            made: Cell::default(),
            time: Cell::default(),
        }
    }
}

impl Store {
    /// A store with the ids of another store, and no values.
    #[must_use]
    pub fn with_ids_of(other: &Store) -> Self {
        Store {
            texts: other.texts.clone(),
            places: other.places.clone(),
            free_ids: other.free_ids.clone(),
            made: other.made.clone(),
            time: other.time.clone(),
            ..Store::default()
        }
    }

    /// The id of a text.
    pub fn make(&self, text: &str) -> Id {
        if let Some(id) = self.find(text) {
            return id;
        }
        let shared: Arc<str> = text.into();
        let mut texts = self.texts.borrow_mut();
        let place = self.free_ids.borrow_mut().pop().unwrap_or_else(|| {
            texts.push(Arc::clone(&shared));
            index(texts.len() - 1)
        });
        texts[place as usize] = Arc::clone(&shared);
        self.places.borrow_mut().insert(shared, place);
        Id::at(place)
    }

    /// The id of a text, or `None` if the text has no id.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Id> {
        self.places.borrow().get(text).copied().map(Id::at)
    }

    /// The text of an id; an empty text for an id of another store.
    #[must_use]
    pub fn text(&self, id: Id) -> Arc<str> {
        self.texts.borrow().get(id.place() as usize).cloned().unwrap_or_else(|| "".into())
    }

    /// How many ids there are, including those that were freed.
    #[must_use]
    pub fn ids(&self) -> u32 {
        index(self.texts.borrow().len())
    }

    /// How many values and texts the tables have room for.
    #[must_use]
    pub(super) fn size(&self) -> usize {
        self.kept.borrow().len() + self.texts.borrow().len()
    }

    /// How many of these entries are in use.
    #[must_use]
    pub(super) fn in_use(&self) -> usize {
        self.size() - self.free.borrow().len() - self.free_ids.borrow().len()
    }

    /// Marks the values that neither the machine nor `also` refers to as freed. Their indices are not used again, so
    /// that a test notices a value that is still used.
    pub fn sweep(&self, machine: &Machine, also: &[Payload]) {
        let mut live: BTreeSet<u32> = also.iter().map(|place| place.0).collect();
        machine.payloads(&mut |payload| {
            live.insert(payload.0);
        });
        for (place, value) in self.kept.borrow_mut().iter_mut().enumerate().skip(1) {
            if !live.contains(&index(place)) {
                *value = Value::Gone;
            }
        }
    }

    /// Frees the values and the texts that are not in use. Their indices are used again.
    pub(super) fn free(&self, machine: &Machine, also: &[Payload], ids: &[Id]) {
        self.sweep(machine, also);
        let gone = |(place, value): (usize, &Value)| matches!(value, Value::Gone).then(|| index(place));
        *self.free.borrow_mut() = self.kept.borrow().iter().enumerate().filter_map(gone).collect();
        let mut live: BTreeSet<u32> = ids.iter().map(|id| id.place()).collect();
        machine.ids(&mut |id| {
            live.insert(id.place());
        });
        let unused = (0..self.ids()).filter(|place| !live.contains(place)).collect::<Vec<_>>();
        let (mut texts, mut places) = (self.texts.borrow_mut(), self.places.borrow_mut());
        for &place in &unused {
            // A place that is free already has an empty text, which may belong to another place.
            let text = core::mem::replace(&mut texts[place as usize], "".into());
            if places.get(&text) == Some(&place) {
                places.remove(&text);
            }
        }
        *self.free_ids.borrow_mut() = unused;
    }

    /// Passes a value to the core for one call.
    pub fn give(&self, value: Value) -> Payload {
        if matches!(value, Value::Undefined) {
            return Payload::NONE;
        }
        let mut fleeting = self.fleeting.borrow_mut();
        fleeting.push(value);
        Payload(FLEETING + index(fleeting.len()) - 1)
    }

    /// Passes JSON to the core for one call.
    pub fn json_value(&self, json: Json) -> Payload {
        self.give(Value::from_json(json))
    }

    /// The value at an index. `Gone` for an index that the store never returned.
    #[must_use]
    pub fn take(&self, place: Payload) -> Value {
        self.with(place, Value::clone)
    }

    /// The value at an index, as JSON.
    #[must_use]
    pub fn to_json(&self, place: Payload) -> Json {
        self.with(place, Value::to_json)
    }

    /// Ends a call and frees its values. Nothing may refer to them afterwards.
    pub fn end(&self) {
        self.fleeting.borrow_mut().clear();
    }

    /// Moves a value of the current call to the table of the values that the machine refers to.
    pub(super) fn keep(&self, value: Payload) -> Payload {
        if value.0 < FLEETING {
            return value;
        }
        let taken = self.take(value);
        let mut kept = self.kept.borrow_mut();
        if let Some(place) = self.free.borrow_mut().pop() {
            kept[place as usize] = taken;
            return Payload(place);
        }
        kept.push(taken);
        Payload(index(kept.len()) - 1)
    }

    /// Sets the time that new ids contain.
    pub(super) fn set_time(&self, now_ms: u64) {
        self.time.set(now_ms);
    }

    /// A text that no id has yet, as an id. It contains the time, so that a chat with the same id that began at another
    /// time has other ids: idempotency keys depend on them.
    pub(super) fn make_new(&self) -> Id {
        loop {
            self.made.set(self.made.get().wrapping_add(1));
            let text = format!("new-{:x}-{}", self.time.get(), self.made.get());
            if self.find(&text).is_none() {
                return self.make(&text);
            }
        }
    }

    pub(super) fn with<T>(&self, place: Payload, read: impl FnOnce(&Value) -> T) -> T {
        let (table, at) = self.table(place);
        let table = table.borrow();
        read(table.get(at).unwrap_or(&Value::Gone))
    }

    pub(super) fn change(&self, place: Payload, change: impl FnOnce(&mut Value)) {
        let (table, at) = self.table(place);
        if let Some(value) = table.borrow_mut().get_mut(at) {
            change(value);
        }
    }

    fn table(&self, place: Payload) -> (&RefCell<Vec<Value>>, usize) {
        match place.0.checked_sub(FLEETING) {
            Some(at) => (&self.fleeting, at as usize),
            None => (&self.kept, place.0 as usize),
        }
    }

    pub(super) fn put(&self, of: Payload, name: Name, value: Value) {
        self.change(of, |object| object.put(name.text(), value));
    }

    pub(super) fn add(&self, to: Payload, value: Value) {
        self.change(to, |list| list.add(value));
    }

    pub(super) fn own<T>(&self, of: Payload, name: Name, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        self.with(of, |object| object.own(name.text()).and_then(read))
    }

    pub(super) fn own_text(&self, of: Payload, name: Name) -> Option<String> {
        self.own(of, name, |value| value.as_text().map(ToOwned::to_owned))
    }

    pub(super) fn text_at(&self, value: Payload) -> Option<String> {
        self.with(value, |value| value.as_text().map(ToOwned::to_owned))
    }
}

/// An index as the machine has it. A table of more than 2³⁰ entries does not fit into the memory.
pub(super) fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
