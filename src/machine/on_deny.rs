//! One call was denied: what becomes of the others of its step.
//!
//! The policy holds for the whole step, for requests too that arrive later in its stream. It touches
//! undecided calls and, where it ends the turn, approvals that were not sent. What needs no approval,
//! runs or has settled is left alone, and the barrier waits for it.

use super::{DecidedBy, Hold, Input, Machine, OnDeny, PartPos, Phase};
use crate::prelude::*;

impl Machine {
    /// Applies the policy to the step of a call that was just denied.
    pub(super) fn apply_on_deny(&mut self, with_reason: bool) {
        let ends = match (self.options.on_deny, with_reason) {
            (OnDeny::Continue, _) => return,
            (OnDeny::SkipRest, _) | (OnDeny::ByReason, true) => false,
            (OnDeny::EndTurn, _) | (OnDeny::ByReason, false) => true,
        };
        self.turn.skip_rest();
        // A turn that is ended stays so, whatever is denied next.
        if ends {
            self.turn.hold(Hold::TurnEnded, true);
        }
        let calls: Vec<PartPos> = self.transcript.step_calls().map(|(at, _)| at).collect();
        calls.into_iter().for_each(|at| self.skip(at));
    }

    /// Skips a call of a step in which another one was denied.
    pub(super) fn skip(&mut self, at: PartPos) {
        let ends = self.turn.holds().has(Hold::TurnEnded);
        let Some(part) = self.transcript.tool(at) else { return };
        // An approved tool of the page runs already: that it was skipped must not be said.
        let unsent = part.phase() == Phase::Approved && !self.options.is_page_tool(part);
        if part.phase() == Phase::ApprovalRequested || (ends && unsent) {
            self.decide(at, Input::Skip, self.options.skipped, DecidedBy::Policy);
        }
    }
}
