//! Reads the index of a history, which the host made of messages that need no repair: see
//! `src/ts/gate/saved/history-index.ts`.

use crate::machine::{Id, Message, Outcome, OutcomeKind, Part, Payload, Phase, Role, ToolPart};
use crate::prelude::*;

/// The index of a history, as numbers. Each message is 0 if the host did not index it; else its role plus 1, its id,
/// its other properties, the number of its parts, and the parts: 0 for a step boundary; 1, the kind and the value for
/// content; 2, the id, the tool, whether it is dynamic, the other properties, the input and the output for a call.
pub struct HistoryIndex {
    numbers: alloc::vec::IntoIter<u32>,
    /// The object of the next message that is indexed.
    source: u32,
}

impl HistoryIndex {
    /// An index whose messages are consecutive values from `source` on.
    #[must_use]
    pub fn new(numbers: Vec<u32>, source: u32) -> Self {
        Self { numbers: numbers.into_iter(), source }
    }

    /// Reads the next message. Returns `None` if it is not indexed.
    pub(super) fn message(&mut self) -> Option<Message> {
        let role = *Role::ALL.get(self.next().checked_sub(1)? as usize)?;
        let mut message = Message::new(self.id()?, role);
        message.fields = self.payload();
        let count = self.next();
        message.parts = (0..count).map_while(|_| self.part()).listed();
        message.source = Payload(self.source);
        self.source += 1;
        Some(message)
    }

    fn part(&mut self) -> Option<Part> {
        Some(match self.next() {
            0 => Part::StepStart,
            1 => Part::Content { kind: u8::try_from(self.next()).ok()?, value: self.payload() },
            _ => {
                let mut call = ToolPart::new(self.id()?, self.id()?, Phase::OutputAvailable);
                call.dynamic = self.next() != 0;
                call.fields = self.payload();
                call.input = self.payload();
                call.output = self.payload();
                call.input_complete = true;
                call.read_as(Phase::OutputAvailable, Some(Outcome::new(OutcomeKind::Executed)));
                Part::Tool(Box::new(call))
            }
        })
    }

    fn next(&mut self) -> u32 {
        self.numbers.next().unwrap_or(0)
    }

    fn id(&mut self) -> Option<Id> {
        Id::of(self.next())
    }

    fn payload(&mut self) -> Payload {
        Payload(self.next())
    }
}
