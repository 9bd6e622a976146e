//! The backend updates a known call: its input, its tool, or its other properties.
//!
//! Another input is not another call here. A decision on the old input that was not sent is void, and the user is asked
//! again under the same approval id. A decision that was sent stays.

use crate::machine::{
    Admission, Delivery, Event, Id, Input, Item, ItemState, Machine, PartPos, Payload, Phase, ToolPart,
};

/// An update of a known call.
pub struct InputUpdate<'a> {
    /// The call's id.
    pub call: Id,
    /// The tool's name, if the update has one.
    pub name: Option<Id>,
    /// Whether the update has an input.
    pub has_input: bool,
    /// Whether the update has no input, or its input equals this one.
    pub same: &'a mut dyn FnMut(Payload) -> bool,
}

impl Machine {
    /// The backend updates a known call. `take` stores the update's input, if it has one, and its other properties in
    /// the part. Returns the call's position if its input is complete now, or has changed.
    pub fn update_call(
        &mut self,
        admission: Admission,
        update: InputUpdate<'_>,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Option<PartPos> {
        let InputUpdate { call, name, has_input, same } = update;
        let at = self.named(admission, call)?;
        if !matches!(admission, Admission::Current | Admission::Outside) || (has_input && self.repeats_update(at)) {
            return None;
        }
        self.mark_content();
        let part = self.transcript.tool(at)?;
        let (phase, approval, name) = (part.phase(), part.approval_id(), name.unwrap_or(part.name));
        let is_equal = name == part.name && (same(part.input) || same(part.models_input()));
        let completes = has_input && phase.is_streaming();
        let changes = !is_equal && !phase.is_streaming();
        if !completes && !changes {
            if !phase.is_settled() {
                self.transcript.update(at, &mut |part| {
                    let input = part.input;
                    take(part);
                    (part.input, part.name) = (input, name);
                });
            }
            return None;
        }
        let is_void = self.has_unsent_decision(at, part);
        if is_void {
            self.withdraw_unsent(at);
        }
        let input = if is_void { Input::DecisionVoid } else { Input::InputUpdate };
        let transition = self.apply_with(at, input, &mut |part| {
            take(part);
            part.name = name;
            part.input_changes += u32::from(changes);
            if is_void {
                part.forget_decision();
            }
        });
        if !transition.is_accepted() {
            return None;
        }
        if changes {
            self.push_event(Event::InputChanged { call, tool: name, approval, decision_void: is_void });
        }
        if is_void {
            self.turn.undo_decision();
            self.lift_on_deny();
        }
        if is_void || completes {
            self.end_wait(at);
        }
        Some(at)
    }

    /// Whether a replay repeats an update that was applied before.
    fn repeats_update(&mut self, at: PartPos) -> bool {
        let Some(reread) = self.transcript.reread_mut(at).filter(|reread| reread.updates > 0) else { return false };
        reread.updates -= 1;
        true
    }

    /// Whether the call has a decision of this client that was never sent, and that may still be replaced.
    fn has_unsent_decision(&self, at: PartPos, part: &ToolPart) -> bool {
        // A retried submission may have arrived; an answer that could not be sent has not.
        let is_new = |item: &Item| match item.state() {
            ItemState::Ready => item.attempt == 1,
            ItemState::Failed => item.is_aside(),
            _ => false,
        };
        let is_unsent = match part.delivery() {
            Delivery::None => false,
            Delivery::Held => !part.given_up,
            Delivery::In(id) => self.item(id).is_some_and(is_new),
        };
        is_unsent && matches!(part.phase(), Phase::Approved | Phase::Denied | Phase::Submitted) && !self.is_past(at)
    }
}
