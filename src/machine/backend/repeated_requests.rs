//! Approval requests that arrive again for a copy of their call, because the backend repeats what it sent. The decision
//! that was made holds for the copy: the user is not asked again, and no remembered decision is applied.

use crate::machine::{ApprovalOwner, Delivery, DeliveryState, Digest, Id, Input, Machine, PartPos, Phase, ToolPart};

impl Machine {
    /// A settled call that was repeated, and now requests approval, is a new call with the same input. If a reconnected
    /// stream repeats the approval request too, the call stays settled.
    pub(in crate::machine) fn repeated_call(&mut self, at: PartPos, approval: Id) -> Option<PartPos> {
        let old = self.transcript.tool(at)?;
        let reply = self.exchange.reply()?;
        let is_replay = reply.reconnected && old.approval_id() == Some(approval);
        if is_replay || !reply.repeated.contains(&old.key()) {
            return None;
        }
        let message = reply.message?;
        let mut part = ToolPart::new(old.call, old.name, Phase::InputStreaming);
        (part.dynamic, part.provider_executed) = (old.dynamic, old.provider_executed);
        (part.input, part.fields) = (old.models_input(), old.fields);
        self.end_repetitions();
        let at = self.introduce(message, part)?;
        self.apply(at, Input::InputAvailable);
        Some(at)
    }

    /// Finds the decision on a new call that asks for an approval which was requested before. If `owner`, the call that
    /// has or had the approval, is a decided call of this turn with the same id, tool and input, the new call is a copy
    /// of it and gets its state. An input that is still arriving counts as equal. Returns the phase that the copy had.
    ///
    /// A decision that was not sent is moved: servers execute only the last step, and the copy is in it.
    pub(in crate::machine) fn decided_before(
        &mut self,
        at: PartPos,
        owner: ApprovalOwner,
        digest: Digest,
    ) -> Option<Phase> {
        let (from, copy) = (self.transcript.place(owner.key())?, self.transcript.tool(at)?);
        let (old, was) = (self.transcript.tool(from)?, copy.phase());
        let is_copy = old.call == copy.call
            && old.name == copy.name
            && old.decision().is_some()
            && self.transcript.is_in_turn(from.message)
            && match was {
                Phase::InputStreaming => true,
                Phase::InputAvailable => {
                    digest(copy.input).is_some_and(|input| digest(old.models_input()) == Some(input))
                }
                _ => false,
            };
        if !is_copy {
            return None;
        }
        let mut part = *old;
        (part.key, part.previous, part.awaits_rewrite) = (copy.key(), copy.previous, false);
        (part.unsent_output, part.output_in) = (false, None);
        let (mut holds, mut delivery) = (true, Delivery::None);
        match self.delivery(old) {
            // Its step ended before its approval was sent. The page may have run its tool.
            None if owner == ApprovalOwner::Superseded(old.key()) => {
                if !self.options.is_page_tool(old) {
                    part.read_as(Phase::Approved, None);
                    delivery = Delivery::Held;
                }
            }
            Some(DeliveryState::Held | DeliveryState::Ready) => delivery = Delivery::Held,
            Some(DeliveryState::InFlight | DeliveryState::Failed | DeliveryState::Unconfirmed) => {}
            // The backend knows of the decision, so it may ask the same about another call. It does not in a reply that
            // it repeats and in which the denial is not final. With approval ids of its own, it does so neither after a
            // denial nor in any reply that it repeats.
            None | Some(DeliveryState::Acknowledged) => {
                let denied = old.phase().is_denied();
                let repeats = self.exchange.reply().is_some_and(|reply| reply.reconnected);
                holds = (repeats && old.phase() == Phase::Denied)
                    || (old.approval_id() != Some(old.call) && (repeats || denied));
                if !holds {
                    part = *copy;
                    // Only the user can approve what the user has denied.
                    part.decided_from_memory = denied;
                }
            }
        }
        part.set_delivery(delivery);
        self.transcript.update(at, &mut |copy| *copy = part);
        holds.then_some(was)
    }
}
