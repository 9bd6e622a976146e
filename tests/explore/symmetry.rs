//! When two states are one: the calls of a step are interchangeable, and names don't matter.
//!
//! A state is known by a number of 64 bits. Into it goes whatever later behaviour depends on, and
//! nothing else: no ids, no counters, no time. Each call is first known by a number of its own, which
//! covers its part, its approvals, what the items have of it, and what the backend and the record know of
//! it; the calls of a step then count as a set. Only while a reply is told again does their order matter.
//! With ten million states, two different ones share a number with a probability of one in 300,000.

use crate::profile::CALLS;
use crate::scene::{Scene, approval, call, number_of, second_approval};
use crate::world::{Told, World};
use std::hash::{Hash, Hasher};
use toolgate::machine::{Holder, Id, Item, Machine, Message, Part, ToolPart};

/// A fast hasher with the same numbers in every run.
#[derive(Clone, Copy)]
pub struct Mix(u64);

impl Default for Mix {
    fn default() -> Self {
        Mix(0x243F_6A88_85A3_08D3)
    }
}

impl Mix {
    fn add(&mut self, word: u64) {
        // A multiplication of 64 by 64 bits, folded: every bit of the word reaches every bit of the sum.
        let product = u128::from(self.0 ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15)) * 0xD6E8_FEB8_6659_FD93;
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(23) ^ word;
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        let mut last = *self;
        last.add(0x1319_8A2E_0370_7344);
        last.0 ^ (last.0 >> 31)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        self.add(bytes.len() as u64);
    }
    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }
    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }
    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }
}

/// The number of something.
pub fn number(of: impl Hash) -> u64 {
    let mut mix = Mix::default();
    of.hash(&mut mix);
    mix.finish()
}

/// The part as it is whoever it is: without the ids of the call and its approval.
pub fn nameless(part: &ToolPart) -> ToolPart {
    let mut nameless = part.clone();
    nameless.call = Id::at(0);
    if let Some(asked) = &mut nameless.approval {
        // Which of the call's ids it is: the first, the second, or its own.
        let c = number_of(part.call).unwrap_or_default();
        asked.id = Id::at([approval(c), second_approval(c)].iter().position(|&id| id == asked.id).unwrap_or(2) as u32);
    }
    nameless
}

/// What is known of each call, as a number: two calls of one step with the same are one.
pub fn calls(world: &World) -> [u64; CALLS] {
    let machine = &world.machine;
    std::array::from_fn(|c| {
        let mut mix = Mix::default();
        let (id, asked, again) = (call(c), approval(c), second_approval(c));
        let at = machine.transcript().find(id);
        at.and_then(|at| machine.transcript().tool(at)).map(nameless).hash(&mut mix);
        for approval in [asked, again, id] {
            let holder = machine.transcript().approval(approval);
            let (closed, whose) = match holder {
                None => (0, None),
                Some(Holder::Call(whose)) => (1, Some(whose == id)),
                Some(Holder::Superseded(whose)) => (2, Some(whose == id)),
            };
            (closed, whose).hash(&mut mix);
        }
        for (place, item) in machine.items().iter().enumerate() {
            if !item.calls.contains(&id) {
                continue;
            }
            let carried = [asked, again, id].map(|one| item.approvals.iter().position(|&id| id == one));
            let granted = carried.map(|place| place.and_then(|place| item.granted.get(place).copied()));
            (place, granted, item.outputs.contains(&id)).hash(&mut mix);
        }
        (world.backend.stages[c], world.left.calls[c]).hash(&mut mix);
        let from = world.backend.again.unwrap_or(0);
        for (place, told) in world.backend.told.iter().enumerate().filter(|(_, told)| told.call() == Some(c)) {
            std::mem::discriminant(told).hash(&mut mix);
            // What is still to be told again is told in order.
            world.backend.again.map(|_| (place >= from).then_some(place)).hash(&mut mix);
        }
        if machine.is_retelling() {
            at.map(|at| at.part).hash(&mut mix);
        }
        mix.finish()
    })
}

/// The state's number, and those of its calls.
pub fn identity(world: &World, scene: &Scene) -> (u64, [u64; CALLS]) {
    let calls = calls(world);
    let machine = &world.machine;
    let mut mix = Mix::default();
    // Of a message that is gone nothing is left but that it is none of these.
    let name = |id: Option<Id>| {
        let mut messages = machine.transcript().messages().iter().chain(machine.queued());
        id.map(|id| messages.position(|message| message.id == id))
    };
    for message in machine.transcript().messages() {
        hash_message(message, &calls, world, &mut mix);
    }
    for (message, replaces) in machine.queue() {
        replaces.hash(&mut mix);
        hash_message(message, &calls, world, &mut mix);
    }
    for item in machine.items() {
        hash_item(item, name, &mut mix);
    }
    let place = |id: u32| machine.items().iter().position(|item| item.id == id).map_or(99, |place| place as u32);
    machine.hash_rest(place, &mut mix);
    // Calls that are not in the conversation are there for the backend all the same.
    for step in 0..scene.profile.steps.len() {
        let gone = |&c: &usize| machine.transcript().find(call(c)).is_none();
        set(scene.profile.calls_of(step).filter(gone).map(|c| calls[c])).hash(&mut mix);
    }
    let backend = &world.backend;
    (backend.steps, backend.open, backend.begun, backend.in_step, backend.cut, backend.ended).hash(&mut mix);
    (backend.again, backend.resumed, backend.fixed, name(backend.message)).hash(&mut mix);
    backend.told.iter().filter(|told| matches!(told, Told::Step | Told::Text)).for_each(|told| told.hash(&mut mix));
    (mix.finish(), calls)
}

fn hash_message(message: &Message, calls: &[u64; CALLS], world: &World, mix: &mut Mix) {
    let Message { id, role, fields, parts, source } = message;
    let user = world.left.messages >> message_bit(*id) & 1;
    (role, fields, source, user, parts.len()).hash(mix);
    let mut step: Vec<u64> = Vec::new();
    for part in parts {
        match part {
            Part::Tool(tool) => {
                1u8.hash(mix);
                step.push(number_of(tool.call).map_or(0, |c| calls[c]));
            }
            Part::Content { kind, value } => (2u8, kind, value).hash(mix),
            Part::StepStart => {
                3u8.hash(mix);
                set(step.drain(..)).hash(mix);
            }
        }
    }
    set(step.into_iter()).hash(mix);
}

/// The bit that stands for a message of the user.
pub fn message_bit(id: Id) -> u32 {
    id.place().saturating_sub(crate::scene::message(0).place()).min(31)
}

fn hash_item(item: &Item, name: impl Fn(Option<Id>) -> Option<Option<usize>>, mix: &mut Mix) {
    // No `..`: a new field does not compile until it is decided whether it is a name.
    #[rustfmt::skip]
    let Item {
        id: _, state, attempt, trigger, message_id, approvals: _, granted: _, behind, calls, outputs: _, messages,
        body, error, stalled, ended, cancels,
    } = item;
    (state, attempt, trigger, body, error, stalled, ended, cancels, calls.len()).hash(mix);
    (name(*message_id), name(*behind)).hash(mix);
    messages.iter().for_each(|&id| name(Some(id)).hash(mix));
}

/// Some numbers, in no order.
fn set(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

/// The number of a machine alone, with every id as it is: to see that nothing changed.
pub fn exact(machine: &Machine) -> u64 {
    let mut mix = Mix::default();
    for message in machine.transcript().messages().iter().chain(machine.queued()) {
        (message.id, message.role, message.fields, message.source).hash(&mut mix);
        for part in &message.parts {
            match part {
                Part::Tool(tool) => (1u8, tool).hash(&mut mix),
                Part::Content { kind, value } => (2u8, kind, value).hash(&mut mix),
                Part::StepStart => 3u8.hash(&mut mix),
            }
        }
    }
    machine.transcript().approvals().for_each(|approval| approval.hash(&mut mix));
    for item in machine.items() {
        (item.id, &item.approvals, &item.granted, &item.calls, &item.outputs, &item.messages).hash(&mut mix);
        hash_item(item, |id| id.map(|id| Some(id.place() as usize)), &mut mix);
    }
    machine.hash_rest(|id| id, &mut mix);
    mix.finish()
}
