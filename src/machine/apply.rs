//! The one way in which a call of the transcript changes its phase, and what that means for everything else.

use super::{
    ApprovalOwner, CallKey, Delivery, Event, Id, Input, ItemInput, ItemState, Machine, PartPos, Payload, Phase,
    Refusal, RefusalReason, ToolPart, Transition, transition,
};

impl Machine {
    /// Applies an input to a call, as its table has it.
    pub(super) fn apply(&mut self, at: PartPos, input: Input) -> Transition {
        self.apply_because(at, input, Payload::NONE, &mut |_| {})
    }

    /// As [`Self::apply`]; `take` writes what came with the input, if the table lets it in.
    pub(super) fn apply_with(&mut self, at: PartPos, input: Input, take: &mut dyn FnMut(&mut ToolPart)) -> Transition {
        self.apply_because(at, input, Payload::NONE, take)
    }

    /// Settles a call without a result, and says why.
    pub(super) fn close(&mut self, at: PartPos, input: Input, reason: Payload) -> Transition {
        self.apply_because(at, input, reason, &mut |_| {})
    }

    /// As [`Self::apply_with`]; a call that is closed by it has `reason` in its outcome.
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
            Transition::To(..) => self.go(at, from, input, reason, take),
            Transition::ToWithAnomaly(_, _, code) => {
                let refusal = contradiction(code);
                self.anomaly(refusal);
                self.go(at, from, input, reason, take);
            }
            Transition::Update => self.transcript.update(at, &mut |part| {
                part.apply(input, take);
            }),
            Transition::Anomaly(code) => {
                let refusal = contradiction(code);
                if !self.is_replayed(at) {
                    self.anomaly(refusal);
                }
            }
            Transition::Ignore | Transition::CompareWithDecision | Transition::Refuse(_) => {}
        }
        next
    }

    fn go(&mut self, at: PartPos, from: Phase, input: Input, reason: Payload, take: &mut dyn FnMut(&mut ToolPart)) {
        let output = self.options.answering && matches!(input, Input::PageOutput | Input::PageError);
        // What a request that is still ready carries has changed: the request is made anew.
        if input != Input::Sent && !output {
            self.withdraw_carrier(at);
        }
        self.transcript.update(at, &mut |part| {
            part.apply(input, take);
            part.set_reason(reason);
        });
        let Some(part) = self.transcript.tool(at) else { return };
        let (to, key) = (part.phase(), part.key());
        // A denial on record brings an approval of its own.
        if let Some(approval) = part.approval.as_ref().map(|approval| approval.id)
            && self.approval_is_free(approval, key)
        {
            self.transcript.own_approval(approval, key);
        }
        let decides = matches!(to, Phase::Approved | Phase::Submitted | Phase::Denied);
        if from == Phase::ApprovalRequested && decides {
            self.turn.decide();
        }
        self.report(at, from, to);
    }

    /// Whether an approval id can be bound to this call: nothing has it, or what has it is over.
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

    /// Takes back the request that carries the call, if it is still ready. A user's message that is about to be sent stays.
    pub(super) fn withdraw_carrier(&mut self, at: PartPos) {
        let Some(Delivery::In(item)) = self.transcript.tool(at).map(ToolPart::delivery) else { return };
        let ready = self.item(item).filter(|item| item.state() == ItemState::Ready);
        if ready.is_some_and(|item| item.messages.is_empty()) {
            self.take_back(item);
        }
    }

    fn report(&mut self, at: PartPos, from: Phase, to: Phase) {
        let Some(part) = self.transcript.tool(at) else { return };
        let (key, call, tool, outcome, output) =
            (part.key(), part.call, part.name, part.outcome().cloned(), part.output);
        let settles = to.is_settled() && !from.is_settled();
        let asks = to == Phase::ApprovalRequested;
        let approval = part.approval.as_ref().filter(|_| asks).map(|approval| approval.id);
        // Sent or not yet sent is reported as a delivery, not as a transition.
        if from.state() != to.state() || settles {
            self.push_event(Event::Transition { call, tool, from: Some(from), to, approval, outcome: outcome.clone() });
        }
        if settles && let Some(outcome) = outcome {
            self.turn.settle(outcome.kind);
            self.await_rewrite(at);
            self.push_event(Event::Result { key, call, tool, outcome, output });
        }
    }

    /// A stalled reply, or an item that may not have arrived, whose calls all have their results owes nothing more.
    /// `call` was just settled by the backend.
    pub(super) fn settle_items(&mut self, call: CallKey) {
        for id in self.outbox.undelivered_numbers() {
            let Some(item) = self.item(id).filter(|item| item.carries(call).is_some()) else { continue };
            let waits = matches!(item.state(), ItemState::Stalled | ItemState::Unconfirmed);
            let transcript = &self.transcript;
            let owes = |key: CallKey| transcript.call(key).is_some_and(|part| part.phase().owes_result());
            if waits && !self.outbox.owes(id, &owes) {
                self.move_item(id, ItemInput::Settles);
            }
        }
    }
}
