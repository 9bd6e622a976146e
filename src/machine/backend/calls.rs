//! The backend's events about tool calls.

use crate::machine::{
    Admission, Code, Event, Exchange, Id, Input, Item, Machine, Meant, Opening, Part, PartPos, Payload, Phase, Refusal,
    RefusalReason, ReportKind, ToolPart, agrees,
};
use crate::prelude::*;

/// An event about a known call: more input, or a result.
pub struct CallReport<'a> {
    /// The call's id.
    pub call: Id,
    /// An input with a `ReportKind`: more of the input, a result or a denial.
    pub input: Input,
    /// Whether the event's output equals this one.
    pub same: &'a mut dyn FnMut(Payload) -> bool,
}

impl Machine {
    /// The backend starts or completes the input of a call, or reports it as invalid.
    ///
    /// A new call is added to the reply's message. `take` stores the event's data in the part. Returns the call's
    /// position if the event was accepted.
    pub fn open_call(
        &mut self,
        admission: Admission,
        mut opening: Opening<'_>,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        if admission != Admission::Current {
            return None;
        }
        let message = self.reply_message(opening.fallback_id)?;
        self.rule_out_other_reply();
        self.mark_content();
        match self.which_opening(message, &mut opening) {
            Meant::Known(at) => {
                self.mark_read(at, false);
                let part = self.transcript.tool(at)?;
                let (key, waits) = (part.key(), part.phase() == Phase::RequestWaits);
                // A replay repeats an input that an update has replaced since.
                if !agrees(part, &mut opening) {
                    return Some(at);
                }
                self.apply_with(at, opening.input, &mut |part| {
                    part.name = opening.name;
                    take(part);
                });
                if opening.input == Input::InputError {
                    self.settle_items(key);
                }
                if waits {
                    self.end_wait(at);
                }
                Some(at)
            }
            Meant::Repeated(at) => {
                let key = self.transcript.tool(at).map(ToolPart::key)?;
                if let Some(reply) = self.exchange.reply_mut() {
                    reply.repeated.push(key);
                }
                None
            }
            Meant::New { replaces } => {
                if let Some(at) = replaces {
                    self.mark_read(at, false);
                    self.close_replaced(at);
                }
                self.end_repetitions();
                let mut part = ToolPart::new(opening.call, opening.name, Phase::InputStreaming);
                take(&mut part);
                let at = self.introduce(message, part)?;
                if opening.input != Input::InputStart {
                    self.apply(at, opening.input);
                }
                Some(at)
            }
        }
    }

    /// Adds a call to the reply's message.
    pub(in crate::machine) fn introduce(&mut self, message: usize, mut part: ToolPart) -> Option<PartPos> {
        // An earlier reply continues after all. A retry of the request after it would contain this call without a
        // result, so the retry is withdrawn.
        if self.exchange.reply().is_some_and(|reply| reply.is_earlier) {
            self.withdraw_retry();
        }
        let (call, tool, to) = (part.call, part.name, part.phase());
        part.repeats = self.turn.removed(call);
        let at = self.push_new(message, Part::Tool(Box::new(part)))?;
        self.push_event(Event::Transition { call, tool, from: None, to, approval: None, outcome: None });
        Some(at)
    }

    /// Closes an open call that can no longer be approved, because another call has its id now.
    fn close_replaced(&mut self, at: PartPos) {
        self.supersede_approval(at);
        let Some(part) = self.transcript.tool(at) else { return };
        // The host may have started an approved page tool.
        if self.options.is_page_tool(part) {
            self.apply(at, Input::Sent);
        }
        self.close(at, Input::Interrupt, self.options.superseded);
        if self.options.answering {
            self.advance();
        }
    }

    /// The call that an event without content is about. Reports an anomaly if the call is unknown.
    pub(in crate::machine) fn named(&mut self, admission: Admission, call: Id) -> Option<PartPos> {
        if admission == Admission::Ignored {
            return None;
        }
        let at = self.which_reported(admission, call);
        if at.is_none() && self.transcript.newest(call).is_none() {
            self.anomaly(Refusal::new(Code::UnknownCall, RefusalReason::Unnamed).on_call(call));
        }
        at
    }

    /// Reports a result of a request that was given up, if its call was closed without one.
    fn note_late_result(&mut self, admission: Admission, call: Id, input: Input) {
        let newest = self.transcript.calls_named(call).next().map(|(_, part)| part);
        let is_late = matches!(admission, Admission::Late(_)) && input.is_backend_result();
        if let Some(part) = newest.filter(|part| is_late && part.phase().is_settled()) {
            let refusal = Refusal::new(Code::AlreadySettled, RefusalReason::Contradiction).by(input).about(part);
            self.anomaly(refusal);
        }
    }

    /// The backend reports on a known call. `take` stores the event's data in the part. Returns the call's position if
    /// the event changed it.
    pub fn report_on(
        &mut self,
        admission: Admission,
        report: CallReport<'_>,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        let CallReport { call, input, same } = report;
        let Some(at) = self.named(admission, call) else {
            self.note_late_result(admission, call, input);
            return None;
        };
        let key = self.transcript.tool(at)?.key();
        if matches!(admission, Admission::Late(_) | Admission::Superseded(_)) && !input.is_backend_result() {
            return None;
        }
        // In a turn that is over, or while a new message or a regeneration is ready, nothing would close a call that
        // starts to run.
        let asks_for_reply = self.outbox.ready_submission().is_some_and(Item::asks_for_reply);
        if input == Input::Preliminary && (asks_for_reply || !self.transcript.is_in_turn(at.message)) {
            let refusal = Refusal::new(Code::Superseded, RefusalReason::Contradiction).by(input);
            let refusal = refusal.about(self.transcript.tool(at)?);
            self.anomaly(refusal);
            return None;
        }
        if self.is_older_result(at, input, same) {
            return None;
        }
        self.note_answer(admission, at, input);
        self.mark_reported(admission, at, input.is_backend_result());
        if admission == Admission::Current {
            match input.report() {
                Some(ReportKind::Denial) => self.mark_shown(),
                Some(ReportKind::Input | ReportKind::Result) | None => self.mark_content(),
            }
        }
        // A denial without an approval request uses the call's own id as approval id, unless that is the approval of
        // another open call.
        let without_request = input == Input::OutputDenied && self.transcript.tool(at)?.approval.is_none();
        if without_request && !self.approval_is_free(call, key) {
            let refusal = Refusal::new(Code::MalformedEvent, RefusalReason::ForeignApproval);
            self.anomaly(refusal.on_call(call).on_approval(call));
            return None;
        }
        let transition = self.apply_with(at, input, take);
        if input.is_backend_result() {
            // A backend that settles a call has received the decisions on it.
            self.answers_arrived(key);
            self.settle_items(key);
        }
        if self.exchange == Exchange::Idle {
            self.advance();
        }
        transition.is_accepted().then_some(at)
    }
}
