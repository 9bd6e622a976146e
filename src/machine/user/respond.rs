//! The user's decisions, and the outputs of tools that run in the page.

use crate::machine::{
    Approval, ApprovalOwner, Code, DecidedBy, Decision, Event, Exchange, Hold, Id, Input, Machine, PartPos, Payload,
    Refusal, RefusalReason, ToolPart, Transition,
};

/// A decision on an approval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Respond {
    /// The approval's id.
    pub approval: Id,
    /// Whether the call may run.
    pub approved: bool,
    /// The reason given, if any.
    pub reason: Payload,
    /// Whether the input that was shown to the user has the digest of the current input; `None` if the caller does not
    /// say what was shown.
    pub as_shown: Option<bool>,
    /// The edited input to run instead. Only with an approval.
    pub edited: Option<Payload>,
}

/// The outcome of [`Machine::respond`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RespondOutcome {
    /// The approval is decided.
    Accepted,
    /// The approval already had the same decision. The first one counts.
    Duplicate,
}

impl Machine {
    /// Decides an approval. An approval is decided once, so a double click is harmless.
    ///
    /// # Errors
    /// `unknown-approval`; `superseded`; `already-decided` for the opposite decision; `already-settled` if the approval
    /// request was withdrawn; `busy` while the call's input still arrives; `stale-input` if another input was shown, or
    /// if the approval's id is reused and the caller does not say which input was shown.
    pub fn respond(&mut self, answer: Respond) -> Result<RespondOutcome, Refusal> {
        let Respond { approval, approved, reason, as_shown, edited } = answer;
        let at = self.place_of_approval(approval)?;
        if let Some(part) = self.transcript.tool(at).filter(|part| part.is_pending()) {
            let reused = part.approval.as_ref().is_some_and(|approval| approval.reused_id);
            match as_shown {
                Some(false) => return Err(Refusal::new(Code::StaleInput, RefusalReason::Stale).about(part)),
                None if reused => {
                    return Err(Refusal::new(Code::StaleInput, RefusalReason::ReusedApproval).about(part));
                }
                Some(true) | None => {}
            }
        }
        let input = if approved { Input::Approve } else { Input::Deny };
        match self.decide(at, input, reason, DecidedBy::User) {
            Transition::To(..)
            | Transition::ToWithAnomaly(..)
            | Transition::Update
            | Transition::Ignore
            | Transition::Anomaly(_) => {}
            Transition::CompareWithDecision => return self.compare_with_decision(approved, at),
            Transition::Refuse(code) => {
                let why = if code == Code::Busy { RefusalReason::InputArrives } else { RefusalReason::Automatic };
                return Err(self.refuse(code, why, at));
            }
        }
        if !approved {
            self.apply_on_deny(reason.is_some());
        } else if let Some(edited) = edited {
            self.transcript.update(at, &mut |part| {
                let original = part.input;
                if let Some(decision) = part.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
                    decision.original = Some(original);
                    part.input = edited;
                }
            });
        }
        self.release_held(approved);
        self.advance();
        Ok(RespondOutcome::Accepted)
    }

    /// Stores a decision. Sending it is up to the caller.
    pub(in crate::machine) fn decide(
        &mut self,
        at: PartPos,
        input: Input,
        reason: Payload,
        by: DecidedBy,
    ) -> Transition {
        let approved = input == Input::Approve;
        let first = self.transcript.tool(at).is_some_and(|part| part.decision().is_none());
        let transition = self.apply_with(at, input, &mut |part| {
            if let Some(approval) = &mut part.approval {
                let before = approval.decision.replace(Decision::new(approved, reason, by));
                // Skipping an edited approval restores the original input.
                part.input = before.and_then(|decision| decision.original).unwrap_or(part.input);
            }
        });
        if first
            && transition.target().is_some()
            && let Some(part) = self.transcript.tool(at)
            && let Some(approval) = &part.approval
        {
            let (key, call) = (part.key(), part.call);
            let is_local = approval.is_local;
            let event = Event::Decision { approval: approval.id, key, call, approved, reason };
            self.push_event(event);
            if is_local {
                // The backend is told the denial as the result of the call.
                self.apply_with(at, Input::ConfirmDenial, &mut |part| part.unsent_output = true);
            }
        }
        transition
    }

    /// The position of the call that has this approval; refused if no call has it any more, or none ever had.
    fn place_of_approval(&self, approval: Id) -> Result<PartPos, Refusal> {
        let unknown = Refusal::new(Code::UnknownApproval, RefusalReason::NoApproval).on_approval(approval);
        let closed = Refusal::new(Code::Superseded, RefusalReason::Closed).on_approval(approval);
        match self.transcript.approval(approval) {
            Some(ApprovalOwner::Call(key)) => self.transcript.place(key).ok_or(unknown),
            Some(ApprovalOwner::Superseded(key)) => {
                Err(self.transcript.call(key).map_or(closed, |part| closed.on_call(part.call)))
            }
            None if self.transcript.was_removed(approval) => Err(closed),
            None => Err(match self.transcript.calls_named(approval).next() {
                Some((_, part)) => Refusal::new(Code::UnknownApproval, RefusalReason::CallForApproval).about(part),
                None => unknown,
            }),
        }
    }

    /// The call that has this approval, unless the approval was superseded.
    #[must_use]
    pub fn approval_call(&self, approval: Id) -> Option<&ToolPart> {
        match self.transcript.approval(approval)? {
            ApprovalOwner::Call(key) => self.transcript.call(key),
            ApprovalOwner::Superseded(_) => None,
        }
    }

    /// Gives the user more time: the approval expires at `until`, in ms since 1970. Returns `false`, and changes
    /// nothing, if it is decided, expires later already or never, or if the backend set the time.
    ///
    /// # Errors
    /// `unknown-approval`; `superseded`.
    pub fn extend(&mut self, approval: Id, until: u64) -> Result<bool, Refusal> {
        let at = self.place_of_approval(approval)?;
        let extends = |approval: &Approval| approval.is_extendable() && approval.expires_at < Some(until);
        let pending = self.transcript.tool(at).filter(|part| part.is_pending());
        let is_extended = pending.and_then(|part| part.approval.as_ref()).is_some_and(extends);
        if is_extended {
            self.transcript.update(at, &mut |part| {
                if let Some(approval) = &mut part.approval {
                    approval.expires_at = Some(until);
                }
            });
        }
        Ok(is_extended)
    }

    /// The outcome for an approval that is not pending: the same decision again, or a refusal.
    fn compare_with_decision(&self, approved: bool, at: PartPos) -> Result<RespondOutcome, Refusal> {
        match self.transcript.tool(at).and_then(ToolPart::decision) {
            Some(decision) if decision.approved == approved => Ok(RespondOutcome::Duplicate),
            Some(_) => Err(self.refuse(Code::AlreadyDecided, RefusalReason::Decided, at)),
            None => Err(self.refuse(Code::AlreadySettled, RefusalReason::Withdrawn, at)),
        }
    }

    /// The page ran the tool of the newest call with this id that waits for the page, or else of the newest open one.
    /// `failed`: `output` is an error text.
    ///
    /// # Errors
    /// `unknown-call`; `approval-pending` while the call waits for the user's decision; `already-settled` for a call
    /// that has a result or is denied; `busy` while its input still streams.
    pub fn add_output(&mut self, call: Id, output: Payload, failed: bool) -> Result<(), Refusal> {
        let named = || self.transcript.calls_named(call);
        let is_open =
            |at: PartPos, part: &ToolPart| self.transcript.is_in_turn(at.message) && !part.phase().is_settled();
        let awaits = |at: PartPos, part: &ToolPart| {
            self.transcript.is_in_step(at) && self.runs_in_page(part.waits_for(self.options.is_page_tool(part)))
        };
        let open = named().find(|(at, part)| awaits(*at, part));
        let open = open.or_else(|| named().find(|(at, part)| is_open(*at, part))).or_else(|| named().next());
        let Some(at) = open.map(|(at, _)| at) else {
            return Err(Refusal::new(Code::UnknownCall, RefusalReason::NoCall).on_call(call));
        };
        let input = if failed { Input::PageError } else { Input::PageOutput };
        let transition = self.apply_with(at, input, &mut |part| {
            part.output = output;
            part.unsent_output = true;
        });
        if let Transition::Refuse(code) = transition {
            let why = match code {
                Code::ApprovalPending => RefusalReason::OutputUnasked,
                Code::Busy => RefusalReason::OutputEarly,
                _ => RefusalReason::OutputLate,
            };
            return Err(self.refuse(code, why, at));
        }
        // Older outputs and denials that a cancellation left are sent with this output.
        self.turn.hold(Hold::DenialsOnly, false);
        self.release_held(false);
        self.advance();
        Ok(())
    }

    /// Releases held decisions together with a new decision or output. A held approval is released only by another
    /// approval of the user. While a stream is open, its end releases them.
    fn release_held(&mut self, approved: bool) {
        let is_open = self.exchange != Exchange::Idle && !self.options.answering;
        if !is_open && (approved || !self.holds_approval()) {
            self.turn.resume();
        }
    }

    /// A refusal about the call at this position.
    fn refuse(&self, code: Code, why: RefusalReason, at: PartPos) -> Refusal {
        let refusal = Refusal::new(code, why);
        self.transcript.tool(at).map_or(refusal, |part| refusal.about(part))
    }

    /// Decides many approvals before anything is sent. Approvals that cannot be decided are skipped. Returns how many
    /// were decided.
    pub fn respond_all(&mut self, approvals: &[Id], approved: bool, reason: Payload) -> u32 {
        let input = if approved { Input::Approve } else { Input::Deny };
        let mut decided = 0;
        for approval in approvals {
            let Ok(at) = self.place_of_approval(*approval) else { continue };
            if self.decide(at, input, reason, DecidedBy::User).target().is_some() {
                decided += 1;
            }
        }
        if decided > 0 {
            if !approved {
                self.apply_on_deny(reason.is_some());
            }
            self.release_held(approved);
        }
        self.advance();
        decided
    }
}
