//! How approval requests end without the user: the backend decides or withdraws them, or later content supersedes them.

use crate::machine::{
    Admission, ApprovalOwner, CallKey, Code, DecidedBy, Decision, Delivery, Exchange, Id, Input, Machine, PartPos,
    Payload, Phase, Refusal, RefusalReason, ToolPart,
};

impl Machine {
    /// The backend decides an approval itself, or reports a decision made elsewhere.
    pub fn backend_decided(
        &mut self,
        admission: Admission,
        approval: Id,
        approved: bool,
        reason: Payload,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        let (at, _) = self.asked_call(admission, approval)?;
        if self.options.answering {
            self.drop_unsent_answers(at);
        }
        let input = if approved { Input::BackendApproved } else { Input::BackendDenied };
        self.apply_with(at, input, &mut |part| {
            if let Some(approval) = &mut part.approval {
                let original = approval.decision.and_then(|decision| decision.original);
                approval.decision = Some(Decision { original, ..Decision::new(approved, reason, DecidedBy::Backend) });
            }
            part.set_delivery(Delivery::None);
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

    /// The backend no longer asks this client about an approval, and does not say what was decided. The call then waits
    /// for the backend, as after an automatic request; one whose input still arrives has no request any more. A
    /// decision that was not sent stays unsent; one that was sent is not changed: many backends also withdraw a request
    /// that was just answered.
    pub fn request_withdrawn(&mut self, admission: Admission, approval: Id) -> Option<PartPos> {
        if self.withdraw_waiting(approval) {
            return None;
        }
        let (at, key) = self.asked_call(admission, approval)?;
        let part = self.transcript.tool(at)?;
        let waits = part.phase() == Phase::RequestWaits;
        if self.options.answering && part.decision().is_some() {
            self.drop_unsent_answers(at);
        }
        self.apply_with(at, Input::RequestWithdrawn, &mut |part| {
            part.approval = part.approval.take().filter(|_| !waits);
            if let Some(approval) = &mut part.approval {
                approval.automatic = true;
            }
        });
        if waits {
            self.transcript.supersede(approval, key);
        }
        self.answers_arrived(key);
        self.advance();
        Some(at)
    }

    /// The call that an event of the backend about this approval means. An approval that was never requested is an
    /// anomaly.
    fn asked_call(&mut self, admission: Admission, approval: Id) -> Option<(PartPos, CallKey)> {
        if !matches!(admission, Admission::Current | Admission::Outside) {
            return None;
        }
        let Some(ApprovalOwner::Call(key)) = self.transcript.approval(approval) else {
            self.anomaly(Refusal::new(Code::UnknownApproval, RefusalReason::NeverAsked).on_approval(approval));
            return None;
        };
        let at = self.transcript.place(key)?;
        self.mark_shown();
        Some((at, key))
    }

    /// Closes the approvals of calls that a later step or message follows. Servers execute only the last step.
    pub(in crate::machine) fn supersede_calls(&mut self, calls: &[PartPos]) {
        for &at in calls {
            let Some(part) = self.transcript.tool(at) else { continue };
            if part.phase().is_revocable() {
                self.supersede_approval(at);
                self.close(at, Input::Interrupt, self.options.superseded);
            }
        }
    }

    /// Marks the approval of a call as superseded.
    pub(in crate::machine) fn supersede_approval(&mut self, at: PartPos) {
        let Some(part) = self.transcript.tool(at) else { return };
        if let (Some(approval), key) = (part.approval_id(), part.key()) {
            self.transcript.supersede(approval, key);
        }
    }
}
