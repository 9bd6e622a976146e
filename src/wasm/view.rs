//! What the view reads, item by item.

use super::host::Host;
use super::record::Record;
use super::{Core, events};
use crate::machine::{Change, DeliveryState, Id, Message, Part, ToolPart, WaitsOn};
use crate::wire::ai_sdk::{self, Shape, Writer};
use crate::wire::{Values, enum_names};

impl Core {
    /// What the view shows besides its messages and lists: the number of its messages, the revision of its lists, the
    /// approvals that wait and those that are decided, the numbers of the status, of the turn's status and of its
    /// ending plus 1 (0 for none), whom the chat waits for (one bit for each, in the order of the Rust enum
    /// `WaitsOn`), and where the current step begins. Then the ids of the calls that the page may run now, and what
    /// changed since the last call: a list of pairs of a message's index and a number, 0 for the message's head, 1 for
    /// a new message; and each part that changed, after the index of its message plus 1 and its own. Then 0.
    pub fn look(&mut self) -> u32 {
        let changes = self.machine.take_changes();
        let mut record = core::mem::take(&mut self.record);
        let machine = &self.machine;
        let (undecided, decided) = machine.counts();
        let waiting = machine.waiting();
        let lists = machine.queue().revision().wrapping_add(machine.outbox().revision());
        record.begin().all(&[
            machine.shown_messages() as u32,
            lists.wrapping_add(machine.remembered().revision()),
            undecided,
            decided,
            machine.status() as u32,
            machine.turn_status() as u32,
            machine.turn().ending().map_or(0, |ending| ending as u32 + 1),
            WaitsOn::ALL.iter().filter(|&&whom| waiting.on(whom)).map(|&whom| 1 << whom as u32).sum(),
            machine.shown_step() as u32,
        ]);
        record.list(&mut machine.runnable_calls().map(|part| part.call.number()));
        let list = record.begin_list();
        for change in &changes {
            match *change {
                Change::Part(_) => {}
                Change::Message(message) => record.all(&[message as u32, 0]),
                Change::New(message) => record.all(&[message as u32, 1]),
            }
        }
        record.end_list(list);
        for change in changes {
            let Change::Part(at) = change else { continue };
            let message = machine.transcript().messages().get(at.message);
            let Some(part) = message.and_then(|message| message.parts.get(at.part)) else { continue };
            record.all(&[at.message as u32 + 1, at.part as u32]);
            self.add_part(&mut record, part, Shape::View);
        }
        record.add(0);
        self.record = record;
        self.record.place()
    }

    /// The place of the newest call with this id: the index of its message times 2^24, plus that of its part; or -1.
    pub fn call_place(&self, call: u32) -> f64 {
        let transcript = self.machine.transcript();
        let place = transcript.newest(Id::at(call)).and_then(|key| transcript.place(key));
        place.map_or(-1.0, |at| at.message as f64 * f64::from(1 << 24) + at.part as f64)
    }

    /// How many messages the view has.
    pub fn message_count(&self) -> usize {
        self.machine.shown_messages()
    }

    /// How many approvals wait for the user.
    pub fn undecided(&self) -> u32 {
        self.machine.counts().0
    }

    pub(super) fn writer(&self) -> Writer<'_, Host> {
        Writer { values: &self.host, texts: self.texts, machine: &self.machine }
    }

    /// How many parts a message has.
    pub fn part_count(&self, message: usize) -> usize {
        self.machine.transcript().messages().get(message).map_or(0, |message| message.parts.len())
    }

    /// One message as a record: see `add_message`. `in_body`: as a request's body has it, and not as the view has it.
    /// `from`: how many parts to leave out. The queued messages follow those of the transcript.
    pub fn message(&mut self, message: usize, in_body: bool, from: usize) -> u32 {
        let mut record = core::mem::take(&mut self.record);
        record.begin();
        if let Some(message) = self.message_at(message) {
            self.add_message(&mut record, message, if in_body { Shape::Body } else { Shape::View }, from);
        }
        self.record = record;
        self.record.place()
    }

    /// A message of the transcript, or of the queue after it.
    fn message_at(&self, index: usize) -> Option<&Message> {
        let messages = self.machine.transcript().messages();
        let queued = || self.machine.queue().messages().get(index - messages.len()).map(|queued| &queued.message);
        messages.get(index).or_else(queued)
    }

    /// Adds a message. If it has not changed since it was loaded: the object that it was loaded from, and a list of the
    /// outcomes that the view adds to it, as pairs of a part's index and a kind. Otherwise: 0, its id, its role, its
    /// other properties, and its parts after their number.
    fn add_message(&self, record: &mut Record, message: &Message, shape: Shape, from: usize) {
        if shape == Shape::Body && message.source.is_some() {
            return record.all(&[message.source.0, 0]);
        }
        if self.indexed.contains(&message.source.0) {
            record.value(message.source);
            let list = record.begin_list();
            for (at, part) in message.parts.iter().enumerate() {
                if let Some(outcome) = part.tool().and_then(ToolPart::outcome) {
                    record.all(&[at as u32, enum_names::outcome(outcome.kind) as u32]);
                }
            }
            return record.end_list(list);
        }
        record.all(&[0, message.id.number(), enum_names::role(message.role) as u32, message.fields.0]);
        if shape == Shape::Body {
            let parts = ai_sdk::sent_parts(&self.machine, message);
            record.add(parts.len() as u32);
            parts.iter().for_each(|part| self.add_part(record, part, shape));
        } else {
            let parts = message.parts.get(from..).unwrap_or_default();
            record.add(parts.len() as u32);
            parts.iter().for_each(|part| self.add_part(record, part, shape));
        }
    }

    #[inline(never)] // it is called in several places
    fn add_part(&self, record: &mut Record, part: &Part, shape: Shape) {
        match part {
            Part::StepStart => record.step_start(),
            Part::Content { value, .. } => record.content(*value),
            Part::Tool(tool) => record.call(&ai_sdk::ui_call(&self.writer(), tool, shape)),
        }
    }

    /// The entries of one message of the transcript, or of the queue after it: an array.
    pub fn entries(&self, message: usize) -> u32 {
        let list = Values::array(&self.host);
        let is_last = message + 1 == self.machine.transcript().messages().len();
        if let Some(message) = self.message_at(message) {
            ai_sdk::entries(&self.writer(), message, is_last, list);
        }
        list.0
    }

    /// The messages that are queued, as a record: their number, then each message with the delivery of its request, if
    /// it is sent while approvals are pending.
    pub fn queued(&mut self) -> u32 {
        let mut record = core::mem::take(&mut self.record);
        let messages = self.machine.queue().messages();
        record.begin().add(messages.len() as u32);
        for queued in messages {
            self.add_message(&mut record, &queued.message, Shape::View, 0);
            let item = self.machine.passing_item(queued);
            // An item that no longer exists was delivered.
            let delivered = queued.is_sent.then_some(DeliveryState::Acknowledged);
            let delivery = item.map(|item| item.state().delivery()).or(delivered);
            record.name(delivery.map(enum_names::delivery));
        }
        self.record = record;
        self.record.place()
    }

    /// What the chat waits for from `whom`, as a list: ids of approvals for the user, ids of calls for tools, or the
    /// numbers of items.
    pub fn awaited(&mut self, whom: u32) -> u32 {
        let machine = &self.machine;
        let record = self.record.begin();
        if let Some(&whom) = WaitsOn::ALL.get(whom as usize) {
            let calls = machine.awaited_calls(whom).map(|part| {
                let approval = part.approval.as_ref().map_or(part.call, |approval| approval.id);
                if whom == WaitsOn::User { approval } else { part.call }
            });
            let list = record.begin_list();
            calls.for_each(|id| record.add(id.number()));
            record.all(&machine.awaited_items(whom));
            record.end_list(list);
        }
        self.record.place()
    }

    /// The events since the last call, as a record: their number, then each event.
    pub fn take_events(&mut self) -> u32 {
        let events = self.machine.take_events();
        self.record.begin().add(events.len() as u32);
        for event in &events {
            events::event(&mut self.record, &self.host, &self.machine, event);
        }
        self.record.place()
    }
}
