//! Whether a restored state is one that the machine can be in: references that contradict each other are refused.

use crate::machine::{
    ApprovalOwner, CallKey, Delivery, Exchange, IdMap, ItemState, Machine, Message, OutcomeKind, Phase, Reply, Role,
    ToolPart,
};

impl Machine {
    /// Whether the parts of a restored state agree with each other.
    pub(super) fn is_consistent(&self) -> bool {
        self.exchange_fits() && self.items_fit() && self.messages_fit() && self.transcript.is_counted_right()
    }

    fn messages_fit(&self) -> bool {
        let queued = self.queue.messages().iter().map(|queued| queued.message.id);
        let mut ids = self.transcript.messages().iter().map(|message| message.id).chain(queued);
        let mut known = IdMap::default();
        let unique = ids.all(|id| {
            let is_new = known.get(id).is_none();
            known.set(id, Some(()));
            is_new
        });
        let calls = || self.transcript.messages().iter().flat_map(Message::calls);
        unique && self.replies_fit() && calls().all(|part| self.call_fits(part))
    }

    /// Whether replies write messages of the assistant, and what is hidden is new: a user's message must never be dropped as
    /// one that a reply left empty.
    fn replies_fit(&self) -> bool {
        let last = self.turn.last_reply().and_then(|last| last.message.map(|message| (message, last.base)));
        let reply = self.exchange.reply();
        let written = reply.and_then(|reply| reply.message.map(|message| (message, reply.base)));
        let messages = self.transcript.messages();
        let are_the_assistants = [last, written].into_iter().flatten().all(|(message, base)| {
            messages.get(message).is_some_and(|of| of.role == Role::Assistant && base <= of.parts.len())
        });
        let is_new = reply.is_none_or(|reply| !reply.hidden || (reply.is_new && reply.message.is_some()));
        let names_one = reply
            .and_then(|reply| reply.superseded)
            .is_none_or(|message| message < messages.len() || message == Reply::NO_MESSAGE);
        are_the_assistants && is_new && names_one
    }

    /// Whether a call's phase, approval, outcome and delivery agree.
    fn call_fits(&self, part: &ToolPart) -> bool {
        let phase = part.phase();
        let decision = part.decision().map(|decision| decision.approved);
        let denied = matches!(phase, Phase::Denied | Phase::OutputDenied);
        let approval = match phase {
            Phase::ApprovalRequested | Phase::AutomaticRequest => part.approval.is_some() && decision.is_none(),
            Phase::Approved => decision == Some(true),
            Phase::Denied | Phase::OutputDenied => decision == Some(false),
            Phase::InputStreaming
            | Phase::InputAvailable
            | Phase::Submitted
            | Phase::Preliminary
            | Phase::OutputAvailable
            | Phase::OutputError => true,
        };
        let kind = part.outcome().map(|outcome| outcome.kind);
        use OutcomeKind::{Cancelled, Denied, Executed, Expired, Failed, Interrupted, Skipped};
        let outcome = match kind {
            None => !phase.is_settled(),
            Some(Executed) => phase == Phase::OutputAvailable,
            Some(Failed | Cancelled | Interrupted) => phase == Phase::OutputError,
            Some(Denied | Skipped | Expired) => denied,
        };
        let own = |owner: ApprovalOwner| owner.key() == part.key();
        let owned = part.approval.as_ref().is_none_or(|approval| {
            let open = matches!(phase, Phase::ApprovalRequested | Phase::Approved);
            let owner = self.transcript.approval(approval.id);
            !open || owner == Some(ApprovalOwner::Call(part.key())) && owner.is_some_and(own)
        });
        let carried = match part.delivery() {
            Delivery::None => true,
            Delivery::Held => decision.is_some() || part.is_closed(),
            Delivery::In(item) => self.item(item).is_none_or(|item| item.carries(part.key()).is_some()),
        };
        let gives = matches!(phase, Phase::Preliminary | Phase::OutputAvailable | Phase::OutputError);
        let output = gives || !part.output.is_some() && !part.has_unsent_output();
        approval && outcome && owned && carried && output
    }

    fn items_fit(&self) -> bool {
        let known = |id: crate::machine::Id| self.transcript.position(id).is_some();
        self.outbox.items().iter().all(|item| {
            // A retry sends what was sent before, whatever the app has loaded since.
            let written = item.state() == ItemState::Ready && item.attempt == 1;
            let sent = !written || item.messages.iter().all(|&id| known(id));
            let mut last = None;
            let ascending = item.carried.iter().all(|carried| {
                let next = last.is_none_or(|last| last < carried.call);
                last = Some(carried.call);
                next || carried.call == CallKey::GONE
            });
            sent && ascending && item.attempt > 0
        })
    }

    /// Whether what is under way is the item that is.
    fn exchange_fits(&self) -> bool {
        let active = self.outbox.active();
        match &self.exchange {
            Exchange::Idle | Exchange::Reconnecting { .. } => {
                active.is_none_or(|item| item.state() == ItemState::Ready)
            }
            Exchange::InFlight { item, .. } => {
                active.is_some_and(|active| active.id == *item && active.state() == ItemState::InFlight)
            }
            Exchange::Replying(reply) => match reply.item.and_then(|id| self.item(id)) {
                Some(item) if item.is_answer() => active.is_none_or(|active| active.state() == ItemState::Ready),
                Some(item) => item.state() == ItemState::Replying,
                None => active.is_none_or(|active| active.state() == ItemState::Ready),
            },
        }
    }
}
