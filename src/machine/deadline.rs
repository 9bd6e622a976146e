//! Approvals that nobody answers in time.

use super::machine::Machine;
use super::{Author, Cause};

impl Machine {
    /// Time has passed: what is due expires, and leaves as a denial does, with its own reason.
    /// `now` is in the host's milliseconds.
    pub fn tick(&mut self, now: u64) {
        self.now = now;
        let due = self.step_calls(&|part| Self::deadline(part).is_some_and(|deadline| deadline <= now));
        for &at in &due {
            self.decide(at, Cause::Expire, self.options.expired, Author::Policy);
        }
        if !due.is_empty() {
            self.advance();
        }
    }

    /// An approval that comes from a kept history waits from now on, unless it is known since when it did.
    pub(super) fn start_waiting(&mut self) {
        let (now, timeout) = (self.now, self.options.approval_timeout);
        for at in self.step_calls(&super::ToolPart::is_pending) {
            let approval = self.transcript.tool_mut(at).and_then(|part| part.approval.as_mut());
            if let Some(approval) = approval.filter(|approval| approval.requested_at == 0) {
                approval.requested_at = now;
                approval.expires_at = approval.expires_at.or(timeout.map(|timeout| now.saturating_add(timeout)));
            }
        }
    }

    /// When the next approval expires; none while no approval waits that ever does.
    #[must_use]
    pub fn next_deadline(&self) -> Option<u64> {
        if self.undecided == 0 {
            return None;
        }
        self.pending().filter_map(Self::deadline).min()
    }

    /// When the call's approval expires, while the user is asked.
    fn deadline(part: &super::ToolPart) -> Option<u64> {
        part.approval.as_ref().filter(|_| part.is_pending())?.expires_at
    }
}
