//! Lets the host rewrite results that this client wrote, before they are sent.
//!
//! The host may answer later. Nothing is sent while a rewrite is missing.

use crate::machine::{CallKey, DecidedBy, Decision, Event, Machine, PartPos, Payload, ToolPart};

impl Machine {
    /// After a call settled: asks the host for a rewrite, if this client wrote the result.
    pub(in crate::machine) fn await_rewrite(&mut self, at: PartPos) {
        if self.options.rewrites && self.transcript.tool(at).is_some_and(is_ours) {
            self.transcript.update(at, &mut |part| part.awaits_rewrite = true);
        }
    }

    /// Stores the host's rewrite of a call's result. Returns `false` if that call awaits none.
    pub fn rewrite(&mut self, call: CallKey, text: Payload) -> bool {
        let Some(at) = self.transcript.place(call).filter(|_| self.transcript.awaiting_rewrite() > 0) else {
            return false;
        };
        if !self.transcript.tool(at).is_some_and(ToolPart::awaits_rewrite) {
            return false;
        }
        self.transcript.update(at, &mut |part| {
            part.awaits_rewrite = false;
            part.written = text;
        });
        true
    }

    /// Stops waiting for rewrites, and reports the results unchanged.
    pub(in crate::machine) fn stop_rewriting(&mut self) {
        self.report_awaiting_rewrites(false);
    }

    /// After a restore: asks the host again for missing rewrites, if it still rewrites.
    pub(in crate::machine) fn request_rewrites_again(&mut self) {
        self.report_awaiting_rewrites(self.options.rewrites);
    }

    /// Reports every result that awaits a rewrite. `waits`: whether to keep waiting.
    fn report_awaiting_rewrites(&mut self, waits: bool) {
        if self.transcript.awaiting_rewrite() == 0 {
            return;
        }
        for at in self.transcript.all_calls() {
            let Some(part) = self.transcript.tool(at).filter(|part| part.awaits_rewrite()) else { continue };
            let Some(outcome) = part.outcome().cloned() else { continue };
            let event =
                Event::Result { key: part.key(), call: part.call, tool: part.name, outcome, output: part.output };
            self.transcript.update(at, &mut |part| part.awaits_rewrite = waits);
            self.push_event(event);
        }
    }
}

/// Whether this client wrote the result: neither the tool nor the backend did.
fn is_ours(part: &ToolPart) -> bool {
    let by_backend = |decision: &Decision| !decision.approved && decision.by == DecidedBy::Backend;
    let denied_there = part.decision().is_some_and(by_backend);
    part.input_complete && !denied_there && part.outcome().is_some_and(|outcome| !outcome.kind.is_from_tool())
}
