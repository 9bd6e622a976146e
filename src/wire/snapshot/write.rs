//! The machine's state into numbers and values. Whatever is added here is read in `read`, by a new version.

use super::Lists;
use super::places::{AUTHORS, DELIVERIES, ENDINGS, OUTCOMES, ROLES, RULES, SPANS, TRIGGERS};
use crate::machine::{Holder, Id, Item, Machine, Memory, Message, Part, Payload, Phase, ToolPart};
use crate::wire::{Name, Values, Without};

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
