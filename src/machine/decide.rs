//! The user's answers, and the outputs of tools that run in the browser.

use super::machine::Machine;
use super::transcript::Holder;
use super::{At, Author, Cause, Code, Decision, Event, Id, Payload, Refusal, Verdict, Why};

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is the approval's one decision.
    Accepted,
    /// The approval has this very decision already; the first one stands.
    Duplicate,
}

impl Machine {
    /// The user answers an approval request: compare-and-set, so a double click decides once.
    /// `as_shown`: the input that the user saw has the digest of the one that the call has now. `edited`: with an approval,
    /// the input that the call is to run with instead.
    ///
    /// # Errors
    /// `unknown-approval`, `superseded`, `already-decided` for the opposite answer,
    /// `already-settled` when the request was withdrawn, `stale-input` when it was not.
    pub fn respond(
        &mut self,
        approval: Id,
        approved: bool,
        reason: Payload,
        as_shown: bool,
        edited: Option<Payload>,
    ) -> Result<Answer, Refusal> {
        let at = self.asked(approval)?;
        if !as_shown && self.transcript.tool(at).is_some_and(super::ToolPart::is_pending) {
            return Err(self.refuse(Code::StaleInput, Why::Stale, at));
        }
        let cause = if approved { Cause::Approve } else { Cause::Deny };
        let verdict = self.decide(at, cause, reason, Author::User);
        match verdict {
            Verdict::Go(_) | Verdict::GoAmiss(..) | Verdict::Keep | Verdict::Ignore | Verdict::Anomaly(_) => {}
            Verdict::Recorded => return self.recorded(approved, at),
            Verdict::Refuse(code) => return Err(self.refuse(code, Why::Automatic, at)),
        }
        if !approved {
            self.apply_on_deny(reason.is_some());
        } else if let Some(edited) = edited
            && let Some(part) = self.transcript.tool_mut(at)
            && let Some(decision) = part.approval.as_mut().and_then(|approval| approval.decision.as_mut())
        {
            decision.original = Some(core::mem::replace(&mut part.input, edited));
        }
        self.let_go();
        self.advance();
        Ok(Answer::Accepted)
    }

    /// Writes a decision down. Nothing leaves by this alone.
    pub(super) fn decide(&mut self, at: At, cause: Cause, reason: Payload, by: Author) -> Verdict {
        let approved = cause == Cause::Approve;
        let first = self.transcript.tool(at).is_some_and(|part| part.decision().is_none());
        let verdict = self.apply_with(at, cause, &mut |part| {
            if let Some(approval) = &mut part.approval {
                let before = approval.decision.replace(Decision::new(approved, reason, by));
                // An approval that is taken back takes its input with it.
                part.input = before.and_then(|decision| decision.original).unwrap_or(part.input);
            }
        });
        if first
            && matches!(verdict, Verdict::Go(_))
            && let Some(part) = self.transcript.tool(at)
            && let Some(approval) = &part.approval
        {
            let event = Event::Decision { approval: approval.id, call: part.call, approved, reason };
            self.push_event(event);
        }
        verdict
    }

    fn asked(&self, approval: Id) -> Result<At, Refusal> {
        let unknown = Refusal::new(Code::UnknownApproval, Why::NoApproval).on_approval(approval);
        match self.transcript.approval(approval) {
            Some(Holder::Call(call)) => self.transcript.find(call).ok_or(unknown),
            Some(Holder::Superseded(call)) => {
                Err(Refusal::new(Code::Superseded, Why::Closed).on_call(call).on_approval(approval))
            }
            None => Err(match self.transcript.call(approval) {
                Some(part) => Refusal::new(Code::UnknownApproval, Why::CallForApproval).about(part),
                None => unknown,
            }),
        }
    }

    /// The call that the approval belongs to, while it is not closed.
    #[must_use]
    pub fn approval_call(&self, approval: Id) -> Option<&super::ToolPart> {
        match self.transcript.approval(approval)? {
            Holder::Call(call) => self.transcript.call(call),
            Holder::Superseded(_) => None,
        }
    }

    fn recorded(&self, approved: bool, at: At) -> Result<Answer, Refusal> {
        match self.transcript.tool(at).and_then(super::ToolPart::decision) {
            Some(decision) if decision.approved == approved => Ok(Answer::Duplicate),
            Some(_) => Err(self.refuse(Code::AlreadyDecided, Why::Decided, at)),
            None => Err(self.refuse(Code::AlreadySettled, Why::Withdrawn, at)),
        }
    }

    /// The host ran the tool in the browser. `take` says with what result; `failed` that it failed.
    ///
    /// # Errors
    /// `unknown-call`, `approval-pending` while the user is asked, `already-settled` for a call that
    /// has its result or is denied, `busy` while its input still streams.
    pub fn add_output(&mut self, call: Id, output: Payload, failed: bool) -> Result<(), Refusal> {
        let Some(at) = self.transcript.find(call) else {
            return Err(Refusal::new(Code::UnknownCall, Why::NoCall).on_call(call));
        };
        let cause = if failed { Cause::ClientError } else { Cause::ClientOutput };
        let verdict = self.apply_with(at, cause, &mut |part| {
            part.output = output;
            part.unsent_output = true;
        });
        if let Verdict::Refuse(code) = verdict {
            let why = match code {
                Code::ApprovalPending => Why::OutputUnasked,
                Code::Busy => Why::OutputEarly,
                _ => Why::OutputLate,
            };
            return Err(self.refuse(code, why, at));
        }
        if self.reply.is_none() || self.options.answering {
            self.hold = false;
        }
        self.advance();
        Ok(())
    }

    /// The user answers: what was held leaves with it, unless the stream will say when.
    fn let_go(&mut self) {
        if self.reply.is_none() || self.options.answering {
            self.hold = false;
            self.left = false;
        }
    }

    fn refuse(&self, code: Code, why: Why, at: At) -> Refusal {
        let refusal = Refusal::new(code, why);
        self.transcript.tool(at).map_or(refusal, |part| refusal.about(part))
    }

    /// The approvals that wait for the user, in call order.
    pub fn pending(&self) -> impl Iterator<Item = &super::ToolPart> {
        let last = self.transcript.messages().last();
        last.into_iter().flat_map(super::Message::calls).filter(|part| part.is_pending())
    }

    /// Answers many requests at once: all are decided before anything leaves. Returns how many.
    pub fn respond_all(&mut self, approvals: &[Id], approved: bool, reason: Payload) -> u32 {
        let cause = if approved { Cause::Approve } else { Cause::Deny };
        let mut decided = 0;
        for approval in approvals {
            let Ok(at) = self.asked(*approval) else { continue };
            if matches!(self.decide(at, cause, reason, Author::User), Verdict::Go(_)) {
                decided += 1;
            }
        }
        if decided > 0 {
            self.let_go();
        }
        if decided > 0 && !approved {
            self.apply_on_deny(reason.is_some());
        }
        self.advance();
        decided
    }
}
