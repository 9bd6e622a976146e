//! Applies remembered decisions.
//!
//! A remembered decision counts as this client's own. It decides an approval request when it arrives, so the user is
//! not asked, and is delivered like any other decision. It applies to each call once, and only to inputs in its
//! scope. It never applies to a call that a policy skips, or in a turn that has ended. A decision that was made before
//! comes first: see `repeated_requests.rs`.

use crate::machine::{DecidedBy, Digest, Id, Input, Machine, PartPos, RememberedDecision, ToolPart};
use crate::prelude::*;

impl Machine {
    /// Adds a remembered decision that the host has stored. It replaces an earlier one for the same tool and input, and
    /// gets a number.
    pub fn add_remembered(&mut self, decision: RememberedDecision) {
        self.remembered.add(decision);
    }

    /// Removes a remembered decision. Calls that it decided stay decided.
    pub fn forget(&mut self, id: u32) {
        self.remembered.forget(id);
    }

    /// Remembers the user's decision on an approval, and applies it to pending calls in its scope. `this_input`: only
    /// for this input. Does nothing if the user has not decided the approval.
    pub fn remember(
        &mut self,
        approval: Id,
        this_input: bool,
        always: bool,
        expires_at: Option<u64>,
        now: u64,
        digest: Digest,
    ) {
        let Some(part) = self.approval_call(approval) else { return };
        let Some(decision) = part.decision().filter(|decision| decision.by == DecidedBy::User) else { return };
        let (tool, approved, reason) = (part.name, decision.approved, decision.reason);
        // The model's input is remembered, not the user's edit.
        let input = if this_input { digest(part.models_input()) } else { None };
        // An input without a digest cannot be compared with others.
        if this_input && input.is_none() {
            return;
        }
        let at = self.transcript.place(part.key());
        let decided_at = now;
        self.remembered.add(RememberedDecision {
            id: 0,
            tool,
            input,
            approved,
            reason,
            always,
            decided_at,
            expires_at,
        });
        if let Some(at) = at {
            self.transcript.update(at, &mut |part| {
                if let Some(decision) = part.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
                    decision.remember = Some(always);
                }
            });
        }
        let mut is_same = |part: &ToolPart| match input {
            Some(input) => part.is_pending() && digest(part.input) == Some(input),
            None => part.name == tool,
        };
        let any = self.transcript.waiting_for_user() > 0;
        let same = self.transcript.step_calls().take_while(|_| any).filter(|(_, part)| is_same(part));
        let waiting = same.map(|(at, _)| at).listed();
        for at in waiting {
            self.answer_as_remembered(at, input, now);
        }
        self.advance();
    }

    /// Decides a new approval request, if a remembered decision applies.
    pub fn recall(&mut self, at: PartPos, now: u64, digest: Digest) {
        let Some(part) = self.transcript.tool(at).filter(|part| part.is_pending()) else { return };
        let input = if self.remembered.has_scoped() { digest(part.input) } else { None };
        self.answer_as_remembered(at, input, now);
        // A request that comes after its reply ended may have been the last one that the step waited for.
        self.advance();
    }

    fn answer_as_remembered(&mut self, at: PartPos, input: Option<Id>, now: u64) {
        let Some(part) = self.transcript.tool(at).filter(|part| part.is_pending() && !part.decided_from_memory) else {
            return;
        };
        let Some(known) = self.remembered.find(part.name, input, now) else { return };
        let (approved, reason) = (known.approved, known.reason);
        let answer = if approved { Input::Approve } else { Input::Deny };
        if self.decide(at, answer, reason, DecidedBy::Remembered).target().is_none() {
            return;
        }
        self.transcript.update(at, &mut |part| part.decided_from_memory = true);
        if !approved {
            self.apply_on_deny(reason.is_some());
        }
    }
}
