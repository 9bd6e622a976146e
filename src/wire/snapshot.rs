//! Snapshots: saves the machine's state as numbers, ids and values, and restores it.
//!
//! A snapshot is three lists: the numbers, in the order in which the machine's `ledger` visits them; the texts of the
//! ids, each once; and the host's values, which the host encodes. Only ids and values that the state refers to are
//! included. Reading validates everything, and refuses a snapshot as a whole if any part of it is invalid.

use crate::machine::{Id, IdMap, Ledger, Machine, Options, Payload};
use crate::wire::{Name, OmitKeys, Values};

/// The latest time that a JavaScript number represents to the millisecond: 2⁵³ − 1.
const LAST_TIME: u64 = (1 << 53) - 1;

/// The three lists of a snapshot. The host makes the arrays.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// The state's numbers, in the order of the ledger.
    pub numbers: Payload,
    /// The texts of the ids that the state refers to.
    pub ids: Payload,
    /// The host's values that the state refers to.
    pub values: Payload,
}

/// Writes the machine's state into three lists that the host made.
pub fn save<V: Values>(values: &V, machine: &mut Machine, lists: Lists) {
    machine.ledger(&mut Writer { values, lists, ids: IdMap::default(), id_count: 0, value_count: 0 });
}

/// Writes what changed after `since`, a value of [`Machine::change_clock`]. The numbers begin with the number of
/// messages, the number of changed ones and their indices.
pub fn save_changes<V: Values>(values: &V, machine: &mut Machine, lists: Lists, since: u32) {
    machine.changes_ledger(&mut Writer { values, lists, ids: IdMap::default(), id_count: 0, value_count: 0 }, since);
}

/// Reads changes that [`save_changes`] wrote, into a machine that follows another one. Returns whether they are valid;
/// otherwise the machine must not be used any more.
pub fn follow_changes<V: Values>(values: &V, machine: &mut Machine, lists: Lists) -> bool {
    let mut reader = Reader { values, lists, number: 0, valid: true };
    machine.follow_changes(&mut reader) && reader.number == values.len(lists.numbers)
}

/// Restores a machine from a snapshot; `None` if the snapshot is invalid. With `follows`, the machine shows the state
/// of another page that leads: see [`Machine::follow`].
pub fn restore<V: Values>(values: &V, lists: Lists, options: Options, follows: bool) -> Option<Machine> {
    let mut reader = Reader { values, lists, number: 0, valid: true };
    let machine = if follows { Machine::follow(&mut reader, options) } else { Machine::restore(&mut reader, options) };
    machine.filter(|_| reader.number == values.len(lists.numbers))
}

/// Writes the state to the lists.
struct Writer<'a, V: Values> {
    values: &'a V,
    lists: Lists,
    /// The index of each id that was written.
    ids: IdMap<u32>,
    id_count: u32,
    value_count: u32,
}

impl<V: Values> Ledger for Writer<'_, V> {
    fn is_reading(&self) -> bool {
        false
    }

    fn number(&mut self, number: &mut u32) {
        self.values.push_number(self.lists.numbers, f64::from(*number));
    }

    fn time(&mut self, time: &mut u64) {
        // A later time means never.
        self.values.push_number(self.lists.numbers, (*time).min(LAST_TIME) as f64);
    }

    fn id(&mut self, id: &mut Id) {
        let place = self.ids.get(*id).unwrap_or_else(|| {
            self.values.push_id(self.lists.ids, *id);
            self.ids.set(*id, Some(self.id_count));
            self.id_count += 1;
            self.id_count - 1
        });
        self.values.push_number(self.lists.numbers, f64::from(place));
    }

    fn payload(&mut self, value: &mut Payload) {
        let written = *value;
        let mut place = 0;
        if written.is_some() {
            self.value_count += 1;
            self.values.push(self.lists.values, written);
            place = self.value_count;
        }
        self.values.push_number(self.lists.numbers, f64::from(place));
    }

    /// The text of an unfinished input is only in its reader, so it is saved with the fields.
    fn input(&mut self, input: &mut Payload, fields: &mut Payload) {
        let raw = self.values.partial_text(*input);
        self.payload(&mut self.values.partial_value(*input));
        if !self.values.is_some(raw) {
            return self.payload(fields);
        }
        let mut with_text = self.values.omit(*fields, OmitKeys::Nothing);
        self.values.set(with_text, Name::RawInput, raw);
        self.payload(&mut with_text);
    }

    fn refuse(&mut self) {}

    fn is_valid(&self) -> bool {
        true
    }
}

/// Reads the state from the lists. A missing or invalid entry reads as empty and marks the snapshot as invalid.
struct Reader<'a, V: Values> {
    values: &'a V,
    lists: Lists,
    number: u32,
    valid: bool,
}

impl<V: Values> Reader<'_, V> {
    fn next(&mut self) -> f64 {
        let number = self.values.as_number(self.values.at(self.lists.numbers, self.number));
        self.number += 1;
        self.valid &= !number.is_nan();
        number
    }
}

impl<V: Values> Ledger for Reader<'_, V> {
    fn is_reading(&self) -> bool {
        true
    }

    fn number(&mut self, number: &mut u32) {
        let read = self.next();
        *number = read as u32;
        // A larger number cannot come from a real chat.
        self.valid &= f64::from(*number) == read && *number < 1 << 30;
    }

    fn time(&mut self, time: &mut u64) {
        let read = self.next();
        *time = read as u64;
        self.valid &= *time as f64 == read && *time <= LAST_TIME;
    }

    fn id(&mut self, id: &mut Id) {
        let mut place = 0;
        self.number(&mut place);
        let known = self.values.as_id(self.values.at(self.lists.ids, place));
        self.valid &= known.is_some();
        *id = known.unwrap_or_default();
    }

    fn payload(&mut self, value: &mut Payload) {
        let mut place = 0;
        self.number(&mut place);
        self.valid &= place <= self.values.len(self.lists.values);
        let is_valid = self.valid && place > 0;
        *value =
            if is_valid { self.values.retain(self.values.at(self.lists.values, place - 1)) } else { Payload::NONE };
    }

    fn input(&mut self, input: &mut Payload, fields: &mut Payload) {
        self.payload(input);
        self.payload(fields);
    }

    /// A reader that has read the saved text, so that the input continues as it would have without a restore.
    fn continue_input(&mut self, input: &mut Payload, fields: &mut Payload) {
        let values = self.values;
        let plain_text = values.name(*fields, Name::InputEncoding) == Some(Name::Text);
        *input = values.retain(values.partial_input(plain_text));
        let raw = values.get(*fields, Name::RawInput);
        if values.is_text(raw) {
            values.feed(*input, raw);
            *fields = values.retain(values.omit(*fields, OmitKeys::RawInput));
        }
    }

    fn refuse(&mut self) {
        self.valid = false;
    }

    fn is_valid(&self) -> bool {
        self.valid
    }
}
