//! User messages that wait until something else is delivered or decided, or until the turn ends that they pass.

use crate::machine::ledger::{Ledger, flag, list};
use crate::machine::{Id, Message, Payload, Role};
use crate::prelude::*;

/// A queued user message.
#[derive(Clone, PartialEq, Debug)]
pub struct Queued {
    /// The message as the user wrote it.
    pub message: Message,
    /// Whether it replaces a message that was removed for it.
    pub replaces: bool,
    /// Whether it was sent while approvals were pending. It is added to the transcript after the turn.
    pub is_sent: bool,
    /// The number of the item that sends it while approvals are pending; 0 if there is none.
    pub(in crate::machine) item: u32,
}

impl Queued {
    /// A message that was not sent. `replaces`: whether it replaces a message that was removed for it.
    #[must_use]
    pub fn new(message: Message, replaces: bool) -> Self {
        Self { message, replaces, is_sent: false, item: 0 }
    }

    /// Whether it is in no item and was not sent.
    pub(in crate::machine) fn waits(&self) -> bool {
        !self.is_sent && self.item == 0
    }
}

/// The queued messages, oldest first.
#[derive(Clone, Default, Debug)]
pub struct Queue {
    messages: Vec<Queued>,
    revision: u32,
}

impl Queue {
    /// The queued messages, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Queued] {
        &self.messages
    }

    /// Whether no message is queued.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The queued message with this id.
    #[must_use]
    pub fn message(&self, id: Id) -> Option<&Message> {
        self.messages.iter().map(|queued| &queued.message).find(|message| message.id == id)
    }

    /// Whether a message with this id is queued.
    #[must_use]
    pub fn has(&self, id: Id) -> bool {
        self.message(id).is_some()
    }

    /// Increases with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Appends a message.
    pub(in crate::machine) fn push(&mut self, queued: Queued) {
        self.revision = self.revision.wrapping_add(1);
        self.messages.push(queued);
    }

    /// Inserts messages before all others.
    pub(in crate::machine) fn put_first(&mut self, mut first: Vec<Queued>) {
        self.revision = self.revision.wrapping_add(1);
        first.append(&mut self.messages);
        self.messages = first;
    }

    /// Records the item that sends the messages with these ids, 0 for none, and whether they were sent.
    pub(in crate::machine) fn set_passing(&mut self, ids: &[Id], item: u32, is_sent: bool) {
        self.revision = self.revision.wrapping_add(1);
        for queued in self.messages.iter_mut().filter(|queued| ids.contains(&queued.message.id)) {
            (queued.item, queued.is_sent) = (item, is_sent);
        }
    }

    /// Removes and returns all messages.
    pub(in crate::machine) fn take(&mut self) -> Vec<Queued> {
        self.revision = self.revision.wrapping_add(1);
        core::mem::take(&mut self.messages)
    }

    /// Removes the messages that don't match.
    pub(in crate::machine) fn retain(&mut self, matches: &dyn Fn(&Queued) -> bool) {
        self.revision = self.revision.wrapping_add(1);
        self.messages.keep(matches);
    }

    /// Visits every value that the queue holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        self.messages.iter().for_each(|queued| queued.message.payloads(each));
    }

    /// Visits every id that the queue holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.messages.iter().for_each(|queued| queued.message.ids(each));
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { messages, revision } = self;
        let empty = || Queued::new(Message::new(Id::default(), Role::User), false);
        list(ledger, messages, empty, |ledger, Queued { message, replaces, is_sent, item }| {
            message.ledger(ledger);
            flag(ledger, replaces);
            flag(ledger, is_sent);
            ledger.number(item);
        });
        if ledger.is_reading() {
            *revision = revision.wrapping_add(1);
        }
    }
}
