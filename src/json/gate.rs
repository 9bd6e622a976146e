//! A chat of a Rust program: see [`Gate`].

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::canonical::{MAX_LEVELS, is_readable};
use super::outgoing::check_user_message;
use super::view::{PendingApproval, Repair};
use super::{ErrorCode, GateError, GateEvent, GateOptions, SavedGate, Store, Value};
use crate::machine::{About, Code, Id, Machine, Payload, Reconnect, Refusal, Respond, RespondOutcome, Sent, StreamEnd};
use crate::prelude::drop_oldest;
use crate::wire::ai_sdk::{self, AiSdk, Received, Writer};
use crate::wire::{Texts, Values};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The placeholder id of a message without an id, until it gets one: the same as in the npm package.
const UNNAMED: &str = "toolgate:message";

/// With more entries than this, the tables are cleaned up when they have doubled.
const CLEAN_UP_ABOVE: usize = 512;

/// With twice as many events, all but this many are dropped.
const MAX_EVENTS: usize = 1_000;

/// The approval state of one chat's tool calls, and what must be sent to its backend.
///
/// The gate does no I/O and has no clock: the program passes the backend's events with [`receive`](Gate::receive) and
/// [`stream_ended`](Gate::stream_ended), and sends what [`outgoing`](Gate::outgoing) lists. `now_ms` is always the
/// present time in ms since 1970. The protocol is the AI SDK's (versions 6 and 7).
pub struct Gate {
    pub(super) chat_id: String,
    pub(super) machine: Machine,
    pub(super) store: Store,
    codec: AiSdk,
    texts: Texts,
    unnamed: Id,
    /// Anomalies that the gate itself found.
    events: Vec<GateEvent>,
    dropped_events: usize,
    clean_up_above: usize,
}

/// A decision on an approval.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// Whether the call may run.
    pub approved: bool,
    /// The reason, which the model reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The digest of the input that was shown to the user. The decision is refused if the call has another input now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_digest: Option<String>,
}

impl Decision {
    /// Approves.
    #[must_use]
    pub fn approve() -> Self {
        Self { approved: true, ..Self::default() }
    }

    /// Denies, with a reason that the model reads.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::default() }
    }

    /// Binds the decision to the input that was shown.
    #[must_use]
    pub fn shown(mut self, approval: &PendingApproval) -> Self {
        self.input_digest = Some(approval.input_digest.clone());
        self
    }
}

/// The request that an event belongs to. `ReplyTo::default()`: the program does not say.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ReplyTo {
    /// The outgoing item.
    pub request: Option<u32>,
    /// The attempt at the item.
    pub attempt: Option<u32>,
    /// Set for events of a stream to which the program reconnected.
    pub reconnect: Option<Reconnect>,
}

impl From<ReplyTo> for About {
    fn from(ReplyTo { request, attempt, reconnect }: ReplyTo) -> Self {
        About { request, attempt, reconnect }
    }
}

impl Gate {
    /// A gate for a new chat. The ids of its messages contain the time, and the idempotency keys depend on them and on
    /// the chat's id: a later chat with the same id has other keys.
    #[must_use]
    pub fn new(chat_id: impl Into<String>, options: &GateOptions, now_ms: u64) -> Self {
        let store = Store::default();
        let (own, texts) = options.to_machine(&store);
        Self::over(chat_id.into(), Machine::new(own), store, texts, now_ms)
    }

    /// The gate of a saved chat. Items that were in flight are unconfirmed: they are not sent again automatically.
    ///
    /// # Errors
    /// `bad-snapshot` if the snapshot was changed, or was written by another version.
    pub fn restore(saved: &SavedGate, options: &GateOptions, now_ms: u64) -> Result<Self, GateError> {
        let store = Store::default();
        let (own, texts) = options.to_machine(&store);
        let machine = saved.read(&store, own)?;
        Ok(Self::over(saved.chat_id().into(), machine, store, texts, now_ms))
    }

    fn over(chat_id: String, machine: Machine, store: Store, texts: Texts, now_ms: u64) -> Self {
        let unnamed = store.make(UNNAMED);
        store.set_time(now_ms);
        store.end();
        Self {
            chat_id,
            machine,
            store,
            codec: AiSdk::default(),
            texts,
            unnamed,
            events: Vec::new(),
            dropped_events: 0,
            clean_up_above: CLEAN_UP_ABOVE,
        }
    }

    /// The state of the chat. Store it, and pass it to [`restore`](Gate::restore).
    pub fn save(&mut self) -> SavedGate {
        let saved = SavedGate::write(&self.chat_id, &self.store, &mut self.machine);
        self.store.end();
        saved
    }

    // The backend's events.

    /// Reads one event of the AI SDK's UI message stream. Never fails: an event that cannot be used becomes
    /// [`GateEvent::Anomaly`]. Returns whether the event's type is known.
    pub fn receive(&mut self, event: &Json, about: ReplyTo, now_ms: u64) -> bool {
        self.store.set_time(now_ms);
        if let Err(error) = check_depth("receive", event) {
            let error = GateError { code: ErrorCode::Refused(Code::MalformedEvent), ..error };
            self.events.push(GateEvent::Anomaly { error });
            self.end();
            return true;
        }
        let event = self.store.json_value(event.clone());
        let Self { codec, machine, store, unnamed, .. } = self;
        let received = codec.receive(machine, store, event, about.into(), *unnamed, now_ms);
        let begun = machine.current_message().and_then(|at| machine.transcript().messages().get(at));
        if begun.is_some_and(|message| message.id == *unnamed) {
            machine.name_message(store.new_id());
        }
        self.end();
        received != Received::Unknown
    }

    /// The stream of a reply ended.
    pub fn stream_ended(&mut self, how: StreamEnd, about: ReplyTo) {
        self.machine.stream_ended(how, about.into());
        self.end();
    }

    /// The program starts to reconnect to a stream: decisions are held until its first event, or for ten seconds.
    pub fn reconnecting(&mut self, about: ReplyTo, now_ms: u64) {
        self.machine.reconnecting(about.into(), now_ms);
        self.end();
    }

    /// Replaces the transcript with a history of `UIMessage`s or `ModelMessage`s, and repairs it.
    ///
    /// # Errors
    /// `invalid-argument` if the history is not an array, or is nested too deep. Nothing changes then.
    pub fn load(&mut self, history: &Json, now_ms: u64) -> Result<Vec<Repair>, GateError> {
        check_depth("load", history)?;
        self.store.set_time(now_ms);
        let history = self.store.json_value(history.clone());
        let repairs = ai_sdk::load(&mut self.machine, &self.store, history, now_ms);
        let Some(repairs) = repairs else {
            self.store.end();
            return Err(invalid("load: expected an array of messages"));
        };
        self.codec = AiSdk::default();
        let text = |id| self.store.text(id).to_string();
        let repairs =
            repairs.iter().map(|repair| Repair { code: repair.code, tool_call_id: repair.call.map(text) }).collect();
        self.end();
        Ok(repairs)
    }

    // Commands.

    /// Sends a message: `{ "text": … }`, or an AI SDK user message. `replace`: the id of an earlier message, which it
    /// replaces with everything after it.
    ///
    /// # Errors
    /// `invalid-argument` for a message without content; `message-blocked`; `busy`; `malformed-event` if `replace`
    /// names no message.
    pub fn send_user_message(&mut self, message: &Json, replace: Option<&str>) -> Result<Sent, GateError> {
        check_user_message(message).map_err(|why| invalid(&format!("send_user_message: {why}")))?;
        check_depth("send_user_message", message)?;
        let replace = replace.map(|id| self.store.make(id));
        let given = self.store.json_value(message.clone());
        let message = ai_sdk::user_message(&self.store, given, self.store.new_id());
        let sent = self.machine.send_user_message(message, replace);
        self.finish(sent)
    }

    /// Requests the last reply again. `message_id`: that reply, or the reply to that user message, instead.
    ///
    /// # Errors
    /// `busy`; `malformed-event` if no message has this id.
    pub fn regenerate(&mut self, message_id: Option<&str>) -> Result<(), GateError> {
        let message = message_id.map(|id| self.store.make(id));
        let done = self.machine.regenerate(message);
        self.finish(done)
    }

    /// Decides an approval, once: the same decision again is [`RespondOutcome::Duplicate`].
    ///
    /// # Errors
    /// `unknown-approval`; `already-decided` for the opposite decision; `already-settled`; `superseded`; `stale-input`
    /// if another input was shown.
    pub fn respond(&mut self, approval_id: &str, decision: &Decision) -> Result<RespondOutcome, GateError> {
        let approval = self.store.make(approval_id);
        let as_shown = decision.input_digest.as_ref().map(|shown| {
            let input = self.machine.approval_call(approval).map_or(Payload::NONE, |part| part.input);
            super::digest(&self.store.take(input)) == *shown
        });
        let reason = self.keep_text(decision.reason.as_deref());
        let answer = Respond { approval, approved: decision.approved, reason, as_shown, edited: None };
        let outcome = self.machine.respond(answer);
        self.finish(outcome)
    }

    /// Decides all pending approvals that match, before anything is sent. Returns how many.
    pub fn respond_all(&mut self, decision: &Decision, matches: impl Fn(&PendingApproval) -> bool) -> u32 {
        let chosen = self.pending().into_iter().filter(matches);
        let approvals: Vec<Id> = chosen.map(|entry| self.store.make(&entry.approval_id)).collect();
        let reason = self.keep_text(decision.reason.as_deref());
        let decided = self.machine.respond_all(&approvals, decision.approved, reason);
        self.end();
        decided
    }

    /// Gives the user more time for an approval that the option `approval_timeout_ms` lets expire: until `until_ms`, in
    /// ms since 1970. Returns whether that is later than before. A deadline of the backend does not change.
    ///
    /// # Errors
    /// `unknown-approval`; `superseded`.
    pub fn extend(&mut self, approval_id: &str, until_ms: u64) -> Result<bool, GateError> {
        let approval = self.store.make(approval_id);
        let done = self.machine.extend(approval, until_ms);
        self.finish(done)
    }

    /// Cancels everything that is pending. A cancelled call is not a denied one.
    pub fn cancel(&mut self, reason: Option<&str>) {
        let reason = self.keep_text(reason);
        self.machine.cancel(reason);
        self.end();
    }

    /// Cancels the call of one approval that was given and not sent. Nothing happens if there is no such approval.
    pub fn cancel_unsent(&mut self, approval_id: &str, reason: Option<&str>) {
        let (approval, reason) = (self.store.make(approval_id), self.keep_text(reason));
        self.machine.cancel_unsent(approval, reason);
        self.end();
    }

    /// Gives up one undelivered item. Its approved calls are cancelled, and may have run.
    ///
    /// # Errors
    /// `unknown-outgoing` if no item ever had this number.
    pub fn cancel_item(&mut self, id: u32, reason: Option<&str>) -> Result<(), GateError> {
        let reason = self.keep_text(reason);
        let done = self.machine.cancel_item(id, reason);
        self.finish(done)
    }

    /// Withdraws items that would be sent automatically, and holds decisions until [`resume`](Gate::resume) or the next
    /// message.
    pub fn stop(&mut self) {
        self.machine.stop();
        self.end();
    }

    /// Releases decisions held by [`stop`](Gate::stop), or by a stream that ended badly.
    pub fn resume(&mut self) {
        self.machine.resume();
        self.end();
    }

    /// Adds the result of a tool that this program ran: its output, or the text of its error.
    ///
    /// # Errors
    /// `unknown-call`; `approval-pending`; `already-settled`; `invalid-argument` if the output is nested too deep.
    pub fn add_tool_output(&mut self, tool_call_id: &str, result: Result<Json, String>) -> Result<(), GateError> {
        result.as_ref().map_or(Ok(()), |output| check_depth("add_tool_output", output))?;
        let call = self.store.make(tool_call_id);
        let is_error = result.is_err();
        let output = self.store.retain(self.store.json_value(result.unwrap_or_else(Json::String)));
        let done = self.machine.add_output(call, output, is_error);
        self.finish(done)
    }

    /// Approvals whose deadline has passed expire. Call it when [`next_deadline`](Gate::next_deadline) says so.
    pub fn tick(&mut self, now_ms: u64) {
        self.store.set_time(now_ms);
        self.machine.tick(now_ms);
        self.end();
    }

    /// When [`tick`](Gate::tick) has something to do next, in ms since 1970.
    #[must_use]
    pub fn next_deadline(&self) -> Option<u64> {
        self.machine.next_deadline()
    }

    /// Returns and clears the events since the last call. A program need not call it: only the newest thousand events
    /// or so are kept, and [`GateEvent::Dropped`] counts the others.
    pub fn take_events(&mut self) -> Vec<GateEvent> {
        let events = self.machine.take_events();
        let read = events.iter().map(|event| GateEvent::read(&self.store, event));
        let count = core::mem::take(&mut self.dropped_events);
        let dropped = (count > 0).then_some(GateEvent::Dropped { count });
        dropped.into_iter().chain(self.events.drain(..)).chain(read).collect()
    }

    /// How many values and texts the gate has room for. For tests and for reports of memory use.
    #[must_use]
    pub fn table_size(&self) -> usize {
        self.store.size()
    }

    pub(super) fn writer(&self) -> Writer<'_, Store> {
        Writer { values: &self.store, texts: self.texts, machine: &self.machine }
    }

    fn keep_text(&self, text: Option<&str>) -> Payload {
        let text = text.filter(|text| !text.is_empty());
        text.map_or(Payload::NONE, |text| self.store.retain(self.store.give(Value::text(text))))
    }

    /// Ends a command, and turns a refusal into an error.
    pub(super) fn finish<T>(&mut self, done: Result<T, Refusal>) -> Result<T, GateError> {
        let done = done.map_err(|refusal| GateError::refused(&self.store, &refusal));
        self.end();
        done
    }

    /// Ends a call: values and ids that the machine does not refer to are freed now and then.
    pub(super) fn end(&mut self) {
        self.machine.take_changes();
        self.dropped_events += self.machine.drop_events(MAX_EVENTS) + drop_oldest(&mut self.events, MAX_EVENTS);
        self.store.end();
        if self.store.size() > self.clean_up_above {
            let mut ids = Vec::from([self.unnamed]);
            self.codec.ids(&mut |id| ids.push(id));
            self.store.free(&self.machine, &self.texts.all(), &ids);
            self.clean_up_above = CLEAN_UP_ABOVE.max(2 * self.store.in_use());
        }
    }
}

/// Refuses a value that a snapshot could not contain.
fn check_depth(method: &str, value: &Json) -> Result<(), GateError> {
    let refused = || invalid(&format!("{method}: the value has more than {MAX_LEVELS} levels of arrays and objects"));
    is_readable(value).then_some(()).ok_or_else(refused)
}

fn invalid(message: &str) -> GateError {
    GateError::new(ErrorCode::InvalidArgument, message)
}
