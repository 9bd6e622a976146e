//! The messages, and how to find and change what is in them.

use super::calls::Calls;
use super::changes::Changes;
use super::step::Step;
use super::{ApprovalOwner, Change, Message, PageTools, Part, PartPos, Role};
use crate::machine::ledger::{Ledger, counter, flag, key, list};
use crate::machine::{CallKey, Id, Payload, ToolPart};
use crate::prelude::*;

/// The messages, with their indexes.
#[derive(Clone, Default, Debug)]
pub struct Transcript {
    messages: Vec<Message>,
    calls: Calls,
    tools: PageTools,
    step: Step,
    /// The index of the first message after the user's last one.
    turn_start: usize,
    /// The calls with something unsent (a decision or the page's output), in call order.
    unsent: Vec<CallKey>,
    /// How many results wait for what the host makes of them.
    unwritten: u32,
    changes: Changes,
}

impl Transcript {
    /// An empty transcript. `tools`: which tools run in the page.
    #[must_use]
    pub fn new(tools: PageTools) -> Self {
        Self { tools, ..Self::default() }
    }

    /// An empty transcript whose calls go on counting where this one's are.
    pub(in crate::machine) fn emptied(&self) -> Self {
        let mut empty = Self::new(self.tools.clone());
        empty.calls.count_from(self.calls.introduced());
        empty.changes = self.changes.clone();
        empty.changes.touch();
        empty
    }

    /// Says which tools run in the page from now on.
    pub(in crate::machine) fn set_tools(&mut self, tools: PageTools) {
        self.tools = tools;
        self.find_step();
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
        // What is looked for mostly is the last message.
        self.messages.iter().rposition(|message| message.id == id)
    }

    /// Where the call is.
    #[must_use]
    pub fn place(&self, key: CallKey) -> Option<PartPos> {
        self.calls.place(key)
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

    /// Whether a later call of the same step has the id of this one.
    #[must_use]
    pub fn is_replaced(&self, key: CallKey) -> bool {
        let (Some(at), Some(part)) = (self.place(key), self.call(key)) else { return false };
        let parts = self.messages.get(at.message).map_or(&[][..], |message| &message.parts);
        let newer = self.calls_named(part.call).take_while(|(_, newer)| newer.key > key);
        let mut newer = newer.filter(|(newer, _)| newer.message == at.message);
        newer.any(|(newer, _)| !parts[at.part..newer.part].contains(&Part::StepStart))
    }

    /// The call at this position.
    #[must_use]
    pub fn tool(&self, at: PartPos) -> Option<&ToolPart> {
        self.messages.get(at.message)?.parts.get(at.part)?.tool()
    }

    /// The value of the content part at this position.
    #[must_use]
    pub fn content(&self, at: PartPos) -> Option<(u8, Payload)> {
        match self.messages.get(at.message)?.parts.get(at.part)? {
            Part::Content { kind, value } => Some((*kind, *value)),
            Part::StepStart | Part::Tool(_) => None,
        }
    }

    /// Changes the call at this position: the one way in which a call changes. What depends on it follows.
    pub(in crate::machine) fn update(&mut self, at: PartPos, change: &mut dyn FnMut(&mut ToolPart)) {
        let in_step = self.step.contains(at);
        let Some(message) = self.messages.get_mut(at.message) else { return };
        let Some(Part::Tool(part)) = message.parts.get_mut(at.part) else { return };
        message.source = Payload::NONE;
        if in_step {
            self.step.count(part, &self.tools, -1);
        }
        let (was_unwritten, was_unsent) = (part.awaits_rewrite, is_unsent(part));
        change(part);
        if in_step {
            self.step.count(part, &self.tools, 1);
        }
        self.unwritten = self.unwritten + u32::from(part.awaits_rewrite) - u32::from(was_unwritten);
        let (key, now_unsent) = (part.key, is_unsent(part));
        if was_unsent != now_unsent {
            self.set_unsent(key, now_unsent);
        }
        self.changes.note(Change::Part(at));
    }

    fn set_unsent(&mut self, key: CallKey, is_unsent: bool) {
        match (self.unsent.binary_search(&key), is_unsent) {
            (Err(place), true) => self.unsent.insert(place, key),
            (Ok(place), false) => {
                self.unsent.remove(place);
            }
            (Ok(_), true) | (Err(_), false) => {}
        }
    }

    // Approvals.

    /// Whom the approval belongs to.
    #[must_use]
    pub fn approval(&self, approval: Id) -> Option<ApprovalOwner> {
        self.calls.owner(approval)
    }

    /// Whether the approval belonged to a call that was removed.
    #[must_use]
    pub fn was_removed(&self, approval: Id) -> bool {
        self.calls.removed().contains(&approval)
    }

    /// Every approval that is known, with its owner.
    pub fn approvals(&self) -> impl Iterator<Item = (Id, ApprovalOwner)> {
        self.calls.owners()
    }

    pub(in crate::machine) fn own_approval(&mut self, approval: Id, key: CallKey) {
        self.calls.own(approval, ApprovalOwner::Call(key));
    }

    /// Closes an approval of this call for good.
    pub(in crate::machine) fn supersede(&mut self, approval: Id, key: CallKey) {
        self.calls.supersede(approval, key);
    }

    /// Remembers the approvals of another transcript as closed, but for those that this one has.
    pub(in crate::machine) fn remember_approvals_of(&mut self, other: &Transcript) {
        let known = other.calls.removed().iter().copied().chain(other.approvals().map(|(id, _)| id));
        for id in known {
            if self.calls.owner(id).is_none() {
                self.calls.remember_removed(id);
            }
        }
    }

    // The current step and the turn.

    /// Whether the part is in the current step.
    #[must_use]
    pub fn is_in_step(&self, at: PartPos) -> bool {
        self.step.contains(at)
    }

    /// The positions in the current step: those of the calls that a request can still answer, among others.
    pub fn step(&self) -> impl Iterator<Item = PartPos> + use<> {
        let start = self.step.start.unwrap_or(PartPos { message: 0, part: usize::MAX });
        let end = self.step.start.and_then(|at| self.messages.get(at.message)).map_or(0, |message| message.parts.len());
        (start.part..end).map(move |part| PartPos { message: start.message, part })
    }

    /// The calls of the current step, in call order.
    pub fn step_calls(&self) -> impl Iterator<Item = (PartPos, &ToolPart)> {
        self.step().filter_map(|at| Some((at, self.tool(at)?)))
    }

    /// The positions of the calls from this message on, in call order.
    #[must_use]
    pub fn calls_from(&self, message: usize) -> Vec<PartPos> {
        let mut places = Vec::new();
        for (message, of) in self.messages.iter().enumerate().skip(message) {
            let is_call = |(_, part): &(usize, &Part)| part.tool().is_some();
            places.extend(of.parts.iter().enumerate().filter(is_call).map(|(part, _)| PartPos { message, part }));
        }
        places
    }

    /// The positions of the turn's calls: of all messages after the user's last one.
    #[must_use]
    pub fn turn_calls(&self) -> Vec<PartPos> {
        self.calls_from(self.turn_start)
    }

    /// Whether this message is part of the turn: no message of the user follows it.
    #[must_use]
    pub fn is_in_turn(&self, message: usize) -> bool {
        message >= self.turn_start
    }

    /// The user's message that began the turn.
    #[must_use]
    pub fn turn_message(&self) -> Option<Id> {
        Some(self.messages.get(self.turn_start.checked_sub(1)?)?.id)
    }

    /// How many calls of the step wait for the user.
    #[must_use]
    pub fn waiting_for_user(&self) -> u32 {
        self.step.user
    }

    /// How many of these expire.
    #[must_use]
    pub fn expiring(&self) -> u32 {
        self.step.expiring
    }

    /// How many calls of the step are the page's to run.
    #[must_use]
    pub fn waiting_for_page(&self) -> u32 {
        self.step.page
    }

    /// How many calls of the step their server runs.
    #[must_use]
    pub fn waiting_for_server(&self) -> u32 {
        self.step.server
    }

    /// How many calls of the step wait for the rest of their stream.
    #[must_use]
    pub fn waiting_for_stream(&self) -> u32 {
        self.step.stream
    }

    /// How many results wait for what the host makes of them.
    #[must_use]
    pub fn unwritten(&self) -> u32 {
        self.unwritten
    }

    /// Whether a decision or an output of the page in this turn is in no request yet.
    #[must_use]
    pub fn has_unsent(&self) -> bool {
        self.unsent_calls().next().is_some()
    }

    /// The turn's calls with a decision or an output of the page that is in no request yet, in call order.
    pub fn unsent_calls(&self) -> impl Iterator<Item = (PartPos, &ToolPart)> {
        let places = self.unsent.iter().filter_map(|&key| self.place(key));
        places.filter(|at| self.is_in_turn(at.message)).filter_map(|at| Some((at, self.tool(at)?)))
    }

    // Messages and parts.

    /// Adds a message at the end.
    pub(in crate::machine) fn push_message(&mut self, message: Message) -> usize {
        self.insert_message(self.messages.len(), message)
    }

    /// Inserts a message before the one at `place`. Those that follow must have no calls.
    pub(in crate::machine) fn insert_message(&mut self, place: usize, mut message: Message) -> usize {
        self.calls.shift(place);
        for (part, value) in message.parts.iter_mut().enumerate() {
            if let Part::Tool(tool) = value {
                tool.key = self.calls.introduce();
                self.index(tool, PartPos { message: place, part });
            }
        }
        if message.role == Role::User && place >= self.turn_start {
            self.turn_start = place + 1;
        } else if place < self.turn_start {
            self.turn_start += 1;
        }
        self.messages.insert(place, message);
        (place..self.messages.len()).for_each(|place| self.changes.note(Change::New(place)));
        self.find_step();
        place
    }

    /// Adds a part at the end of a message, which must be the last one with calls.
    pub(in crate::machine) fn push_part(&mut self, message: usize, mut part: Part) -> Option<PartPos> {
        let at = PartPos { message, part: self.messages.get(message)?.parts.len() };
        if let Part::Tool(tool) = &mut part {
            tool.key = self.calls.introduce();
            self.index(tool, at);
        }
        let is_boundary = part == Part::StepStart;
        if let Some(tool) = part.tool().filter(|_| self.step.contains(at)) {
            self.step.count(tool, &self.tools, 1);
        }
        let message = self.messages.get_mut(message)?;
        message.parts.push(part);
        message.source = Payload::NONE;
        self.changes.note(Change::Part(at));
        if is_boundary {
            self.find_step();
        }
        Some(at)
    }

    /// Makes a call that has its key known by it, and by its id and approval.
    fn index(&mut self, tool: &mut ToolPart, at: PartPos) {
        tool.previous = self.calls.newest(tool.call);
        self.calls.add(tool.key, tool.call, at);
        if let Some(approval) = &tool.approval {
            self.calls.own(approval.id, ApprovalOwner::Call(tool.key));
        }
        if is_unsent(tool) {
            self.set_unsent(tool.key, true);
        }
        self.unwritten += u32::from(tool.awaits_rewrite);
    }

    /// Replaces the content part at this position.
    pub(in crate::machine) fn set_content(&mut self, at: PartPos, kind: u8, value: Payload) {
        let Some(message) = self.messages.get_mut(at.message) else { return };
        let Some(slot) = message.parts.get_mut(at.part).filter(|part| part.tool().is_none()) else { return };
        *slot = Part::Content { kind, value };
        message.source = Payload::NONE;
        self.changes.note(Change::Part(at));
    }

    /// Changes a message's id or fields.
    pub(in crate::machine) fn set_head(&mut self, message: usize, change: &mut dyn FnMut(&mut Message)) {
        let Some(of) = self.messages.get_mut(message) else { return };
        change(of);
        of.source = Payload::NONE;
        self.changes.note(Change::Message(message));
    }

    /// Notes that a part shows something else, though it did not change itself.
    pub(in crate::machine) fn note(&mut self, at: PartPos) {
        if let Some(message) = self.messages.get_mut(at.message) {
            message.source = Payload::NONE;
            self.changes.note(Change::Part(at));
        }
    }

    /// Removes the parts of the last message with calls from `from` on. Returns the ids of the calls among them.
    pub(in crate::machine) fn cut_parts(&mut self, message: usize, from: usize) -> Vec<Id> {
        let Some(of) = self.messages.get_mut(message) else { return Vec::new() };
        let removed = of.parts.split_off(from.min(of.parts.len()));
        of.source = Payload::NONE;
        let ids = self.forget(removed.iter());
        self.changes.note(Change::Message(message));
        self.find_step();
        ids
    }

    /// Removes the messages from `from` on. Returns the ids of the calls in them.
    pub(in crate::machine) fn cut_messages(&mut self, from: usize) -> Vec<Id> {
        let removed = self.messages.split_off(from.min(self.messages.len()));
        let ids = self.forget(removed.iter().flat_map(|message| &message.parts));
        let users = self.messages.iter().rposition(|message| message.role == Role::User);
        self.turn_start = users.map_or(0, |user| user + 1);
        self.changes.touch();
        self.find_step();
        ids
    }

    fn forget<'a>(&mut self, parts: impl DoubleEndedIterator<Item = &'a Part>) -> Vec<Id> {
        let removed: Vec<&ToolPart> = parts.filter_map(Part::tool).collect();
        for tool in &removed {
            self.set_unsent(tool.key, false);
            self.unwritten -= u32::from(tool.awaits_rewrite);
        }
        self.calls.remove(removed.iter().rev().map(|tool| (tool.key, tool.call, tool.previous)));
        removed.iter().map(|tool| tool.call).collect()
    }

    /// Finds the current step, and counts what its calls wait for.
    fn find_step(&mut self) {
        self.step = Step::default();
        let Some((message, last)) = self.messages.iter().enumerate().next_back() else { return };
        if last.role == Role::Assistant {
            self.step.start = Some(PartPos { message, part: last.last_step() });
            for tool in last.parts[last.last_step()..].iter().filter_map(Part::tool) {
                self.step.count(tool, &self.tools, 1);
            }
        }
    }

    // What changed, and what is saved.

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
        let unsent: Vec<CallKey> = parts().filter(|part| is_unsent(part)).map(|part| part.key).collect();
        let unwritten = parts().filter(|part| part.awaits_rewrite).count();
        let found = |part: &ToolPart| self.call(part.key).is_some_and(|found| core::ptr::eq(found, part));
        let users = self.messages.iter().rposition(|message| message.role == Role::User);
        anew.step == self.step
            && unsent == self.unsent
            && unwritten == self.unwritten as usize
            && users.map_or(0, |user| user + 1) == self.turn_start
            && parts().all(found)
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
        let Self { messages, calls, tools: _, step: _, turn_start: _, unsent: _, unwritten: _, changes: _ } = self;
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

/// Whether something about the call is in no request yet.
fn is_unsent(part: &ToolPart) -> bool {
    part.unsent_output || part.is_undelivered()
}
