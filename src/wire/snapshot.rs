//! Snapshots: the machine's state as numbers and values, and back.
//!
//! The numbers stand one after the other, in the order in which they are read; nobody but this file
//! reads them. Ids are among them as they are: the host keeps their texts. Values of the host stand in a list of their own, as they are: whoever stores it
//! encodes them. Reading believes nothing: what this file did not write is refused, whole.

use super::{Name, Values, Without};
use crate::machine::{
    Approval, Author, Decision, DeliveryState, Ending, Holder, Id, Item, Machine, Memory, Message, Options, Outcome,
    OutcomeKind, Part, Payload, Phase, Role, Rule, Saved, SavedReply, ToolPart, Trigger, Turn,
};
use crate::prelude::*;

const ROLES: [Role; 3] = [Role::System, Role::User, Role::Assistant];
const AUTHORS: [Author; 4] = [Author::User, Author::Policy, Author::Backend, Author::Remembered];
const RULES: [Rule; 2] = [Rule::Skip, Rule::End];
const TRIGGERS: [Trigger; 3] = [Trigger::Submit, Trigger::Regenerate, Trigger::Answer];
const SPANS: [bool; 2] = [false, true];
const OUTCOMES: [OutcomeKind; 7] = [
    OutcomeKind::Executed,
    OutcomeKind::Failed,
    OutcomeKind::Denied,
    OutcomeKind::Cancelled,
    OutcomeKind::Interrupted,
    OutcomeKind::Skipped,
    OutcomeKind::Expired,
];
const DELIVERIES: [DeliveryState; 6] = [
    DeliveryState::Held,
    DeliveryState::Ready,
    DeliveryState::InFlight,
    DeliveryState::Acknowledged,
    DeliveryState::Failed,
    DeliveryState::Unconfirmed,
];
const ENDINGS: [Ending; 6] =
    [Ending::Finished, Ending::Failed, Ending::Empty, Ending::StepLimit, Ending::Interrupted, Ending::Disconnected];

/// The version that [`save`] writes. [`restore`] reads it and all before it.
pub const VERSION: u32 = 3;

/// The lists of a snapshot, as values of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lists {
    /// Counts, places and flags.
    pub numbers: Payload,
    /// The values that the machine holds. A number 0 stands for none, 1 for the first of these.
    pub values: Payload,
}

/// Writes the machine's state into two lists that the host made.
pub fn save<V: Values>(values: &V, machine: &Machine, lists: Lists) {
    let mut out = Out { values, lists, kept: 0 };
    let transcript = machine.transcript();
    out.number(transcript.messages().len());
    transcript.messages().iter().for_each(|message| out.message(message));
    out.number(transcript.approvals().count());
    for (id, holder) in transcript.approvals() {
        let (Holder::Call(call) | Holder::Superseded(call)) = holder;
        out.id(id);
        out.id(call);
        out.flag(matches!(holder, Holder::Superseded(_)));
    }
    out.number(machine.items().len());
    machine.items().iter().for_each(|item| out.item(item));
    out.number(machine.next_item() as usize);
    out.number(machine.queue().len());
    for (message, replaces) in machine.queue() {
        out.message(message);
        out.flag(replaces);
    }
    out.place(&ENDINGS, machine.turn().ending.as_ref());
    out.flag(machine.turn().work);
    out.flag(machine.is_holding());
    out.flag(machine.is_leaving_denials());
    out.number(machine.counts().1 as usize);
    let reply = machine.last_reply();
    out.flag(reply.is_some());
    if let Some(reply) = reply {
        out.number(reply.item.unwrap_or(0) as usize);
        out.number(reply.message.map_or(0, |message| message + 1));
        out.number(reply.base);
        out.place(&ENDINGS, reply.ending.as_ref());
    }
    out.place(&RULES, machine.rule().as_ref());
    let (memories, last) = machine.all_memories();
    out.number(last as usize);
    out.number(memories.len());
    memories.iter().for_each(|memory| out.memory(memory));
}

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

/// Writes one number after the other.
struct Out<'a, V: Values> {
    values: &'a V,
    lists: Lists,
    /// How many values were written.
    kept: usize,
}

impl<V: Values> Out<'_, V> {
    fn number(&mut self, number: usize) {
        self.values.push_number(self.lists.numbers, number as f64);
    }

    fn flag(&mut self, flag: bool) {
        self.number(usize::from(flag));
    }

    fn id(&mut self, id: Id) {
        self.number(id.place() as usize);
    }

    fn ids(&mut self, ids: &[Id]) {
        self.number(ids.len());
        ids.iter().for_each(|&id| self.id(id));
    }

    fn payload(&mut self, payload: Payload) {
        let value = self.values.partial_value(payload);
        if value.is_some() {
            self.kept += 1;
            self.values.push(self.lists.values, value);
            self.number(self.kept);
        } else {
            self.number(0);
        }
    }

    /// 0 for none, else the place behind it.
    fn place<T: PartialEq>(&mut self, all: &[T], item: Option<&T>) {
        self.number(all.iter().position(|one| Some(one) == item).map_or(0, |place| place + 1));
    }

    fn message(&mut self, message: &Message) {
        self.id(message.id);
        self.place(&ROLES, Some(&message.role));
        self.payload(message.fields);
        self.number(message.parts.len());
        for part in &message.parts {
            match part {
                Part::StepStart => self.number(0),
                Part::Content { kind, value } => {
                    self.number(1);
                    self.number((*kind).into());
                    self.payload(*value);
                }
                Part::Tool(part) => {
                    self.number(2);
                    self.tool(part);
                }
            }
        }
    }

    fn tool(&mut self, part: &ToolPart) {
        self.id(part.call);
        self.id(part.name);
        self.place(&Phase::ALL, Some(&part.phase));
        for flag in [part.dynamic, part.provider_executed, part.input_complete, part.unsent_output] {
            self.flag(flag);
        }
        // The text of an input that never was complete is in its reader only, which does not outlive the page.
        let raw = self.values.partial_text(part.input);
        let mut fields = part.fields;
        if self.values.is_some(raw) {
            fields = self.values.rest(fields, Without::Nothing);
            self.values.set(fields, Name::RawInput, raw);
        }
        for payload in [part.input, part.output, fields] {
            self.payload(payload);
        }
        self.flag(part.approval.is_some());
        if let Some(approval) = &part.approval {
            self.id(approval.id);
            self.payload(approval.envelope);
            self.flag(approval.automatic);
            self.time(Some(approval.requested_at));
            self.time(approval.expires_at);
            self.flag(approval.decision.is_some());
            if let Some(decision) = &approval.decision {
                self.flag(decision.approved);
                self.payload(decision.reason);
                self.place(&AUTHORS, Some(&decision.by));
                self.flag(decision.original.is_some());
                decision.original.into_iter().for_each(|input| self.payload(input));
                self.place(&SPANS, decision.remember.as_ref());
            }
        }
        self.flag(part.outcome.is_some());
        if let Some(outcome) = &part.outcome {
            self.place(&OUTCOMES, Some(&outcome.kind));
            self.payload(outcome.reason);
            self.flag(outcome.may_have_run);
        }
        self.place(&DELIVERIES, part.delivery.as_ref());
        self.flag(part.recalled);
        self.payload(part.written);
        self.flag(part.unwritten);
    }

    /// 0 for none: no deadline is that old.
    fn time(&mut self, time: Option<u64>) {
        self.values.push_number(self.lists.numbers, time.unwrap_or(0) as f64);
    }

    fn memory(&mut self, memory: &Memory) {
        self.number(memory.id as usize);
        self.id(memory.tool);
        self.number(memory.input.map_or(0, |id| id.number() as usize));
        self.flag(memory.approved);
        self.payload(memory.reason);
        self.flag(memory.always);
        self.time(Some(memory.decided_at));
        self.time(memory.expires_at);
    }

    fn item(&mut self, item: &Item) {
        self.number(item.id as usize);
        self.place(&DELIVERIES, Some(&item.state));
        self.number(item.attempt as usize);
        self.place(&TRIGGERS, Some(&item.trigger));
        self.number(item.message_id.map_or(0, |id| id.number() as usize));
        self.ids(&item.approvals);
        item.granted.iter().for_each(|&granted| self.flag(granted));
        self.number(item.behind.map_or(0, |id| id.number() as usize));
        self.ids(&item.calls);
        self.ids(&item.outputs);
        self.ids(&item.messages);
        self.payload(item.body);
        self.payload(item.error);
        self.flag(item.stalled);
        self.flag(item.ended);
        self.flag(item.cancels);
    }
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
