//! Approval requests: of the backend, and of this client itself. How they end without the user is in
//! `decisions.rs`.

use crate::machine::{
    Admission, Approval, ApprovalOwner, CallKey, Code, Delivery, DeliveryState, Digest, Id, Input, Item, Kind, Machine,
    OutcomeKind, PartPos, Payload, Phase, Refusal, RefusalReason, ToolPart, WaitsFor,
};

/// An approval request.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The approval's id, set by the backend.
    pub approval: Id,
    /// All other properties of the approval request.
    pub envelope: Payload,
    /// Whether the backend decides it itself.
    pub automatic: bool,
    /// Whether the decision must not be sent twice.
    pub repeat_unsafe: bool,
    /// Whether this client asks: see [`Approval::is_local`].
    pub is_local: bool,
    /// When the backend lets it expire, in ms since 1970.
    pub expires_at: Option<u64>,
}

/// The kind of an approval request. It depends on which call has used the approval id before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestKind {
    /// No call had its id.
    New,
    /// Another call has or had its id.
    ReusedId,
    /// The call has its id already: the same approval request again.
    Repeated,
}

/// What is known about a call before its request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nobody has asked about it, or what was decided does not hold.
    Unknown,
    /// This client has asked about it.
    AskedLocally,
    /// A decision on a copy of the call holds for it. The phase that it had before.
    Decided(Phase),
}

impl Machine {
    /// The backend, or this client, requests approval of a call. This client does so only for calls of the current step
    /// that the page may run, and that nobody has asked about. `now`: the host's time in ms since 1970. Returns the
    /// call's position if the request was accepted and does not wait for the rest of the call's input.
    pub fn request(
        &mut self,
        admission: Admission,
        call: Id,
        request: &Request,
        now: u64,
        digest: Digest,
    ) -> Option<PartPos> {
        if !matches!(admission, Admission::Current | Admission::Outside) {
            return None;
        }
        let mut at = self.named(admission, call)?;
        if request.is_local && !self.is_unasked(at) {
            return None;
        }
        if admission == Admission::Current {
            self.mark_read(at, false);
        }
        self.mark_content();
        if let Some(new) = self.repeated_call(at, request.approval) {
            at = new;
        }
        if self.join(at, request) {
            return None;
        }
        let part = self.transcript.tool(at)?;
        let key = part.key();
        let joins = self.joins(at, part, request);
        let kind = match self.kind_of_request(at, part, request) {
            _ if joins => RequestKind::New,
            Ok(kind) => kind,
            Err(refusal) => {
                self.anomaly(refusal);
                // Without a request, the page would run the call.
                if request.is_local {
                    self.apply(at, Input::Interrupt);
                }
                self.refuse_new(at, request);
                return None;
            }
        };
        let owner = self.transcript.approval(request.approval);
        if kind == RequestKind::Repeated {
            self.show_again(at, request.envelope, digest);
        } else {
            // A backend that requests approval of a call again has received the earlier decision.
            self.answers_arrived(key);
        }
        let mut decided = None;
        if let Some(owner) = owner.filter(|_| kind == RequestKind::ReusedId) {
            decided = self.decided_before(at, owner, digest);
            // A decision that was sent stays with the call that it was sent for.
            if decided.is_none() || self.transcript.tool(at).is_some_and(ToolPart::is_undelivered) {
                self.withdraw_answer(owner.key());
            }
        }
        let before = match decided {
            Some(phase) => Before::Decided(phase),
            None if joins => Before::AskedLocally,
            None => Before::Unknown,
        };
        self.ask(at, request, kind, before, now)
    }

    /// Whether the page may run this call of the current step, and nobody has asked about it.
    fn is_unasked(&self, at: PartPos) -> bool {
        self.transcript.is_in_step(at)
            && self.transcript.tool(at).is_some_and(|part| {
                let in_page = self.options.is_page_tool(part);
                part.phase() == Phase::InputAvailable && part.waits_for(in_page) == WaitsFor::Page
            })
    }

    /// Whether the backend asks about a call that this client has asked about: the user decides once.
    fn joins(&self, at: PartPos, part: &ToolPart, request: &Request) -> bool {
        let owner = self.transcript.approval(request.approval);
        part.is_asked_locally()
            && !request.is_local
            && self.transcript.is_in_step(at)
            && owner.is_none_or(|owner| owner.key() == part.key())
    }

    /// Returns the kind of an approval request for this call, or a refusal if the user must not be asked about the
    /// call.
    fn kind_of_request(&self, at: PartPos, part: &ToolPart, request: &Request) -> Result<RequestKind, Refusal> {
        let key = part.key();
        let about = |code, why| Refusal::new(code, why).on_call(part.call).on_approval(request.approval);
        let owner = self.transcript.approval(request.approval);
        match owner {
            Some(ApprovalOwner::Call(owner)) if owner == key => return Ok(RequestKind::Repeated),
            Some(ApprovalOwner::Superseded(owner)) if owner == key => {
                return Err(about(Code::Superseded, RefusalReason::ClosedApproval));
            }
            Some(owner) if !self.approval_is_free(request.approval, key) || self.is_owned_ahead(owner, part) => {
                return Err(about(Code::MalformedEvent, RefusalReason::ForeignApproval));
            }
            Some(_) | None => {}
        }
        if self.is_past(at) {
            return Err(about(Code::Superseded, RefusalReason::PastStep));
        }
        // A decision that was not delivered still applies, so the user is not asked again.
        let waits = match self.delivery(part) {
            Some(DeliveryState::Failed) => true,
            Some(DeliveryState::Ready) => !part.is_closed(),
            Some(
                DeliveryState::Held
                | DeliveryState::InFlight
                | DeliveryState::Acknowledged
                | DeliveryState::Unconfirmed,
            )
            | None => false,
        };
        if waits {
            let refusal = Refusal::new(Code::AlreadyDecided, RefusalReason::Contradiction).about(part);
            return Err(refusal.by(Input::Request));
        }
        let is_reused = owner.is_some() || self.transcript.was_removed(request.approval);
        Ok(if is_reused { RequestKind::ReusedId } else { RequestKind::New })
    }

    /// The backend repeats a request that waits for the user, with other words or options: those are shown from now on.
    fn show_again(&mut self, at: PartPos, envelope: Payload, digest: Digest) {
        let part = self.transcript.tool(at).filter(|part| part.is_pending());
        let Some(shown) = part.and_then(|part| part.approval).map(|approval| approval.envelope) else { return };
        if shown != envelope && digest(shown) != digest(envelope) {
            self.transcript.update(at, &mut |part| {
                if let Some(approval) = &mut part.approval {
                    approval.envelope = envelope;
                }
            });
        }
    }

    /// Whether the owner of an approval is a call that a second reading has not reached, so the request for `asked` is
    /// the one from before it.
    fn is_owned_ahead(&self, owner: ApprovalOwner, asked: &ToolPart) -> bool {
        let is_over = asked.phase().is_settled();
        let is_ahead = |part: &ToolPart| part.reread.unread && (is_over || self.turn.removed(part.call) > 0);
        self.transcript.call(owner.key()).is_some_and(is_ahead)
    }

    /// Another call uses the approval id of this one, so a decision that was not sent is withdrawn: it would decide the
    /// other call. If that is a copy of this one, it has the decision now.
    fn withdraw_answer(&mut self, call: CallKey) {
        if let Some(at) = self.transcript.place(call) {
            self.drop_unsent_answers(at);
            self.apply(at, Input::ConfirmDenial);
        }
    }

    /// Makes the call's approval pending, unless the user has decided already.
    fn ask(&mut self, at: PartPos, request: &Request, kind: RequestKind, before: Before, now: u64) -> Option<PartPos> {
        let part = self.transcript.tool(at)?;
        let key = part.key();
        let old = part.approval_id();
        let open = self.open_request(at).filter(|_| !matches!(before, Before::Decided(_)));
        // The user decided the call, asked by this client, or cancelled it before the approval request arrived. The
        // backend waits for a decision nevertheless.
        let cancelled = part.outcome().is_some_and(|outcome| outcome.kind == OutcomeKind::Cancelled);
        let is_new = kind != RequestKind::Repeated;
        let decision = part.decision().filter(|_| before == Before::AskedLocally).copied();
        let late = decision.is_some() || (is_new && self.options.cancel_answers && cancelled && !self.is_replayed(at));
        let approval = Approval { decision, ..self.new_approval(request, kind, now) };
        if let Before::Decided(phase) = before {
            self.report_change(at, phase, part.phase());
        } else if late {
            self.withdraw_carrier(at);
            self.transcript.update(at, &mut |part| {
                part.approval = Some(approval);
                part.set_delivery(Delivery::Held);
                // The backend writes the result of a call that it knows to be denied.
                part.unsent_output &= part.decision().is_none_or(|decision| decision.approved);
            });
        } else {
            let input = match kind {
                RequestKind::Repeated => Input::RequestAgain,
                RequestKind::New | RequestKind::ReusedId if request.automatic => Input::AutomaticRequest,
                RequestKind::New | RequestKind::ReusedId => Input::Request,
            };
            if self.apply_with(at, input, &mut |part| part.approval = Some(approval)).target().is_none() {
                self.refuse_new(at, request);
                return None;
            }
        }
        self.take_back_step();
        if let Some(old) = old.filter(|&old| old != request.approval) {
            self.transcript.supersede(old, key);
            if let Some(open) = open {
                self.keep_request(at, old, open.envelope);
            }
        }
        self.transcript.own_approval(request.approval, key);
        if let Some(own) = old.filter(|_| matches!(before, Before::Decided(_))) {
            self.transcript.own_approval(own, key);
        }
        // The answer to a late request is the decision or the cancellation, which was made already.
        if !late {
            self.settle_new_request(at);
        }
        // While a stream runs, only answers may be sent.
        self.advance();
        self.transcript.tool(at).filter(|part| part.phase() != Phase::RequestWaits).map(|_| at)
    }

    /// Whether the user may not be asked about a call any more: a later step or message follows it, or a new message or
    /// a regeneration is ready.
    pub(in crate::machine) fn is_past(&self, at: PartPos) -> bool {
        !self.transcript.is_in_step(at) || self.outbox.ready_submission().is_some_and(Item::asks_for_reply)
    }

    /// The input of a call is complete, or has changed: if its approval is pending now, the policies apply to it.
    pub(in crate::machine) fn end_wait(&mut self, at: PartPos) {
        if !self.transcript.tool(at).is_some_and(ToolPart::is_pending) {
            return;
        }
        self.take_back_step();
        self.settle_new_request(at);
        self.advance();
    }

    /// A step with a pending approval is never sent.
    fn take_back_step(&mut self) {
        let ready = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step).map(|item| item.id);
        if let Some(ready) = ready.filter(|_| self.transcript.waiting_for_user() > 0) {
            self.take_back(ready);
        }
    }

    fn new_approval(&self, request: &Request, kind: RequestKind, now: u64) -> Approval {
        let timeout = self.options.approval_timeout.map(|timeout| now.saturating_add(timeout));
        Approval {
            envelope: request.envelope,
            automatic: request.automatic,
            repeat_unsafe: request.repeat_unsafe,
            is_local: request.is_local,
            reused_id: kind == RequestKind::ReusedId,
            requested_at: now,
            expires_at: request.expires_at.or(timeout),
            backend_expires: request.expires_at.is_some(),
            ..Approval::new(request.approval)
        }
    }

    /// Cancels or skips an approval request that arrives after the user cancelled the reply, or after a denial in its
    /// step.
    fn settle_new_request(&mut self, at: PartPos) {
        if self.exchange.reply().is_some_and(|reply| reply.cancelled) {
            self.close_call(at, Input::Cancel, Payload::NONE);
        } else if self.turn.skips_rest() {
            self.skip(at);
        }
    }
}
