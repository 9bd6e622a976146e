//! Results that this client writes, and what the host makes of them before they leave.
//!
//! The host may take its time: nothing leaves while it has not answered for each of them.

use super::machine::Machine;
use super::{At, Author, Event, Id, Payload, ToolPart};
use crate::prelude::*;

impl Machine {
    /// A call settled: if this client wrote its result, the host is asked what it makes of it.
    pub(super) fn await_rewrite(&mut self, at: At) {
        if self.options.rewrites && self.transcript.tool(at).is_some_and(is_ours) {
            self.unwritten += 1;
            if let Some(part) = self.transcript.tool_mut(at) {
                part.unwritten = true;
            }
        }
    }

    /// Whether results wait for what the host makes of them.
    #[must_use]
    pub fn is_writing(&self) -> bool {
        self.unwritten > 0
    }

    /// What the host makes of the result of a call. `false` if nobody waits for it.
    pub fn rewrite(&mut self, call: Id, text: Payload) -> bool {
        let Some(at) = self.transcript.find(call).filter(|_| self.unwritten > 0) else { return false };
        let Some(part) = self.transcript.tool_mut(at).filter(|part| part.unwritten) else { return false };
        part.unwritten = false;
        part.written = text;
        self.unwritten -= 1;
        self.touch();
        true
    }

    /// Waits no longer: the results stand as this client wrote them, and are told as such.
    pub(super) fn stop_rewriting(&mut self) {
        self.tell_unwritten(false);
        self.unwritten = 0;
    }

    /// After a restore the host is asked again, if it still rewrites.
    pub(super) fn ask_again(&mut self) {
        if self.options.rewrites {
            self.tell_unwritten(true);
        } else {
            self.stop_rewriting();
        }
    }

    /// Tells every result that waits: once more to be written, or for good.
    fn tell_unwritten(&mut self, waits: bool) {
        for at in self.unwritten_results() {
            let Some(part) = self.transcript.tool_mut(at) else { continue };
            part.unwritten = waits;
            let Some(outcome) = part.outcome.clone() else { continue };
            let event = Event::Result { call: part.call, tool: part.name, outcome, output: part.output };
            self.push_event(event);
        }
    }

    fn unwritten_results(&self) -> Vec<At> {
        if self.unwritten == 0 {
            return Vec::new();
        }
        let mut calls = self.calls_from(0);
        calls.retain(|&at| self.transcript.tool(at).is_some_and(|part| part.unwritten));
        calls
    }
}

/// Whether this client wrote the result: no tool gave it, and the backend did not deny the call.
fn is_ours(part: &ToolPart) -> bool {
    let denied_there = part.decision().is_some_and(|decision| !decision.approved && decision.by == Author::Backend);
    part.input_complete && !denied_there && part.outcome.as_ref().is_some_and(|outcome| !outcome.kind.is_from_tool())
}
