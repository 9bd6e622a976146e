//! The current step: the calls that a request can still answer, and whom they wait for.

use super::PartPos;
use crate::machine::{Id, ToolPart, WaitsFor};
use crate::prelude::*;

/// Which tools run in the page.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PageTools {
    /// Their names.
    pub names: Vec<Id>,
    /// Every tool runs in the page but those that the provider runs: a model's own API is asked.
    pub all: bool,
}

impl PageTools {
    /// Whether the call's tool runs in the page.
    #[must_use]
    pub fn has(&self, part: &ToolPart) -> bool {
        (self.all && !part.provider_executed) || self.names.contains(&part.name)
    }
}

/// Where the current step begins, and how many of its calls wait for whom.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Step {
    /// Its first part; none if the last message is not the assistant's.
    pub start: Option<PartPos>,
    /// Calls that wait for the user.
    pub user: u32,
    /// Calls that the page runs.
    pub page: u32,
    /// Calls that their server runs.
    pub server: u32,
    /// Calls that wait for the rest of their stream.
    pub stream: u32,
    /// Calls that wait for the user, and expire.
    pub expiring: u32,
}

impl Step {
    /// Whether this part is in the step.
    pub fn contains(&self, at: PartPos) -> bool {
        self.start.is_some_and(|start| start <= at)
    }

    /// Counts a call that is in the step: with 1 in, with -1 out.
    pub fn count(&mut self, part: &ToolPart, tools: &PageTools, by: i32) {
        let counter = match part.waits_for(tools.has(part)) {
            WaitsFor::Nothing => return,
            WaitsFor::User => {
                if part.approval.as_ref().is_some_and(|approval| approval.expires_at.is_some()) {
                    self.expiring = self.expiring.saturating_add_signed(by);
                }
                &mut self.user
            }
            WaitsFor::Page => &mut self.page,
            WaitsFor::Server => &mut self.server,
            WaitsFor::Stream => &mut self.stream,
        };
        *counter = counter.saturating_add_signed(by);
    }
}
