//! Lists changes, checks the indexes, and saves the transcript.

use super::calls::Calls;
use super::transcript::is_unsent;
use super::{ApprovalOwner, Change, Message, Part, PartPos, Role, Transcript};
use crate::machine::ledger::{Ledger, count, counter, flag, key, list};
use crate::machine::{CallKey, Id, Payload, ToolPart};
use crate::prelude::*;

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
        let (mut unsent, mut open, mut awaiting_rewrite, mut all_found) = (Vec::new(), Vec::new(), 0, true);
        for message in &self.messages {
            for part in message.calls() {
                if is_unsent(part) {
                    unsent.push(part.key.0);
                }
                if part.phase().is_open() {
                    open.push(part.key.0);
                }
                awaiting_rewrite += u32::from(part.awaits_rewrite);
                all_found &= self.call(part.key).is_some_and(|found| core::ptr::eq(found, part));
            }
        }
        let users = self.messages.iter().rposition(|message| message.role == Role::User);
        let mut messages = self.messages.iter().enumerate();
        let places = self.places.iter().count();
        self.counted_step() == self.step
            && unsent == self.unsent.as_slice()
            && open == self.open.as_slice()
            && awaiting_rewrite == self.awaiting_rewrite
            && users.map_or(0, |user| user + 1) == self.turn_start
            && all_found
            && messages.all(|(place, message)| self.position(message.id) == Some(place))
            && places == self.messages.len()
    }

    /// The time of the last change, for [`Self::changes_ledger`].
    #[must_use]
    pub(in crate::machine) fn clock(&self) -> u32 {
        self.changes.clock()
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
            answers_turn: _,
            step: _,
            turn_start: _,
            unsent: _,
            open: _,
            awaiting_rewrite: _,
            unchecked: _,
            changes: _,
        } = self;
        list(ledger, messages, || Message::new(Id::default(), Role::User), |ledger, message| message.ledger(ledger));
        let owners = calls.owners().listed();
        let owners = self.in_call_order(owners);
        self.calls_ledger(Vec::new(), owners, ledger, &|_| true);
    }

    /// Visits what changed after this time of [`Self::clock`]: the number of messages, the changed ones with their
    /// indices, and the owners of approvals among the calls of these. A reader must have the state of that time.
    pub(in crate::machine) fn changes_ledger(&mut self, ledger: &mut dyn Ledger, since: u32) {
        let old_length = self.messages.len();
        let mut length = old_length;
        count(ledger, &mut length);
        let is_changed = |index: &usize| self.changes.is_since(*index, since);
        let mut changed: Vec<usize> = (0..old_length).filter(is_changed).listed();
        // All indices come first, so that the host can read them.
        list(ledger, &mut changed, || 0, count);
        let mut owners: Vec<(Id, ApprovalOwner)> = self.calls.owners().listed();
        let is_reading = ledger.is_reading();
        if is_reading {
            let ascending = changed.windows(2).all(|pair| pair[0] < pair[1]);
            let added = changed.iter().filter(|&&index| index >= old_length).count();
            let fits = changed.last().is_none_or(|&last| last < length);
            if !ledger.is_valid() || !ascending || !fits || added != length.saturating_sub(old_length) {
                return ledger.refuse();
            }
            owners.keep(|(_, owner)| {
                let at = self.calls.place(owner.key()).map(|at| at.message);
                at.is_some_and(|message| message < length && changed.binary_search(&message).is_err())
            });
            self.messages.truncate(length);
            self.messages.resize_with(length, || Message::new(Id::default(), Role::User));
        } else {
            let first = changed.iter().find_map(|&index| self.messages[index].calls().next()).map(ToolPart::key);
            owners.keep(|(_, owner)| {
                let may_have_changed = first.is_some_and(|first| owner.key() >= first);
                let at = may_have_changed.then(|| self.calls.place(owner.key())).flatten();
                at.is_some_and(|at| changed.binary_search(&at.message).is_ok())
            });
            owners = self.in_call_order(owners);
        }
        for &index in &changed {
            self.messages[index].ledger(ledger);
            if !ledger.is_valid() {
                return;
            }
        }
        let known = if is_reading { core::mem::take(&mut owners) } else { Vec::new() };
        self.calls_ledger(known, owners, ledger, &|index| changed.binary_search(&index).is_ok());
    }

    /// Sorts owners by their calls, so that equal states are saved alike whatever numbers the host gave to the ids.
    /// They are mostly in order; the standard library's sorts would cost a page 5 KB.
    fn in_call_order(&self, owners: Vec<(Id, ApprovalOwner)>) -> Vec<(Id, ApprovalOwner)> {
        let mut ordered: Vec<(Id, ApprovalOwner)> = Vec::with_capacity(owners.len());
        for owner in owners {
            let own = self.call_order(&owner);
            let place = ordered.partition_point(|before| self.call_order(before) <= own);
            ordered.insert(place, owner);
        }
        ordered
    }

    /// Twice the key of the call, and one more for an approval that the call does not show.
    #[inline(never)] // A page loads fewer bytes.
    fn call_order(&self, (id, owner): &(Id, ApprovalOwner)) -> u64 {
        let shown = self.call(owner.key()).and_then(ToolPart::approval_id) == Some(*id);
        2 * u64::from(owner.key().0) + u64::from(!shown)
    }

    /// Visits what is saved of the calls beside their messages. `known`: owners that a reader has already.
    fn calls_ledger(
        &mut self,
        mut known: Vec<(Id, ApprovalOwner)>,
        mut owners: Vec<(Id, ApprovalOwner)>,
        ledger: &mut dyn Ledger,
        is_changed: &dyn Fn(usize) -> bool,
    ) {
        let mut introduced = self.calls.introduced();
        counter(ledger, &mut introduced);
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
        let mut removed = self.calls.removed().to_vec();
        list(ledger, &mut removed, Id::default, |ledger, id| ledger.id(id));
        if ledger.is_reading() {
            known.append(&mut owners);
            self.index_restored(introduced, &known, &removed, ledger, is_changed);
        }
    }

    /// Builds the indexes of restored messages. Calls keep their keys, because saved items refer to them.
    /// `is_changed`: the messages that the view must read again.
    fn index_restored(
        &mut self,
        introduced: u32,
        owners: &[(Id, ApprovalOwner)],
        removed: &[Id],
        ledger: &mut dyn Ledger,
        is_changed: &dyn Fn(usize) -> bool,
    ) {
        let messages = core::mem::take(&mut self.messages);
        let mut last = None;
        self.empty();
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
            if is_changed(index) {
                self.changes.note(Change::New(index));
            }
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
