//! The invariants that concern two states: what was, and what came of it.
//!
//! The watch looks at a chat after every input and remembers what may never change again.

use crate::chat::Chat;
use crate::invariants;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use toolgate::machine::{DecidedBy, DeliveryState, Id, Item, Machine, Phase, ToolPart, Trigger};

/// What the watch remembers of one chat.
#[derive(Clone, Default)]
pub struct Watch {
    calls: BTreeMap<String, Seen>,
    decisions: BTreeMap<String, bool>,
    items: BTreeMap<u32, DeliveryState>,
    starts: BTreeMap<u32, Start>,
    /// What left by itself: approvals, and calls whose output the browser gave.
    automatic: BTreeSet<String>,
    messages: BTreeSet<String>,
    retried: BTreeSet<(u32, u32)>,
}

/// A call as it was. Values are kept as JSON: after a restore they stand elsewhere.
#[derive(Clone, Debug)]
struct Seen {
    part: ToolPart,
    approval: Option<String>,
    input: Json,
    output: Json,
}

impl Seen {
    fn of(chat: &Chat, part: &ToolPart) -> Self {
        Self {
            part: part.clone(),
            approval: part.approval.as_ref().map(|approval| chat.text(approval.id).to_string()),
            // What the model wrote: the user may have approved another input.
            input: chat.store.to_json(part.decision().and_then(|decision| decision.original).unwrap_or(part.input)),
            output: chat.store.to_json(part.output),
        }
    }
}

#[derive(Clone)]
struct Start {
    key: String,
    body: Json,
}

impl Watch {
    /// The host is about to retry this item: one more start of it is in order.
    pub fn expect_retry(&mut self, item: &Item) {
        self.retried.insert((item.id, item.attempt + 1));
    }

    /// Whether a message with this id has left.
    #[allow(dead_code)] // the fuzz target asks: its users take ids from a small pool
    pub fn has_left(&self, message: &str) -> bool {
        self.messages.contains(message)
    }

    /// The conversation is about to be replaced: its calls are judged anew, and so are approvals whose calls are
    /// gone by now. A decision that is known wins over the new conversation.
    pub fn forget_calls(&mut self, machine: &Machine, text: impl Fn(Id) -> Rc<str>) {
        self.calls.clear();
        let calls = machine.transcript().messages().iter().flat_map(|message| message.calls());
        let asked = calls.filter_map(|part| Some((part.approval.as_ref()?.id, part.call)));
        let known: BTreeSet<String> = asked.map(|(approval, call)| question(&text, approval, call)).collect();
        self.decisions.retain(|question, _| known.contains(question));
    }

    /// Looks at the state behind an input.
    pub fn look(&mut self, chat: &Chat) {
        invariants::check(chat);
        self.look_at_calls(chat);
        self.look_at_items(chat);
    }

    fn look_at_calls(&mut self, chat: &Chat) {
        let mut now = BTreeMap::new();
        for part in chat.machine.transcript().messages().iter().flat_map(|message| message.calls()) {
            let call = chat.text(part.call).to_string();
            let seen = Seen::of(chat, part);
            if let Some(before) = self.calls.get(&call) {
                assert!(
                    !before.part.phase().is_settled() || stands(before, &seen),
                    "invariant 4: the settled call {call} changed from {before:?} to {seen:?}"
                );
                let same_question = is_asked(&before.part) && is_asked(part) && before.approval == seen.approval;
                assert!(
                    !same_question || before.input == seen.input,
                    "invariant 6: the input of {call} changed under its approval"
                );
                assert!(
                    !is_undelivered(&before.part) || part.decision().is_some() || was_delivered(chat, before),
                    "invariant 5: the undelivered decision about {call} was taken back"
                );
            }
            if let Some((approval, decision)) = part.approval.as_ref().zip(part.decision()) {
                let id = question(&|id| chat.text(id), approval.id, part.call);
                let first = self.decisions.entry(id.clone()).or_insert(decision.approved);
                // The backend may overrule an approval that it has: it is the one that runs the call. And a turn
                // that is ended takes back approvals which never left.
                let was_held = self.calls.get(&call).is_some_and(|before| is_undelivered(&before.part));
                let skipped = decision.by == DecidedBy::Policy && was_held;
                if decision.by == DecidedBy::Backend || skipped {
                    *first = decision.approved;
                }
                assert_eq!(*first, decision.approved, "invariant 1: the approval {id} has two decisions");
            }
            now.insert(call, seen);
        }
        self.calls = now;
    }

    fn look_at_items(&mut self, chat: &Chat) {
        for item in chat.machine.outbox().items() {
            let before = self.items.insert(item.id, item.state);
            // A retry that has not left is taken back when the reply to the attempt before goes on after all.
            let taken_back = self.retried.contains(&(item.id, item.attempt + 1));
            let was_ready = before.is_none_or(|state| state == DeliveryState::Ready) && !taken_back;
            let left =
                matches!(item.state, DeliveryState::InFlight | DeliveryState::Acknowledged | DeliveryState::Failed);
            if !was_ready || !left {
                continue;
            }
            let start = Start { key: chat.key(item), body: chat.store.to_json(item.body) };
            let id = item.id;
            match self.starts.insert(id, start.clone()) {
                Some(first) => {
                    assert!(self.retried.contains(&(id, item.attempt)), "invariant 1: the item {id} left twice");
                    assert_eq!(first.key, start.key, "invariant 1: the retry of {id} has another key");
                    // What was never claimed has no body to compare with: its reply came unasked.
                    let unclaimed = first.body.is_null();
                    assert!(unclaimed || first.body == start.body, "invariant 1: the retry of {id} has another body");
                }
                None => self.first_start(chat, item),
            }
        }
    }

    fn first_start(&mut self, chat: &Chat, item: &Item) {
        for &message in &item.messages {
            let text = chat.text(message).to_string();
            assert!(self.messages.insert(text.clone()), "invariant 9: the message {text} left twice");
        }
        // A message, a regeneration or a retry is the user's act, whatever it carries.
        assert!(item.attempt == 1 || self.retried.contains(&(item.id, item.attempt)), "invariant 1: nobody retried");
        if item.attempt > 1 || !item.messages.is_empty() || item.trigger == Trigger::Regenerate {
            return;
        }
        assert!(!item.calls.is_empty(), "invariant 7: a submission left that carries nothing");
        for &call in &item.calls {
            let decided = chat.machine.transcript().call(call).and_then(|part| part.approval.as_ref());
            let decided = decided.filter(|approval| item.approvals.contains(&approval.id));
            let carried = match decided {
                // An approval that never arrived can be called off.
                Some(approval) => {
                    let closed = item.cancels && chat.machine.transcript().call(call).is_some_and(ToolPart::is_closed);
                    let how = if closed { ", called off" } else { "" };
                    format!("approval {}{how}", question(&|id| chat.text(id), approval.id, call))
                }
                None => format!("output of {}", chat.text(call)),
            };
            // Where answers go first, a message of the user sends what may not have arrived once more, but for approvals.
            let ahead = chat.machine.options().answers_ahead() && chat.machine.queue().messages().iter().map(|queued| &queued.message).next().is_some();
            let again = ahead && !item.granted.contains(&true) && item.outputs.is_empty();
            assert!(self.automatic.insert(carried.clone()) || again, "invariant 7: {carried} left twice by itself");
        }
    }
}

/// An approval as it was asked for: another call under its id is another question.
fn question(text: &impl Fn(Id) -> Rc<str>, approval: Id, call: Id) -> String {
    format!("{} of {}", text(approval), text(call))
}

/// Whether a settled call is what it was; of a denial, the record may still follow.
fn stands(before: &Seen, now: &Seen) -> bool {
    let told = |seen: &Seen| seen.part.outcome().map(|outcome| (outcome.kind, outcome.may_have_run));
    let (was, is) = (before.part.phase(), now.part.phase());
    let recorded = was == Phase::Denied && is == Phase::OutputDenied;
    (was == is || recorded) && told(before) == told(now) && before.output == now.output
}

fn is_asked(part: &ToolPart) -> bool {
    matches!(part.phase(), Phase::ApprovalRequested | Phase::Approved | Phase::Submitted | Phase::Denied)
}

/// Whether the backend has this decision: then it may ask about the call once more.
fn was_delivered(chat: &Chat, before: &Seen) -> bool {
    let approval = before.part.approval.as_ref().map(|approval| approval.id);
    let mut items = chat.machine.outbox().items().iter();
    items.any(|item| {
        item.state == DeliveryState::Acknowledged && approval.is_some_and(|id| item.approvals.contains(&id))
    })
}

fn is_undelivered(part: &ToolPart) -> bool {
    let waits = matches!(
        part.delivery,
        Some(DeliveryState::Held | DeliveryState::Ready | DeliveryState::InFlight | DeliveryState::Failed)
    );
    // What was called off meanwhile is asked in vain.
    waits && part.decision().is_some() && !part.is_closed()
}
