//! The chat never waits endlessly: from every state, a command of the user leads to the next request.
//!
//! The search tries the usual actions of a user: wait for the stream or end it, send a message, decide pending
//! approvals, cancel. The watch checks that a backend would accept each request.

use crate::chat::Chat;
use toolgate::machine::{Hold, StreamEnd, WaitsOn};

/// The message that the user tries to send.
const MESSAGE: &str = "the way out";

/// Fails if the user's next message can never be sent.
pub fn assert_way_out(chat: &Chat) {
    let mut chat = chat.clone();
    end_what_is_open(&mut chat);
    if chat.try_user(MESSAGE, None).is_err() {
        chat.cancel();
        chat.try_user(MESSAGE, None).expect("invariant 14: a message is refused, even after cancel");
    }
    // Each round sends one request that precedes the message, and there are only few. Answers are delivered.
    for _ in 0..8 {
        // An output of the page is listed when the approval of its call was delivered.
        for _ in 0..2 {
            let answers = chat.machine.outgoing().filter(|item| item.is_aside()).map(|item| item.id);
            for answer in answers.collect::<Vec<_>>() {
                chat.mark_sent(answer).expect("invariant 14: a listed answer cannot be sent");
            }
        }
        let Some(&item) = chat.listed().first() else {
            chat.cancel();
            // If the host never rewrites a result, the second attempt does not wait for it.
            if chat.listed().is_empty() {
                chat.cancel();
            }
            assert!(!chat.listed().is_empty(), "invariant 14: the message is not sent, even after cancel");
            continue;
        };
        if chat.messages(item).contains(MESSAGE) {
            assert!(chat.claim_item(item), "invariant 14: the message is listed but cannot be claimed");
            return;
        }
        chat.claim_item(item);
        chat.end(StreamEnd::Disconnected);
    }
    panic!("invariant 14: the message still waits after eight requests");
}

/// The user stops waiting: requests and replies in flight end.
fn end_what_is_open(chat: &mut Chat) {
    for item in chat.listed() {
        chat.claim_item(item);
    }
    chat.end(StreamEnd::Aborted);
    let answers = chat.machine.outbox().items().iter().filter(|item| item.is_aside()).map(|item| item.id);
    for answer in answers.collect::<Vec<_>>() {
        chat.mark_sent(answer).expect("invariant 14: an answer cannot be sent");
    }
}

/// Fails if a party that the chat waits for cannot act, or if its action has no effect. Also fails if `waitingFor` is
/// empty although an item, a decision or a message waits to be sent.
pub fn assert_someone_can_act(chat: &Chat) {
    let waiting = chat.machine.waiting();
    for whom in WaitsOn::ALL.iter().copied().filter(|&whom| waiting.on(whom)) {
        let mut after = chat.clone();
        act_as(&mut after, whom);
        let (before, now) = (facts(chat), facts(&after));
        assert!(before != now, "invariant 14: the action of {} changes nothing: {}", whom.as_str(), chat.waits_for());
    }
    if waiting.is_anyone() {
        return;
    }
    let holds = chat.machine.turn().holds();
    let waits_for_message = holds.has(Hold::TurnEnded) || holds.has(Hold::DenialsOnly);
    let unsent = chat.machine.transcript().has_unsent();
    assert!(!unsent || waits_for_message, "invariant 14: a decision is held, but the chat waits for no party");
    assert!(chat.machine.queue().is_empty(), "invariant 14: a message is queued, but the chat waits for no party");
    assert!(
        chat.machine.outbox().ready().next().is_none(),
        "invariant 14: an item is ready, but the chat waits for no party"
    );
}

/// The state that an action must change.
fn facts(chat: &Chat) -> String {
    let items = chat.machine.outbox().items().iter().map(|item| (item.id, item.state(), item.attempt));
    let calls = chat.machine.transcript().messages().iter().flat_map(|message| message.calls());
    let calls = calls.map(|part| (part.key(), part.phase(), part.delivery(), part.awaits_rewrite()));
    let (items, calls): (Vec<_>, Vec<_>) = (items.collect(), calls.collect());
    let holds = chat.machine.turn().holds();
    format!("{} {items:?} {calls:?} {holds:?} {:?}", chat.waits_for(), chat.machine.exchange().state())
}

/// Performs the actions that the chat waits for.
fn act_as(chat: &mut Chat, whom: WaitsOn) {
    let name = whom.as_str();
    let calls: Vec<_> = chat.machine.awaited_calls(whom).cloned().collect();
    let items = chat.machine.awaited_items(whom);
    match whom {
        WaitsOn::User => {
            let part = calls.first().expect("invariant 14: the chat waits for the user, but lists no call");
            let approval = part
                .approval
                .as_ref()
                .expect("invariant 14: the chat waits for the user, but the call has no approval");
            let answer = chat.respond(&chat.text(approval.id), false, "");
            answer.unwrap_or_else(|code| panic!("invariant 14: the user cannot decide: {code:?}"));
        }
        WaitsOn::Tool => {
            let part = calls.first().expect("invariant 14: the chat waits for a tool, but lists no call");
            let output = chat.page_output(&chat.text(part.call), false);
            output.unwrap_or_else(|code| panic!("invariant 14: the page cannot give its output: {code:?}"));
        }
        WaitsOn::Host => {
            let item = *items.first().expect("invariant 14: the chat waits for the host, but lists no item");
            assert!(chat.claim_item(item), "invariant 14: the host cannot claim item {item}");
        }
        WaitsOn::Reply => {
            end_what_is_open(chat);
            // The user can stop waiting for the reply after an answer.
            chat.stop();
        }
        WaitsOn::Rewrite => {
            let messages = chat.machine.transcript().messages().iter();
            let awaited = messages.flat_map(|message| message.calls()).filter(|part| part.awaits_rewrite());
            let call = awaited
                .map(|part| part.key())
                .next()
                .expect("invariant 14: the chat waits for a rewrite, but lists no call");
            assert!(chat.act(|chat| chat.machine.rewrite(call, toolgate::machine::Payload::NONE)));
        }
        WaitsOn::Resume => chat.resume(),
        WaitsOn::Retry => {
            let item = *items.first().expect("invariant 14: the chat waits for a retry, but lists no item");
            chat.retry(item).unwrap_or_else(|code| panic!("invariant 14: item {item} cannot be retried: {code:?}"));
        }
        WaitsOn::Cancel => {
            assert!(!items.is_empty(), "invariant 14: the chat waits for {name}, but lists no item");
            chat.cancel();
            let left = chat.undelivered().into_iter().any(|item| items.contains(&item));
            assert!(!left, "invariant 14: an item that can only be cancelled is not cancelled");
        }
    }
}
