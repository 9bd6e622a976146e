//! A snapshot as a list of numbers, which the machine's `ledger` functions write and read without a codec.

use crate::symmetry::Mix;
use std::hash::Hasher;
use toolgate::machine::{Id, Ledger, Machine, Payload};

/// The numbers of a snapshot.
#[derive(Default)]
struct Tape {
    words: Vec<u64>,
    at: usize,
    is_reading: bool,
    unsound: bool,
}

impl Tape {
    fn word(&mut self, word: u64) -> u64 {
        if !self.is_reading {
            self.words.push(word);
            return word;
        }
        let read = self.words.get(self.at).copied();
        self.at += 1;
        self.unsound |= read.is_none();
        read.unwrap_or_default()
    }
}

impl Ledger for Tape {
    fn is_reading(&self) -> bool {
        self.is_reading
    }
    fn number(&mut self, number: &mut u32) {
        *number = self.word(u64::from(*number)) as u32;
    }
    fn time(&mut self, time: &mut u64) {
        *time = self.word(*time);
    }
    fn id(&mut self, id: &mut Id) {
        *id = Id::at(self.word(u64::from(id.place())) as u32);
    }
    fn payload(&mut self, value: &mut Payload) {
        *value = Payload(self.word(u64::from(value.0)) as u32);
    }
    fn input(&mut self, input: &mut Payload, fields: &mut Payload) {
        self.payload(input);
        self.payload(fields);
    }
    fn refuse(&mut self) {
        self.unsound = true;
    }
    fn is_valid(&self) -> bool {
        !self.unsound
    }
}

fn recorded(machine: &Machine) -> Tape {
    let mut tape = Tape::default();
    machine.clone().ledger(&mut tape);
    Tape { is_reading: true, ..tape }
}

/// A machine that is restored from a snapshot of this one; `None` if the snapshot is refused.
pub fn reloaded(machine: &Machine) -> Option<Machine> {
    Machine::restore(&mut recorded(machine), machine.options().clone())
}

/// A follower of this machine; `None` if the snapshot is refused.
pub fn followed(machine: &Machine) -> Option<Machine> {
    Machine::follow(&mut recorded(machine), machine.options().clone())
}

/// What a snapshot of the machine contains.
pub fn saved(machine: &Machine) -> Vec<u64> {
    recorded(machine).words
}

/// The hash of a machine without the world around it, including all ids. It shows whether anything changed.
pub fn exact(machine: &Machine) -> u64 {
    let mut mix = Mix::default();
    recorded(machine).words.into_iter().for_each(|word| mix.write_u64(word));
    machine.hash_rest(&|item| item, &|call| call.0, &mut mix);
    mix.finish()
}
