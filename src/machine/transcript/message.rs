//! Messages and their parts.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, flag, list, variant};
use crate::machine::reads::note_read;
use crate::machine::{Id, Payload, Phase, ToolPart};
use crate::prelude::*;

enumerated! {
    /// Who wrote a message.
    pub enum Role {
        /// Instructions to the model.
        System = "system",
        /// The user of the chat.
        User = "user",
        /// The model, including the calls of its tools.
        Assistant = "assistant",
    }
}

/// A message of the conversation.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// The id, set by the backend or the host.
    pub id: Id,
    /// Who wrote the message.
    pub role: Role,
    /// All other properties of the message (metadata, unknown fields).
    pub fields: Payload,
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// The object that the message was loaded from, reused as long as no part changes.
    pub source: Payload,
    /// Whether the backend got this user message in a request of its own, while approvals were pending.
    pub passed: bool,
}

impl Message {
    /// A message without parts.
    #[must_use]
    pub fn new(id: Id, role: Role) -> Self {
        Self { id, role, fields: Payload::NONE, parts: Vec::new(), source: Payload::NONE, passed: false }
    }

    /// The index of the first part of the last step: after the message's last step boundary, or 0 without one.
    #[must_use]
    pub fn last_step(&self) -> usize {
        first_of_step(&self.parts)
    }

    /// The tool calls, in call order.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &ToolPart> {
        self.parts.iter().filter_map(Part::tool)
    }

    /// Visits every value that the message holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        each(self.fields);
        each(self.source);
        for part in &self.parts {
            match part {
                Part::StepStart => {}
                Part::Content { value, .. } => each(*value),
                Part::Tool(tool) => tool.payloads(each),
            }
        }
    }

    /// Visits every id that the message holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        each(self.id);
        for tool in self.calls() {
            let approval = tool.approval_id();
            each_of(&[Some(tool.call), Some(tool.name), approval], each);
        }
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { id, role, fields, parts, source, passed } = self;
        ledger.id(id);
        variant(ledger, role, Role::ALL);
        flag(ledger, passed);
        ledger.payload(fields);
        list(ledger, parts, || Part::StepStart, Part::ledger);
        // Whether the message still equals its source is not saved.
        if ledger.is_reading() {
            *source = Payload::NONE;
        }
    }
}

/// A part of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A step boundary: the model was called, or called again.
    StepStart,
    /// Content other than a tool call, such as a text, a file or a source.
    Content {
        /// The codec's number for the kind of content.
        kind: u8,
        /// The part's value, as the view shows it.
        value: Payload,
    },
    /// A tool call.
    Tool(Box<ToolPart>),
}

/// The index of the first part of the last step.
pub(in crate::machine) fn first_of_step(parts: &[Part]) -> usize {
    parts.iter().rposition(Part::is_boundary).map_or(0, |at| at + 1)
}

impl Part {
    /// The tool call, if the part is one.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolPart> {
        note_read();
        match self {
            Part::Tool(part) => Some(part),
            Part::StepStart | Part::Content { .. } => None,
        }
    }

    /// Whether the part is a step boundary.
    pub(in crate::machine) fn is_boundary(&self) -> bool {
        note_read();
        matches!(self, Part::StepStart)
    }

    fn ledger(ledger: &mut dyn Ledger, part: &mut Part) {
        let mut kind = match part {
            Part::StepStart => 0,
            Part::Tool(_) => 1,
            Part::Content { kind, .. } => 2 + u32::from(*kind),
        };
        ledger.number(&mut kind);
        if ledger.is_reading() {
            *part = match kind {
                0 => Part::StepStart,
                1 => Part::Tool(Box::new(ToolPart::new(Id::default(), Id::default(), Phase::InputStreaming))),
                _ => Part::Content { kind: u8::try_from(kind - 2).unwrap_or(u8::MAX), value: Payload::NONE },
            };
        }
        match part {
            Part::StepStart => {}
            Part::Tool(tool) => tool.ledger(ledger),
            Part::Content { value, .. } => ledger.payload(value),
        }
    }
}

/// The position of a part in the transcript.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartPos {
    /// Index of the message.
    pub message: usize,
    /// Index of the part in the message.
    pub part: usize,
}
