//! A virtual chat: a machine, its codec and its values, with the methods that tests need.
//!
//! Ids are texts here. `act` applies every input, and the watch (watch.rs) checks the state before and after it, so
//! every test also checks the invariants. If `closely` is false, some checks are omitted after an input. `look_closely`
//! then checks the whole state, frees unused values and updates the view with all changes at once.

use crate::invariants;
use crate::mirror::Mirror;
use crate::stream::Stream;
use crate::watch::Watch;
use serde_json::{Value as Json, json};
use toolgate::json::Store;
use toolgate::json::Value;
use toolgate::machine::{
    About, Code, Event, Id, Kind, Machine, OnDeny, OnUserMessage, Options, PageTools, Payload, Reconnect, Refusal,
    Respond, RespondOutcome, Sent, StreamEnd,
};
use toolgate::wire::ai_sdk::{self, AiSdk, Received};
use toolgate::wire::{Texts, Values};

/// No items.
pub const NONE: [u32; 0] = [];

/// The placeholder for the id of a message for which the backend sent no id.
const UNNAMED: &str = "unnamed";

/// A chat for tests.
#[derive(Clone)]
pub struct Chat {
    /// The machine under test.
    pub machine: Machine,
    /// The host's values.
    pub store: Store,
    pub(crate) texts: Texts,
    pub(crate) events: Vec<Event>,
    pub(crate) codec: AiSdk,
    pub(crate) watch: Watch,
    pub(crate) mirror: Mirror,
    /// The host's current time in ms.
    pub(crate) clock: u64,
    /// Whether the whole state is checked after every input. If false, only fast checks are made.
    pub(crate) closely: bool,
}

impl Default for Chat {
    fn default() -> Self {
        Self::with(OnUserMessage::default(), &[])
    }
}

impl Chat {
    /// A chat with this policy, and with tools that run in the page.
    pub fn with(on_user_message: OnUserMessage, browser_tools: &[&str]) -> Self {
        Self::over(Store::default(), on_user_message, browser_tools)
    }

    /// A chat with a model's own API: every tool runs in the page.
    pub fn with_model_api() -> Self {
        Self::of(Store::default(), OnUserMessage::default(), &[], true)
    }

    /// A chat that uses these values.
    pub fn over(store: Store, on_user_message: OnUserMessage, browser_tools: &[&str]) -> Self {
        Self::of(store, on_user_message, browser_tools, false)
    }

    fn of(store: Store, on_user_message: OnUserMessage, browser_tools: &[&str], runs_all: bool) -> Self {
        let text = |text: &str| store.retain(store.json_value(json!(text)));
        let own = Options {
            on_user_message,
            page_tools: PageTools {
                names: browser_tools.iter().map(|name| store.make(name)).collect(),
                all: runs_all,
                rest: browser_tools.is_empty(),
            },
            moved_on: text("The user moved on."),
            superseded: text("Superseded."),
            unsent: text("Not sent."),
            skipped: text("Skipped."),
            expired: text("Expired."),
            ..Options::default()
        };
        let texts = Texts {
            cancelled: text("Cancelled."),
            interrupted: text("Interrupted."),
            may_have_run: text("May have run."),
            incomplete: text("Incomplete."),
            denied: text("Denied."),
        };
        let machine = Machine::new(own);
        store.end();
        Self {
            machine,
            store,
            codec: AiSdk::default(),
            texts,
            events: Vec::new(),
            watch: Watch::default(),
            mirror: Mirror::default(),
            clock: 0,
            closely: true,
        }
    }

    /// Changes the options. They apply from the next input on.
    pub fn set_options(&mut self, change: impl FnOnce(&mut Options)) {
        let mut options = self.machine.options().clone();
        change(&mut options);
        self.machine.set_options(options);
    }

    /// A chat with this policy for denials.
    pub fn with_on_deny(on_deny: OnDeny) -> Self {
        let mut chat = Self::default();
        chat.set_options(|options| options.on_deny = on_deny);
        chat
    }

    /// Performs one input. The watch checks the state before and after it.
    pub fn act<T>(&mut self, input: impl FnOnce(&mut Self) -> T) -> T {
        let result = input(self);
        let events = self.machine.take_events();
        self.events.extend(events);
        self.store.end();
        if self.closely {
            self.look_closely();
        }
        let mut watch = std::mem::take(&mut self.watch);
        watch.look(self);
        self.watch = watch;
        self.store.end();
        result
    }

    /// Checks the whole state, and that the view, updated with the reported changes, shows it.
    pub fn look_closely(&mut self) {
        self.store.sweep(&self.machine, &self.texts.all());
        let changes = self.machine.take_changes();
        invariants::check(self);
        let mut mirror = std::mem::take(&mut self.mirror);
        mirror.update(self, &changes);
        self.mirror = mirror;
        self.store.end();
    }

    // Events of the backend.

    /// Reads one event of the stream.
    pub fn receive_about(&mut self, chunk: Json, about: About) -> Received {
        self.receive_value(Value::from_json(chunk), about)
    }

    /// Reads one event of the stream without copying the object.
    pub fn receive_value(&mut self, chunk: Value, about: About) -> Received {
        self.act(|chat| {
            let unnamed = chat.store.make(UNNAMED);
            let chunk = chat.store.give(chunk);
            let received = chat.codec.receive(&mut chat.machine, &chat.store, chunk, about, unnamed, chat.clock);
            // Like the host, gives a message without an id a new id at once.
            let begun = chat.machine.current_message().and_then(|at| chat.machine.transcript().messages().get(at));
            if begun.is_some_and(|message| message.id == unnamed) {
                chat.machine.name_message(chat.store.new_id());
            }
            received
        })
    }

    /// Reads events of the open reply.
    pub fn more(&mut self, events: impl FnOnce(Stream) -> Stream) {
        for chunk in events(Stream::new()).chunks() {
            self.receive_about(chunk, About::default());
        }
    }

    /// Reads events of the reply to this request.
    pub fn more_of(&mut self, request: u32, events: impl FnOnce(Stream) -> Stream) {
        for chunk in events(Stream::new()).chunks() {
            self.receive_about(chunk, About { request: Some(request), ..About::default() });
        }
    }

    /// Starts a reply: its message, a step, and these events. It stays open.
    pub fn stream(&mut self, events: impl FnOnce(Stream) -> Stream) {
        let message = self.next_message();
        self.more(|reply| events(reply.start(&message).step()));
    }

    /// Reads a whole reply that ends well.
    pub fn reply(&mut self, events: impl FnOnce(Stream) -> Stream) {
        self.stream(|reply| events(reply).step_done().finish());
        self.end(StreamEnd::Finished);
    }

    /// The message that the awaited reply will write: the last one, or a new one.
    pub fn next_message(&self) -> String {
        let expects_reply = self.machine.outbox().active().is_some_and(|item| item.kind == Kind::Step);
        let messages = self.machine.transcript().messages();
        match messages.last() {
            Some(last) if expects_reply => self.text(last.id).to_string(),
            _ => format!("r{}", messages.len()),
        }
    }

    /// An id that no message has.
    pub fn new_message(&self) -> String {
        (1..)
            .map(|number| format!("m{number}"))
            .find(|id| self.store.find(id).is_none())
            .expect("there are more ids than messages")
    }

    /// Ends the stream.
    pub fn end(&mut self, how: StreamEnd) {
        self.act(|chat| chat.machine.stream_ended(how, About::default()));
    }

    /// Ends the stream of this request.
    pub fn end_of(&mut self, request: u32, attempt: Option<u32>, how: StreamEnd) {
        self.act(|chat| chat.machine.stream_ended(how, About { request: Some(request), attempt, reconnect: None }));
    }

    /// Reads events of a stream that the host reconnected to.
    pub fn reconnected(&mut self, how: Reconnect, events: impl FnOnce(Stream) -> Stream) {
        for chunk in events(Stream::new()).chunks() {
            self.receive_about(chunk, About { reconnect: Some(how), ..About::default() });
        }
    }

    /// The host starts to reconnect.
    pub fn reconnecting(&mut self) {
        self.act(|chat| chat.machine.reconnecting(About::default(), chat.clock));
    }

    // Commands of the user.

    /// Decides an approval.
    pub fn respond(&mut self, approval: &str, approved: bool, reason: &str) -> Result<RespondOutcome, Code> {
        self.respond_refused(approval, approved, reason).map_err(|refusal| refusal.code)
    }

    /// Decides an approval, and returns a refusal with all its details.
    pub fn respond_refused(&mut self, approval: &str, approved: bool, reason: &str) -> Result<RespondOutcome, Refusal> {
        self.act(|chat| {
            let approval = chat.store.make(approval);
            let reason = if reason.is_empty() { Payload::NONE } else { chat.kept(json!(reason)) };
            let answer = Respond { approval, approved, reason, as_shown: Some(true), edited: None };
            chat.machine.respond(answer)
        })
    }

    /// Approves an edited input.
    pub fn approve_with(&mut self, approval: &str, input: Json) -> Result<RespondOutcome, Code> {
        self.act(|chat| {
            let (approval, input) = (chat.store.make(approval), chat.kept(input));
            let (approved, reason, as_shown, edited) = (true, Payload::NONE, Some(true), Some(input));
            let answer = chat.machine.respond(Respond { approval, approved, reason, as_shown, edited });
            answer.map_err(|refusal| refusal.code)
        })
    }

    /// Approves without an edit or a reason.
    pub fn approve(&mut self, approval: &str) {
        assert_eq!(self.respond(approval, true, ""), Ok(RespondOutcome::Accepted), "approve {approval}");
    }

    /// Denies with the reason `no`.
    pub fn deny(&mut self, approval: &str) {
        assert_eq!(self.respond(approval, false, "no"), Ok(RespondOutcome::Accepted), "deny {approval}");
    }

    /// Decides these approvals at once. Returns the number of approvals that it decided.
    pub fn respond_all(&mut self, approvals: &[&str], approved: bool) -> u32 {
        self.act(|chat| {
            let approvals: Vec<Id> = approvals.iter().map(|approval| chat.store.make(approval)).collect();
            chat.machine.respond_all(&approvals, approved, Payload::NONE)
        })
    }

    /// Sends a message whose text is its id.
    pub fn user(&mut self, id: &str) -> Sent {
        self.try_user(id, None).unwrap_or_else(|code| panic!("the message {id} was refused: {code:?}"))
    }

    /// Replaces a message with one that has the same id and this text.
    pub fn edit(&mut self, id: &str, text: &str) {
        let edited = self.act(|chat| {
            let message = chat.store.json_value(json!({ "id": id, "text": text }));
            let message = ai_sdk::user_message(&chat.store, message, chat.store.make(id));
            let replace = chat.store.make(id);
            chat.machine.send_user_message(message, Some(replace))
        });
        edited.unwrap_or_else(|refusal| panic!("the edit of {id} was refused: {refusal:?}"));
    }

    /// Sends a message. `replace`: the message that it replaces.
    pub fn try_user(&mut self, id: &str, replace: Option<&str>) -> Result<Sent, Code> {
        self.act(|chat| {
            let message = chat.store.json_value(json!({ "id": id, "text": id }));
            let message = ai_sdk::user_message(&chat.store, message, chat.store.make(id));
            let replace = replace.map(|id| chat.store.make(id));
            chat.machine.send_user_message(message, replace).map_err(|refusal| refusal.code)
        })
    }

    /// Regenerates the last reply. `message`: that reply, or the reply to that user message, instead.
    pub fn regenerate(&mut self, message: Option<&str>) -> Result<(), Code> {
        self.act(|chat| {
            let message = message.map(|id| chat.store.make(id));
            chat.machine.regenerate(message).map_err(|refusal| refusal.code)
        })
    }

    /// Gives the user more time for an approval.
    pub fn extend(&mut self, approval: &str, until: u64) -> Result<bool, Code> {
        self.act(|chat| {
            let approval = chat.store.make(approval);
            chat.machine.extend(approval, until).map_err(|refusal| refusal.code)
        })
    }

    /// Cancels with a reason.
    pub fn cancel(&mut self) {
        self.act(|chat| {
            let reason = chat.kept(json!("never mind"));
            chat.machine.cancel(reason);
        });
    }

    /// Stops automatic sending.
    pub fn stop(&mut self) {
        self.act(|chat| chat.machine.stop());
    }

    /// Cancels one approved call that was not sent.
    pub fn cancel_unsent(&mut self, approval: &str) {
        self.act(|chat| {
            let reason = chat.kept(json!("never mind"));
            let approval = chat.store.make(approval);
            chat.machine.cancel_unsent(approval, reason);
        });
    }

    /// Gives up one undelivered item.
    pub fn cancel_item(&mut self, item: u32) {
        self.act(|chat| {
            let reason = chat.kept(json!("never mind"));
            chat.machine.cancel_item(item, reason).unwrap();
        });
    }

    /// Releases held decisions.
    pub fn resume(&mut self) {
        self.act(|chat| chat.machine.resume());
    }

    // Commands of the host.

    /// Sets the time. Approvals whose deadline has passed expire.
    pub fn tick(&mut self, now: u64) {
        self.clock = now;
        self.act(|chat| chat.machine.tick(now));
    }

    /// Sets the time, as the host does with every event.
    pub fn at(&mut self, now: u64) {
        self.clock = now;
        self.act(|_| {});
    }

    /// Remembers the decision on this approval, for its input or for its tool.
    pub fn remember(&mut self, approval: &str, this_input: bool) {
        self.remember_until(approval, this_input, None);
    }

    /// Like [`Chat::remember`]. The decision expires at `end`.
    pub fn remember_until(&mut self, approval: &str, this_input: bool, end: Option<u64>) {
        self.act(|chat| {
            let approval = chat.store.make(approval);
            let (store, now) = (&chat.store, chat.clock);
            chat.machine.remember(approval, this_input, false, end, now, &mut |input| store.digest(input));
        });
    }

    /// Removes a remembered decision.
    pub fn forget(&mut self, id: u32) {
        self.act(|chat| chat.machine.forget(id));
    }

    /// Rewrites the result of a call. An empty text leaves it unchanged.
    pub fn rewrite(&mut self, call: &str, text: &str) -> bool {
        self.act(|chat| {
            let text = if text.is_empty() { Payload::NONE } else { chat.kept(json!(text)) };
            let call = chat.machine.transcript().newest(chat.store.make(call));
            call.is_some_and(|call| chat.machine.rewrite(call, text))
        })
    }

    /// Adds the output of a tool that ran in the page.
    pub fn page_output(&mut self, call: &str, failed: bool) -> Result<(), Code> {
        self.act(|chat| {
            let output = if failed { json!("no network") } else { json!({ "ran": call }) };
            let (call, output) = (chat.store.make(call), chat.kept(output));
            chat.machine.add_output(call, output, failed).map_err(|refusal| refusal.code)
        })
    }

    /// Claims the only listed item.
    pub fn claim(&mut self) -> u32 {
        let listed = self.listed();
        let [item] = listed[..] else { panic!("expected one listed item, found {listed:?}") };
        assert!(self.claim_item(item), "the listed item could not be claimed");
        item
    }

    /// Claims an item, and stores its body as the host does.
    pub fn claim_item(&mut self, item: u32) -> bool {
        self.act(|chat| {
            let (body, key) = match chat.machine.item(item) {
                Some(item) => (Some(chat.body(item)), chat.key(item)),
                None => (None, String::new()),
            };
            let claimed = chat.machine.claim(item);
            if let Some(body) = body.filter(|_| claimed) {
                let (body, key) = (chat.kept(body), chat.kept(json!(key)));
                chat.machine.freeze(item, body, key, &mut |_| {});
            }
            claimed
        })
    }

    /// Marks the item as received by the backend.
    pub fn mark_sent(&mut self, item: u32) -> Result<(), Code> {
        self.claim_item(item);
        self.act(|chat| chat.machine.mark_sent(item).map_err(|refusal| refusal.code))
    }

    /// Reports that the backend dropped the message of this item. It may then be sent again.
    pub fn message_unread(&mut self, item: u32) {
        self.act(|chat| {
            let messages = chat.machine.item(item).map(|item| item.messages.clone()).unwrap_or_default();
            chat.machine.message_unread(item);
            if chat.machine.item(item).is_none() {
                let texts: Vec<_> = messages.iter().map(|&id| chat.text(id).to_string()).collect();
                chat.watch.forget_messages(&texts);
            }
        });
    }

    /// Marks the item as failed.
    pub fn mark_failed(&mut self, item: u32) -> Result<(), Code> {
        self.claim_item(item);
        self.act(|chat| {
            let error = chat.kept(json!("offline"));
            chat.machine.mark_failed(item, error).map_err(|refusal| refusal.code)
        })
    }

    /// Retries an item.
    pub fn retry(&mut self, item: u32) -> Result<(), Code> {
        self.act(|chat| {
            if let Some(item) = chat.machine.item(item) {
                chat.watch.expect_retry(item);
            }
            chat.machine.retry(item).map_err(|refusal| refusal.code)
        })
    }

    /// Retains a JSON value for the machine.
    pub fn kept(&self, json: Json) -> Payload {
        self.keep(Value::from_json(json))
    }

    /// Retains a value for the machine.
    pub fn keep(&self, value: Value) -> Payload {
        self.store.retain(self.store.give(value))
    }
}
