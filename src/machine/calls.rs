//! What the backend says about tool calls.

use super::machine::Machine;
use super::transcript::Holder;
use super::{
    Admission, Approval, At, Author, Cause, Code, Decision, Id, Part, Payload, Phase, Refusal, ToolPart, Verdict, Why,
};
use crate::prelude::*;

/// An approval request, as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The approval's id.
    pub approval: Id,
    /// Everything else that came with it.
    pub envelope: Payload,
    /// The backend answers it itself.
    pub automatic: bool,
    /// When the backend lets it expire, in the host's milliseconds.
    pub expires_at: Option<u64>,
}

impl Machine {
    /// The backend names a call and begins its input, or gives it whole, or says that it is unusable.
    ///
    /// A call that is new is added to the reply's message. `take` writes what came with the event.
    /// Returns the call's place, or none where a late reply may not add calls.
    pub fn input(
        &mut self,
        admission: Admission,
        call: Id,
        name: Id,
        cause: Cause,
        fresh: Id,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<At> {
        if admission != Admission::Current {
            return None;
        }
        let message = self.reply_message(fresh);
        self.mark_content();
        let Some(at) = self.transcript.find(call) else {
            let mut part = ToolPart::new(call, name, Phase::InputStreaming);
            take(&mut part);
            let at = self.push_new(message, Part::Tool(Box::new(part)))?;
            self.blocker = None;
            self.introduce(at);
            if cause != Cause::InputStart {
                self.apply(at, cause);
            }
            return Some(at);
        };
        self.replayed(|part| part.tool().is_some_and(|part| part.call == call));
        // The same id for another tool is another call, and one of them would be lost without a word.
        if let Some(part) = self.transcript.tool(at)
            && part.name != name
            && part.phase != Phase::InputStreaming
            && !part.phase.is_settled()
        {
            let refusal = Refusal::new(Code::MalformedEvent, Why::Renamed).about(part);
            self.anomaly(refusal);
            return None;
        }
        // A call that is still being written may be repaired, its tool's name included.
        self.apply_with(at, cause, &mut |part| {
            part.name = name;
            take(part);
        });
        Some(at)
    }

    fn introduce(&mut self, at: At) {
        let Some(part) = self.transcript.tool(at) else { return };
        let event = super::Event::Transition {
            call: part.call,
            tool: part.name,
            from: None,
            to: part.phase,
            approval: None,
            outcome: None,
        };
        self.push_event(event);
    }

    /// The backend reports on a call that it has named: more input, or a result.
    /// Returns the call's place if the event changed it.
    pub fn report_on(
        &mut self,
        admission: Admission,
        call: Id,
        cause: Cause,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<At> {
        let at = self.named(call)?;
        // Nobody closes what is begun in a turn that is over.
        if cause == Cause::Preliminary && self.is_past_turn(at) {
            let refusal = Refusal::new(Code::Superseded, Why::Contradiction).about(self.transcript.tool(at)?);
            self.anomaly(Refusal { cause: Some(cause), ..refusal });
            return None;
        }
        if let Admission::Late(request) = admission
            && !self.carried(request, call, cause)
        {
            return None;
        }
        if admission == Admission::Current {
            match cause {
                Cause::OutputDenied => self.mark_shown(),
                _ => self.mark_content(),
            }
        }
        // A denial that nobody asked for goes under the call's own id, unless that is another call's approval.
        let unasked = cause == Cause::OutputDenied && self.transcript.tool(at).is_some_and(|p| p.approval.is_none());
        if unasked && self.transcript.approval(call).is_some() {
            self.anomaly(Refusal::new(Code::MalformedEvent, Why::ForeignApproval).on_call(call).on_approval(call));
            return None;
        }
        let verdict = self.apply_with(at, cause, take);
        // Whoever settles a call has what was answered about it.
        if cause != Cause::InputDelta {
            self.arrived(None, Some(call));
        }
        match verdict {
            Verdict::Go(_) | Verdict::GoAmiss(..) if unasked => {
                self.transcript.set_approval(call, Holder::Call(call));
                Some(at)
            }
            Verdict::Go(_) | Verdict::GoAmiss(..) | Verdict::Keep => Some(at),
            Verdict::Ignore | Verdict::Anomaly(_) | Verdict::Recorded | Verdict::Refuse(_) => None,
        }
    }

    /// Whether a replaced request may still settle this call: it carried it, and this is a result.
    fn carried(&self, request: Option<u32>, call: Id, cause: Cause) -> bool {
        let settles = matches!(cause, Cause::Output | Cause::Error | Cause::OutputDenied | Cause::Preliminary);
        settles && request.and_then(|id| self.item(id)).is_some_and(|item| item.calls.contains(&call))
    }

    fn named(&mut self, call: Id) -> Option<At> {
        let at = self.transcript.find(call);
        if at.is_none() {
            self.anomaly(Refusal::new(Code::UnknownCall, Why::Unnamed).on_call(call));
        }
        at
    }

    /// The backend asks for an approval.
    pub fn request(&mut self, admission: Admission, call: Id, request: Request) -> Option<At> {
        if admission != Admission::Current {
            return None;
        }
        let at = self.named(call)?;
        self.mark_content();
        let about = |code, why| Refusal::new(code, why).on_call(call).on_approval(request.approval);
        let again = match self.transcript.approval(request.approval) {
            None => false,
            Some(Holder::Call(holder)) if holder == call => true,
            Some(Holder::Superseded(holder)) if holder == call => {
                self.anomaly(about(Code::Superseded, Why::ClosedApproval));
                return None;
            }
            Some(Holder::Call(_) | Holder::Superseded(_)) => {
                self.anomaly(about(Code::MalformedEvent, Why::ForeignApproval));
                return None;
            }
        };
        if !again && !self.is_in_step(at) {
            self.anomaly(about(Code::Superseded, Why::PastStep));
            return None;
        }
        // A decision that did not get there is still to be delivered: the question stays answered.
        let part = self.transcript.tool(at)?;
        let waits = match part.delivery {
            Some(super::DeliveryState::Failed) => true,
            Some(super::DeliveryState::Ready) => !part.is_closed(),
            _ => false,
        };
        if !again && waits {
            let refusal = Refusal::new(Code::AlreadyDecided, Why::Contradiction).about(part);
            self.anomaly(Refusal { cause: Some(Cause::Request), ..refusal });
            return None;
        }
        // Who asks anew has what was answered before.
        if !again {
            self.arrived(None, Some(call));
        }
        let cause = match (again, request.automatic) {
            (true, _) => Cause::RequestAgain,
            (false, true) => Cause::AutomaticRequest,
            (false, false) => Cause::Request,
        };
        let part = self.transcript.tool(at)?;
        let old = part.approval.as_ref().map(|approval| approval.id);
        // The user has called it off before it was asked: the backend waits for an answer all the same.
        let kind = part.outcome.as_ref().map(|outcome| outcome.kind);
        let late = !again && self.options.cancel_answers && kind == Some(super::OutcomeKind::Cancelled);
        let late = late && !self.is_replay(at);
        if late {
            self.withdraw_carrier(at);
        }
        let (id, now) = (request.approval, self.now);
        let expires_at =
            request.expires_at.or(self.options.approval_timeout.map(|timeout| now.saturating_add(timeout)));
        let mut ask = |part: &mut ToolPart| {
            part.approval = Some(Approval {
                id: request.approval,
                envelope: request.envelope,
                automatic: request.automatic,
                requested_at: now,
                expires_at,
                decision: None,
            });
        };
        let verdict = match self.transcript.tool_mut(at) {
            Some(part) if late => {
                ask(part);
                part.delivery = Some(super::DeliveryState::Held);
                Verdict::Go(part.phase)
            }
            _ => self.apply_with(at, cause, &mut ask),
        };
        if !matches!(verdict, Verdict::Go(_) | Verdict::GoAmiss(..)) {
            return None;
        }
        if let Some(old) = old {
            self.transcript.supersede(old);
        }
        self.transcript.set_approval(id, Holder::Call(call));
        if self.reply.as_ref().is_some_and(|reply| reply.cancelled) {
            self.call_off(at, Payload::NONE);
        } else if self.rule.is_some() {
            self.skip(at);
        }
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
    ) -> Option<At> {
        if admission != Admission::Current {
            return None;
        }
        let Some(Holder::Call(call)) = self.transcript.approval(approval) else {
            self.anomaly(Refusal::new(Code::UnknownApproval, Why::NeverAsked).on_approval(approval));
            return None;
        };
        let at = self.transcript.find(call)?;
        self.mark_shown();
        if self.options.answering {
            self.forestall(at);
        }
        let cause = if approved { Cause::BackendApproved } else { Cause::BackendDenied };
        self.apply_with(at, cause, &mut |part| {
            if let Some(approval) = &mut part.approval {
                approval.decision = Some(Decision::new(approved, reason, Author::Backend));
                part.delivery = None;
            }
            take(part);
        });
        if !self.is_in_step(at) {
            self.apply(at, Cause::ConfirmDenial);
        }
        Some(at)
    }
}
