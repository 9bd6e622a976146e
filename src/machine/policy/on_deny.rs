//! The `on_deny` policy: what a denial does to the other calls of its step.
//!
//! The policy applies to the whole step, including approval requests that arrive later in its stream. It skips
//! undecided calls and, if it ends the turn, approvals that were not sent. Calls that need no approval, run or have
//! settled are not changed, and the step still waits for them.

use crate::machine::enumerated::enumerated;
use crate::machine::{DecidedBy, Hold, Input, Machine, OutcomeKind, PartPos, Phase, ToolPart};
use crate::prelude::*;

enumerated! {
    /// What the denial of one call does to the other calls of its step. The text of a variant is its value in the
    /// option `onDeny`.
    #[derive(Default)]
    pub enum OnDeny {
        /// Nothing: each call is decided on its own.
        #[default]
        Continue = "continue",
        /// Skips undecided calls, and the model continues.
        SkipRest = "skip-rest",
        /// Skips undecided calls and approvals that were not sent. Nothing is sent until the user writes a message.
        EndTurn = "end-turn",
        /// Acts as [`OnDeny::SkipRest`] on a denial with a reason, and as [`OnDeny::EndTurn`] on one without.
        ByReason = "by-reason",
    }
}

impl Machine {
    /// Applies the policy after a call of the step was denied.
    pub(in crate::machine) fn apply_on_deny(&mut self, with_reason: bool) {
        let ends = match (self.options.on_deny, with_reason) {
            (OnDeny::Continue, _) => return,
            (OnDeny::SkipRest, _) | (OnDeny::ByReason, true) => false,
            (OnDeny::EndTurn, _) | (OnDeny::ByReason, false) => true,
        };
        self.turn.skip_rest();
        // Once a denial has ended the turn, a later denial does not reopen it.
        if ends {
            self.turn.hold(Hold::TurnEnded, true);
        }
        let calls: Vec<PartPos> = self.transcript.step_calls().map(|(at, _)| at).listed();
        calls.into_iter().for_each(|at| self.skip(at));
    }

    /// Ends the policy if no denial of the step applies any more, because the decision on the denied call is void.
    /// Calls that it has skipped stay skipped.
    pub(in crate::machine) fn lift_on_deny(&mut self) {
        let sets_off = |part: &ToolPart| {
            let is_denied = part.outcome().is_some_and(|outcome| outcome.kind == OutcomeKind::Denied);
            let by = part.decision().map(|decision| decision.by);
            is_denied && matches!(by, Some(DecidedBy::User | DecidedBy::Remembered))
        };
        if self.turn.skips_rest() && !self.transcript.step_calls().any(|(_, part)| sets_off(part)) {
            self.turn.lift_skips();
        }
    }

    /// Skips a call because another call of its step was denied.
    pub(in crate::machine) fn skip(&mut self, at: PartPos) {
        let ends = self.turn.holds().has(Hold::TurnEnded);
        let Some(part) = self.transcript.tool(at) else { return };
        // The page may already run an approved tool of its own, so it must not be reported as skipped.
        let unsent = part.phase() == Phase::Approved && !self.options.is_page_tool(part);
        if part.phase() == Phase::ApprovalRequested || (ends && unsent) {
            self.decide(at, Input::Skip, self.options.skipped, DecidedBy::Policy);
        }
    }
}
