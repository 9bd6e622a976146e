//! Commands: what the backend, the user and the host do.

use super::{Core, about, read_ids};
use crate::machine::{Id, Payload, Respond, RespondOutcome, Sent, StreamEnd, ToolPart};
use crate::wire::ai_sdk::{self, AiSdk, HistoryIndex, Received};
use crate::wire::{Name, Values, enum_names};
use alloc::vec;

// The bits that `receive` returns; `receive` in `src/ts/gate/handlers/streams.ts` reads them.
/// The event was read.
const TAKEN: u32 = 0;
/// The event's type is unknown.
const UNKNOWN: u32 = 1;
/// The event is malformed.
const MALFORMED: u32 = 2;
/// The event began a message that has no id yet.
const UNNAMED: u32 = 4;

impl Core {
    /// Sets the time, and expires what is due.
    pub fn tick(&mut self, now: f64) {
        self.machine.tick(now as u64);
    }

    /// When `tick` has something to do next, in ms since 1970; 0 for never.
    pub fn next_deadline(&self) -> f64 {
        self.machine.next_deadline().unwrap_or(0) as f64
    }

    /// Reads one event. Returns `TAKEN` if it was read, `UNKNOWN` if its type is unknown, `MALFORMED` if it is
    /// malformed. Adds `UNNAMED` if it began a message that has no id yet: then call `name_message` next.
    pub fn receive(&mut self, event: u32, now: f64, request: u32, attempt: u32, reconnect: u32) -> u32 {
        let (event, about) = (Payload(event), about(request, attempt, reconnect));
        let received = self.codec.receive(&mut self.machine, &self.host, event, about, self.unnamed, now as u64);
        let unnamed = self.unnamed_message().is_some();
        let code = match received {
            Received::Taken => TAKEN,
            Received::Unknown => UNKNOWN,
            Received::Malformed => MALFORMED,
        };
        code | if unnamed { UNNAMED } else { 0 }
    }

    fn unnamed_message(&self) -> Option<usize> {
        let index = self.machine.current_message()?;
        let message = self.machine.transcript().messages().get(index)?;
        (message.id == self.unnamed).then_some(index)
    }

    /// Gives an id to the message that the backend began without one.
    pub fn name_message(&mut self, id: u32) {
        if self.unnamed_message().is_some() {
            self.machine.name_message(Id::at(id));
        }
    }

    /// The stream ended. `how`: the number of a `StreamEnd`; nothing happens if there is no such end.
    pub fn stream_ended(&mut self, how: u32, request: u32, attempt: u32) {
        let Some(&end) = StreamEnd::ALL.get(how as usize) else { return };
        self.machine.stream_ended(end, about(request, attempt, 0));
    }

    /// The host starts to reconnect to a stream.
    pub fn reconnecting(&mut self, request: u32, now: f64) {
        self.machine.reconnecting(about(request, 0, 0), now as u64);
    }

    /// Makes room for the numbers of a history's index, which `load` reads. Returns where JavaScript writes them.
    pub fn make_room(&mut self, count: usize) -> u32 {
        self.index = vec![0; count];
        self.index.as_ptr() as u32 / 4
    }

    /// Replaces the transcript with `history`, an array of messages. `first` and `count`: the consecutive values that
    /// are the messages in the index. Returns the repairs. If `history` is not an array, returns 0 and changes nothing.
    pub fn load(&mut self, history: u32, first: u32, count: u32, now: f64) -> u32 {
        let values = &self.host;
        let index = HistoryIndex::new(core::mem::take(&mut self.index), first);
        let repairs = ai_sdk::load_indexed(&mut self.machine, values, Payload(history), index, now as u64);
        let Some(repairs) = repairs else { return 0 };
        self.indexed = first..first + count;
        self.codec = AiSdk::default();
        let list = Values::array(values);
        for repair in repairs {
            let entry = Values::object(values);
            Values::set_number(values, entry, Name::Code, f64::from(repair.code as u8));
            if let Some(call) = repair.call {
                Values::set_id(values, entry, Name::ToolCallId, call);
            }
            if let Some(place) = repair.message {
                Values::set_number(values, entry, Name::Message, f64::from(place));
            }
            if let Some(phase) = repair.phase {
                Values::set_name(values, entry, Name::State, enum_names::state(phase));
            }
            Values::push(values, list, entry);
        }
        list.0
    }

    /// Sends a user message. Returns 1 if it is in an outgoing item, 0 if it is queued.
    pub fn send_user_message(&mut self, message: u32, id: u32, replace: u32) -> i32 {
        let message = ai_sdk::user_message(&self.host, Payload(message), Id::at(id));
        let sent = self.machine.send_user_message(message, Id::of(replace));
        self.check(sent.map(|sent| sent == Sent::Sent))
    }

    /// Asks for the last reply again.
    pub fn regenerate(&mut self, message_id: u32) -> i32 {
        let done = self.machine.regenerate(Id::of(message_id));
        self.done(done)
    }

    /// Decides an approval. `as_shown`: 2 if the input is the one that was shown, 1 if it is not, 0 if the caller does
    /// not say what was shown. `edited`: the edited input to run, or 0. Returns 1 if the approval is decided now, 0 if
    /// it already had the same decision.
    pub fn respond(&mut self, approval: u32, approved: bool, reason: u32, as_shown: u32, edited: u32) -> i32 {
        let answer = Respond {
            approval: Id::at(approval),
            approved,
            reason: Values::retain(&self.host, Payload(reason)),
            as_shown: as_shown.checked_sub(1).map(|same| same > 0),
            edited: (edited > 0).then(|| Values::retain(&self.host, Payload(edited))),
        };
        let outcome = self.machine.respond(answer);
        self.check(outcome.map(|outcome| outcome == RespondOutcome::Accepted))
    }

    /// Decides an array of approval ids. Returns how many are decided now.
    pub fn respond_all(&mut self, approvals: u32, approved: bool, reason: u32) -> u32 {
        let reason = Values::retain(&self.host, Payload(reason));
        let approvals = read_ids(&self.host, approvals);
        self.machine.respond_all(&approvals, approved, reason)
    }

    /// The input of the call that owns the approval; 0 if no call does.
    pub fn approval_input(&self, approval: u32) -> u32 {
        self.machine.approval_call(Id::at(approval)).map_or(0, |part| part.input.0)
    }

    /// When the approval was requested, in ms since 1970.
    pub fn requested_at(&self, approval: u32) -> f64 {
        let approval = self.machine.approval_call(Id::at(approval)).and_then(|part| part.approval.as_ref());
        approval.map_or(0.0, |approval| approval.requested_at as f64)
    }

    /// When the approval expires, in ms since 1970; 0 for never. Negative if the backend set that time, so that
    /// `extend` cannot change it.
    pub fn expires_at(&self, approval: u32) -> f64 {
        let approval = self.machine.approval_call(Id::at(approval)).and_then(|part| part.approval.as_ref());
        approval.map_or(0.0, |approval| {
            let time = approval.expires_at.unwrap_or(0) as f64;
            if approval.backend_expires { -time } else { time }
        })
    }

    /// Lets the approval expire later, at this time in ms since 1970. Returns 1 if that changed something, else 0.
    pub fn extend(&mut self, approval: u32, until: f64) -> i32 {
        let extended = self.machine.extend(Id::at(approval), until as u64);
        self.check(extended)
    }

    /// Cancels what is pending: the unsent approval with this id + 1; or the undelivered item with this number; or, if
    /// both are 0, everything.
    pub fn cancel(&mut self, reason: u32, approval: u32, item: u32) -> i32 {
        let reason = Values::retain(&self.host, Payload(reason));
        if let Some(approval) = approval.checked_sub(1) {
            self.machine.cancel_unsent(Id::at(approval), reason);
        } else if item > 0 {
            let done = self.machine.cancel_item(item, reason);
            return self.done(done);
        } else {
            self.machine.cancel(reason);
        }
        self.done(Ok(()))
    }

    /// Withdraws items that would be sent automatically.
    pub fn stop(&mut self) {
        self.machine.stop();
    }

    /// Releases held decisions.
    pub fn resume(&mut self) {
        self.machine.resume();
    }

    /// Adds the result of a tool that ran in the page. `failed`: the output is an error text. `content`: it is a list
    /// of content parts.
    pub fn add_output(&mut self, call: u32, output: u32, failed: bool, content: bool) -> i32 {
        let (call, output) = (Id::at(call), Values::retain(&self.host, Payload(output)));
        let added = self.machine.add_output(call, output, failed);
        let added_to = |part: &&ToolPart| content && part.output == output && part.fields.is_some();
        let fields = self.machine.transcript().calls_named(call).map(|(_, part)| part).find(added_to);
        if let Some(fields) = fields.map(|part| part.fields) {
            Values::replace(&self.host, fields, ai_sdk::content_fields(&self.host, fields));
        }
        self.done(added)
    }

    /// Removes a turn that ended badly. Returns whether there was one.
    pub fn drop_turn(&mut self) -> bool {
        self.machine.drop_turn()
    }
}
