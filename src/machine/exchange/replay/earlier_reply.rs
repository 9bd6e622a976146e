//! Reconnected streams after a request that was not acknowledged. Most of them replay the reply before that request;
//! some are the reply to it. Both begin by naming the same message.

use crate::machine::{
    About, Admission, Brings, Code, Exchange, Followed, Id, Input, Item, ItemInput, ItemState, LastReply, Machine,
    PartPos, Payload, Phase, Reconnect, Refusal, RefusalReason, Reply, Role, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Whether an event is a later event of a stream that the host reads again from its start, and the last reply was
    /// cancelled or broke off before the user's last message. The first event of such a stream was ignored.
    pub(in crate::machine) fn is_rest(&self, about: About, brings: Brings) -> bool {
        let from_start = about.request.is_none() && about.reconnect == Some(Reconnect::Start);
        from_start && !matches!(brings, Brings::Start(_)) && (self.turn.follows_cut() || self.turn.is_cancelled())
    }

    /// Drops the content of such a stream. Its other events may still settle calls and request their approval.
    pub(in crate::machine) fn drop_rest(&mut self, brings: Brings) -> Admission {
        match brings {
            Brings::Result(_) | Brings::Request(..) | Brings::Report => return Admission::Outside,
            Brings::Content | Brings::Attachment => {
                self.anomaly(Refusal::new(Code::Superseded, RefusalReason::Unasked));
            }
            Brings::Start(_) | Brings::Housekeeping | Brings::Ending(_) => {}
        }
        Admission::Ignored
    }

    /// Whether a stream that opens a reply may be a replay of the reply before a request that was not acknowledged.
    pub(in crate::machine) fn may_be_earlier(&self, about: About) -> bool {
        let starts = about.request.is_none() && about.reconnect == Some(Reconnect::Start);
        starts && self.turn.last_reply().is_some_and(LastReply::is_earlier)
    }

    /// Opens such a stream. The message that it names, and the events before its first step, show which reply it is.
    pub(in crate::machine) fn open_earlier(&mut self, about: About) -> Admission {
        // A new request is ready. It is sent, and this stream is ignored.
        if let Some(ready) = self.outbox.ready_submission().filter(|ready| ready.attempt == 1) {
            let approval = ready.approvals().next();
            self.anomaly(Refusal { approval, ..Refusal::new(Code::Superseded, RefusalReason::Unasked) });
            return Admission::Ignored;
        }
        let reply = Reply { is_earlier: true, may_answer: true, labelled: true, ..Reply::default() };
        self.set_exchange(Exchange::Replying(Box::new(Reply { attempt: 1, ..reply })));
        self.asides_are_followed(true);
        if let Some(how) = about.reconnect {
            self.restart_replay(how);
        }
        Admission::Current
    }

    /// The stream names its message: it replays the last message or an earlier one, or it is another reply.
    pub(in crate::machine) fn find_replayed_message(&mut self, id: Option<Id>) {
        let undecided = |reply: &&Reply| reply.is_earlier && reply.message.is_none() && reply.superseded.is_none();
        let (Some(_), Some(known)) = (self.exchange.reply().filter(undecided), self.turn.last_reply().copied()) else {
            return;
        };
        let messages = self.transcript.messages();
        let last = messages.len().checked_sub(1).filter(|&last| known.message == Some(last));
        // If the stream names no message, it is a replay if the request failed, because such a request has no reply.
        let names = |last: &usize| {
            let message = &messages[*last];
            let same = id.map_or(known.followed == Followed::Failed, |id| id == message.id);
            same && message.role == Role::Assistant
        };
        if let Some(message) = last.filter(names) {
            if let Some(reply) = self.exchange.reply_mut() {
                (reply.message, reply.base, reply.cancelled) = (Some(message), known.base, known.cancelled);
                reply.is_replay = true;
            }
            self.read_again();
            return self.touch_exchange();
        }
        if id.is_none_or(|id| self.transcript.position(id).is_none()) {
            self.become_the_reply(known.followed == Followed::Lost);
        }
    }

    /// A step or a call of the stream begins, so it cannot turn out to be another reply any more.
    pub(in crate::machine) fn rule_out_other_reply(&mut self) {
        if let Some(reply) = self.exchange.reply_mut() {
            reply.may_answer = false;
        }
    }

    /// A result of a call that a replay could not have settled shows that the stream is the reply to the request.
    pub(in crate::machine) fn note_answer(&mut self, admission: Admission, at: PartPos, input: Input) {
        let Some(reply) = self.exchange.reply().filter(|reply| reply.may_answer) else { return };
        let is_result = input.is_backend_result();
        let base = reply.message.filter(|&message| message == at.message).map(|_| reply.base);
        let expects = |part: &ToolPart| match part.phase() {
            Phase::Submitted | Phase::Denied | Phase::Preliminary => true,
            // The call was closed without a result in the meantime. A final denial is not.
            _ => base.is_some_and(|base| at.part >= base) && part.is_closed(),
        };
        if admission == Admission::Current && is_result && self.transcript.tool(at).is_some_and(expects) {
            self.become_the_reply(true);
        }
    }

    /// The stream is not a replay: it is the reply to the request that was not acknowledged, or an unrequested one.
    fn become_the_reply(&mut self, to_request: bool) {
        let waits = |item: &Item| match item.state() {
            ItemState::Failed | ItemState::Unconfirmed => true,
            ItemState::Ready => item.attempt > 1,
            ItemState::InFlight | ItemState::Replying | ItemState::Done | ItemState::Stalled => false,
        };
        let mut items = self.outbox.items().iter().rev();
        let item = items.find(|item| to_request && !item.is_aside() && waits(item)).map(|item| item.id);
        if let Some(id) = item {
            // The previous attempt has arrived, and its retry was not sent.
            if self.item(id).is_some_and(|item| item.state() == ItemState::Ready) {
                self.take_back(id);
            }
            self.move_item(id, ItemInput::ReplyBegins);
            self.outbox.change(id, |item| item.error = Payload::NONE);
        }
        self.turn.reopen();
        let item = item.and_then(|id| self.item(id));
        let (item, attempt) =
            (item.map(|item| (item.id, !item.carried.is_empty())), item.map_or(1, |item| item.attempt));
        let messages = self.transcript.messages();
        let Some(reply) = self.exchange.reply_mut() else { return };
        (reply.item, reply.attempt) = (item.map(|(id, _)| id), attempt);
        reply.may_repeat = item.is_some_and(|(_, carries)| carries);
        (reply.is_earlier, reply.may_answer, reply.is_replay, reply.cancelled) = (false, false, false, false);
        let parts = reply.message.and_then(|message| messages.get(message)).map(|message| message.parts.len());
        reply.base = parts.unwrap_or(reply.base);
        self.read_on();
        self.touch_exchange();
    }
}
