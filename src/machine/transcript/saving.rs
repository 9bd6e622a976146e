//! What changed, and what is saved.

use super::calls::Calls;
use super::transcript::{is_open, is_unsent};
use super::{ApprovalOwner, Change, Message, Part, PartPos, Role, Transcript};
use crate::machine::ledger::{Ledger, counter, flag, key, list};
use crate::machine::{CallKey, Id, Payload, ToolPart};
use crate::prelude::*;
use alloc::collections::VecDeque;

impl Transcript {
    /// Grows with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.changes.revision()
    }

    /// What changed since the last call, each place once.
    pub(in crate::machine) fn take_changes(&mut self) -> Vec<Change> {
        self.changes.take()
    }

    /// Whether everything that is counted along the way is what counting anew gives.
    #[must_use]
    pub fn is_counted_right(&self) -> bool {
        let mut anew = self.clone();
        anew.find_step();
        let parts = || self.messages.iter().flat_map(Message::calls);
        let unsent: VecDeque<CallKey> = parts().filter(|part| is_unsent(part)).map(|part| part.key).collect();
        let open: VecDeque<CallKey> = parts().filter(|part| is_open(part)).map(|part| part.key).collect();
        let unwritten = parts().filter(|part| part.awaits_rewrite).count();
        let found = |part: &ToolPart| self.call(part.key).is_some_and(|found| core::ptr::eq(found, part));
        let users = self.messages.iter().rposition(|message| message.role == Role::User);
        let mut messages = self.messages.iter().enumerate();
        let places = self.places.iter().count();
        anew.step == self.step
            && unsent == self.unsent
            && open == self.open
            && unwritten == self.unwritten as usize
            && users.map_or(0, |user| user + 1) == self.turn_start
            && parts().all(found)
            && messages.all(|(place, message)| self.position(message.id) == Some(place))
            && places == self.messages.len()
    }

    /// Every value that it holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        self.messages.iter().for_each(|message| message.payloads(each));
    }

    /// Every id that it holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.messages.iter().for_each(|message| message.ids(each));
        self.tools.names.iter().copied().for_each(&mut *each);
        self.calls.owners().for_each(|(id, _)| each(id));
        self.calls.removed().iter().copied().for_each(&mut *each);
    }

    /// Its fields, for saving and restoring.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        // What is counted follows from the messages; which tools run in the page, and what changed, is not saved.
        let Self {
            messages,
            places: _,
            calls,
            tools: _,
            step: _,
            turn_start: _,
            unsent: _,
            open: _,
            unwritten: _,
            changes: _,
        } = self;
        list(ledger, messages, || Message::new(Id::default(), Role::User), |ledger, message| message.ledger(ledger));
        let mut introduced = calls.introduced();
        counter(ledger, &mut introduced);
        let mut owners: Vec<(Id, ApprovalOwner)> = calls.owners().collect();
        list(
            ledger,
            &mut owners,
            || (Id::default(), ApprovalOwner::Call(CallKey(0))),
            |ledger, (id, owner)| {
                ledger.id(id);
                let (mut call, mut closed) = (owner.key(), matches!(owner, ApprovalOwner::Superseded(_)));
                key(ledger, &mut call);
                flag(ledger, &mut closed);
                *owner = if closed { ApprovalOwner::Superseded(call) } else { ApprovalOwner::Call(call) };
            },
        );
        let mut removed = calls.removed().to_vec();
        list(ledger, &mut removed, Id::default, |ledger, id| ledger.id(id));
        if ledger.is_reading() {
            self.take_over(introduced, &owners, &removed, ledger);
        }
    }

    /// Builds the indexes of messages that were read. Keys are kept: saved items refer to them.
    fn take_over(&mut self, introduced: u32, owners: &[(Id, ApprovalOwner)], removed: &[Id], ledger: &mut dyn Ledger) {
        let messages = core::mem::take(&mut self.messages);
        let mut last = None;
        *self = Self { messages: Vec::new(), ..self.emptied() };
        self.calls = Calls::default();
        self.calls.count_from(introduced);
        for (index, mut message) in messages.into_iter().enumerate() {
            for (part, value) in message.parts.iter_mut().enumerate() {
                let Part::Tool(tool) = value else { continue };
                let known = self.calls.newest(tool.call);
                let is_next = last.is_none_or(|last| last < tool.key) && tool.key.0 < introduced;
                if !is_next || tool.previous != known {
                    return ledger.refuse();
                }
                last = Some(tool.key);
                self.index(tool, PartPos { message: index, part });
            }
            if message.role == Role::User {
                self.turn_start = index + 1;
            }
            self.messages.push(message);
            self.find_by_id(index, true);
            self.changes.note(Change::New(index));
        }
        // An approval that another call took over, and that is gone with it, is nobody's.
        self.calls.disown_all();
        for (id, owner) in owners {
            if self.call(owner.key()).is_none() {
                return ledger.refuse();
            }
            self.calls.own(*id, *owner);
        }
        removed.iter().for_each(|&id| self.calls.remember_removed(id));
        self.find_step();
    }
}
