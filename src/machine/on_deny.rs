//! One call was denied: what becomes of the others of its step.
//!
//! The policy holds for the whole step, for requests too that arrive later in its stream. It touches
//! undecided calls and, where it ends the turn, approvals that have not left. What needs no approval,
//! runs or has settled is left alone, and the barrier waits for it.

use super::machine::Machine;
use super::{At, Author, Cause, OnDeny, Phase};

/// What a denial has made of the last step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Its other calls are skipped.
    Skip,
    /// Its other calls are skipped, and nothing leaves until the user writes.
    End,
}

impl Machine {
    /// Applies the policy to the step of a call that was just denied.
    pub(super) fn apply_on_deny(&mut self, with_reason: bool) {
        let rule = match (self.options.on_deny, with_reason) {
            (OnDeny::Continue, _) => return,
            (OnDeny::SkipRest, _) | (OnDeny::ByReason, true) => Rule::Skip,
            (OnDeny::EndTurn, _) | (OnDeny::ByReason, false) => Rule::End,
        };
        // A turn that is ended stays so, whatever is denied next.
        if self.rule != Some(Rule::End) {
            self.rule = Some(rule);
        }
        for at in self.step_calls(&|_| true) {
            self.skip(at);
        }
    }

    /// Skips a call of a step in which another one was denied.
    pub(super) fn skip(&mut self, at: At) {
        let ends = self.rule == Some(Rule::End);
        let Some(part) = self.transcript.tool(at) else { return };
        // An approved tool of the browser runs already: nobody may say that it was skipped.
        let unsent = part.phase == Phase::Approved && !self.options.is_browser_tool(part);
        if part.phase == Phase::ApprovalRequested || (ends && unsent) {
            self.decide(at, Cause::Skip, self.options.skipped, Author::Policy);
        }
    }

    /// Another step begins: its calls are asked, unless the turn is ended.
    pub(super) fn leave_step(&mut self) {
        if self.rule == Some(Rule::Skip) {
            self.rule = None;
        }
    }

    /// What a denial has made of the last step.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        self.rule
    }
}
