//! Adds and removes messages and parts.

use super::step::Step;
use super::transcript::{is_unsent, note_items};
use super::{ApprovalOwner, Change, Message, Part, PartPos, Role, Transcript};
use crate::machine::{Id, Payload, ToolPart};
use crate::prelude::*;

impl Transcript {
    /// Adds a message at the end.
    pub(in crate::machine) fn push_message(&mut self, message: Message) -> usize {
        self.insert_message(self.messages.len(), message)
    }

    /// Inserts a message at this index. The messages after it must have no calls.
    pub(in crate::machine) fn insert_message(&mut self, place: usize, mut message: Message) -> usize {
        if place < self.messages.len() {
            self.calls.shift(place);
        }
        for (part, value) in message.parts.iter_mut().enumerate() {
            if let Part::Tool(tool) = value {
                self.introduce(tool, PartPos { message: place, part });
            }
        }
        if message.role == Role::User && place >= self.turn_start {
            self.turn_start = place + 1;
        } else if place < self.turn_start {
            self.turn_start += 1;
        }
        self.messages.insert(place, message);
        for place in place..self.messages.len() {
            self.changes.note(Change::New(place));
            self.index_message(place);
        }
        // With an answering backend, the reply that a message begins belongs to the step.
        let message = &self.messages[place];
        let is_next = place + 1 == self.messages.len() && message.role == Role::Assistant && message.parts.is_empty();
        if !is_next || !self.answers_turn || self.step.start.is_none() {
            self.recount_step();
        }
        place
    }

    /// Appends a part to a message. No later message may have calls.
    pub(in crate::machine) fn push_part(&mut self, message: usize, mut part: Part) -> Option<PartPos> {
        let at = PartPos { message, part: self.messages.get(message)?.parts.len() };
        if let Part::Tool(tool) = &mut part {
            self.introduce(tool, at);
        }
        let is_boundary = matches!(part, Part::StepStart);
        if let Some(tool) = part.tool().filter(|_| self.step.contains(at)) {
            self.step.add(tool, &self.tools);
        }
        let message = self.messages.get_mut(message)?;
        message.parts.push(part);
        message.source = Payload::NONE;
        self.changes.note(Change::Part(at));
        if is_boundary && !self.answers_turn {
            self.recount_step();
        }
        Some(at)
    }

    /// Gives a new call its key, and counts the earlier calls of its turn with its id. Those that were removed are
    /// counted already.
    fn introduce(&mut self, tool: &mut ToolPart, at: PartPos) {
        tool.key = self.calls.introduce();
        tool.repeats += self.index(tool, at);
    }

    /// Adds a call to the indexes by key, id and approval. The call must have its key. Returns how many earlier calls
    /// of its turn have its id.
    pub(super) fn index(&mut self, tool: &mut ToolPart, at: PartPos) -> u32 {
        tool.previous = self.calls.newest(tool.call);
        let repeats = self.calls.add(tool.key, tool.call, at, self.turn_start);
        if let Some(approval) = &tool.approval {
            self.calls.own(approval.id, ApprovalOwner::Call(tool.key));
        }
        if is_unsent(tool) {
            self.unsent.set(tool.key.0, true);
        }
        if tool.phase().is_open() {
            self.open.set(tool.key.0, true);
        }
        self.awaiting_rewrite += u32::from(tool.awaits_rewrite);
        repeats
    }

    /// Replaces the content part at this position.
    pub(in crate::machine) fn set_content(&mut self, at: PartPos, kind: u8, value: Payload) {
        let Some(message) = self.messages.get_mut(at.message) else { return };
        let Some(slot) = message.parts.get_mut(at.part).filter(|part| part.tool().is_none()) else { return };
        *slot = Part::Content { kind, value };
        message.source = Payload::NONE;
        self.changes.note(Change::Part(at));
    }

    /// Changes the id or the fields of a message.
    pub(in crate::machine) fn set_head(&mut self, message: usize, change: &mut dyn FnMut(&mut Message)) {
        if message >= self.messages.len() {
            return;
        }
        self.unindex_message(message);
        let of = &mut self.messages[message];
        change(of);
        of.source = Payload::NONE;
        self.index_message(message);
        self.changes.note(Change::Message(message));
    }

    /// Adds the message at this place to the index by id.
    pub(super) fn index_message(&mut self, place: usize) {
        self.places.set(self.messages[place].id, u32::try_from(place).ok());
    }

    /// Removes the message at this place from the index by id.
    fn unindex_message(&mut self, place: usize) {
        self.places.set(self.messages[place].id, None);
    }

    /// Records a change of how a part is shown, although the part itself did not change.
    pub(in crate::machine) fn note(&mut self, at: PartPos) {
        if let Some(message) = self.messages.get_mut(at.message) {
            message.source = Payload::NONE;
            self.changes.note(Change::Part(at));
        }
    }

    /// Records that the view must read a whole message.
    pub(in crate::machine) fn note_new(&mut self, message: usize) {
        self.changes.note(Change::New(message));
    }

    /// Removes the parts from `from` on. No later message may have calls. Returns the ids of the removed calls.
    pub(in crate::machine) fn cut_parts(&mut self, message: usize, from: usize) -> Vec<Id> {
        let Some(of) = self.messages.get_mut(message) else { return Vec::new() };
        let removed = of.parts.split_off(from.min(of.parts.len()));
        of.source = Payload::NONE;
        let ids = self.forget(&removed.iter().filter_map(Part::tool).listed());
        self.changes.note(Change::Message(message));
        self.recount_step();
        ids
    }

    /// Removes the messages from `from` on. Returns the ids of the removed calls, and the messages.
    pub(in crate::machine) fn cut_messages(&mut self, from: usize) -> (Vec<Id>, Vec<Message>) {
        (from..self.messages.len()).for_each(|place| self.unindex_message(place));
        let removed = self.messages.split_off(from.min(self.messages.len()));
        let mut calls = Vec::new();
        removed.iter().for_each(|message| message.calls().for_each(|call| calls.push(call)));
        let ids = self.forget(&calls);
        let users = self.messages.iter().rposition(|message| message.role == Role::User);
        self.turn_start = users.map_or(0, |user| user + 1);
        self.changes.touch();
        self.recount_step();
        (ids, removed)
    }

    fn forget(&mut self, removed: &[&ToolPart]) -> Vec<Id> {
        for tool in removed {
            note_items(&mut self.unchecked, tool);
            self.unsent.set(tool.key.0, false);
            self.open.set(tool.key.0, false);
            self.awaiting_rewrite -= u32::from(tool.awaits_rewrite);
        }
        self.calls.remove(removed.iter().rev().map(|tool| (tool.key, tool.call, tool.previous)));
        removed.iter().map(|tool| tool.call).listed()
    }

    /// Finds the current step again, and counts whom its calls wait for.
    pub(super) fn recount_step(&mut self) {
        self.step = self.counted_step();
    }

    /// The current step, found and counted in the messages.
    pub(super) fn counted_step(&self) -> Step {
        let mut step = Step::default();
        if let Some((message, last)) = self.messages.iter().enumerate().next_back()
            && last.role == Role::Assistant
        {
            let whole = PartPos { message: self.turn_start, part: 0 };
            let start = if self.answers_turn { whole } else { PartPos { message, part: last.last_step() } };
            step.start = Some(start);
            self.calls.from(start).filter_map(|at| self.tool(at)).for_each(|tool| step.add(tool, &self.tools));
        }
        step
    }
}
