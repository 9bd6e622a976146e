//! The invariants that concern a single state. `check` names the broken invariant.
//!
//! The numbers are those of the list in docs/how-it-works.md, "Invariants". `watch` checks those that concern two
//! states; `random` checks those that need many states.

use crate::chat::Chat;
use crate::history::{refused, unsound};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use toolgate::json::Store;
use toolgate::machine::{
    Approval, ApprovalOwner, DeliveryState, Exchange, ExchangeState, Hold, Id, Item, OutcomeKind, Phase, Queued,
    Status, ToolPart,
};
use toolgate::wire::ai_sdk::{self, Shape};

/// Fails if this state breaks an invariant.
pub fn check(chat: &Chat) {
    glance(chat);
    histories_are_accepted(chat);
    outcomes_survive(chat);
    assembling_is_stable(chat);
}

/// Like `check`, without the checks that write the conversation.
pub fn glance(chat: &Chat) {
    ids_are_unique(chat);
    shapes_follow_from_the_state(chat);
    only_the_last_step_can_be_answered(chat);
    decisions_are_not_asked_again(chat);
    deliveries_and_items_agree(chat);
    counts_and_status_agree(chat);
    policies_hold(chat);
    flags_of_the_reply_agree(chat);
}

/// Fails if the open reply has a combination of flags that the comments of `Reply` exclude.
fn flags_of_the_reply_agree(chat: &Chat) {
    let Some(reply) = chat.machine.exchange().reply() else { return };
    assert!(!reply.hidden || reply.base == 0, "a reply that continues an existing message is hidden: {reply:?}");
    assert!(!reply.content || reply.shown, "a reply with content is not shown: {reply:?}");
    assert!(!reply.reopened || reply.item.is_some(), "a reply without an item was reopened: {reply:?}");
    assert!(!reply.may_answer || reply.is_earlier, "a reply that is not an earlier one may answer: {reply:?}");
}

fn calls(chat: &Chat) -> impl Iterator<Item = &ToolPart> {
    chat.machine.transcript().messages().iter().flat_map(|message| message.calls())
}

/// 9: every message and call occurs once. 6: open calls have different approvals.
fn ids_are_unique(chat: &Chat) {
    let transcript = chat.machine.transcript();
    let mut messages = BTreeSet::new();
    for message in transcript.messages() {
        assert!(messages.insert(message.id), "invariant 9: the message {} occurs twice", chat.text(message.id));
    }
    let (mut ids, mut approvals) = (BTreeSet::new(), BTreeSet::new());
    for part in calls(chat) {
        let text = chat.text(part.call);
        assert!(ids.insert(part.key()), "invariant 9: the call {text} occurs twice");
        assert!(
            transcript.call(part.key()).is_some_and(|found| std::ptr::eq(found, part)),
            "invariant 9: the call {text} is not at its indexed position"
        );
        let approval = part.approval.as_ref();
        // A call that runs, here or at its provider, has used its approval, so the approval is no longer open.
        let runs = part.is_with_provider() || part.phase() == Phase::Preliminary;
        let open = approval.filter(|_| !part.phase().is_settled() && !runs);
        assert!(open.is_none_or(|a| approvals.insert(a.id)), "invariant 6: two open calls share an approval: {text}");
    }
}

/// 2 and 8: a denied call has no output, and only a settled call has an outcome.
fn shapes_follow_from_the_state(chat: &Chat) {
    for part in calls(chat) {
        let text = chat.text(part.call);
        assert_eq!(part.phase().is_settled(), part.outcome().is_some(), "invariant 8: {text} in {:?}", part.phase());
        let denied = matches!(part.phase(), Phase::Denied | Phase::OutputDenied);
        if denied {
            assert!(
                !part.output.is_some() && (part.is_asked_locally() || !part.has_unsent_output()),
                "invariant 2: the denied call {text} has an output"
            );
            assert!(
                part.decision().is_some_and(|decision| !decision.approved),
                "invariant 2: {text} is denied without a decision"
            );
        }
        let Some(outcome) = &part.outcome() else { continue };
        let allowed = match part.phase() {
            Phase::Denied | Phase::OutputDenied => {
                matches!(outcome.kind, OutcomeKind::Denied | OutcomeKind::Skipped | OutcomeKind::Expired)
            }
            Phase::OutputAvailable => outcome.kind == OutcomeKind::Executed,
            _ => matches!(outcome.kind, OutcomeKind::Failed | OutcomeKind::Cancelled | OutcomeKind::Interrupted),
        };
        assert!(allowed, "invariant 8: {text} is {:?} with the outcome {:?}", part.phase(), outcome.kind);
        let open = matches!(outcome.kind, OutcomeKind::Cancelled | OutcomeKind::Interrupted);
        assert!(open || !outcome.may_have_run, "invariant 8: {text} is {:?} and may have run", outcome.kind);
    }
}

/// 6: only calls of the last step can be decided, because servers execute only that step. A backend that waits for an
/// answer to each request keeps those of the whole turn open.
fn only_the_last_step_can_be_answered(chat: &Chat) {
    let messages = chat.machine.transcript().messages();
    let mut ids = BTreeSet::new();
    for (index, message) in messages.iter().enumerate() {
        let from = message.last_step();
        for (place, part) in message.parts.iter().enumerate() {
            let Some(part) =
                part.tool().filter(|part| matches!(part.phase(), Phase::ApprovalRequested | Phase::Approved))
            else {
                continue;
            };
            let text = chat.text(part.call);
            let transcript = chat.machine.transcript();
            let in_turn = chat.machine.options().answering && transcript.is_in_turn(index);
            assert!(
                in_turn || index + 1 == messages.len() && place >= from,
                "invariant 6: {text} is {:?} in an earlier step",
                part.phase()
            );
            // Servers find an approved call by its id.
            assert!(ids.insert(part.call), "invariant 6: two calls that can be approved have the id {text}");
            let approval = part.approval.as_ref().map(|approval| approval.id);
            let holder = approval.and_then(|approval| chat.machine.transcript().approval(approval));
            assert_eq!(
                holder,
                Some(ApprovalOwner::Call(part.key())),
                "invariant 6: the approval of {text} belongs to another call"
            );
        }
    }
}

/// 5: no approval is requested again while its decision waits to be delivered. Nor is it for a copy of its call: a call
/// of the turn with its id, tool and input.
fn decisions_are_not_asked_again(chat: &Chat) {
    let transcript = chat.machine.transcript();
    for part in chat.machine.pending() {
        let value = |part: &ToolPart| chat.store.to_json(part.models_input());
        for (at, earlier) in transcript.calls_named(part.call).filter(|(_, earlier)| earlier.key() < part.key()) {
            let asked = earlier.approval_id() == part.approval_id() && earlier.name == part.name;
            if !asked || earlier.decision().is_none() || !transcript.is_in_turn(at.message) {
                continue;
            }
            let waits = chat.machine.delivery(earlier).is_some_and(|state| state != DeliveryState::Acknowledged);
            let text = chat.text(part.call);
            assert!(!waits || value(earlier) != value(part), "invariant 5: {text} is decided, and requested again");
        }
    }
}

/// 1: at most one submission is in flight, and the delivery state of a decision matches its item.
fn deliveries_and_items_agree(chat: &Chat) {
    let open = chat.machine.outbox().items().iter().filter(|item| item.is_active()).count();
    assert!(open <= 1, "invariant 1: {open} submissions are active at once");
    for part in calls(chat) {
        let Some(delivery) = chat.machine.delivery(part) else { continue };
        let text = chat.text(part.call);
        let answered = |approval: &&Approval| approval.decision.is_some() || part.is_closed();
        let decided: Option<&Approval> = part.approval.as_ref().filter(answered);
        assert!(decided.is_some(), "invariant 1: {text} is {delivery:?} but has no decision");
        if matches!(delivery, DeliveryState::Held | DeliveryState::Acknowledged) {
            continue;
        }
        let carried = chat.machine.outbox().items().iter().any(|item| {
            item.state().delivery() == delivery && decided.is_some_and(|own| item.approvals().any(|id| id == own.id))
        });
        assert!(carried, "invariant 1: the decision on {text} is {delivery:?}, but no item contains it");
    }
    // A retry sends its first body again, even if the backend has requested approval again since.
    for item in chat.machine.outgoing().filter(|item| item.attempt == 1) {
        // The call is found by its key, because another call may use the approval's id now.
        for carried in &item.carried {
            // A refusal is not about the approval of a call any more.
            let Some(approval) = carried.approval.filter(|_| item.tool.is_none()) else { continue };
            let text = chat.text(approval);
            let part = chat.machine.transcript().call(carried.call);
            let Some(part) = part else { panic!("invariant 1: an item contains {text}, whose call was removed") };
            assert!(part.approval.is_some(), "invariant 1: an item contains {text}, which has no approval request");
            assert!(
                part.decision().is_some() || part.is_closed(),
                "invariant 1: an item contains {text}, which is not decided"
            );
        }
    }
}

/// 3 and 14: a backend accepts every request that may be sent now.
fn histories_are_accepted(chat: &Chat) {
    let sendable = chat.machine.outgoing().find(|item| !item.is_aside());
    let history = chat.history();
    // The results of these calls may still be missing.
    let answering = chat.machine.options().answering;
    let executing: BTreeSet<_> = if (answering || chat.machine.outbox().active().is_some()) && sendable.is_none() {
        calls(chat).filter(|part| part.phase() == Phase::Submitted).map(|part| chat.text(part.call)).collect()
    } else {
        BTreeSet::new()
    };
    if let Some(wrong) = unsound(&history, &executing) {
        panic!("invariant 3: {wrong} in the history {history:#}");
    }
    if let Some(item) = sendable {
        let body = chat.body(item);
        if let Some(wrong) = refused(&body["messages"]) {
            panic!("invariant 14: {wrong} in the request {body:#}");
        }
    }
}

/// 8: every outcome is the same after the app has stored the messages and loaded them again.
fn outcomes_survive(chat: &Chat) {
    let other = reloaded(chat, chat.ui_messages(Shape::Body));
    for part in calls(chat).filter(|part| part.phase().is_settled() && part.input_complete) {
        let call = chat.text(part.call);
        let id = other.store.find(&call);
        let named = |of: &Chat, id: Id| of.machine.transcript().calls_named(id).count();
        // Loading merges calls that look like copies of one call. If it merged any with this id, none is compared.
        let Some(id) = id.filter(|&id| named(&other, id) == named(chat, part.call)) else { continue };
        let nth = chat.machine.transcript().calls_named(part.call).position(|(_, same)| same.key() == part.key());
        let loaded = nth.and_then(|nth| other.machine.transcript().calls_named(id).nth(nth));
        let loaded = loaded.and_then(|(_, part)| part.outcome());
        let told = |store: &Store, outcome: Option<&toolgate::machine::Outcome>| {
            outcome.map(|outcome| (outcome.kind, outcome.may_have_run, store.to_json(outcome.reason)))
        };
        assert_eq!(
            told(&chat.store, part.outcome()),
            told(&other.store, loaded),
            "invariant 8: the outcome of {call} differs after a reload"
        );
    }
}

/// 13: an assembled history can be loaded, and assembles to the same history.
fn assembling_is_stable(chat: &Chat) {
    // While a request is in flight, the results of its calls may be missing, so the history is not checked.
    if chat.machine.outbox().active().is_some() {
        return;
    }
    let assembled = chat.history();
    let again = reloaded(chat, assembled.clone()).history();
    // Equal calls with the same id cannot be distinguished from copies of one call.
    let mut ids = BTreeSet::new();
    if calls(chat).all(|part| ids.insert(part.call)) {
        assert_eq!(assembled.to_string(), again.to_string(), "invariant 13: load and assemble changed the history");
    }
    if let Some(wrong) = unsound(&again, &BTreeSet::new()) {
        panic!("invariant 13: {wrong} in the history {again:#} which was assembled from {assembled:#}");
    }
}

fn counts_and_status_agree(chat: &Chat) {
    let asked = calls(chat).filter(|part| part.phase() == Phase::ApprovalRequested).count();
    assert_eq!(chat.machine.counts().0 as usize, asked, "the count of undecided approvals is wrong");
    assert_eq!(chat.machine.pending().count(), asked, "not every undecided approval is pending");
    if chat.machine.status() == Status::Stalled {
        assert!(chat.machine.outgoing().all(Item::is_aside), "invariant 7: a stalled chat sends a request");
    }
}

/// A chat that has loaded this history. The chat is only read, and the watch does not check it.
fn reloaded(chat: &Chat, history: Json) -> Chat {
    let mut other = chat.alike();
    let history = other.store.json_value(history);
    ai_sdk::load(&mut other.machine, &other.store, history, other.clock).expect("a history is an array");
    other
}

/// 1 and 14: decisions that a policy holds are not sent, and no approval is pending that a policy has decided.
fn policies_hold(chat: &Chat) {
    let leaves = chat.machine.outgoing().any(|item| !item.is_aside());
    let ended = chat.machine.turn().holds().has(Hold::TurnEnded);
    if ended || chat.machine.turn().skips_rest() {
        assert_eq!(chat.pending(), "", "invariant 14: an approval is pending although the policy decides it");
        // The user's message continues the turn. If answers are sent first, they are sent before it.
        let written = chat.machine.options().answers_ahead()
            && chat.machine.queue().messages().iter().map(|queued| &queued.message).next().is_some();
        // A retry is not an automatic request.
        let retried = chat.machine.outgoing().filter(|item| !item.is_aside()).all(|item| item.attempt > 1);
        assert!(!ended || retried || written, "invariant 1: a request is sent automatically after the end of the turn");
    }
    assert!(
        !leaves || calls(chat).all(|part| !part.awaits_rewrite()),
        "invariant 1: a result is sent before the host has rewritten it"
    );
    let deadlines = chat.machine.pending().filter_map(|part| part.approval.as_ref()?.expires_at);
    let waits = |queued: &Queued| !queued.is_sent && chat.machine.passing_item(queued).is_none();
    let reconnects = match chat.machine.exchange() {
        Exchange::Reconnecting { until } => Some(*until),
        // A message waits for the next event of a turn that was not answered here. A host that has the stream ends it.
        Exchange::Replying(reply) => {
            let is_limited = chat.machine.exchange().state() == ExchangeState::Unrequested && reply.until > 0;
            Some(reply.until).filter(|_| is_limited && chat.machine.queue().messages().iter().any(waits))
        }
        Exchange::Idle | Exchange::InFlight { .. } => None,
    };
    let forgets = chat.machine.remembered().all().filter_map(|decision| decision.expires_at);
    let first = deadlines.chain(reconnects).chain(forgets).min();
    assert_eq!(chat.machine.next_deadline(), first, "invariant 14: the next deadline is not the earliest one");
}
