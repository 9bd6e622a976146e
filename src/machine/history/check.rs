//! Checks a restored state, and refuses one whose parts contradict each other.

use crate::machine::{
    ApprovalOwner, CallKey, Delivery, Exchange, Id, IdMap, ItemState, Kind, Machine, Message, OutcomeKind, Part, Phase,
    Role, ToolPart,
};

impl Machine {
    /// Whether the parts of a restored state are consistent.
    pub(super) fn is_consistent(&self) -> bool {
        self.exchange_is_consistent()
            && self.items_are_consistent()
            && self.messages_are_consistent()
            && self.transcript.is_counted_right()
    }

    fn messages_are_consistent(&self) -> bool {
        let mut known = IdMap::default();
        let mut is_new = |message: &Message| {
            let is_new = known.get(message.id).is_none();
            known.set(message.id, Some(()));
            is_new
        };
        let unique = self.transcript.messages().iter().all(&mut is_new);
        let queued = self.queue.messages();
        let are_sendable = queued.iter().all(|queued| is_new(&queued.message) && is_sendable(&queued.message));
        unique && are_sendable && self.replies_are_consistent() && self.calls_are_consistent()
    }

    fn calls_are_consistent(&self) -> bool {
        let messages = self.transcript.messages();
        messages.iter().all(|message| message.calls().all(|part| self.call_is_consistent(part)))
    }

    /// Whether replies write assistant messages, and a reply that is hidden has one. Otherwise a user's message could
    /// be dropped as the empty message of a reply.
    fn replies_are_consistent(&self) -> bool {
        let last = self.turn.last_reply().and_then(|last| last.message.map(|message| (message, last.base)));
        let reply = self.exchange.reply();
        let open = reply.and_then(|reply| reply.message.map(|message| (message, reply.base)));
        let messages = self.transcript.messages();
        let writes_assistant_message = |(message, base): (usize, usize)| {
            let fits = |of: &Message| of.role == Role::Assistant && base <= of.parts.len();
            messages.get(message).is_some_and(fits)
        };
        let write_assistant_messages =
            last.is_none_or(writes_assistant_message) && open.is_none_or(writes_assistant_message);
        let hides_one = reply.is_none_or(|reply| !reply.hidden || reply.message.is_some());
        // An item that was never created must not be named: the next new item would get its number.
        let exists = |item| self.outbox.is_known(item);
        let items_exist = reply.and_then(|reply| reply.item).is_none_or(exists)
            && self.turn.last_reply().and_then(|last| last.item).is_none_or(exists);
        write_assistant_messages && hides_one && items_exist
    }

    /// Whether a call with this id has this key, or had it before it was removed. Any other key must not be saved,
    /// because a later call with another id would get it.
    fn is_key_of(&self, key: CallKey, id: Id) -> bool {
        let has_id = |part: &ToolPart| part.call == id;
        key == CallKey::GONE || self.transcript.has_given_out(key) && self.transcript.call(key).is_none_or(has_id)
    }

    /// Whether a call's phase, approval, outcome and delivery are consistent.
    fn call_is_consistent(&self, part: &ToolPart) -> bool {
        let phase = part.phase();
        let decision = part.decision().map(|decision| decision.approved);
        let denied = phase.is_denied();
        let approval = match phase {
            Phase::RequestWaits | Phase::ApprovalRequested | Phase::AutomaticRequest => {
                part.approval.is_some() && decision.is_none()
            }
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
        let is_owner = |owner: ApprovalOwner| owner.key() == part.key();
        let owned = part.approval.as_ref().is_none_or(|approval| {
            let open = phase.is_revocable();
            let owner = self.transcript.approval(approval.id);
            !open || owner == Some(ApprovalOwner::Call(part.key())) && owner.is_some_and(is_owner)
        });
        let carried = match part.delivery() {
            Delivery::None => true,
            Delivery::Held => decision.is_some() || part.is_closed(),
            Delivery::In(id) => {
                self.outbox.is_known(id) && self.item(id).is_none_or(|item| item.carries(part.key()).is_some())
            }
        };
        let output_item = part.output_in.is_none_or(|item| self.outbox.is_known(item));
        let output = may_have_output(part) || !part.output.is_some() && !part.has_unsent_output();
        approval && outcome && owned && carried && output_item && output
    }

    fn items_are_consistent(&self) -> bool {
        let messages = self.transcript.messages();
        self.outbox.items().iter().all(|item| {
            // The messages to send are the last ones: a reply that arrives before they are sent comes before them.
            let first = messages.len().saturating_sub(item.messages.len());
            let is_last = |at: usize| at >= first && is_sendable(&messages[at]);
            // A retry sends its first body again, even if the app has loaded other messages since.
            let is_first_attempt = item.state() == ItemState::Ready && item.attempt == 1;
            let passes = item.kind == Kind::PassedMessage;
            let is_placed = |&id: &Id| match passes {
                true => self.queue.messages().iter().any(|queued| queued.message.id == id && queued.item == item.id),
                false => self.transcript.position(id).is_some_and(is_last),
            };
            let sent = !is_first_attempt || item.messages.iter().all(is_placed);
            let has_its_kind = if item.messages.is_empty() { !passes } else { passes || item.kind == Kind::Message };
            let mut last = None;
            let ascending = item.carried.iter().all(|carried| {
                let next = last.is_none_or(|last| last < carried.call);
                last = Some(carried.call);
                next || carried.call == CallKey::GONE
            });
            // If a ready item is withdrawn, its outputs are put into a later item, so they must exist. If an item was
            // sent, a history that was loaded since may lack its outputs.
            let has_output = |call| self.transcript.call(call).is_none_or(may_have_output);
            let outputs_exist =
                !is_first_attempt || item.carried.iter().all(|carried| !carried.output || has_output(carried.call));
            let keys_exist = item.carried.iter().all(|carried| self.is_key_of(carried.call, carried.id));
            sent && has_its_kind && ascending && outputs_exist && keys_exist && item.attempt > 0
        })
    }

    /// Whether the exchange agrees with the active item.
    fn exchange_is_consistent(&self) -> bool {
        let active = self.outbox.active();
        match &self.exchange {
            Exchange::Idle | Exchange::Reconnecting { .. } => {
                active.is_none_or(|item| item.state() == ItemState::Ready)
            }
            Exchange::InFlight { item, .. } => {
                active.is_some_and(|active| active.id == *item && active.state() == ItemState::InFlight)
            }
            Exchange::Replying(reply) => match reply.item.and_then(|id| self.item(id)) {
                Some(item) if item.is_aside() => active.is_none_or(|active| active.state() == ItemState::Ready),
                Some(item) => item.state() == ItemState::Replying,
                None => active.is_none_or(|active| active.state() == ItemState::Ready),
            },
        }
    }
}

/// Whether the phase of a call allows an output.
fn may_have_output(part: &ToolPart) -> bool {
    matches!(part.known_phase(), Phase::Preliminary | Phase::OutputAvailable | Phase::OutputError)
}

/// Whether the host can have sent a message: it is a user or system message, and has only content.
fn is_sendable(message: &Message) -> bool {
    message.role != Role::Assistant && message.parts.iter().all(|part| matches!(part, Part::Content { .. }))
}
