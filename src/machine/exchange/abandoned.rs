//! Calls that a request to the server does not wait for, because only a stream could have settled them, and it has
//! ended. A server's call is one of them if the page does not run the rest.

use crate::machine::{CallKey, Carried, Kind, Machine, Phase, ToolPart, WaitsFor};
use crate::prelude::*;

impl Machine {
    /// The calls of the step that a request with `carried` does not wait for: only a stream could have settled them,
    /// and it has ended.
    pub(in crate::machine) fn abandoned_calls(&self, carried: &[Carried]) -> Vec<CallKey> {
        let waits = self.transcript.waiting_for_stream() + self.transcript.waiting_for_server() > 0;
        if !waits && !self.turn.broke_off() {
            return Vec::new();
        }
        let left =
            self.transcript.step_calls().map(|(_, part)| part).filter(|part| self.only_stream_could_settle(part));
        left.map(ToolPart::key).filter(|key| carried.iter().all(|one| one.call != *key)).listed()
    }

    /// Whether only an ended stream could have settled this call of the step.
    fn only_stream_could_settle(&self, part: &ToolPart) -> bool {
        let broke_off = self.turn.broke_off();
        match part.waits_for(self.options.is_page_tool(part)) {
            WaitsFor::Stream => true,
            WaitsFor::Server => broke_off || !self.options.page_tools.rest,
            WaitsFor::Nothing => broke_off && part.phase() == Phase::Submitted && !part.provider_executed,
            WaitsFor::User | WaitsFor::Page => false,
        }
    }

    /// Whether the request that is about to be sent does not wait for this call, and shows it as closed.
    #[must_use]
    pub fn is_abandoned(&self, call: CallKey) -> bool {
        let Some(item) = self.outbox.ready_submission() else { return false };
        let Some((at, part)) = self.transcript.place(call).and_then(|at| Some((at, self.transcript.tool(at)?))) else {
            return false;
        };
        match item.kind {
            Kind::Step if self.transcript.is_in_step(at) => {
                self.only_stream_could_settle(part) && item.carries(call).is_none()
            }
            // A user message waits neither for calls of an unrequested reply nor for earlier steps.
            Kind::Message if self.transcript.is_in_turn(at.message) => false,
            Kind::Step | Kind::Message => !part.phase().is_settled() && !part.is_with_provider(),
            Kind::Regenerate | Kind::Answer | Kind::PassedMessage => false,
        }
    }
}
