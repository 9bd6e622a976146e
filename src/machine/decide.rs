//! The user's answers, and the outputs of tools that run in the browser.

use super::machine::Machine;
use super::transcript::Holder;
use super::{At, Author, Cause, Code, Decision, Event, Id, Payload, Refusal, Verdict};

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is the approval's one decision.
    Accepted,
    /// The approval has this very decision already; the first one stands.
    Duplicate,
}

/// The digest of the input that was shown, and of the one that the call has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digests<'a> {
    /// Of the input that the user saw.
    pub shown: &'a str,
    /// Of the input that the call has now.
    pub current: &'a str,
}

impl Machine {
    /// The user answers an approval request: compare-and-set, so a double click decides once.
    ///
    /// # Errors
    /// `unknown-approval`, `superseded`, `already-decided` for the opposite answer,
    /// `already-settled` when the request was withdrawn, `stale-input` when the digests differ.
    pub fn respond(
        &mut self,
        approval: &str,
        approved: bool,
        reason: Payload,
        digests: Option<Digests>,
    ) -> Result<Answer, Refusal> {
        let at = self.asked(approval)?;
        if let Some(digests) = digests
            && digests.shown != digests.current
            && self.transcript.tool(at).is_some_and(super::ToolPart::is_pending)
        {
            let message = format!(
                "approval \"{approval}\" was answered for an input that the call does not have: show the current input and ask again (shown {}, current {})",
                digests.shown, digests.current
            );
            return Err(self.refuse(Code::StaleInput, message, at));
        }
        let cause = if approved { Cause::Approve } else { Cause::Deny };
        let verdict = self.decide(at, cause, reason, Author::User);
        match verdict {
            Verdict::Go(_) | Verdict::GoAmiss(..) | Verdict::Keep | Verdict::Ignore | Verdict::Anomaly(_) => {}
            Verdict::Recorded => return self.recorded(approval, approved, at),
            Verdict::Refuse(code) => {
                let message =
                    format!("approval \"{approval}\" is answered by the backend's own policy; the user is not asked");
                return Err(self.refuse(code, message, at));
            }
        }
        if self.reply.is_none() {
            self.hold = false;
        }
        self.advance();
        Ok(Answer::Accepted)
    }

    /// Writes a decision down. Nothing leaves by this alone.
    pub(super) fn decide(&mut self, at: At, cause: Cause, reason: Payload, by: Author) -> Verdict {
        let approved = cause == Cause::Approve;
        let verdict = self.apply_with(at, cause, |part| {
            if let Some(approval) = &mut part.approval {
                approval.decision = Some(Decision { approved, reason, by });
            }
        });
        if matches!(verdict, Verdict::Go(_))
            && let Some(part) = self.transcript.tool(at)
            && let Some(approval) = &part.approval
        {
            let event = Event::Decision { approval: approval.id.clone(), call: part.call.clone(), approved, reason };
            self.push_event(event);
        }
        verdict
    }

    fn asked(&self, approval: &str) -> Result<At, Refusal> {
        match self.transcript.approval(approval) {
            Some(Holder::Call(call)) => self.transcript.find(call).ok_or_else(|| unknown_approval(approval)),
            Some(Holder::Superseded(call)) => {
                let message = format!(
                    "approval \"{approval}\" is closed: a later message, step, request or edit took its place. Servers execute only what stands last; ask again"
                );
                Err(Refusal::new(Code::Superseded, message).on_call(call).on_approval(approval))
            }
            None => Err(match self.transcript.call(approval) {
                Some(part) => {
                    let right = match &part.approval {
                        Some(own) => format!("its approval id is \"{}\"", own.id),
                        None => "it has no approval request".to_owned(),
                    };
                    let message = format!("\"{approval}\" is the id of a tool call, not of an approval: {right}");
                    Refusal::new(Code::UnknownApproval, message).on_call(approval).on_approval(approval)
                }
                None => unknown_approval(approval),
            }),
        }
    }

    /// The call that the approval belongs to, while it is not closed.
    #[must_use]
    pub fn approval_call(&self, approval: &str) -> Option<&super::ToolPart> {
        match self.transcript.approval(approval)? {
            Holder::Call(call) => self.transcript.call(call),
            Holder::Superseded(_) => None,
        }
    }

    fn recorded(&self, approval: &str, approved: bool, at: At) -> Result<Answer, Refusal> {
        let state = self.transcript.tool(at).map_or("", |part| part.phase.state());
        let decision = self.transcript.tool(at).and_then(super::ToolPart::decision);
        match decision {
            Some(decision) if decision.approved == approved => Ok(Answer::Duplicate),
            Some(decision) => {
                let (was, is) = if decision.approved { ("approved", "denied") } else { ("denied", "approved") };
                let message = format!(
                    "approval \"{approval}\" is {was} ({state}) and cannot be {is} any more: an approval has one decision"
                );
                Err(self.refuse(Code::AlreadyDecided, message, at))
            }
            None => {
                let message =
                    format!("approval \"{approval}\" was withdrawn: its call is settled ({state}) without an answer");
                Err(self.refuse(Code::AlreadySettled, message, at))
            }
        }
    }

    /// The host ran the tool in the browser. `take` says with what result; `failed` that it failed.
    ///
    /// # Errors
    /// `unknown-call`, `approval-pending` while the user is asked, `already-settled` for a call that
    /// has its result or is denied, `busy` while its input still streams.
    pub fn add_output(&mut self, call: &str, output: Payload, failed: bool) -> Result<(), Refusal> {
        let Some(at) = self.transcript.find(call) else {
            let message = format!("no tool call has the id \"{call}\": use the part's toolCallId");
            return Err(Refusal::new(Code::UnknownCall, message).on_call(call));
        };
        let cause = if failed { Cause::ClientError } else { Cause::ClientOutput };
        let verdict = self.apply_with(at, cause, |part| {
            part.output = output;
            part.unsent_output = true;
        });
        if let Verdict::Refuse(code) = verdict {
            let state = self.transcript.tool(at).map_or("", |part| part.phase.state());
            let message = match code {
                Code::ApprovalPending => {
                    format!(
                        "call \"{call}\" waits for the user's answer: only the backend's stream can say that something ran unasked. Answer the approval first"
                    )
                }
                Code::Busy => {
                    format!("call \"{call}\" is not ready for an output ({state}): wait for its complete input")
                }
                _ => format!(
                    "call \"{call}\" is settled ({state}): its result stands. A denial needs no output; nothing has to be sent for it"
                ),
            };
            return Err(self.refuse(code, message, at));
        }
        if self.reply.is_none() {
            self.hold = false;
        }
        self.advance();
        Ok(())
    }

    fn refuse(&self, code: Code, message: String, at: At) -> Refusal {
        let refusal = Refusal::new(code, message);
        let Some(part) = self.transcript.tool(at) else { return refusal };
        let refusal = refusal.on_call(&part.call);
        match &part.approval {
            Some(approval) => refusal.on_approval(&approval.id),
            None => refusal,
        }
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
            let Ok(at) = self.asked(approval) else { continue };
            if matches!(self.decide(at, cause, reason, Author::User), Verdict::Go(_)) {
                decided += 1;
            }
        }
        if decided > 0 && self.reply.is_none() {
            self.hold = false;
        }
        self.advance();
        decided
    }
}

fn unknown_approval(approval: &str) -> Refusal {
    let message = format!("no approval has the id \"{approval}\": use the approvalId of an entry of pending()");
    Refusal::new(Code::UnknownApproval, message).on_approval(approval)
}
