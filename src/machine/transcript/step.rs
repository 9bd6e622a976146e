//! The current step: the calls that a request to the server can still answer, and whom they wait for.

use super::PartPos;
use crate::machine::{Id, ToolPart, WaitsFor};
use crate::prelude::*;

/// Which tools run in the page.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PageTools {
    /// Their names.
    pub names: Vec<Id>,
    /// Whether every tool except the provider's runs in the page, because the backend is a model's own API.
    pub all: bool,
    /// Whether a call that has no result when its reply is over belongs to the page. Otherwise it is the server's, and
    /// nothing waits for it.
    pub rest: bool,
}

impl PageTools {
    /// Whether the page runs this call.
    #[must_use]
    pub fn has(&self, part: &ToolPart) -> bool {
        part.in_page || (self.all && !part.provider_executed) || self.names.contains(&part.name)
    }
}

/// Where the current step begins, and how many of its calls wait for whom.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Step {
    /// Its first part; `None` if the last message is not the assistant's.
    pub start: Option<PartPos>,
    /// How many calls wait for the user.
    pub user: u32,
    /// How many calls the page must run.
    pub page: u32,
    /// How many calls the server must run.
    pub server: u32,
    /// How many calls wait for the rest of their stream.
    pub stream: u32,
    /// How many calls wait for the user and have an expiry time.
    pub expiring: u32,
}

impl Step {
    /// Whether the step contains this position.
    pub fn contains(&self, at: PartPos) -> bool {
        self.start.is_some_and(|start| start <= at)
    }

    /// Adds a call of the step to the counters.
    pub fn add(&mut self, part: &ToolPart, tools: &PageTools) {
        self.count(part, tools, 1);
    }

    /// Removes a call of the step from the counters.
    pub fn remove(&mut self, part: &ToolPart, tools: &PageTools) {
        self.count(part, tools, -1);
    }

    fn count(&mut self, part: &ToolPart, tools: &PageTools, by: i32) {
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
