//! Applies inputs to the calls of the transcript, and updates everything that depends on a call's phase.

use super::{
    ApprovalOwner, CallKey, Delivery, Event, Id, Input, Item, ItemInput, ItemState, Machine, PartPos, Payload, Phase,
    Refusal, RefusalReason, RememberedDecision, ToolPart, Transition, transition,
};

impl Machine {
    /// Applies an input to a call, according to its table.
    pub(super) fn apply(&mut self, at: PartPos, input: Input) -> Transition {
        self.apply_because(at, input, Payload::NONE, &mut |_| {})
    }

    /// As [`Self::apply`]. `take` stores the input's data in the part, if the table accepts the input.
    pub(super) fn apply_with(&mut self, at: PartPos, input: Input, take: &mut dyn FnMut(&mut ToolPart)) -> Transition {
        self.apply_because(at, input, Payload::NONE, take)
    }

    /// Closes a call without a result, for this reason.
    pub(super) fn close(&mut self, at: PartPos, input: Input, reason: Payload) -> Transition {
        self.apply_because(at, input, reason, &mut |_| {})
    }

    /// As [`Self::apply_with`]. If the call is closed, `reason` becomes the reason of its outcome.
    pub(super) fn apply_because(
        &mut self,
        at: PartPos,
        input: Input,
        reason: Payload,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Transition {
        let Some(part) = self.transcript.tool(at) else { return Transition::Ignore };
        let from = part.phase();
        let next = transition(from, input);
        let contradiction = |code| Refusal::new(code, RefusalReason::Contradiction).about(part).by(input);
        match next {
            Transition::To(..) => self.change_call(at, from, input, reason, take),
            Transition::ToWithAnomaly(_, _, code) => {
                let refusal = contradiction(code);
                // An answering backend is told to remember a decision, and may then run the tool without asking.
                let allows = |decision: &RememberedDecision| decision.approved && decision.tool == part.name;
                if !(self.options.answering && input.is_backend_result() && self.remembered.all().any(allows)) {
                    self.anomaly(refusal);
                }
                self.change_call(at, from, input, reason, take);
            }
            Transition::Update => self.transcript.update(at, &mut |part| {
                part.apply(input, take);
            }),
            Transition::Anomaly(code) => {
                let refusal = contradiction(code);
                let is_rest = part.is_cut_short() && input.is_of_input();
                // The answer that was given up has arrived after all.
                let is_late = part.given_up && input.is_backend_result();
                // A replay repeats what was read before, but no result of a call that was denied is ever accepted.
                let ran = from.is_denied() && input.is_backend_result();
                if ran || !(is_rest || is_late || self.is_replayed(at)) {
                    self.anomaly(refusal);
                }
            }
            Transition::Ignore | Transition::CompareWithDecision | Transition::Refuse(_) => {}
        }
        next
    }

    /// Changes a call by an input that the table accepts, and with it everything that depends on the call: the request
    /// that contains it, the owner of its approval, and the turn.
    fn change_call(
        &mut self,
        at: PartPos,
        from: Phase,
        input: Input,
        reason: Payload,
        take: &mut dyn FnMut(&mut ToolPart),
    ) {
        let output = self.options.answering && matches!(input, Input::PageOutput | Input::PageError);
        // A call in a ready request to the server has changed, so the request must be built again.
        if input != Input::Sent && !output {
            self.withdraw_carrier(at);
        }
        // No request that this client closes stays unanswered, nor a page tool whose output the backend waits for.
        let closes = self.options.answering && matches!(input, Input::Cancel | Input::Interrupt);
        let in_page = closes && self.transcript.tool(at).is_some_and(|part| self.options.is_page_tool(part));
        let answers_invalid = input == Input::InputError && self.options.runs_loop && self.transcript.is_in_step(at);
        self.transcript.update(at, &mut |part| {
            let asked = closes && part.is_unanswered();
            let awaited = !asked && in_page && part.input_complete;
            // The backend has not waited for the approval.
            if from == Phase::Approved && input.is_backend_result() {
                part.undo_edit();
            }
            part.apply(input, take);
            part.set_reason(reason);
            part.unsent_output |= awaited || (answers_invalid && !part.provider_executed);
            if asked {
                part.set_delivery(Delivery::Held);
            }
        });
        if answers_invalid && let Some(reply) = self.exchange.reply_mut() {
            reply.invalid = true;
        }
        let Some(part) = self.transcript.tool(at) else { return };
        let (to, key) = (part.phase(), part.key());
        // A denial by the backend adds an approval.
        if let Some(approval) = part.approval_id()
            && self.approval_is_free(approval, key)
        {
            self.transcript.own_approval(approval, key);
        }
        let decides = to.is_approved() || to == Phase::Denied;
        if from == Phase::ApprovalRequested && decides {
            self.turn.decide();
        }
        self.report_change(at, from, to);
    }

    /// Whether this call may have this approval id: no call has it, or the one that has it is settled.
    pub(super) fn approval_is_free(&self, approval: Id, call: CallKey) -> bool {
        match self.transcript.approval(approval) {
            None => true,
            Some(ApprovalOwner::Call(owner)) if owner == call => false,
            Some(ApprovalOwner::Superseded(owner)) => owner != call,
            Some(ApprovalOwner::Call(owner)) => {
                self.transcript.call(owner).is_none_or(|part| part.phase().is_settled())
            }
        }
    }

    /// Withdraws the ready request to the server that contains the call. A ready user message stays.
    pub(super) fn withdraw_carrier(&mut self, at: PartPos) {
        let Some(Delivery::In(item)) = self.transcript.tool(at).map(ToolPart::delivery) else { return };
        let ready = self.item(item).filter(|item| item.state() == ItemState::Ready);
        if ready.is_some_and(|item| item.messages.is_empty()) {
            self.take_back(item);
        }
    }

    /// Withdraws the answer about this call, if it is not sent or could not be sent.
    pub(super) fn withdraw_unsent(&mut self, at: PartPos) {
        self.withdraw_carrier(at);
        let Some(Delivery::In(id)) = self.transcript.tool(at).map(ToolPart::delivery) else { return };
        if self.item(id).is_some_and(|item| item.is_aside() && item.state() == ItemState::Failed) {
            self.move_item(id, ItemInput::GiveUp);
            self.transcript.update(at, &mut |part| part.set_delivery(Delivery::Held));
        }
    }

    /// Reports that a call went from one phase into another, and its result if it settled.
    pub(super) fn report_change(&mut self, at: PartPos, from: Phase, to: Phase) {
        let Some(part) = self.transcript.tool(at) else { return };
        let (key, call, tool, outcome, output) =
            (part.key(), part.call, part.name, part.outcome().cloned(), part.output);
        let settles = to.is_settled() && !from.is_settled();
        let asks = to == Phase::ApprovalRequested;
        let approval = part.approval.as_ref().filter(|_| asks).map(|approval| approval.id);
        // `Approved` and `Submitted` are one state on the wire; the change between them is reported as a delivery.
        if from.state() != to.state() || settles {
            self.push_event(Event::Transition { call, tool, from: Some(from), to, approval, outcome });
        }
        if settles && let Some(outcome) = outcome {
            self.turn.settle(outcome.kind);
            self.await_rewrite(at);
            self.push_event(Event::Result { key, call, tool, outcome, output });
        }
    }

    /// Settles the stalled or unconfirmed item with this call, if its calls all have results: the backend has just
    /// settled it. A call whose decision and output are in two items is one of an answering backend, and both are done.
    pub(super) fn settle_items(&mut self, call: CallKey) {
        let Some(part) = self.transcript.call(call) else { return };
        let decided_in = if let Delivery::In(item) = part.delivery() { Some(item) } else { None };
        let Some(id) = decided_in.or(part.output_in) else { return };
        let waits = |item: &Item| matches!(item.state(), ItemState::Stalled | ItemState::Unconfirmed);
        let waits = self.item(id).is_some_and(waits);
        let transcript = &self.transcript;
        let owes = |key: CallKey| transcript.call(key).is_some_and(|part| part.phase().owes_result());
        if waits && !self.outbox.owes(id, &owes) {
            self.move_item(id, ItemInput::CallsSettle);
        }
    }
}
