//! Snapshots: the machine's state as numbers, ids and values, and back.
//!
//! Three lists: numbers one after the other, in the order of the machine's `ledger`; the ids that they refer to, each once;
//! and the host's values, as they are: whoever stores them encodes them. Only what the state refers to is in them. Reading
//! believes nothing: what was not written here is refused, whole.

use crate::machine::{Id, IdMap, Ledger, Machine, Options, Payload};
use crate::wire::{Name, Values, Without};

/// The last time that a number of JavaScript holds to the millisecond: 2⁵³ − 1.
const LAST_TIME: u64 = (1 << 53) - 1;

/// The lists of a snapshot, made by the host.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// Numbers.
    pub numbers: Payload,
    /// The texts of the ids.
    pub ids: Payload,
    /// Values.
    pub values: Payload,
}

/// Writes the machine's state into three lists that the host made.
pub fn save<V: Values>(values: &V, machine: &mut Machine, lists: Lists) {
    machine.ledger(&mut Writer { values, lists, ids: IdMap::default(), known: 0, kept: 0 });
}

/// A machine that goes on from a snapshot; none if the snapshot is damaged. With `follows`, a machine that only shows what
/// another one goes on with: see [`Machine::follow`].
pub fn restore<V: Values>(values: &V, lists: Lists, options: Options, follows: bool) -> Option<Machine> {
    let mut reader = Reader { values, lists, number: 0, sound: true };
    let machine = if follows { Machine::follow(&mut reader, options) } else { Machine::restore(&mut reader, options) };
    machine.filter(|_| reader.number == values.len(lists.numbers))
}

/// Takes a state down.
struct Writer<'a, V: Values> {
    values: &'a V,
    lists: Lists,
    /// The place of each id that was written.
    ids: IdMap<u32>,
    known: u32,
    kept: u32,
}

impl<V: Values> Ledger for Writer<'_, V> {
    fn is_reading(&self) -> bool {
        false
    }

    fn number(&mut self, number: &mut u32) {
        self.values.push_number(self.lists.numbers, f64::from(*number));
    }

    fn time(&mut self, time: &mut u64) {
        // What is later than this is never.
        self.values.push_number(self.lists.numbers, (*time).min(LAST_TIME) as f64);
    }

    fn id(&mut self, id: &mut Id) {
        let place = self.ids.get(*id).unwrap_or_else(|| {
            self.values.push_id(self.lists.ids, *id);
            self.ids.set(*id, Some(self.known));
            self.known += 1;
            self.known - 1
        });
        self.values.push_number(self.lists.numbers, f64::from(place));
    }

    fn payload(&mut self, value: &mut Payload) {
        let written = *value;
        let mut place = 0;
        if written.is_some() {
            self.kept += 1;
            self.values.push(self.lists.values, written);
            place = self.kept;
        }
        self.values.push_number(self.lists.numbers, f64::from(place));
    }

    /// The text of an unfinished input is in its reader only, which does not outlive the page.
    fn input(&mut self, input: &mut Payload, fields: &mut Payload) {
        let raw = self.values.partial_text(*input);
        self.payload(&mut self.values.partial_value(*input));
        if !self.values.is_some(raw) {
            return self.payload(fields);
        }
        let mut with_text = self.values.rest(*fields, Without::Nothing);
        self.values.set(with_text, Name::RawInput, raw);
        self.payload(&mut with_text);
    }

    fn refuse(&mut self) {}

    fn is_sound(&self) -> bool {
        true
    }
}

/// Fills a state in. What is not there, or is not what it should be, reads as nothing and makes the whole unsound.
struct Reader<'a, V: Values> {
    values: &'a V,
    lists: Lists,
    number: u32,
    sound: bool,
}

impl<V: Values> Reader<'_, V> {
    fn next(&mut self) -> f64 {
        let number = self.values.as_number(self.values.at(self.lists.numbers, self.number));
        self.number += 1;
        self.sound &= !number.is_nan();
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
        // No chat gets this far.
        self.sound &= f64::from(*number) == read && *number < 1 << 30;
    }

    fn time(&mut self, time: &mut u64) {
        let read = self.next();
        *time = read as u64;
        self.sound &= *time as f64 == read && *time <= LAST_TIME;
    }

    fn id(&mut self, id: &mut Id) {
        let mut place = 0;
        self.number(&mut place);
        let known = self.values.as_id(self.values.at(self.lists.ids, place));
        self.sound &= known.is_some();
        *id = known.unwrap_or_default();
    }

    fn payload(&mut self, value: &mut Payload) {
        let mut place = 0;
        self.number(&mut place);
        self.sound &= place <= self.values.len(self.lists.values);
        let there = self.sound && place > 0;
        *value = if there { self.values.keep(self.values.at(self.lists.values, place - 1)) } else { Payload::NONE };
    }

    fn input(&mut self, input: &mut Payload, fields: &mut Payload) {
        self.payload(input);
        self.payload(fields);
    }

    fn refuse(&mut self) {
        self.sound = false;
    }

    fn is_sound(&self) -> bool {
        self.sound
    }
}
