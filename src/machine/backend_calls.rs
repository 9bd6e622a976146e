//! What the backend says about tool calls.

use super::which_call::Meant;
use super::{
    Admission, Approval, Code, DecidedBy, Decision, Delivery, DeliveryState, Event, Exchange, Id, Input, Item, Kind,
    Machine, OutcomeKind, Part, PartPos, Payload, Phase, Refusal, RefusalReason, ToolPart, Transition,
};
use crate::prelude::*;

/// An event that opens a call: its input begins, is complete or is unusable.
pub struct Opening<'a> {
    /// The call's id.
    pub call: Id,
    /// Its tool.
    pub name: Id,
    /// `InputStart`, `InputAvailable` or `InputError`.
    pub input: Input,
    /// The id of a message that the backend does not name.
    pub fresh: Id,
    /// Whether the event's input is the same as this one.
    pub same: &'a mut dyn FnMut(Payload) -> bool,
}

/// An approval request, as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The approval's id.
    pub approval: Id,
    /// Everything else that came with it.
    pub envelope: Payload,
    /// The backend answers it itself.
    pub automatic: bool,
    /// Its answer must not be sent twice.
    pub repeat_unsafe: bool,
    /// When the backend lets it expire, in the host's milliseconds.
    pub expires_at: Option<u64>,
}

/// An event about a call that was named: more input, or a result.
pub struct Result<'a> {
    /// The call's id.
    pub call: Id,
    /// `InputDelta`, `Preliminary`, `Output`, `Error` or `OutputDenied`.
    pub input: Input,
    /// Whether the event's output is the same as this one.
    pub same: &'a mut dyn FnMut(Payload) -> bool,
}

impl Machine {
    /// The backend names a call and begins its input, or gives it whole, or says that it is unusable.
    ///
    /// A call that is new is added to the reply's message. `take` writes what came with the event.
    /// Returns the call's position if the event was taken in.
    pub fn open_call(
        &mut self,
        admission: Admission,
        mut opening: Opening<'_>,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        if admission != Admission::Current {
            return None;
        }
        let message = self.reply_message(opening.fresh)?;
        self.mark_content();
        match self.which_opening(message, &mut opening) {
            Meant::Known(at) => {
                let was = self.transcript.tool(at).map(ToolPart::key);
                self.apply_with(at, opening.input, &mut |part| {
                    part.name = opening.name;
                    take(part);
                });
                if let Some(key) = was.filter(|_| opening.input == Input::InputError) {
                    self.settle_items(key);
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
    fn introduce(&mut self, message: usize, mut part: ToolPart) -> Option<PartPos> {
        let (call, tool, to) = (part.call, part.name, part.phase());
        let earlier = self.transcript.calls_named(call).take_while(|(at, _)| self.transcript.is_in_turn(at.message));
        part.repeats = u32::try_from(earlier.count()).unwrap_or(u32::MAX) + self.turn.removed(call);
        let at = self.push_new(message, Part::Tool(Box::new(part)))?;
        self.push_event(Event::Transition { call, tool, from: None, to, approval: None, outcome: None });
        Some(at)
    }

    /// Another call has the id now: this one, which is open, can no longer be approved.
    fn close_replaced(&mut self, at: PartPos) {
        self.supersede_approval(at);
        let Some(part) = self.transcript.tool(at) else { return };
        // The host was free to run an approved tool of the page.
        if self.options.is_page_tool(part) {
            self.apply(at, Input::Sent);
        }
        self.close(at, Input::Interrupt, self.options.superseded);
    }

    /// The call that an event without content means. Raises an anomaly if the backend never named it.
    fn named(&mut self, admission: Admission, call: Id) -> Option<PartPos> {
        if admission == Admission::Ignored {
            return None;
        }
        let at = self.which_reported(admission, call);
        if at.is_none() && self.transcript.newest(call).is_none() {
            self.anomaly(Refusal::new(Code::UnknownCall, RefusalReason::Unnamed).on_call(call));
        }
        at
    }

    /// The backend reports on a call that it has named. `take` writes what came with the event. Returns the call's position
    /// if the event changed it.
    pub fn report_on(
        &mut self,
        admission: Admission,
        report: Result<'_>,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        let Result { call, input, same } = report;
        let at = self.named(admission, call)?;
        let key = self.transcript.tool(at)?.key();
        if matches!(admission, Admission::Late(_) | Admission::Superseded(_)) && !ToolPart::is_backend_result(input) {
            return None;
        }
        // What is begun in a turn that is over, or before an answer that is wanted anew, is closed by nothing.
        let asks_anew = self.outbox.ready_submission().is_some_and(Item::asks_anew);
        if input == Input::Preliminary && (asks_anew || !self.transcript.is_in_turn(at.message)) {
            let refusal = Refusal::new(Code::Superseded, RefusalReason::Contradiction).by(input);
            let refusal = refusal.about(self.transcript.tool(at)?);
            self.anomaly(refusal);
            return None;
        }
        if self.is_older_result(at, input, same) {
            return None;
        }
        if admission == Admission::Current {
            match input {
                Input::OutputDenied => self.mark_shown(),
                _ => self.mark_content(),
            }
        }
        // A denial that nobody asked for goes under the call's own id, unless that is the approval of another open call.
        let unasked = input == Input::OutputDenied && self.transcript.tool(at)?.approval.is_none();
        if unasked && !self.approval_is_free(call, key) {
            let refusal = Refusal::new(Code::MalformedEvent, RefusalReason::ForeignApproval);
            self.anomaly(refusal.on_call(call).on_approval(call));
            return None;
        }
        let transition = self.apply_with(at, input, take);
        if input != Input::InputDelta {
            // Whatever settles a call has what was answered about it.
            self.answers_arrived(key);
            self.settle_items(key);
        }
        if self.exchange == Exchange::Idle {
            self.advance();
        }
        match transition {
            Transition::To(..) | Transition::ToWithAnomaly(..) | Transition::Update => Some(at),
            Transition::Ignore | Transition::Anomaly(_) | Transition::CompareWithDecision | Transition::Refuse(_) => {
                None
            }
        }
    }

    /// The backend asks for an approval. `now`: the host's time in milliseconds. Returns the call's position if it is asked
    /// about.
    pub fn request(&mut self, admission: Admission, call: Id, request: &Request, now: u64) -> Option<PartPos> {
        if !matches!(admission, Admission::Current | Admission::Outside) {
            return None;
        }
        let mut at = self.named(admission, call)?;
        self.mark_content();
        if let Some(new) = self.repeated_call(at) {
            at = new;
        }
        let key = self.transcript.tool(at)?.key();
        let about = |code, why| Refusal::new(code, why).on_call(call).on_approval(request.approval);
        let owner = self.transcript.approval(request.approval);
        let again = match owner {
            Some(super::ApprovalOwner::Call(owner)) if owner == key => true,
            Some(super::ApprovalOwner::Superseded(owner)) if owner == key => {
                self.anomaly(about(Code::Superseded, RefusalReason::ClosedApproval));
                return None;
            }
            Some(_) if !self.approval_is_free(request.approval, key) => {
                self.anomaly(about(Code::MalformedEvent, RefusalReason::ForeignApproval));
                return None;
            }
            Some(_) | None => false,
        };
        if !again && !self.transcript.is_in_step(at) {
            self.anomaly(about(Code::Superseded, RefusalReason::PastStep));
            return None;
        }
        // A decision that was not delivered is still to be delivered: the question stays answered.
        let part = self.transcript.tool(at)?;
        let waits = match self.delivery(part) {
            Some(DeliveryState::Failed) => true,
            Some(DeliveryState::Ready) => !part.is_closed(),
            _ => false,
        };
        if !again && waits {
            let refusal = Refusal::new(Code::AlreadyDecided, RefusalReason::Contradiction).about(part);
            self.anomaly(refusal.by(Input::Request));
            return None;
        }
        // A backend that asks anew has what was answered before.
        if !again {
            self.answers_arrived(key);
        }
        let reused = !again && (owner.is_some() || self.transcript.was_removed(request.approval));
        if let Some(super::ApprovalOwner::Call(before)) = owner.filter(|_| reused) {
            self.withdraw_answer(before);
        }
        self.ask(at, request, again, reused, now)
    }

    /// Another call is asked about under the id of this one's approval: what was answered, and was not sent, would answer that.
    fn withdraw_answer(&mut self, call: super::CallKey) {
        if let Some(at) = self.transcript.place(call) {
            self.forestall(at);
            self.apply(at, Input::ConfirmDenial);
        }
    }

    /// Asks about a call.
    fn ask(&mut self, at: PartPos, request: &Request, again: bool, reused: bool, now: u64) -> Option<PartPos> {
        let part = self.transcript.tool(at)?;
        let key = part.key();
        let old = part.approval.as_ref().map(|approval| approval.id);
        // The user cancelled before it was asked: the backend waits for an answer all the same.
        let cancelled = part.outcome().is_some_and(|outcome| outcome.kind == OutcomeKind::Cancelled);
        let late = !again && self.options.cancel_answers && cancelled && !self.is_replayed(at);
        let timeout = self.options.approval_timeout.map(|timeout| now.saturating_add(timeout));
        let approval = Approval {
            envelope: request.envelope,
            automatic: request.automatic,
            repeat_unsafe: request.repeat_unsafe,
            reused_id: reused,
            requested_at: now,
            expires_at: request.expires_at.or(timeout),
            ..Approval::new(request.approval)
        };
        let is_asked = if late {
            self.withdraw_carrier(at);
            self.transcript.update(at, &mut |part| {
                part.approval = Some(approval.clone());
                part.deliver(Delivery::Held);
            });
            true
        } else {
            let input = match (again, request.automatic) {
                (true, _) => Input::RequestAgain,
                (false, true) => Input::AutomaticRequest,
                (false, false) => Input::Request,
            };
            let transition = self.apply_with(at, input, &mut |part| part.approval = Some(approval.clone()));
            transition.target().is_some()
        };
        if !is_asked {
            return None;
        }
        // A step is never sent while the user is asked about one of its calls.
        let ready = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step).map(|item| item.id);
        if let Some(ready) = ready.filter(|_| self.transcript.waiting_for_user() > 0) {
            self.take_back(ready);
        }
        if let Some(old) = old.filter(|&old| old != request.approval) {
            self.transcript.supersede(old, key);
        }
        self.transcript.own_approval(request.approval, key);
        if late {
            // It is told as cancelled, like those that were asked in time.
        } else if self.exchange.reply().is_some_and(|reply| reply.cancelled) {
            self.call_off(at, Payload::NONE);
        } else if self.turn.skips_rest() {
            self.skip(at);
        }
        // While a stream runs, answers are sent at once, and nothing else is.
        self.advance();
        Some(at)
    }

    /// A settled call that was announced again, and is asked about: it is a new call with the same input.
    fn repeated_call(&mut self, at: PartPos) -> Option<PartPos> {
        let key = self.transcript.tool(at)?.key();
        if !self.exchange.reply()?.repeated.contains(&key) {
            return None;
        }
        let message = self.exchange.reply()?.message?;
        let old = self.transcript.tool(at)?;
        let mut part = ToolPart::new(old.call, old.name, Phase::InputStreaming);
        (part.dynamic, part.provider_executed) = (old.dynamic, old.provider_executed);
        (part.input, part.fields) = (old.models_input(), old.fields);
        self.end_repetitions();
        let at = self.introduce(message, part)?;
        self.apply(at, Input::InputAvailable);
        Some(at)
    }

    /// The backend answers an approval itself, or reports an answer from elsewhere.
    pub fn backend_decided(
        &mut self,
        admission: Admission,
        approval: Id,
        approved: bool,
        reason: Payload,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        if !matches!(admission, Admission::Current | Admission::Outside) {
            return None;
        }
        let Some(super::ApprovalOwner::Call(key)) = self.transcript.approval(approval) else {
            self.anomaly(Refusal::new(Code::UnknownApproval, RefusalReason::NeverAsked).on_approval(approval));
            return None;
        };
        let at = self.transcript.place(key)?;
        self.mark_shown();
        if self.options.answering {
            self.forestall(at);
        }
        let input = if approved { Input::BackendApproved } else { Input::BackendDenied };
        self.apply_with(at, input, &mut |part| {
            if let Some(approval) = &mut part.approval {
                approval.decision = Some(Decision::new(approved, reason, DecidedBy::Backend));
            }
            part.deliver(Delivery::None);
            take(part);
        });
        if !self.transcript.is_in_step(at) {
            self.apply(at, Input::ConfirmDenial);
        }
        if self.exchange == Exchange::Idle {
            self.advance();
        }
        Some(at)
    }
}
