//! Messages and their parts.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, list, variant};
use crate::machine::{Id, Payload, Phase, ToolPart};
use crate::prelude::*;

enumerated! {
    /// Who wrote a message.
    pub enum Role {
        /// Instructions.
        System = "system",
        /// The user.
        User = "user",
        /// The model, and the tools it called.
        Assistant = "assistant",
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
    /// The loaded object, used again while no part has changed.
    pub source: Payload,
}

impl Message {
    /// An empty message.
    #[must_use]
    pub fn new(id: Id, role: Role) -> Self {
        Self { id, role, fields: Payload::NONE, parts: Vec::new(), source: Payload::NONE }
    }

    /// The index of the first part of its last step: the part that follows its last step boundary.
    #[must_use]
    pub fn last_step(&self) -> usize {
        self.parts.iter().rposition(|part| matches!(part, Part::StepStart)).map_or(0, |at| at + 1)
    }

    /// The tool calls, in call order.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &ToolPart> {
        self.parts.iter().filter_map(Part::tool)
    }

    /// Every value that it holds.
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

    /// Every id that it holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        each(self.id);
        for tool in self.calls() {
            let approval = tool.approval.as_ref().map(|approval| approval.id);
            [Some(tool.call), Some(tool.name), approval].into_iter().flatten().for_each(&mut *each);
        }
    }

    /// Its fields, for saving and restoring.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { id, role, fields, parts, source } = self;
        ledger.id(id);
        variant(ledger, role, Role::ALL);
        ledger.payload(fields);
        list(ledger, parts, || Part::StepStart, Part::ledger);
        // Whether a message still says the same as its source is not worth saving.
        if ledger.is_reading() {
            *source = Payload::NONE;
        }
    }
}

/// One part of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A step boundary: the model was called (again).
    StepStart,
    /// Text, a file, a source …: content that waits for nothing. A wire knows what it is.
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

/// The position of a part: message, then part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartPos {
    /// Index of the message.
    pub message: usize,
    /// Index of the part in it.
    pub part: usize,
}
