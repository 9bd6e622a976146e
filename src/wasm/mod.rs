//! The boundary to JavaScript: it converts and hands on, and takes no decision.
//!
//! [`Core`] is what `src/ts/store.ts` builds the public `ToolGate` on. A refusal is thrown as a plain
//! object; anything else that is thrown means that the core has failed and must not be used again.

// The macros of wasm-bindgen write items without documentation.
#![allow(missing_docs, clippy::must_use_candidate)]

mod events;
mod host;

#[cfg(not(toolgate_artifact))]
use alloc::string::String;

use host::Host;
use wasm_bindgen::prelude::*;

use crate::prelude::*;

use crate::machine::{
    About, Answer, Change, DeliveryState, Id, Item, Machine, Memory, OnDeny, OnUserMessage, Options, Payload, Refusal,
    Sent, StreamEnd,
};
use crate::wire::ai_sdk::{self, AiSdk, Received, Shape, Writer};
use crate::wire::snapshot::{self, Lists};
#[cfg_attr(toolgate_artifact, allow(unused_imports))] // the names, which the artifact's bindings have
use crate::wire::{Name, Texts, Values, Without, time, words};

/// What a method returns when it was refused: `take_refusal` says why.
const REFUSED: i32 = -1;

/// One chat's machine, codec and values. A value is given and returned as its place in the host's tables.
#[wasm_bindgen]
pub struct Core {
    machine: Machine,
    codec: AiSdk,
    host: Host,
    texts: Texts,
    unnamed: Id,
    refusal: Option<Refusal>,
}

/// Every name of the wires, in the order of their numbers, each with a line feed behind it; then, behind
/// a zero, the sets of names that copies leave out, likewise, with a tab behind each of their names.
#[cfg(not(toolgate_artifact))]
#[wasm_bindgen]
pub fn names() -> String {
    let mut text = String::new();
    for name in Name::ALL {
        text.push_str(name.text());
        text.push('\n');
    }
    text.push('\0');
    for set in Without::ALL {
        for name in *set {
            text.push_str(name.text());
            text.push('\t');
        }
        text.push('\n');
    }
    text
}

#[wasm_bindgen]
impl Core {
    /// A core. `browser_tools`: an array of names; `runs_all`: it is all of them. `texts`: the first of eight kept values, one behind
    /// the other: cancelled, interrupted, may have run, incomplete, moved on, superseded, skipped, expired.
    /// `unnamed`: the id that stands for one which the backend did not give, until the host does.
    /// `approval_timeout`: in milliseconds, 0 for none. `rewrites`: the host rewrites results.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments)] // an object would cost more than its numbers
    pub fn new(
        host: Host,
        on_user_message: u32,
        on_deny: u32,
        approval_timeout: f64,
        rewrites: bool,
        browser_tools: u32,
        runs_all: bool,
        texts: u32,
        unnamed: u32,
    ) -> Core {
        let text = |place| Payload(texts + place);
        let own = Texts { cancelled: text(0), interrupted: text(1), may_have_run: text(2), incomplete: text(3) };
        let options = Options {
            on_user_message: match on_user_message {
                1 => OnUserMessage::CancelPending,
                2 => OnUserMessage::Queue,
                3 => OnUserMessage::Block,
                _ => OnUserMessage::DenyPending,
            },
            on_deny: match on_deny {
                1 => OnDeny::SkipRest,
                2 => OnDeny::EndTurn,
                3 => OnDeny::ByReason,
                _ => OnDeny::Continue,
            },
            approval_timeout: time(approval_timeout),
            rewrites,
            browser_tools: read_ids(&host, browser_tools),
            runs_all,
            moved_on: text(4),
            superseded: text(5),
            skipped: text(6),
            expired: text(7),
        };
        let machine = Machine::new(options);
        Core { machine, codec: AiSdk::default(), host, texts: own, unnamed: Id(unnamed), refusal: None }
    }

    /// Tells the time, in milliseconds.
    pub fn set_now(&mut self, now: f64) {
        self.machine.set_now(now as u64);
    }

    /// Time has passed: what is due expires.
    pub fn tick(&mut self, now: f64) {
        self.machine.tick(now as u64);
    }

    /// When the next approval expires; 0 for never.
    pub fn next_deadline(&self) -> f64 {
        self.machine.next_deadline().unwrap_or(0) as f64
    }

    /// Takes one event. Returns 0: taken, 1: of no known type, 2: malformed; plus 4 if a message was
    /// begun that has no id yet: call `name_message` at once.
    pub fn receive(&mut self, event: u32, request: u32, attempt: u32) -> u32 {
        let about = about(request, attempt);
        let received = self.codec.receive(&mut self.machine, &self.host, Payload(event), about, self.unnamed);
        let unnamed = self.unnamed_message().is_some();
        let code = match received {
            Received::Taken => 0,
            Received::Unknown => 1,
            Received::Malformed => 2,
        };
        code | if unnamed { 4 } else { 0 }
    }

    fn unnamed_message(&self) -> Option<usize> {
        let index = self.machine.current_message()?;
        let message = self.machine.transcript().messages().get(index)?;
        (message.id == self.unnamed).then_some(index)
    }

    /// Gives the message its id.
    pub fn name_message(&mut self, id: u32) {
        if self.unnamed_message().is_some() {
            self.machine.begin(Some(Id(id)), self.unnamed);
        }
    }

    /// The stream ended. `how`: 0 finished, 1 error, 2 aborted, 3 disconnected, 4 step limit.
    pub fn stream_ended(&mut self, how: u32, request: u32, attempt: u32) {
        let end = match how {
            0 => StreamEnd::Finished,
            1 => StreamEnd::Error,
            2 => StreamEnd::Aborted,
            3 => StreamEnd::Disconnected,
            _ => StreamEnd::StepLimit,
        };
        self.machine.stream_ended(end, about(request, attempt));
    }

    /// Replaces the transcript. Returns the repairs.
    pub fn load(&mut self, history: u32) -> u32 {
        let values = &self.host;
        let repairs = ai_sdk::load(&mut self.machine, values, Payload(history));
        self.codec = AiSdk::default();
        let list = Values::array(values);
        for repair in repairs {
            let entry = Values::object(values);
            Values::set_number(values, entry, Name::Code, f64::from(repair.code as u8));
            if let Some(call) = repair.call {
                Values::set_id(values, entry, Name::ToolCallId, call);
            }
            if let Some(phase) = repair.phase {
                Values::set_name(values, entry, Name::State, words::state(phase));
            }
            Values::push(values, list, entry);
        }
        list.0
    }

    /// The user's message. Returns 1 if it is in an outgoing item, 0 if it waits.
    pub fn send_user_message(&mut self, message: u32, id: u32, replace: u32) -> i32 {
        let message = ai_sdk::user_message(&self.host, Payload(message), Id(id));
        let sent = self.machine.send_user_message(message, optional(replace));
        self.check(sent.map(|sent| sent == Sent::Sent))
    }

    /// The last answer once more.
    pub fn regenerate(&mut self, message_id: u32) -> i32 {
        let done = self.machine.regenerate(optional(message_id));
        self.check(done.map(|()| true))
    }

    /// Answers an approval. `as_shown`: the input is the one that was shown. Returns 1 if this was its
    /// decision, 0 if it had this very one.
    pub fn respond(&mut self, approval: u32, approved: bool, reason: u32, as_shown: bool) -> i32 {
        let reason = Values::keep(&self.host, Payload(reason));
        let answer = self.machine.respond(Id(approval), approved, reason, as_shown);
        self.check(answer.map(|answer| answer == Answer::Accepted))
    }

    /// Answers many, an array of approval ids. Returns how many were decided by it.
    pub fn respond_all(&mut self, approvals: u32, approved: bool, reason: u32) -> u32 {
        let reason = Values::keep(&self.host, Payload(reason));
        let approvals = read_ids(&self.host, approvals);
        self.machine.respond_all(&approvals, approved, reason)
    }

    /// The input of the call that the approval is about.
    pub fn approval_input(&self, approval: u32) -> u32 {
        self.machine.approval_call(Id(approval)).map_or(0, |part| part.input.0)
    }

    /// When the approval of the call was asked for.
    pub fn requested_at(&self, call: u32) -> f64 {
        let approval = self.machine.transcript().call(Id(call)).and_then(|part| part.approval.as_ref());
        approval.map_or(0.0, |approval| approval.requested_at as f64)
    }

    /// When the approval of the call expires; 0 for never.
    pub fn expires_at(&self, call: u32) -> f64 {
        let approval = self.machine.transcript().call(Id(call)).and_then(|part| part.approval.as_ref());
        approval.and_then(|approval| approval.expires_at).unwrap_or(0) as f64
    }

    /// Remembers the decision about the approval, for its input or for its tool. `expires_at`: 0 for never.
    pub fn remember(&mut self, approval: u32, this_input: bool, always: bool, expires_at: f64) {
        let host = &self.host;
        self.machine
            .remember(Id(approval), this_input, always, time(expires_at), &mut |input| Values::digest(host, input));
    }

    /// Takes over a decision that the host has kept. `digest`: of the one input it holds for, 0 and an id and 1.
    #[allow(clippy::too_many_arguments)] // an object would cost more than its numbers
    pub fn add_memory(
        &mut self,
        tool: u32,
        digest: u32,
        approved: bool,
        reason: u32,
        always: bool,
        decided_at: f64,
        expires_at: f64,
    ) {
        let reason = Values::keep(&self.host, Payload(reason));
        let (decided_at, expires_at) = (decided_at as u64, time(expires_at));
        let input = optional(digest);
        self.machine.add_memory(Memory {
            id: 0,
            tool: Id(tool),
            input,
            approved,
            reason,
            always,
            decided_at,
            expires_at,
        });
    }

    /// The remembered decisions that hold.
    pub fn remembered(&self) -> u32 {
        let list = Values::array(&self.host);
        for memory in self.machine.memories() {
            Values::push(&self.host, list, events::memory(&self.host, memory));
        }
        list.0
    }

    /// Forgets a remembered decision.
    pub fn forget(&mut self, id: u32) {
        self.machine.forget(id);
    }

    /// What the host makes of a result.
    pub fn rewrite(&mut self, call: u32, text: u32) -> bool {
        let text = Values::keep(&self.host, Payload(text));
        self.machine.rewrite(Id(call), text)
    }

    /// Withdraws what is pending.
    pub fn cancel(&mut self, reason: u32) {
        let reason = Values::keep(&self.host, Payload(reason));
        self.machine.cancel(reason);
    }

    /// Voids what is about to leave by itself.
    pub fn stop(&mut self) {
        self.machine.stop();
    }

    /// Lets go what is held.
    pub fn resume(&mut self) {
        self.machine.resume();
    }

    /// The result of a tool that ran in the browser.
    pub fn add_output(&mut self, call: u32, output: u32, failed: bool) -> i32 {
        let output = Values::keep(&self.host, Payload(output));
        let added = self.machine.add_output(Id(call), output, failed);
        self.check(added.map(|()| true))
    }

    /// What may leave now, without bodies.
    pub fn outgoing(&self) -> u32 {
        self.items(self.machine.outgoing())
    }

    /// What needs the user.
    pub fn undelivered(&self) -> u32 {
        self.items(self.machine.undelivered())
    }

    fn items<'a>(&'a self, items: impl Iterator<Item = &'a Item>) -> u32 {
        let list = Values::array(&self.host);
        for item in items {
            Values::push(&self.host, list, events::item(&self.host, item));
        }
        list.0
    }

    /// Takes the item off the list.
    pub fn claim(&mut self, id: u32) -> bool {
        self.machine.claim(id)
    }

    /// Whether the item is remembered and is not ready any more.
    pub fn is_taken(&self, id: u32) -> bool {
        self.machine.item(id).is_some_and(|item| item.state != DeliveryState::Ready)
    }

    /// Whether an item is ready to leave.
    pub fn has_ready(&self) -> bool {
        self.machine.outgoing().next().is_some()
    }

    /// Keeps the item's body for a retry.
    pub fn freeze(&mut self, id: u32, body: u32) {
        let body = Values::keep(&self.host, Payload(body));
        self.machine.freeze(id, body);
    }

    /// The backend has the item.
    pub fn mark_sent(&mut self, id: u32) -> i32 {
        let done = self.machine.mark_sent(id);
        self.check(done.map(|()| true))
    }

    /// The item could not be sent.
    pub fn mark_failed(&mut self, id: u32, error: u32) -> i32 {
        let error = Values::keep(&self.host, Payload(error));
        let done = self.machine.mark_failed(id, error);
        self.check(done.map(|()| true))
    }

    /// Once more.
    pub fn retry(&mut self, id: u32) -> i32 {
        let done = self.machine.retry(id);
        self.check(done.map(|()| true))
    }

    /// Why the last call was refused.
    pub fn take_refusal(&mut self) -> u32 {
        let refusal = self.refusal.take();
        refusal.map_or(0, |refusal| events::refusal(&self.host, &refusal).0)
    }

    /// Writes the state into two arrays.
    pub fn save(&self, numbers: u32, values: u32) {
        snapshot::save(&self.host, &self.machine, lists(numbers, values));
    }

    /// Takes a state that `save` of this version or an earlier one wrote; the host knows `ids` ids. `live`: 0 to go on with it, else to show what
    /// another page goes on with, 2 if something of its reply can be seen. `false` if the state is damaged: then
    /// nothing changed.
    pub fn restore(&mut self, numbers: u32, values: u32, version: u32, ids: u32, live: u32) -> bool {
        let options = self.machine.options().clone();
        let live = live.checked_sub(1).map(|shown| shown > 0);
        let lists = lists(numbers, values);
        let Some(machine) = snapshot::take_over(&self.host, lists, version, ids, options, live) else {
            return false;
        };
        self.machine = machine;
        self.codec = AiSdk::default();
        true
    }

    /// Drops a turn that ended badly.
    pub fn drop_turn(&mut self) -> bool {
        self.machine.drop_turn()
    }

    /// The places of all values that are still in use.
    pub fn live(&self) -> Vec<u32> {
        let mut live: Vec<u32> = self.texts.all().iter().map(|text| text.0).collect();
        self.machine.payloads(&mut |payload| live.push(payload.0));
        live
    }

    /// Counts up with every change.
    pub fn revision(&self) -> u32 {
        self.machine.revision()
    }

    /// How many messages there are.
    pub fn message_count(&self) -> usize {
        self.machine.transcript().messages().len()
    }

    /// Counts up with every change to the messages that wait.
    pub fn queue_revision(&self) -> u32 {
        self.machine.queue_revision()
    }

    /// How many approvals wait for the user.
    pub fn undecided(&self) -> u32 {
        self.machine.counts().0
    }

    /// How many approvals of the turn are decided.
    pub fn decided(&self) -> u32 {
        self.machine.counts().1
    }

    /// The status, as a place in the list of `src/ts/view.ts`.
    pub fn status(&self) -> u32 {
        self.machine.status() as u32
    }

    /// The turn's status, as a place in the list of `src/ts/view.ts`.
    pub fn turn_status(&self) -> u32 {
        self.machine.turn_status() as u32
    }

    /// The turn's ending, as a place in the list of `src/ts/view.ts`.
    pub fn turn_ending(&self) -> u32 {
        self.machine.turn().ending.map_or(0, |ending| ending as u32 + 1)
    }

    /// Adds what changed since the last call to an array: pairs of message and part, counted from 2.
    /// Part 0 is the message's head, 1 says that the message is new.
    pub fn changes(&mut self, list: u32) {
        for change in self.machine.take_changes() {
            let (message, part) = match change {
                Change::Part(at) => (at.message, at.part + 2),
                Change::Message(message) => (message, 0),
                Change::New(message) => (message, 1),
            };
            Values::push_number(&self.host, Payload(list), message as f64);
            Values::push_number(&self.host, Payload(list), part as f64);
        }
    }

    fn writer(&self) -> Writer<'_, Host> {
        Writer { values: &self.host, texts: self.texts }
    }

    /// One part of the view.
    pub fn part(&self, message: usize, part: usize) -> u32 {
        let part = self.machine.transcript().messages().get(message).and_then(|message| message.parts.get(part));
        part.map_or(0, |part| ai_sdk::ui_part(&self.writer(), part, Shape::View).0)
    }

    /// A message of the view, without its parts.
    pub fn head(&self, message: usize) -> u32 {
        let message = self.machine.transcript().messages().get(message);
        message.map_or(0, |message| ai_sdk::message_head(&self.writer(), message).0)
    }

    /// How many parts a message has.
    pub fn part_count(&self, message: usize) -> usize {
        self.machine.transcript().messages().get(message).map_or(0, |message| message.parts.len())
    }

    /// A message of a request's body.
    pub fn body_message(&self, message: usize) -> u32 {
        let message = self.machine.transcript().messages().get(message);
        message.map_or(0, |message| ai_sdk::ui_message(&self.writer(), message, Shape::Body).0)
    }

    /// What a message becomes in the model's history: an array.
    pub fn model_messages(&self, message: usize) -> u32 {
        let list = Values::array(&self.host);
        let messages = self.machine.transcript().messages();
        let is_last = message + 1 == messages.len();
        if let Some(message) = messages.get(message) {
            ai_sdk::model_messages(&self.writer(), message, is_last, list);
        }
        list.0
    }

    /// The messages that wait to leave.
    pub fn queued(&self) -> u32 {
        let list = Values::array(&self.host);
        for message in self.machine.queued() {
            Values::push(&self.host, list, ai_sdk::ui_message(&self.writer(), message, Shape::View));
        }
        list.0
    }

    /// Whether there are events to take.
    pub fn has_events(&self) -> bool {
        self.machine.has_events()
    }

    /// What happened since the last call.
    pub fn take_events(&mut self) -> u32 {
        let list = Values::array(&self.host);
        for event in self.machine.take_events() {
            Values::push(&self.host, list, events::event(&self.host, &self.machine, &event));
        }
        list.0
    }

    fn check(&mut self, result: Result<bool, Refusal>) -> i32 {
        match result {
            Ok(yes) => yes.into(),
            Err(refusal) => {
                self.refusal = Some(refusal);
                REFUSED
            }
        }
    }
}

/// The ids in an array of texts.
fn read_ids<V: Values>(values: &V, list: u32) -> Vec<Id> {
    (0..values.len(Payload(list))).filter_map(|place| values.as_id(values.at(Payload(list), place))).collect()
}

/// An id that may be missing: 0 for none, else the id's number and 1.
fn optional(number: u32) -> Option<Id> {
    number.checked_sub(1).map(Id)
}

fn lists(numbers: u32, values: u32) -> Lists {
    Lists { numbers: Payload(numbers), values: Payload(values) }
}

fn about(request: u32, attempt: u32) -> About {
    About { request: (request > 0).then_some(request), attempt: (attempt > 0).then_some(attempt) }
}
