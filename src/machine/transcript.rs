//! The ordered messages: the only copy of the conversation.
//!
//! It finds calls and approvals by id and keeps note of what changed since the view last looked,
//! so that a view of ten thousand messages costs what changed, not what is there.

use super::{ById, Id, Payload, ToolPart};
use crate::prelude::*;

/// Who wrote a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Instructions.
    System,
    /// The user.
    User,
    /// The model, and the tools it called.
    Assistant,
}

impl Role {
    /// The role as it is written on every wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// One message.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Its id.
    pub id: Id,
    /// Who wrote it.
    pub role: Role,
    /// Everything else the wire says about it (metadata, unknown fields).
    pub fields: Payload,
    /// What it consists of, in order.
    pub parts: Vec<Part>,
    /// The message as it was taken in, as long as it says the same as its parts do.
    pub source: Payload,
}

impl Message {
    /// An empty message.
    #[must_use]
    pub fn new(id: Id, role: Role) -> Self {
        Self { id, role, fields: Payload::NONE, parts: Vec::new(), source: Payload::NONE }
    }

    /// Where the last step of the message begins: behind its last step boundary.
    #[must_use]
    pub fn last_step(&self) -> usize {
        self.parts.iter().rposition(|part| matches!(part, Part::StepStart)).map_or(0, |at| at + 1)
    }

    /// The tool calls, in call order.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &ToolPart> {
        self.parts.iter().filter_map(Part::tool)
    }
}

/// One part of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A step boundary: the model was called (again).
    StepStart,
    /// Text, a file, a source …: nothing that waits for anybody. A wire knows what it is.
    Content {
        /// Which kind, in the numbering of the wire that reads and writes it.
        kind: u8,
        /// The part as the view shows it.
        value: Payload,
    },
    /// A tool call.
    Tool(Box<ToolPart>),
}

impl Part {
    /// The tool call, if it is one.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolPart> {
        match self {
            Part::Tool(part) => Some(part),
            Part::StepStart | Part::Content { .. } => None,
        }
    }
}

/// The place of a part: message, then part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    /// Index of the message.
    pub message: usize,
    /// Index of the part in it.
    pub part: usize,
}

/// Whom an approval id belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// The approval of this call.
    Call(Id),
    /// A later message, step, request or edit closed it; it belonged to this call.
    Superseded(Id),
}

/// What changed since the view last looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// One part, in place.
    Part(At),
    /// The message's head, or how many parts it has.
    Message(usize),
    /// The message is new.
    New(usize),
}

/// The messages, and how to find what is in them.
#[derive(Clone, Default, Debug)]
pub struct Transcript {
    messages: Vec<Message>,
    calls: ById<At>,
    approvals: ById<Holder>,
    changes: Vec<Change>,
    /// By message: what of it is in `changes` already. First its head, then that it is new, then its parts.
    noted: Vec<Vec<bool>>,
}

/// `part` of an [`At`] that stands for the message's head in the note of changes.
const HEAD: usize = usize::MAX;
/// `part` of an [`At`] that stands for a message that is new.
const NEW: usize = usize::MAX - 1;

impl Transcript {
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

    /// Where the call is.
    #[must_use]
    pub fn find(&self, call: Id) -> Option<At> {
        self.calls.get(call)
    }

    /// The call.
    #[must_use]
    pub fn call(&self, call: Id) -> Option<&ToolPart> {
        self.find(call).and_then(|at| self.tool(at))
    }

    /// The call at this place.
    #[must_use]
    pub fn tool(&self, at: At) -> Option<&ToolPart> {
        self.messages.get(at.message)?.parts.get(at.part)?.tool()
    }

    /// The call at this place, to be changed.
    pub(super) fn tool_mut(&mut self, at: At) -> Option<&mut ToolPart> {
        self.note(at);
        match self.messages.get_mut(at.message)?.parts.get_mut(at.part)? {
            Part::Tool(part) => Some(part),
            Part::StepStart | Part::Content { .. } => None,
        }
    }

    /// Whom the approval belongs to.
    #[must_use]
    pub fn approval(&self, approval: Id) -> Option<Holder> {
        self.approvals.get(approval)
    }

    /// Every approval that was ever asked for.
    pub fn approvals(&self) -> impl Iterator<Item = (Id, Holder)> {
        self.approvals.iter()
    }

    pub(super) fn set_approval(&mut self, approval: Id, holder: Holder) {
        self.approvals.set(approval, Some(holder));
    }

    /// Finds the approval of the call at this place, if nobody has it yet: a denial on record brings its own.
    pub(super) fn index_approval(&mut self, at: At) {
        if let Some(tool) = self.tool(at)
            && let Some(approval) = &tool.approval
            && self.approvals.get(approval.id).is_none()
        {
            self.approvals.set(approval.id, Some(Holder::Call(tool.call)));
        }
    }

    /// Closes an approval for good.
    pub(super) fn supersede(&mut self, approval: Id) {
        if let Some(Holder::Call(call)) = self.approvals.get(approval) {
            self.approvals.set(approval, Some(Holder::Superseded(call)));
        }
    }

    pub(super) fn push_message(&mut self, message: Message) -> usize {
        let at = self.messages.len();
        for (part, value) in message.parts.iter().enumerate() {
            if let Part::Tool(tool) = value {
                self.calls.set(tool.call, Some(At { message: at, part }));
                if let Some(approval) = &tool.approval {
                    self.approvals.set(approval.id, Some(Holder::Call(tool.call)));
                }
            }
        }
        self.messages.push(message);
        self.note(At { message: at, part: NEW });
        at
    }

    pub(super) fn push_part(&mut self, message: usize, part: Part) -> Option<At> {
        let parts = &mut self.messages.get_mut(message)?.parts;
        let at = At { message, part: parts.len() };
        if let Part::Tool(tool) = &part {
            self.calls.set(tool.call, Some(at));
        }
        parts.push(part);
        self.note(at);
        Some(at)
    }

    pub(super) fn set_part(&mut self, at: At, part: Part) {
        if let Some(slot) = self.messages.get_mut(at.message).and_then(|message| message.parts.get_mut(at.part)) {
            *slot = part;
            self.note(at);
        }
    }

    pub(super) fn set_fields(&mut self, message: usize, fields: Payload) {
        if let Some(message) = self.messages.get_mut(message) {
            message.fields = fields;
        }
        self.note(At { message, part: HEAD });
    }

    pub(super) fn rename(&mut self, message: usize, id: Id) {
        if let Some(message) = self.messages.get_mut(message) {
            message.id = id;
        }
        self.note(At { message, part: HEAD });
    }

    /// Drops the parts of a message from `from` on. Their approvals are closed.
    pub(super) fn cut_parts(&mut self, message: usize, from: usize) {
        let Some(parts) = self.messages.get_mut(message).map(|message| &mut message.parts) else { return };
        let dropped = parts.split_off(from.min(parts.len()));
        self.forget(&dropped);
        self.note(At { message, part: HEAD });
    }

    /// Drops the messages from `from` on. Their approvals are closed.
    pub(super) fn cut_messages(&mut self, from: usize) {
        let dropped = self.messages.split_off(from.min(self.messages.len()));
        for message in &dropped {
            self.forget(&message.parts);
        }
    }

    fn forget(&mut self, parts: &[Part]) {
        for tool in parts.iter().filter_map(Part::tool) {
            self.calls.set(tool.call, None);
            if let Some(approval) = &tool.approval {
                self.supersede(approval.id);
            }
        }
    }

    /// Notes that a place changed.
    pub(super) fn note(&mut self, at: At) {
        if at.message >= self.noted.len() {
            self.noted.resize(at.message + 1, Vec::new());
        }
        if at.part != NEW
            && let Some(message) = self.messages.get_mut(at.message)
        {
            message.source = Payload::NONE;
        }
        let noted = &mut self.noted[at.message];
        let (slot, change) = match at.part {
            HEAD => (0, Change::Message(at.message)),
            NEW => (1, Change::New(at.message)),
            part => (part + 2, Change::Part(at)),
        };
        if slot >= noted.len() {
            noted.resize(slot + 1, false);
        }
        if !noted[slot] {
            noted[slot] = true;
            self.changes.push(change);
        }
    }

    /// What changed since the last call, each place once. Places behind the end are gone.
    pub fn take_changes(&mut self) -> Vec<Change> {
        let changes = core::mem::take(&mut self.changes);
        for change in &changes {
            let (Change::Message(message) | Change::New(message) | Change::Part(At { message, .. })) = change;
            self.noted[*message].clear();
        }
        changes
    }
}
