//! What a reply writes into its message: content and steps.

use crate::machine::{Code, Id, Item, Machine, Part, PartPos, Payload, Refusal, RefusalReason, Role};

impl Machine {
    /// The backend adds content other than a tool call. Returns its position; `None` without an open reply.
    pub fn content(&mut self, kind: u8, value: Payload, fallback_id: Id) -> Option<PartPos> {
        let message = self.reply_message(fallback_id)?;
        self.mark_content();
        if let Some(at) = self.repeated_content(kind) {
            self.transcript.set_content(at, kind, value);
            return Some(at);
        }
        self.push_new(message, Part::Content { kind, value })
    }

    /// The backend begins a text. Calls that it opens afterwards are new, not repetitions. Returns its position.
    pub fn text(&mut self, kind: u8, value: Payload, fallback_id: Id) -> Option<PartPos> {
        let at = self.content(kind, value, fallback_id);
        self.end_repetitions();
        at
    }

    /// The backend adds content other than a tool call while no reply is open. It is added to the assistant's last
    /// message of this turn, and is an anomaly if there is none. Returns its position.
    pub fn content_outside(&mut self, kind: u8, value: Payload) -> Option<PartPos> {
        let last = self.transcript.messages().iter().rposition(|message| message.role == Role::Assistant);
        let Some(message) = last.filter(|&last| self.transcript.is_in_turn(last)) else {
            self.anomaly(Refusal::new(Code::MalformedEvent, RefusalReason::NoReply));
            return None;
        };
        self.transcript.push_part(message, Part::Content { kind, value })
    }

    /// The value of a content part changed.
    pub fn content_changed(&mut self, at: PartPos, value: Payload) {
        if let Some((kind, _)) = self.transcript.content(at) {
            self.transcript.set_content(at, kind, value);
            self.pass_content(at);
            self.mark_content();
        }
    }

    /// The model is called, or called again: a new step begins.
    pub fn step_start(&mut self, fallback_id: Id) {
        self.reply_message(fallback_id);
        self.rule_out_other_reply();
        if let Some(reply) = self.exchange.reply_mut() {
            reply.replay.pending += 1;
            if reply.replay.cursor >= reply.replay.end {
                self.pass_known_parts(false);
            }
        }
    }

    /// Adds a step boundary.
    pub(in crate::machine) fn begin_step(&mut self, message: usize) {
        self.end_repetitions();
        if self.transcript.is_in_turn(message) && !self.options.answering {
            self.supersede_calls(&self.transcript.open_calls_from(message));
        }
        self.turn.leave_step();
        self.transcript.push_part(message, Part::StepStart);
    }

    /// The model has finished a step. A step that failed does not count as work, although backends finish it, too.
    pub fn step_finish(&mut self) {
        if self.exchange.reply().is_some_and(|reply| reply.content && reply.ending.is_none()) {
            self.turn.work();
        }
    }

    /// The backend resets the current step: everything of it that arrived in this reply is removed.
    pub fn step_reset(&mut self) {
        let Some(message) = self.current_message() else { return };
        let Some(from) = self.reset_start(message) else { return };
        let removed = self.transcript.cut_parts(message, from);
        self.turn.remove(removed);
        self.turn.cut(message, from);
        // A request with removed calls is withdrawn.
        for id in self.outbox.ready_numbers() {
            let calls = self.item(id).map(Item::calls).unwrap_or_default();
            if calls.into_iter().any(|key| self.transcript.call(key).is_none()) {
                self.take_back(id);
            }
        }
    }

    pub(in crate::machine) fn mark_content(&mut self) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        let reopens = !reply.content && reply.item.is_none() && !reply.is_earlier;
        reply.content = true;
        if reopens {
            self.turn.reopen();
        }
        self.mark_shown();
    }

    pub(in crate::machine) fn mark_shown(&mut self) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        if !core::mem::replace(&mut reply.shown, true) {
            self.touch_exchange();
        }
        // The reply may have begun another message since a load removed the first one.
        self.show_message();
    }
}
