//! What a request goes without: only a stream could have settled it, and that is over.

use super::{Carried, Kind, Machine, Phase, ToolPart, WaitsFor};
use crate::prelude::*;

impl Machine {
    /// The calls of the step that a request with these goes without: only a stream could have settled them, and it is over.
    pub(super) fn left_over(&self, carried: &[Carried]) -> Vec<super::CallKey> {
        let waits = self.transcript.waiting_for_stream() + self.transcript.waiting_for_server() > 0;
        if !waits && !self.turn.broke_off() {
            return Vec::new();
        }
        let left = self.transcript.step_calls().map(|(_, part)| part).filter(|part| self.is_left(part));
        left.map(ToolPart::key).filter(|key| carried.iter().all(|one| one.call != *key)).collect()
    }

    /// Whether only a stream could have settled a call of the step, and it is over.
    fn is_left(&self, part: &ToolPart) -> bool {
        let broke_off = self.turn.broke_off();
        match part.waits_for(self.options.is_page_tool(part)) {
            WaitsFor::Stream => true,
            WaitsFor::Server => broke_off,
            WaitsFor::Nothing => broke_off && part.phase() == Phase::Submitted && !part.provider_executed,
            WaitsFor::User | WaitsFor::Page => false,
        }
    }

    /// Whether the request that is about to be sent goes without this call: it is written as closed there.
    #[must_use]
    pub fn is_left_over(&self, call: super::CallKey) -> bool {
        let Some(item) = self.outbox.ready_submission() else { return false };
        let Some((at, part)) = self.transcript.place(call).and_then(|at| Some((at, self.transcript.tool(at)?))) else {
            return false;
        };
        match item.kind {
            Kind::Step if self.transcript.is_in_step(at) => self.is_left(part) && item.carries(call).is_none(),
            // What a reply that nobody asked for brings ahead of the user's message is not waited for, nor is an earlier step.
            Kind::Message if self.transcript.is_in_turn(at.message) => false,
            Kind::Step | Kind::Message => !part.phase().is_settled() && !part.is_with_provider(),
            Kind::Regenerate | Kind::Answer => false,
        }
    }
}
