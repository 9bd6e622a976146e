//! Lists changes, checks the indexes, and saves the transcript.

use super::calls::Calls;
use super::transcript::{is_open, is_unsent};
use super::{ApprovalOwner, Change, Message, Part, PartPos, Role, Transcript};
use crate::machine::ledger::{Ledger, counter, flag, key, list};
use crate::machine::{CallKey, Id, Payload, ToolPart};
use crate::prelude::*;
use alloc::collections::VecDeque;

impl Transcript {
    /// Increases with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.changes.revision()
    }

    /// Returns and clears the changes since the last call, each listed once.
    pub(in crate::machine) fn take_changes(&mut self) -> Vec<Change> {
        self.changes.take()
    }

    /// Whether all indexes and counters equal what rebuilding them gives.
    #[must_use]
    pub fn is_counted_right(&self) -> bool {
        let mut anew = self.clone();
        anew.recount_step();
        let parts = || self.messages.iter().flat_map(Message::calls);
        let unsent: VecDeque<CallKey> = parts().filter(|part| is_unsent(part)).map(|part| part.key).collect();
        let open: VecDeque<CallKey> = parts().filter(|part| is_open(part)).map(|part| part.key).collect();
        let awaiting_rewrite = parts().filter(|part| part.awaits_rewrite).count();
        let found = |part: &ToolPart| self.call(part.key).is_some_and(|found| core::ptr::eq(found, part));
        let users = self.messages.iter().rposition(|message| message.role == Role::User);
        let mut messages = self.messages.iter().enumerate();
        let places = self.places.iter().count();
        anew.step == self.step
            && unsent == self.unsent
            && open == self.open
            && awaiting_rewrite == self.awaiting_rewrite as usize
            && users.map_or(0, |user| user + 1) == self.turn_start
            && parts().all(found)
            && messages.all(|(place, message)| self.position(message.id) == Some(place))
            && places == self.messages.len()
    }

    /// Visits every value that the transcript holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        self.messages.iter().for_each(|message| message.payloads(each));
    }

    /// Visits every id that the transcript holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.messages.iter().for_each(|message| message.ids(each));
        self.tools.names.iter().copied().for_each(&mut *each);
        self.calls.owners().for_each(|(id, _)| each(id));
        self.calls.removed().iter().copied().for_each(&mut *each);
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        // Counters and indexes are derived from the messages. The page's tools and the changes are not saved.
        let Self {
            messages,
            places: _,
            calls,
            tools: _,
            step: _,
            turn_start: _,
            unsent: _,
            open: _,
            awaiting_rewrite: _,
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
            self.index_restored(introduced, &owners, &removed, ledger);
        }
    }

    /// Builds the indexes of restored messages. Calls keep their keys, because saved items refer to them.
    fn index_restored(
        &mut self,
        introduced: u32,
        owners: &[(Id, ApprovalOwner)],
        removed: &[Id],
        ledger: &mut dyn Ledger,
    ) {
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
            self.index_message(index);
            self.changes.note(Change::New(index));
        }
        // If another call took over an approval and was removed, no call owns the approval.
        self.calls.disown_all();
        for (id, owner) in owners {
            if self.call(owner.key()).is_none() {
                return ledger.refuse();
            }
            self.calls.own(*id, *owner);
        }
        removed.iter().for_each(|&id| self.calls.remember_removed(id));
        self.recount_step();
    }
}
