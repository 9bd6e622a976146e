//! When two states count as one: the calls of a step are interchangeable, and names don't matter.
//!
//! A state is identified by a number of 64 bits, which depends on everything that affects later behaviour, and on
//! nothing else: no ids, no counters, no time. First each call gets a hash of its part, of its approvals, of what the
//! items contain about it, and of what the backend and the page have sent about it. The hashes of a step's calls are
//! then combined without their order, which matters only during a replay or if calls share an id. With ten million
//! states, the probability that two different ones have the same number is about one in 300,000.

use crate::profile::{CALLS, Names};
use crate::scene::Scene;
use crate::world::{Told, World, parts};
use std::hash::{Hash, Hasher};
use toolgate::machine::{ApprovalOwner, CallKey, Carried, Id, Item, Message, Part, ToolPart};

/// A fast hasher that gives the same numbers in every run.
#[derive(Clone, Copy)]
pub struct Mix(u64);

impl Default for Mix {
    fn default() -> Self {
        Mix(0x243F_6A88_85A3_08D3)
    }
}

impl Mix {
    fn add(&mut self, word: u64) {
        // A multiplication of 64 by 64 bits, folded, so that every bit of the word affects every bit of the sum.
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

/// The hash of a value.
pub fn number(of: impl Hash) -> u64 {
    let mut mix = Mix::default();
    of.hash(&mut mix);
    mix.finish()
}

/// Names for items and calls that depend only on their positions.
struct Places<'a> {
    world: &'a World,
    scene: &'a Scene,
}

impl Places<'_> {
    fn item(&self, id: u32) -> u32 {
        let place = self.world.machine.outbox().items().iter().position(|item| item.id == id);
        place.map_or(99, |place| place as u32)
    }

    fn call(&self, key: CallKey) -> u32 {
        parts(&self.world.machine).position(|part| part.key() == key).map_or(99, |place| place as u32)
    }

    /// Which approval of a call this is: the first, the second, one whose id is the call's, or another call's.
    fn approval(&self, c: Option<usize>, id: Id) -> u8 {
        let scene = self.scene;
        let own = |c: usize| [scene.approval(c), scene.second_approval(c), scene.call(c)];
        c.and_then(|c| own(c).iter().position(|&known| known == id)).map_or(3, |place| place as u8)
    }

    /// Hashes an item's contents for a call.
    fn carried(&self, c: Option<usize>, carried: &Carried, mix: &mut Mix) {
        // No `..`: a new field does not compile until it is either hashed or ignored as a name.
        let Carried { call: _, id: _, approval, approved, cancelled, output } = carried;
        (approval.map(|id| self.approval(c, id)), approved, cancelled, output).hash(mix);
    }

    /// Hashes everything about a part, and what the backend has sent of its call.
    fn part(&self, part: &ToolPart) -> u64 {
        let (world, machine) = (self.world, &self.world.machine);
        let mut mix = Mix::default();
        let key = part.key();
        let c = world.number(key);
        part.hash_without_names(&|item| self.item(item), &mut mix);
        part.reread.hash(&mut mix);
        part.approval.as_ref().map(|asked| self.approval(c, asked.id)).hash(&mut mix);
        for (place, item) in machine.outbox().items().iter().enumerate() {
            if let Some(carried) = item.carries(key) {
                place.hash(&mut mix);
                self.carried(c, carried, &mut mix);
            }
        }
        world.left.calls.get(&key).hash(&mut mix);
        (machine.transcript().newest(part.call) == Some(key)).hash(&mut mix);
        if machine.is_replaying() || self.shares_names() {
            (machine.transcript().place(key).map(|at| at.part), part.call).hash(&mut mix);
        }
        c.map(|c| self.slot(c)).hash(&mut mix);
        mix.finish()
    }

    fn shares_names(&self) -> bool {
        self.scene.profile.names != Names::Distinct
    }

    /// Hashes what the backend has sent of a call, and which calls have its approvals.
    fn slot(&self, c: usize) -> u64 {
        let (world, machine, scene) = (self.world, &self.world.machine, self.scene);
        let mut mix = Mix::default();
        let key = world.backend.keys[c];
        for approval in [scene.approval(c), scene.second_approval(c), scene.call(c)] {
            let owner = machine.transcript().approval(approval);
            let (closed, whose) = match owner {
                None => (0, None),
                Some(ApprovalOwner::Call(whose)) => (1, Some(whose)),
                Some(ApprovalOwner::Superseded(whose)) => (2, Some(whose)),
            };
            let removed = machine.transcript().was_removed(approval);
            (closed, whose.map(|whose| Some(whose) == key), removed).hash(&mut mix);
            if self.shares_names() {
                whose.map(|whose| self.call(whose)).hash(&mut mix);
            }
        }
        (world.backend.stages[c], machine.turn().removed(scene.call(c))).hash(&mut mix);
        if self.shares_names() {
            scene.profile.letter(c).hash(&mut mix);
        }
        let from = world.backend.again.unwrap_or(0);
        for (place, told) in world.backend.told.iter().enumerate().filter(|(_, told)| told.call() == Some(c)) {
            std::mem::discriminant(told).hash(&mut mix);
            // The order of the calls matters for the rest of a replay.
            world.backend.again.map(|_| (place >= from).then_some(place)).hash(&mut mix);
            // If calls share an id, the order matters for every later replay.
            if self.shares_names() {
                place.hash(&mut mix);
            }
        }
        mix.finish()
    }
}

/// The hash of the state, and those of its calls.
pub fn identity(world: &World, scene: &Scene) -> (u64, [u64; CALLS]) {
    let places = Places { world, scene };
    let machine = &world.machine;
    let mut mix = Mix::default();
    let calls = std::array::from_fn(|c| match world.part(c) {
        Some(part) => places.part(part),
        None if c < scene.profile.calls() => places.slot(c),
        None => 0,
    });
    // The position of a message among those that exist; a removed message has none.
    let name = |id: Option<Id>| {
        let queued = machine.queue().messages().iter().map(|queued| &queued.message);
        let mut messages = machine.transcript().messages().iter().chain(queued);
        id.map(|id| messages.position(|message| message.id == id))
    };
    for message in machine.transcript().messages() {
        hash_message(message, &places, &mut mix);
    }
    for queued in machine.queue().messages() {
        (queued.replaces, queued.is_sent).hash(&mut mix);
        hash_message(&queued.message, &places, &mut mix);
    }
    for item in machine.outbox().items() {
        hash_item(item, name, &places, &mut mix);
    }
    machine.hash_rest(&|item| places.item(item), &|key| places.call(key), &mut mix);
    // The backend also has calls that are not in the conversation.
    for step in 0..scene.profile.steps.len() {
        let gone = |&c: &usize| world.part(c).is_none();
        set(scene.profile.calls_of(step).filter(gone).map(|c| calls[c])).hash(&mut mix);
    }
    let backend = &world.backend;
    (backend.steps, backend.open, backend.begun, backend.in_step, backend.cut, backend.ended).hash(&mut mix);
    (backend.hosted, backend.reconnected.map(|how| how as u8)).hash(&mut mix);
    (backend.again, backend.resumed, backend.fixed, name(backend.message)).hash(&mut mix);
    (backend.disturbed && !backend.told.is_empty()).hash(&mut mix);
    backend.told.iter().filter(|told| told.call().is_none()).for_each(|told| told.hash(&mut mix));
    // A replay repeats what was reset, too.
    if backend.told.contains(&Told::Reset) {
        backend.told.hash(&mut mix);
    }
    (mix.finish(), calls)
}

fn hash_message(message: &Message, places: &Places<'_>, mix: &mut Mix) {
    let Message { id, role, fields, parts, source, passed } = message;
    let user = places.world.left.messages >> message_bit(*id) & 1;
    (role.as_str(), fields, source, user, passed, parts.len()).hash(mix);
    let mut step: Vec<u64> = Vec::new();
    for part in parts {
        match part {
            Part::Tool(tool) => {
                1u8.hash(mix);
                step.push(places.part(tool));
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

/// The bit of a user message.
pub fn message_bit(id: Id) -> u32 {
    id.place().saturating_sub(crate::scene::message(0).place()).min(31)
}

fn hash_item(item: &Item, name: impl Fn(Option<Id>) -> Option<Option<usize>>, places: &Places<'_>, mix: &mut Mix) {
    let Item { id: _, attempt, kind, message_id, after, turn, carried, messages, .. } = item;
    let Item { body, key, error, expects_reply, repeat_unsafe, repeated, .. } = item;
    (item.state(), attempt, *kind as u8, body, key, error, expects_reply, repeat_unsafe, repeated).hash(mix);
    (name(*message_id), name(*after), name(*turn), carried.len()).hash(mix);
    for carried in carried.iter().filter(|carried| places.world.machine.transcript().call(carried.call).is_none()) {
        places.carried(places.world.number(carried.call), carried, mix);
    }
    messages.iter().for_each(|&id| name(Some(id)).hash(mix));
}

/// Sorts numbers, so that their order does not matter.
fn set(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers
}
