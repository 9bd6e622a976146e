//! The invariants that concern two states, before and after an input.
//!
//! The watch checks a chat after every input, and stores the values that must not change.

use crate::chat::Chat;
use crate::invariants;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use toolgate::machine::{CallKey, DecidedBy, DeliveryState, Id, Item, ItemState, Kind, Machine, Phase, ToolPart};

/// The state of a chat at the last check.
#[derive(Clone, Default)]
pub struct Watch {
    calls: BTreeMap<CallKey, Seen>,
    /// A name for each call. A load changes the keys of calls; a call that it brings back keeps its name (see
    /// `loading`).
    names: BTreeMap<CallKey, String>,
    /// The names of calls that a load may bring back, by approval and id.
    loading: BTreeMap<String, String>,
    decisions: BTreeMap<String, bool>,
    items: BTreeMap<u32, ItemState>,
    starts: BTreeMap<u32, Start>,
    /// What was sent automatically: decisions, cancellations, and outputs of the page.
    automatic: BTreeSet<String>,
    messages: BTreeSet<String>,
    retried: BTreeSet<(u32, u32)>,
    /// Items that a user message has retried.
    repeated: BTreeSet<u32>,
    /// The denials and cancellations in each item, which run no call. They are named as in `automatic`.
    harmless: BTreeMap<u32, Vec<String>>,
    /// The messages in each item that could not be sent beside a reply.
    failed: BTreeMap<u32, Vec<String>>,
}

/// The last seen state of a call. Values are stored as JSON, because their indices change with a restore. They are not
/// stored if `Chat::closely` is false.
#[derive(Clone, Debug)]
struct Seen {
    part: ToolPart,
    approval: Option<Arc<str>>,
    delivery: Option<DeliveryState>,
    input: Json,
    output: Json,
}

impl Seen {
    fn of(chat: &Chat, part: &ToolPart) -> Self {
        let value = |payload| if chat.closely { chat.store.to_json(payload) } else { Json::Null };
        Self {
            part: *part,
            approval: part.approval.as_ref().map(|approval| chat.text(approval.id)),
            delivery: chat.machine.delivery(part),
            // The model's input: the user may have approved another one.
            input: value(part.models_input()),
            output: value(part.output),
        }
    }

    /// Whether the call need not be looked at again. Always false with `Chat::closely`, which also compares its
    /// values.
    fn is_current(&self, chat: &Chat, part: &ToolPart) -> bool {
        !chat.closely && self.part == *part && self.delivery == chat.machine.delivery(part)
    }

    /// Whether a decision of this client was not sent.
    fn is_unsent(&self) -> bool {
        matches!(self.delivery, Some(DeliveryState::Held | DeliveryState::Ready)) && self.is_undelivered()
    }

    /// Whether a decision of this client may not have arrived. The decision on a call that was cancelled later does not
    /// count, because it is not needed any more.
    fn is_undelivered(&self) -> bool {
        let waits = matches!(
            self.delivery,
            Some(DeliveryState::Held | DeliveryState::Ready | DeliveryState::InFlight | DeliveryState::Failed)
        );
        waits && self.part.decision().is_some() && !self.part.is_closed()
    }
}

#[derive(Clone)]
struct Start {
    key: String,
    body: Json,
}

impl Watch {
    /// Records a retry of this item, which allows one more attempt.
    pub fn expect_retry(&mut self, item: &Item) {
        self.retried.insert((item.id, item.attempt + 1));
    }

    /// Whether a message with this id was sent.
    #[allow(dead_code)] // used by the fuzz target, whose users take ids from a small pool
    pub fn was_sent(&self, message: &str) -> bool {
        self.messages.contains(message)
    }

    /// Forgets the stored calls before a history is loaded. The decisions on calls that the load may bring back are
    /// kept, because they take precedence over the history.
    pub fn forget_calls(&mut self, machine: &Machine, text: impl Fn(Id) -> Arc<str>) {
        self.loading.clear();
        for part in machine.transcript().messages().iter().flat_map(|message| message.calls()) {
            let Some(name) = self.names.get(&part.key()).filter(|_| is_only(machine, part)) else { continue };
            if let Some(approval) = &part.approval {
                self.loading.insert(question(&text(approval.id), &text(part.call)), name.clone());
            }
        }
        let kept: BTreeSet<&String> = self.loading.values().collect();
        self.decisions.retain(|question, _| kept.iter().any(|name| question.ends_with(&format!(" of {name}"))));
        self.calls.clear();
        self.names.clear();
    }

    /// Checks the state after an input.
    pub fn look(&mut self, chat: &Chat) {
        if !chat.closely {
            invariants::glance(chat);
        }
        self.name_calls(chat);
        self.look_at_calls(chat);
        self.look_at_items(chat);
        self.loading.clear();
    }

    fn name_calls(&mut self, chat: &Chat) {
        for part in chat.machine.transcript().messages().iter().flat_map(|message| message.calls()) {
            if self.names.contains_key(&part.key()) {
                continue;
            }
            let call = chat.text(part.call);
            let approval = part.approval.as_ref().filter(|_| is_only(&chat.machine, part));
            let known = approval.and_then(|approval| self.loading.get(&question(&chat.text(approval.id), &call)));
            let name = known.cloned().unwrap_or_else(|| format!("{call} ({})", part.key().0));
            self.names.insert(part.key(), name);
        }
    }

    fn name(&self, key: CallKey) -> &str {
        self.names.get(&key).map_or("a removed call", |name| name)
    }

    fn look_at_calls(&mut self, chat: &Chat) {
        let mut now = BTreeMap::new();
        let mut calls = std::mem::take(&mut self.calls);
        for part in chat.machine.transcript().messages().iter().flat_map(|message| message.calls()) {
            let before = calls.remove(&part.key());
            let seen = match before {
                Some(before) if before.is_current(chat, part) => before,
                before => self.look_at_call(chat, part, before.as_ref()),
            };
            now.insert(part.key(), seen);
        }
        self.calls = now;
    }

    fn look_at_call(&mut self, chat: &Chat, part: &ToolPart, before: Option<&Seen>) -> Seen {
        let call = self.name(part.key()).to_owned();
        let seen = Seen::of(chat, part);
        // An update of the backend replaced the input. A decision on the old one that was not sent is void.
        let changed = before.is_some_and(|before| before.part.input_changes() < part.input_changes());
        let answering = chat.machine.options().answering;
        let failed = |before: &Seen| answering && before.delivery == Some(DeliveryState::Failed);
        let is_void = changed && before.is_some_and(|before| before.is_unsent() || failed(before));
        if let Some(before) = before {
            assert!(
                !before.part.phase().is_settled() || stands(before, &seen) || is_void,
                "invariant 4: the settled call {call} changed from {before:?} to {seen:?}"
            );
            let same_question = is_asked(&before.part) && is_asked(part) && before.approval == seen.approval;
            assert!(
                !same_question || changed || before.input == seen.input,
                "invariant 6: the input of {call} changed although its approval is pending"
            );
            assert!(
                !before.is_undelivered() || is_void || part.decision().is_some() || was_delivered(chat, before),
                "invariant 5: the undelivered decision on {call} was removed"
            );
        }
        if let Some(approval) = part.approval.as_ref().filter(|_| is_void) {
            self.decisions.remove(&question(&chat.text(approval.id), &call));
        }
        if let Some((approval, decision)) = part.approval.as_ref().zip(part.decision()) {
            let id = question(&chat.text(approval.id), &call);
            let first = self.decisions.entry(id.clone()).or_insert(decision.approved);
            // The backend runs the call, so it may overrule an approval that it has received. An ended turn withdraws
            // approvals that were not sent.
            let was_held = before.is_some_and(Seen::is_undelivered);
            let skipped = decision.by == DecidedBy::Policy && was_held;
            if decision.by == DecidedBy::Backend || skipped {
                *first = decision.approved;
            }
            assert_eq!(*first, decision.approved, "invariant 1: the approval {id} has two decisions");
        }
        seen
    }

    /// Forgets messages that the backend dropped: they are sent once more.
    pub(crate) fn forget_messages(&mut self, messages: &[String]) {
        messages.iter().for_each(|message| _ = self.messages.remove(message));
    }

    /// Forgets decisions that may not have arrived and that the user gave up, with a message or `cancel`.
    fn forget_given_up(&mut self, chat: &Chat) {
        let automatic = &mut self.automatic;
        let states = &self.items;
        self.harmless.retain(|id, carried| {
            // A retry that was not sent is given up with its item. So is one in flight, if a message is queued: one
            // input can then both lose it and give it up.
            let was_open = |state: &ItemState| !matches!(state, ItemState::Done | ItemState::Stalled);
            let lost = states.get(id).is_some_and(was_open);
            let given_up = lost && chat.machine.item(*id).is_none();
            if given_up {
                carried.iter().for_each(|what| _ = automatic.remove(what));
            }
            !given_up
        });
        // The user gave up a message that could not be sent: it is sent with the next request.
        self.failed.retain(|id, messages| {
            let given_up = chat.machine.item(*id).is_none();
            if given_up {
                messages.iter().for_each(|message| _ = self.messages.remove(message));
            }
            !given_up
        });
        for item in chat.machine.outbox().items().iter().filter(|item| item.kind == Kind::PassedMessage) {
            let messages = item.messages.iter().map(|&id| chat.text(id).to_string());
            match item.state() {
                ItemState::Failed => _ = self.failed.insert(item.id, messages.collect()),
                _ => _ = self.failed.remove(&item.id),
            }
        }
    }

    fn look_at_items(&mut self, chat: &Chat) {
        self.forget_given_up(chat);
        for item in chat.machine.outbox().items() {
            let state = item.state().delivery();
            let before = self.items.insert(item.id, item.state());
            // A retry that was not sent is withdrawn if the reply to the previous attempt continues.
            let taken_back = self.retried.contains(&(item.id, item.attempt + 1));
            let was_ready = before.is_none_or(|state| state == ItemState::Ready) && !taken_back;
            let left = matches!(state, DeliveryState::InFlight | DeliveryState::Acknowledged | DeliveryState::Failed);
            if !was_ready || !left {
                continue;
            }
            let start = Start { key: chat.key(item), body: chat.store.to_json(item.body) };
            let id = item.id;
            match self.starts.insert(id, start.clone()) {
                Some(first) => {
                    let again = self.retried.contains(&(id, item.attempt)) || self.is_repeated_by_message(chat, item);
                    assert!(again, "invariant 1: the item {id} was sent twice");
                    // An item that was never claimed has no key and no body to compare: an event acknowledged it.
                    let unclaimed = first.body.is_null();
                    let (was, is) = (&first.key, &start.key);
                    assert!(unclaimed || was == is, "invariant 1: the retry of {id} has another key: {was} and {is}");
                    assert!(unclaimed || first.body == start.body, "invariant 1: the retry of {id} has another body");
                }
                None => self.first_start(chat, item),
            }
        }
    }

    /// If answers are sent before messages, a user message counts as their retry, but only once and only if they have
    /// no approval and no output.
    fn is_repeated_by_message(&mut self, chat: &Chat, item: &Item) -> bool {
        let harmless = chat.machine.options().answers_first && !item.approves() && !item.has_outputs();
        harmless && item.repeated && self.repeated.insert(item.id)
    }

    fn first_start(&mut self, chat: &Chat, item: &Item) {
        for &message in &item.messages {
            let text = chat.text(message).to_string();
            assert!(self.messages.insert(text.clone()), "invariant 9: the message {text} was sent twice");
        }
        // An item with a message, a regeneration or a retry was sent by a command of the user, so its contents are not
        // checked.
        let again = self.retried.contains(&(item.id, item.attempt)) || self.is_repeated_by_message(chat, item);
        assert!(item.attempt == 1 || again, "invariant 1: an item was sent again without a retry");
        if item.attempt > 1 || !item.messages.is_empty() || item.kind == Kind::Regenerate {
            return;
        }
        assert!(!item.carried.is_empty(), "invariant 7: an empty submission was sent");
        for carried in &item.carried {
            let name = self.name(carried.call).to_owned();
            // An approval that never arrived may be cancelled. The cancellation is sent too, so it needs a name of its
            // own.
            let how = if carried.cancelled { ", cancelled" } else { "" };
            let decision = carried.approval.map(|approval| format!("{}{how}", question(&chat.text(approval), &name)));
            let output = carried.output.then(|| format!("output of {name}"));
            // A denial may be sent again in another item after the user gave up the one in which it may not have
            // arrived.
            let harmless = decision.as_ref().filter(|_| !carried.approved && !carried.output);
            self.harmless.entry(item.id).or_default().extend(harmless.cloned());
            for what in decision.into_iter().chain(output) {
                assert!(self.automatic.insert(what.clone()), "invariant 7: {what} was sent twice automatically");
            }
        }
    }
}

/// An approval and its call. Another call with the same approval id is another request.
fn question(approval: &str, call: &str) -> String {
    format!("approval {approval} of {call}")
}

/// Whether the call's id is unique.
fn is_only(machine: &Machine, part: &ToolPart) -> bool {
    machine.transcript().calls_named(part.call).count() == 1
}

/// Whether a settled call is unchanged. A denial may still become final.
fn stands(before: &Seen, now: &Seen) -> bool {
    let told = |seen: &Seen| seen.part.outcome().map(|outcome| (outcome.kind, outcome.may_have_run));
    let (was, is) = (before.part.phase(), now.part.phase());
    let recorded = was == Phase::Denied && is == Phase::OutputDenied;
    (was == is || recorded) && told(before) == told(now) && before.output == now.output
}

fn is_asked(part: &ToolPart) -> bool {
    matches!(part.phase(), Phase::ApprovalRequested | Phase::Approved | Phase::Submitted | Phase::Denied)
}

/// Whether the backend has received this decision. It may then request approval of the call again.
fn was_delivered(chat: &Chat, before: &Seen) -> bool {
    let approval = before.part.approval.as_ref().map(|approval| approval.id);
    let mut items = chat.machine.outbox().items().iter();
    items.any(|item| {
        let arrived = item.state().delivery() == DeliveryState::Acknowledged;
        arrived && approval.is_some_and(|own| item.approvals().any(|id| id == own))
    })
}
