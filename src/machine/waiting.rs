//! Decides who must act next.

use super::{
    Ending, Exchange, Hold, Item, ItemState, Machine, Phase, ToolPart, TurnStatus, Waiting, WaitsFor, WaitsOn,
};
use crate::prelude::*;

impl Machine {
    /// Whom the chat waits for. `may_submit` says who of them must act before the decisions of a step are submitted.
    ///
    /// If it is empty, nothing is left to send, or only a user message can release what is left: after a denial that
    /// ended the turn, or with denials that remain after a cancellation.
    #[must_use]
    pub fn waiting(&self) -> Waiting {
        let mut waiting = Waiting::default();
        let transcript = &self.transcript;
        waiting.add(WaitsOn::Reply, self.exchange != Exchange::Idle || self.outbox.has_sent_asides());
        waiting.add(WaitsOn::User, transcript.waiting_for_user() > 0);
        let servers_are_pages = self.runs_in_page(WaitsFor::Server) && transcript.waiting_for_server() > 0;
        waiting.add(WaitsOn::Tool, transcript.waiting_for_page() > 0 || servers_are_pages);
        waiting.add(WaitsOn::Rewrite, transcript.awaiting_rewrite() > 0);
        let is_held = self.turn.holds().until_resumed() && !self.waits_for_message();
        let releases = is_held && !self.holds_denials_only();
        waiting.add(WaitsOn::Resume, releases && transcript.has_unsent());
        for whom in [WaitsOn::Retry, WaitsOn::Cancel] {
            waiting.add(whom, self.outbox.find_undelivered(&|item| self.awaits(item, whom)).is_some());
        }
        waiting.add(WaitsOn::Host, self.outgoing().next().is_some());
        // A queued message waited for a reply that a restore has ended.
        waiting.add(WaitsOn::Resume, !waiting.is_anyone() && self.has_waiting_message());
        // A reply that reached a step limit can be continued.
        waiting.add(WaitsOn::Resume, self.is_at_step_limit() && !waiting.is_anyone() && !transcript.has_unsent());
        waiting
    }

    /// Whether the last reply reached a step limit, and `resume` continues it.
    pub(super) fn is_paused(&self) -> bool {
        let is_paused = self.is_at_step_limit() && self.waiting().on(WaitsOn::Resume);
        is_paused && !self.transcript.has_unsent() && self.queue.is_empty()
    }

    /// Whether the last reply reached a step limit, and a request of this client continues it: the backend has no turn
    /// of its own. An empty reply is not continued, or a client whose rule is always true would ask for ever.
    fn is_at_step_limit(&self) -> bool {
        let has_content = self.turn.last_reply().is_some_and(|last| last.message.is_some());
        !self.options.answering && self.turn.ending() == Some(Ending::StepLimit) && has_content
    }

    /// The calls that the chat waits for: to be decided by the user, or to be run by the page.
    pub fn awaited_calls(&self, whom: WaitsOn) -> impl Iterator<Item = &ToolPart> {
        let matches = move |part: &&ToolPart| match part.waits_for(self.options.is_page_tool(part)) {
            WaitsFor::User => whom == WaitsOn::User,
            WaitsFor::Page => whom == WaitsOn::Tool,
            WaitsFor::Server => whom == WaitsOn::Tool && self.runs_in_page(WaitsFor::Server),
            WaitsFor::Nothing | WaitsFor::Stream => false,
        };
        self.transcript.step_calls().map(|(_, part)| part).filter(matches)
    }

    /// The calls that the page may run now: page tools that are approved, and calls without an approval when the reply
    /// is over and can no longer request one.
    pub fn runnable_calls(&self) -> impl Iterator<Item = &ToolPart> {
        let is_over = self.exchange == Exchange::Idle && self.turn_status() == TurnStatus::Open;
        let step = &self.transcript;
        let of_server = if is_over && self.options.page_tools.rest { step.waiting_for_server() } else { 0 };
        let any = step.waiting_for_page() + of_server > 0;
        let calls = step.step_calls().take_while(move |_| any);
        let runs = move |part: &&ToolPart| {
            let in_page = self.options.is_page_tool(part);
            if part.phase() == Phase::InputAvailable {
                return is_over && (self.options.page_tools.rest || in_page) && !part.provider_executed;
            }
            // An answering protocol sends the approval before the page gives its output.
            part.phase().is_approved() && in_page
        };
        calls.map(|(_, part)| part).filter(runs)
    }

    /// The items that the chat waits for: to be sent by the host, or to be retried or cancelled by the user.
    pub fn awaited_items(&self, whom: WaitsOn) -> Vec<u32> {
        let ready = whom == WaitsOn::Host;
        let mut numbers = if ready { self.outbox.ready_numbers() } else { self.outbox.undelivered_numbers() };
        numbers.keep(|&id| self.item(id).is_some_and(|item| self.awaits(item, whom)));
        numbers
    }

    /// Whether the chat waits for an act of this party on the item.
    fn awaits(&self, item: &Item, whom: WaitsOn) -> bool {
        match whom {
            WaitsOn::Host => self.is_listed(item),
            WaitsOn::Retry | WaitsOn::Cancel => {
                item.repeat_unsafe == (whom == WaitsOn::Cancel) && self.can_be_retried(item)
            }
            WaitsOn::User | WaitsOn::Tool | WaitsOn::Reply | WaitsOn::Rewrite | WaitsOn::Resume => false,
        }
    }

    /// Whether the page must run a call that waits for this party. Where the page runs the rest, a call becomes the
    /// page's when its stream is over, unless the stream broke off while the server may have been running the call.
    pub(super) fn runs_in_page(&self, waits_for: WaitsFor) -> bool {
        match waits_for {
            WaitsFor::Page => true,
            WaitsFor::Server => {
                self.options.page_tools.rest && self.exchange == Exchange::Idle && !self.turn.broke_off()
            }
            WaitsFor::Nothing | WaitsFor::User | WaitsFor::Stream => false,
        }
    }

    /// Whether `retry` accepts this undelivered item now.
    pub(super) fn can_be_retried(&self, item: &Item) -> bool {
        let is_free = item.is_aside() || (self.exchange == Exchange::Idle && self.outbox.active().is_none());
        is_free && self.asked_again(item).is_none()
    }

    /// The first call of the item whose approval the backend has requested again.
    pub(super) fn asked_again(&self, item: &Item) -> Option<&ToolPart> {
        if self.transcript.waiting_for_user() == 0 {
            return None;
        }
        let mut carried = item.carried.iter().filter_map(|carried| self.transcript.call(carried.call));
        carried.find(|part| part.is_pending())
    }

    /// Whether only denials and outputs from before a cancellation are left to send. They are sent with the user's next
    /// message.
    pub(super) fn holds_denials_only(&self) -> bool {
        self.turn.holds().has(Hold::DenialsOnly) && self.unsent_approvals().next().is_none()
    }

    /// Whether the decisions of the current step may be submitted.
    pub(super) fn may_submit(&self) -> bool {
        let waiting = self.waiting();
        let blocks = [WaitsOn::Reply, WaitsOn::User, WaitsOn::Tool, WaitsOn::Resume, WaitsOn::Host];
        let held = self.waits_for_message() || self.holds_denials_only();
        let blocked = blocks.into_iter().any(|whom| waiting.on(whom)) || self.is_stalled() || held;
        !blocked && self.outbox.active().is_none() && self.failed_with_approvals().is_none()
    }

    /// A failed item with approved calls that have no results. Nothing else is sent until the user retries it or gives
    /// it up.
    pub(super) fn failed_with_approvals(&self) -> Option<u32> {
        let failed = |item: &Item| item.state() == ItemState::Failed && self.owes(item);
        self.outbox.find_undelivered(&failed).map(|item| item.id)
    }

    /// Whether the item has an approval whose call has no result yet.
    pub(super) fn owes(&self, item: &Item) -> bool {
        let owes = |part: &ToolPart| part.phase().owes_result();
        item.carried.iter().any(|carried| self.transcript.call(carried.call).is_some_and(owes))
    }
}
