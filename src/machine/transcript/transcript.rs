//! Reads and changes messages and calls.

use super::calls::Calls;
use super::changes::Changes;
use super::step::Step;
use super::{ApprovalOwner, Change, Message, PageTools, Part, PartPos};
use crate::machine::sorted::SortedNumbers;
use crate::machine::{CallKey, Id, IdMap, Options, Payload, Reread, ToolPart};
use crate::prelude::*;

/// The messages, with their indexes.
#[derive(Clone, Default, Debug)]
pub struct Transcript {
    pub(super) messages: Vec<Message>,
    /// The index of the message with each id.
    pub(super) places: IdMap<u32>,
    pub(super) calls: Calls,
    pub(super) tools: PageTools,
    /// Whether the backend waits for an answer to each request of the turn.
    pub(super) answers_turn: bool,
    pub(super) step: Step,
    /// The index of the first message after the user's last one.
    pub(super) turn_start: usize,
    /// The keys of the calls with an unsent decision or page output, in call order.
    pub(super) unsent: SortedNumbers,
    /// The keys of the calls that may still settle, or whose denial is not final, in call order.
    pub(super) open: SortedNumbers,
    /// How many results await a rewrite by the host.
    pub(super) awaiting_rewrite: u32,
    /// The numbers of the items with a decision or an output of a call that has changed, until they are checked.
    pub(super) unchecked: SortedNumbers,
    pub(super) changes: Changes,
}

impl Transcript {
    /// Empties the transcript, and returns what it was. The call keys go on; changes and options stay.
    pub(in crate::machine) fn empty(&mut self) -> Self {
        let mut old = core::mem::take(self);
        core::mem::swap(&mut self.tools, &mut old.tools);
        core::mem::swap(&mut self.changes, &mut old.changes);
        self.answers_turn = old.answers_turn;
        self.calls.count_from(old.calls.introduced());
        self.changes.touch();
        old
    }

    /// Sets which tools run in the page, and which calls can be answered.
    pub(in crate::machine) fn set_options(&mut self, options: &Options) {
        (self.tools, self.answers_turn) = (options.page_tools.clone(), options.answering);
        self.recount_step();
    }

    /// All messages, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The last message.
    #[must_use]
    pub fn last(&self) -> Option<&Message> {
        self.messages.last()
    }

    /// The index of the message with this id.
    #[must_use]
    pub fn position(&self, id: Id) -> Option<usize> {
        self.places.get(id).map(|place| place as usize)
    }

    /// The position of the call with this key.
    #[must_use]
    pub fn place(&self, key: CallKey) -> Option<PartPos> {
        self.calls.place(key)
    }

    /// Whether a call got this key, even if the call was removed since.
    pub(in crate::machine) fn has_given_out(&self, key: CallKey) -> bool {
        key.0 < self.calls.introduced()
    }

    /// The call with this key.
    #[must_use]
    pub fn call(&self, key: CallKey) -> Option<&ToolPart> {
        self.place(key).and_then(|at| self.tool(at))
    }

    /// The newest call with this id.
    #[must_use]
    pub fn newest(&self, id: Id) -> Option<CallKey> {
        self.calls.newest(id)
    }

    /// The calls with this id, newest first.
    pub fn calls_named(&self, id: Id) -> impl Iterator<Item = (PartPos, &ToolPart)> {
        let mut next = self.calls.newest(id);
        core::iter::from_fn(move || {
            let at = self.place(next?)?;
            let part = self.tool(at)?;
            next = part.previous;
            Some((at, part))
        })
    }

    /// The place of the previous call with the id of this one, if it is in the same message, not before the part
    /// `from`.
    #[must_use]
    pub fn earlier_in_step(&self, part: &ToolPart, from: usize) -> Option<usize> {
        let (at, earlier) = (self.place(part.key)?, self.place(part.previous?)?);
        (earlier.message == at.message && earlier.part >= from).then_some(earlier.part)
    }

    /// The call at this position.
    #[must_use]
    pub fn tool(&self, at: PartPos) -> Option<&ToolPart> {
        self.messages.get(at.message)?.parts.get(at.part)?.tool()
    }

    /// What a second reading has done with the call at this position. No view shows it.
    pub(in crate::machine) fn reread_mut(&mut self, at: PartPos) -> Option<&mut Reread> {
        match self.messages.get_mut(at.message)?.parts.get_mut(at.part)? {
            Part::Tool(part) => Some(&mut part.reread),
            Part::StepStart | Part::Content { .. } => None,
        }
    }

    /// Sets what a second reading has done with each call of a message. `read` gets the index of the call's part.
    pub(in crate::machine) fn reread(&mut self, message: usize, read: &mut dyn FnMut(usize, &ToolPart) -> Reread) {
        let Some(message) = self.messages.get_mut(message) else { return };
        for (at, part) in message.parts.iter_mut().enumerate() {
            if let Part::Tool(part) = part {
                part.reread = read(at, part);
            }
        }
    }

    /// The value of the content part at this position.
    #[must_use]
    pub fn content(&self, at: PartPos) -> Option<(u8, Payload)> {
        match self.messages.get(at.message)?.parts.get(at.part)? {
            Part::Content { kind, value } => Some((*kind, *value)),
            Part::StepStart | Part::Tool(_) => None,
        }
    }

    /// Changes the call at this position, and updates everything derived from it. No other function changes a call.
    pub(in crate::machine) fn update(&mut self, at: PartPos, change: &mut dyn FnMut(&mut ToolPart)) {
        let in_step = self.step.contains(at);
        let Some(message) = self.messages.get_mut(at.message) else { return };
        let Some(Part::Tool(part)) = message.parts.get_mut(at.part) else { return };
        message.source = Payload::NONE;
        if in_step {
            self.step.remove(part, &self.tools);
        }
        let (was_unwritten, was_unsent, was_open) = (part.awaits_rewrite, is_unsent(part), part.phase().is_open());
        note_items(&mut self.unchecked, part);
        change(part);
        if in_step {
            self.step.add(part, &self.tools);
        }
        self.awaiting_rewrite = self.awaiting_rewrite + u32::from(part.awaits_rewrite) - u32::from(was_unwritten);
        let (key, now_unsent, now_open) = (part.key, is_unsent(part), part.phase().is_open());
        if was_unsent != now_unsent {
            self.unsent.set(key.0, now_unsent);
        }
        if was_open != now_open {
            self.open.set(key.0, now_open);
        }
        self.changes.note(Change::Part(at));
    }

    /// Lets an item be checked, because it needs the user's attention now.
    pub(in crate::machine) fn check_item(&mut self, item: u32) {
        self.unchecked.set(item, true);
    }

    /// The items to check. They count as checked from now on.
    pub(in crate::machine) fn take_unchecked(&mut self) -> SortedNumbers {
        core::mem::take(&mut self.unchecked)
    }

    // Lookups of approvals.

    /// The owner of the approval.
    #[must_use]
    pub fn approval(&self, approval: Id) -> Option<ApprovalOwner> {
        self.calls.owner(approval)
    }

    /// Whether the approval belonged to a call that was removed.
    #[must_use]
    pub fn was_removed(&self, approval: Id) -> bool {
        self.calls.removed().contains(&approval)
    }

    /// Every known approval, with its owner.
    pub fn approvals(&self) -> impl Iterator<Item = (Id, ApprovalOwner)> {
        self.calls.owners()
    }

    pub(in crate::machine) fn own_approval(&mut self, approval: Id, key: CallKey) {
        let before = self.calls.owner(approval).map(ApprovalOwner::key);
        self.calls.own(approval, ApprovalOwner::Call(key));
        // Owners are saved with the messages of their calls.
        each_of(&[before, Some(key)], &mut |key| self.stamp(key));
    }

    fn stamp(&mut self, key: CallKey) {
        if let Some(at) = self.place(key) {
            self.changes.stamp(at.message);
        }
    }

    /// Marks an approval of this call as superseded.
    pub(in crate::machine) fn supersede(&mut self, approval: Id, key: CallKey) {
        self.calls.supersede(approval, key);
        self.stamp(key);
    }

    /// Remembers an approval that no call of this transcript has.
    pub(in crate::machine) fn remember_removed(&mut self, approval: Id) {
        self.calls.remember_removed(approval);
    }

    /// Remembers the removed approvals of another transcript, unless this one has them.
    pub(in crate::machine) fn remember_removed_of(&mut self, other: &Transcript) {
        for &id in other.calls.removed() {
            if self.calls.owner(id).is_none() {
                self.calls.remember_removed(id);
            }
        }
    }
}

/// Adds the numbers of the items that contain the call's decision and its output.
pub(super) fn note_items(unchecked: &mut SortedNumbers, part: &ToolPart) {
    part.items(&mut |item| unchecked.set(item, true));
}

/// Whether the call has a decision or a page output that no request to the server contains.
pub(super) fn is_unsent(part: &ToolPart) -> bool {
    part.unsent_output || part.is_undelivered()
}
