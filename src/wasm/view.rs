//! What the view reads, item by item.

use super::host::Host;
use super::{Core, events};
use crate::machine::{Change, Payload, WaitsOn};
use crate::wire::Values;
use crate::wire::ai_sdk::{self, Shape, Writer};

impl Core {
    /// Increases with every change.
    pub fn revision(&self) -> u32 {
        self.machine.revision()
    }

    /// How many messages the view has.
    pub fn message_count(&self) -> usize {
        self.machine.shown_messages()
    }

    /// Increases with every change to the queued messages, the items to send and the remembered decisions.
    pub fn lists_revision(&self) -> u32 {
        let Self { machine, .. } = self;
        machine
            .queue()
            .revision()
            .wrapping_add(machine.outbox().revision())
            .wrapping_add(machine.remembered().revision())
    }

    /// How many approvals wait for the user.
    pub fn undecided(&self) -> u32 {
        self.machine.counts().0
    }

    /// How many approvals of the turn are decided.
    pub fn decided(&self) -> u32 {
        self.machine.counts().1
    }

    /// The status: the number of a `Status`.
    pub fn status(&self) -> u32 {
        self.machine.status() as u32
    }

    /// The turn's status: the number of a `TurnStatus`.
    pub fn turn_status(&self) -> u32 {
        self.machine.turn_status() as u32
    }

    /// The turn's ending: the number of an `Ending` plus 1; 0 while it has none.
    pub fn turn_ending(&self) -> u32 {
        self.machine.turn().ending().map_or(0, |ending| ending as u32 + 1)
    }

    /// Appends what changed since the last call to an array, as pairs of a message's index and a number: 0 for the
    /// message's head, 1 for a new message, the part's index plus 2 for a part.
    pub fn changes(&mut self, list: u32) {
        for change in self.machine.take_changes() {
            let (message, part) = match change {
                Change::Part(at) => (at.message, at.part + 2),
                Change::Message(message) => (message, 0),
                Change::New(message) => (message, 1),
            };
            Values::push_number(&self.host, Payload(list), message as f64);
            Values::push_number(&self.host, Payload(list), part as f64);
        }
    }

    fn writer(&self) -> Writer<'_, Host> {
        Writer { values: &self.host, texts: self.texts, machine: &self.machine }
    }

    /// One part, as the view shows it.
    pub fn part(&self, message: usize, part: usize) -> u32 {
        let part = self.machine.transcript().messages().get(message).and_then(|message| message.parts.get(part));
        part.map_or(0, |part| ai_sdk::ui_part(&self.writer(), part, Shape::View).0)
    }

    /// One message, as the view shows it, without its parts.
    pub fn head(&self, message: usize) -> u32 {
        let message = self.machine.transcript().messages().get(message);
        message.map_or(0, |message| ai_sdk::message_head(&self.writer(), message).0)
    }

    /// How many parts a message has.
    pub fn part_count(&self, message: usize) -> usize {
        self.machine.transcript().messages().get(message).map_or(0, |message| message.parts.len())
    }

    /// One message, as a request's body contains it.
    pub fn body_message(&self, message: usize) -> u32 {
        let message = self.machine.transcript().messages().get(message);
        message.map_or(0, |message| ai_sdk::ui_message(&self.writer(), message, Shape::Body).0)
    }

    /// The model messages of one message: an array.
    pub fn model_messages(&self, message: usize) -> u32 {
        let list = Values::array(&self.host);
        let messages = self.machine.transcript().messages();
        let is_last = message + 1 == messages.len();
        if let Some(message) = messages.get(message) {
            ai_sdk::model_messages(&self.writer(), message, is_last, list);
        }
        list.0
    }

    /// The messages that are queued.
    pub fn queued(&self) -> u32 {
        let list = Values::array(&self.host);
        for queued in self.machine.queue().messages() {
            Values::push(&self.host, list, ai_sdk::ui_message(&self.writer(), &queued.message, Shape::View));
        }
        list.0
    }

    /// Whom the chat waits for: one bit for each, in the order of the Rust enum `WaitsOn`.
    pub fn waiting(&self) -> u32 {
        let waiting = self.machine.waiting();
        WaitsOn::ALL.iter().filter(|&&whom| waiting.on(whom)).map(|&whom| 1 << whom as u32).sum()
    }

    /// What the chat waits for from `whom`: approval ids for the user, call ids for tools, or numbers of items.
    pub fn awaited(&self, whom: u32) -> u32 {
        let list = Values::array(&self.host);
        let Some(&whom) = WaitsOn::ALL.get(whom as usize) else { return list.0 };
        for part in self.machine.awaited_calls(whom) {
            let approval = part.approval.as_ref().map_or(part.call, |approval| approval.id);
            Values::push_id(&self.host, list, if whom == WaitsOn::User { approval } else { part.call });
        }
        for item in self.machine.awaited_items(whom) {
            Values::push_number(&self.host, list, item.into());
        }
        list.0
    }

    /// Where the current step begins in the last message of the view: see `Machine::shown_step`.
    pub fn step_start(&self) -> usize {
        self.machine.shown_step()
    }

    /// The ids of the calls that the page may run now: an array, or 0 for none.
    pub fn runnable(&self) -> u32 {
        let mut list = Payload::NONE;
        for part in self.machine.runnable_calls() {
            if !list.is_some() {
                list = Values::array(&self.host);
            }
            Values::push_id(&self.host, list, part.call);
        }
        list.0
    }

    /// Whether `take_events` would return events.
    pub fn has_events(&self) -> bool {
        self.machine.has_events()
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> u32 {
        let list = Values::array(&self.host);
        for event in self.machine.take_events() {
            Values::push(&self.host, list, events::event(&self.host, &self.machine, &event));
        }
        list.0
    }
}
