//! Numbers and values into a machine: of every version that was ever written, and without belief in any.

use super::Lists;
use super::places::{AUTHORS, DELIVERIES, ENDINGS, OUTCOMES, ROLES, RULES, SPANS, TRIGGERS};
use crate::machine::{
    Approval, Decision, Holder, Id, Item, Machine, Memory, Message, Options, Outcome, Part, Payload, Phase, Saved,
    SavedReply, ToolPart, Turn,
};
use crate::prelude::*;
use crate::wire::Values;

/// A machine from a snapshot of this version or an earlier one; none if the snapshot is damaged. The host
/// knows `ids` ids by then.
pub fn restore<V: Values>(values: &V, lists: Lists, version: u32, ids: u32, options: Options) -> Option<Machine> {
    take_over(values, lists, version, ids, options, None)
}

/// As [`restore`]; `live` as in [`Machine::take_over`].
pub fn take_over<V: Values>(
    values: &V,
    lists: Lists,
    version: u32,
    ids: u32,
    options: Options,
    live: Option<bool>,
) -> Option<Machine> {
    let mut from = Reader { values, lists, version, ids, number: 0, sound: true };
    let mut saved = Saved { messages: from.list(Reader::message), ..Saved::default() };
    saved.approvals = from.list(|from| {
        let (id, call) = (from.id(), from.id());
        (id, if from.flag() { Holder::Superseded(call) } else { Holder::Call(call) })
    });
    saved.items = from.list(Reader::item);
    saved.next_item = from.count() as u32;
    saved.queue = from.list(|from| (from.message(), from.flag()));
    saved.turn = Turn { ending: from.place(&ENDINGS), work: from.flag() };
    (saved.hold, saved.left) = (from.flag(), from.flag());
    saved.decided = from.count() as u32;
    saved.reply = from.flag().then(|| SavedReply {
        item: Some(from.count() as u32).filter(|&item| item > 0),
        message: from.count().checked_sub(1),
        base: from.count(),
        ending: from.place(&ENDINGS),
    });
    if version > 1 {
        saved.rule = from.place(&RULES);
        saved.last_memory = from.count() as u32;
        saved.memories = from.list(Reader::memory);
    }
    let in_reach = |reply: SavedReply| reply.message.is_none_or(|message| message < saved.messages.len());
    if !from.sound || from.number != values.len(lists.numbers) || !saved.reply.is_none_or(in_reach) {
        return None;
    }
    Some(Machine::take_over(saved, options, live))
}

/// Reads one number after the other. What is not there, or not what it should be, reads as nothing
/// and makes the whole unsound.
struct Reader<'a, V: Values> {
    values: &'a V,
    lists: Lists,
    /// Version 1 had no policies, deadlines and remembered decisions; version 2 no edited inputs and nothing cancelled on its way.
    version: u32,
    ids: u32,
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

    fn count(&mut self) -> usize {
        let number = self.next();
        let count = number as u32;
        // No chat gets this far, and nothing that counts on from here may overflow.
        self.sound &= f64::from(count) == number && count < 1 << 30;
        count as usize
    }

    fn flag(&mut self) -> bool {
        self.count() == 1
    }

    fn id(&mut self) -> Id {
        let place = self.count() as u32;
        self.sound &= place < self.ids;
        Id::at(place)
    }

    fn time(&mut self) -> Option<u64> {
        let number = self.next();
        let time = number as u64;
        self.sound &= time as f64 == number;
        Some(time).filter(|&time| time > 0)
    }

    fn optional_id(&mut self) -> Option<Id> {
        let place = self.count() as u32;
        self.sound &= place <= self.ids;
        Id::of(place)
    }

    fn payload(&mut self) -> Payload {
        match self.count() as u32 {
            0 => Payload::NONE,
            place => {
                self.sound &= place <= self.values.len(self.lists.values);
                self.values.keep(self.values.at(self.lists.values, place - 1))
            }
        }
    }

    fn place<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let place = self.count().checked_sub(1)?;
        self.sound &= place < all.len();
        all.get(place).copied()
    }

    /// A place that is never none.
    fn known<T: Copy>(&mut self, all: &[T]) -> T {
        let item = self.place(all);
        self.sound &= item.is_some();
        item.unwrap_or(all[0])
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut list = Vec::new();
        for _ in 0..self.count() {
            // A damaged count must not become a long wait.
            if !self.sound {
                break;
            }
            list.push(read(self));
        }
        list
    }

    fn message(&mut self) -> Message {
        let mut message = Message::new(self.id(), self.known(&ROLES));
        message.fields = self.payload();
        message.parts = self.list(|from| match from.count() {
            0 => Part::StepStart,
            1 => Part::Content { kind: from.count() as u8, value: from.payload() },
            _ => Part::Tool(Box::new(from.tool())),
        });
        message
    }

    fn tool(&mut self) -> ToolPart {
        let mut part = ToolPart::new(self.id(), self.id(), self.known(&Phase::ALL));
        (part.dynamic, part.provider_executed) = (self.flag(), self.flag());
        (part.input_complete, part.unsent_output) = (self.flag(), self.flag());
        (part.input, part.output, part.fields) = (self.payload(), self.payload(), self.payload());
        part.approval = self.flag().then(|| Approval {
            id: self.id(),
            envelope: self.payload(),
            automatic: self.flag(),
            requested_at: self.time().unwrap_or(0),
            expires_at: if self.version < 2 { None } else { self.time() },
            decision: self.flag().then(|| Decision {
                approved: self.flag(),
                reason: self.payload(),
                by: self.known(&AUTHORS),
                original: (self.version > 2 && self.flag()).then(|| self.payload()),
                remember: if self.version > 2 { self.place(&SPANS) } else { None },
            }),
        });
        part.outcome = self.flag().then(|| Outcome {
            kind: self.known(&OUTCOMES),
            reason: self.payload(),
            may_have_run: self.flag(),
        });
        part.delivery = self.place(&DELIVERIES);
        if self.version > 1 {
            (part.recalled, part.written, part.unwritten) = (self.flag(), self.payload(), self.flag());
        }
        part
    }

    fn memory(&mut self) -> Memory {
        Memory {
            id: self.count() as u32,
            tool: self.id(),
            input: self.optional_id(),
            approved: self.flag(),
            reason: self.payload(),
            always: self.flag(),
            decided_at: self.time().unwrap_or(0),
            expires_at: self.time(),
        }
    }

    fn item(&mut self) -> Item {
        let (id, state) = (self.count() as u32, self.known(&DELIVERIES));
        let (attempt, trigger) = (self.count() as u32, self.known(&TRIGGERS));
        let message_id = self.optional_id();
        let approvals = self.list(Self::id);
        Item {
            id,
            state,
            attempt,
            trigger,
            message_id,
            granted: approvals.iter().map(|_| self.flag()).collect(),
            behind: self.optional_id(),
            approvals,
            calls: self.list(Self::id),
            outputs: self.list(Self::id),
            messages: self.list(Self::id),
            body: self.payload(),
            error: self.payload(),
            stalled: self.flag(),
            ended: self.flag(),
            cancels: self.version > 2 && self.flag(),
        }
    }
}
