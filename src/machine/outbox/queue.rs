//! User messages that wait until something else is delivered or decided.

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

    /// Whether a message with this id is queued.
    #[must_use]
    pub fn has(&self, id: Id) -> bool {
        self.messages.iter().any(|queued| queued.message.id == id)
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
        let empty = || Queued { message: Message::new(Id::default(), Role::User), replaces: false };
        list(ledger, messages, empty, |ledger, Queued { message, replaces }| {
            message.ledger(ledger);
            flag(ledger, replaces);
        });
        if ledger.is_reading() {
            *revision = revision.wrapping_add(1);
        }
    }
}
