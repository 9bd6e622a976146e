//! Results that this client writes, and what the host makes of them before they are sent.
//!
//! The host may take its time: nothing is sent while it has not answered for each of them.

use super::{CallKey, DecidedBy, Event, Machine, PartPos, Payload, ToolPart};

impl Machine {
    /// A call settled: if this client wrote its result, the host is asked what it makes of it.
    pub(super) fn await_rewrite(&mut self, at: PartPos) {
        if self.options.rewrites && self.transcript.tool(at).is_some_and(is_ours) {
            self.transcript.update(at, &mut |part| part.awaits_rewrite = true);
        }
    }

    /// What the host makes of the result of a call. `false` if it is not waited for.
    pub fn rewrite(&mut self, call: CallKey, text: Payload) -> bool {
        let Some(at) = self.transcript.place(call).filter(|_| self.transcript.unwritten() > 0) else { return false };
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
    pub(super) fn stop_rewriting(&mut self) {
        self.report_unwritten(false);
    }

    /// After a restore the host is asked again, if it still rewrites.
    pub(super) fn ask_again(&mut self) {
        self.report_unwritten(self.options.rewrites);
    }

    /// Reports every result that waits: again to be written, or for good.
    fn report_unwritten(&mut self, waits: bool) {
        if self.transcript.unwritten() == 0 {
            return;
        }
        for at in self.transcript.calls_from(0) {
            let Some(part) = self.transcript.tool(at).filter(|part| part.awaits_rewrite()) else { continue };
            let Some(outcome) = part.outcome().cloned() else { continue };
            let event =
                Event::Result { key: part.key(), call: part.call, tool: part.name, outcome, output: part.output };
            self.transcript.update(at, &mut |part| part.awaits_rewrite = waits);
            self.push_event(event);
        }
    }
}

/// Whether this client wrote the result: no tool gave it, and the backend did not deny the call.
fn is_ours(part: &ToolPart) -> bool {
    let by_backend = |decision: &super::Decision| !decision.approved && decision.by == DecidedBy::Backend;
    let denied_there = part.decision().is_some_and(by_backend);
    part.input_complete && !denied_there && part.outcome().is_some_and(|outcome| !outcome.kind.is_from_tool())
}
