//! The backend updates a known call: its input, its tool, or its other properties.
//!
//! Another input is not another call here. A decision on the old input that was not sent is void, and the user is asked
//! again under the same approval id. A decision that was sent stays.

use super::remembered::PendingIndex;
use super::{Admission, DeliveryState, Event, Id, Input, Item, Machine, PartPos, Payload, Phase, ToolPart};

/// An update of a known call.
pub struct InputUpdate<'a> {
    /// The call's id.
    pub call: Id,
    /// The tool's name, if the update has one.
    pub name: Option<Id>,
    /// Whether the update has an input.
    pub has_input: bool,
    /// Whether the update's input equals this one.
    pub same: &'a mut dyn FnMut(Payload) -> bool,
}

impl Machine {
    /// The backend updates a known call. `take` stores the update's properties in the part, and its input if the flag
    /// is set. Returns the call's position if its input is complete now, or another one.
    pub fn update_call(
        &mut self,
        admission: Admission,
        update: InputUpdate<'_>,
        take: &mut dyn FnMut(&mut ToolPart, bool),
    ) -> Option<PartPos> {
        if !matches!(admission, Admission::Current | Admission::Outside) {
            return None;
        }
        let InputUpdate { call, name, has_input, same } = update;
        let at = self.named(admission, call)?;
        self.skip_earlier_steps(admission, at);
        self.mark_content();
        if has_input && self.repeats_update(at) {
            return None;
        }
        let part = self.transcript.tool(at)?;
        let (phase, approval, name) = (part.phase(), part.approval_id(), name.unwrap_or(part.name));
        let is_equal = !has_input || same(part.input) || same(part.models_input());
        let completes = has_input && phase.is_streaming();
        let is_settled = matches!(phase, Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied);
        let changes = !completes && !phase.is_streaming() && !(is_equal && name == part.name);
        if !completes && !changes {
            if !is_settled {
                self.transcript.update(at, &mut |part| {
                    part.name = name;
                    take(part, false);
                });
            }
            return None;
        }
        let is_void = self.has_unsent_decision(at, part);
        let input = if is_void { Input::DecisionVoid } else { Input::InputUpdate };
        let mut is_taken = false;
        self.apply_with(at, input, &mut |part| {
            is_taken = true;
            part.name = name;
            part.input_changes += u32::from(changes);
            take(part, has_input);
            if is_void {
                part.forget_decision();
            }
        });
        if !is_taken {
            return None;
        }
        if changes {
            self.push_event(Event::InputChanged { call, approval, decision_void: is_void });
            // It finds pending calls by the digests of their inputs.
            self.pending_index = PendingIndex::default();
        }
        if is_void {
            self.turn.undo_decision();
            self.lift_on_deny();
        }
        if (is_void || completes) && self.transcript.tool(at).is_some_and(ToolPart::is_pending) {
            self.end_wait(at);
        }
        Some(at)
    }

    /// Whether a replay repeats an update that was applied before.
    fn repeats_update(&mut self, at: PartPos) -> bool {
        let Some(part) = self.transcript.tool(at) else { return false };
        let (key, changes) = (part.key(), part.input_changes);
        let replay = self.exchange.reply_mut().and_then(|reply| reply.replay.as_mut());
        let opened = replay.and_then(|replay| replay.opened.iter_mut().find(|opened| opened.call == key));
        opened.is_some_and(|opened| {
            opened.updates += 1;
            opened.updates <= changes
        })
    }

    /// Whether the call has a decision of this client that was never sent, and that may still be replaced.
    fn has_unsent_decision(&self, at: PartPos, part: &ToolPart) -> bool {
        let is_first = |item: &Item| item.attempt == 1;
        let is_unsent = match self.delivery(part) {
            Some(DeliveryState::Held) => !part.given_up,
            Some(DeliveryState::Ready) => part.item().and_then(|id| self.item(id)).is_some_and(is_first),
            Some(
                DeliveryState::InFlight
                | DeliveryState::Acknowledged
                | DeliveryState::Failed
                | DeliveryState::Unconfirmed,
            )
            | None => false,
        };
        let is_decided = matches!(part.phase(), Phase::Approved | Phase::Denied);
        let asks_for_reply = self.outbox.ready_submission().is_some_and(Item::asks_for_reply);
        is_decided && is_unsent && self.transcript.is_in_step(at) && !asks_for_reply
    }
}
