//! Saves and restores the machine's state with one description of its fields.
//!
//! Each type visits its fields in its `ledger` method: a writer writes them in that order, and a reader fills them in
//! the same order. So saving and restoring cannot differ. A forgotten field does not compile, because every `ledger`
//! destructures its type without `..`.
//!
//! Nothing that is saved has a name. A saved field or a variant of a saved enum that is added, removed or moved needs
//! the next `VERSION` in `src/ts/gate/saved/snapshot.ts`; `tests/host/snapshot_layout.rs` fails until then.

use super::{CallKey, Id, Payload};
use crate::prelude::*;

/// A writer or a reader of saved state. A reader replaces each value it visits; a writer leaves it unchanged.
pub trait Ledger {
    /// Whether this is a reader.
    fn is_reading(&self) -> bool;
    /// A number below 2^30: a count, an index or an item's number.
    fn number(&mut self, number: &mut u32);
    /// A time in ms since 1970.
    fn time(&mut self, time: &mut u64);
    /// An id.
    fn id(&mut self, id: &mut Id);
    /// A value of the host.
    fn payload(&mut self, value: &mut Payload);
    /// A call's input and its other fields. While the input is unfinished, the saved fields include its text.
    fn input(&mut self, input: &mut Payload, fields: &mut Payload);
    /// The input that was just read is unfinished: more of its text may follow.
    fn continue_input(&mut self, _input: &mut Payload, _fields: &mut Payload) {}
    /// Marks the state as invalid, because no writer could have written it.
    fn refuse(&mut self);
    /// Whether the state is valid so far.
    fn is_valid(&self) -> bool;
}

/// A boolean.
pub(super) fn flag(ledger: &mut dyn Ledger, flag: &mut bool) {
    let mut number = u32::from(*flag);
    ledger.number(&mut number);
    if number > 1 {
        ledger.refuse();
    }
    *flag = number == 1;
}

/// A number that only increases. A value too large to increase further is invalid.
pub(super) fn counter(ledger: &mut dyn Ledger, counter: &mut u32) {
    ledger.number(counter);
    if *counter >= 1 << 29 {
        ledger.refuse();
    }
}

/// An index or a count.
pub(super) fn count(ledger: &mut dyn Ledger, count: &mut usize) {
    let mut number = u32::try_from(*count).unwrap_or(u32::MAX);
    ledger.number(&mut number);
    *count = number as usize;
}

/// A call's key.
pub(super) fn key(ledger: &mut dyn Ledger, key: &mut CallKey) {
    ledger.number(&mut key.0);
}

/// An enum variant, saved as its index in `all`.
pub(super) fn variant<T: Copy + PartialEq>(ledger: &mut dyn Ledger, value: &mut T, all: &[T]) {
    let place = all.iter().position(|one| one == value).unwrap_or_default();
    let mut number = u32::try_from(place).unwrap_or_default();
    ledger.number(&mut number);
    match all.get(number as usize) {
        Some(read) => *value = *read,
        None => ledger.refuse(),
    }
}

/// A value that may be absent.
pub(super) fn option<T>(
    ledger: &mut dyn Ledger,
    value: &mut Option<T>,
    empty: impl FnOnce() -> T,
    each: impl FnOnce(&mut dyn Ledger, &mut T),
) {
    let mut is_there = value.is_some();
    flag(ledger, &mut is_there);
    if ledger.is_reading() {
        *value = is_there.then(empty);
    }
    if let Some(value) = value {
        each(ledger, value);
    }
}

/// A list.
pub(super) fn list<T>(
    ledger: &mut dyn Ledger,
    values: &mut Vec<T>,
    empty: impl Fn() -> T,
    each: impl Fn(&mut dyn Ledger, &mut T),
) {
    let mut length = values.len();
    count(ledger, &mut length);
    if ledger.is_reading() {
        values.clear();
    }
    for place in 0..length {
        if ledger.is_reading() {
            values.push(empty());
        }
        each(ledger, &mut values[place]);
        // Stop early: a damaged length could make this loop very long.
        if !ledger.is_valid() {
            values.truncate(place);
            return;
        }
    }
}
