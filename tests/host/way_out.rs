//! Nothing waits for ever: from every state, something that a user can do leads to a next request.
//!
//! The search is what a person would try: wait for the stream or end it, write a message, answer what is
//! asked, cancel. Each request on the way must be one that a backend accepts; the watch sees to that.

use crate::chat::Chat;
use toolgate::machine::{Hold, StreamEnd, WaitsOn};

/// The message with which the user tries to go on.
const MESSAGE: &str = "the way out";

/// Fails if the user's next message can never leave.
pub fn assert_way_out(chat: &Chat) {
    let mut chat = chat.clone();
    end_what_is_open(&mut chat);
    if chat.try_user(MESSAGE, None).is_err() {
        chat.cancel();
        chat.try_user(MESSAGE, None).expect("invariant 14: after cancel a message is taken");
    }
    // Each request ahead of the message is one step of the search, and there can't be many; answers arrive.
    for _ in 0..8 {
        // An output of the browser is listed when the approval of its call has arrived.
        for _ in 0..2 {
            let answers = chat.machine.outgoing().filter(|item| item.is_answer()).map(|item| item.id);
            for answer in answers.collect::<Vec<_>>() {
                chat.mark_sent(answer).expect("invariant 14: a listed answer can be sent");
            }
        }
        let Some(&item) = chat.listed().first() else {
            chat.cancel();
            // A host that never says what it makes of a result: the second time it is not waited for.
            if chat.listed().is_empty() {
                chat.cancel();
            }
            assert!(!chat.listed().is_empty(), "invariant 14: the message waits, and cancel does not help");
            continue;
        };
        if chat.messages(item).contains(MESSAGE) {
            assert!(chat.claim_item(item), "invariant 14: the message is listed and can't be claimed");
            return;
        }
        chat.claim_item(item);
        chat.end(StreamEnd::Disconnected);
    }
    panic!("invariant 14: the message is still waiting after eight requests");
}

/// The user waits no longer: whatever is on its way comes to its end.
fn end_what_is_open(chat: &mut Chat) {
    for item in chat.listed() {
        chat.claim_item(item);
    }
    chat.end(StreamEnd::Aborted);
    let answers = chat.machine.outbox().items().iter().filter(|item| item.is_answer()).map(|item| item.id);
    for answer in answers.collect::<Vec<_>>() {
        chat.mark_sent(answer).expect("invariant 14: an answer can be sent");
    }
}

/// Fails if somebody for whom the chat waits cannot act, or if the act leads nowhere; and if it waits for nobody although
/// there is something to send.
pub fn assert_someone_can_act(chat: &Chat) {
    let waiting = chat.machine.waiting();
    for whom in WaitsOn::ALL.iter().copied().filter(|&whom| waiting.on(whom)) {
        let mut after = chat.clone();
        act_as(&mut after, whom);
        let (before, now) = (facts(chat), facts(&after));
        assert!(before != now, "invariant 14: {} acts, and nothing comes of it: {}", whom.as_str(), chat.waits_for());
    }
    if waiting.is_anyone() {
        return;
    }
    let holds = chat.machine.turn().holds();
    let waits_for_message = holds.has(Hold::TurnEnded) || holds.has(Hold::DenialsOnly);
    let unsent = chat.machine.transcript().has_unsent();
    assert!(!unsent || waits_for_message, "invariant 14: something is held, and nobody is named");
    assert!(chat.machine.queue().is_empty(), "invariant 14: a message is queued, and nobody is named");
    assert!(chat.machine.outbox().ready().next().is_none(), "invariant 14: an item is ready, and nobody is named");
}

/// What tells two states apart for whoever waits.
fn facts(chat: &Chat) -> String {
    let items = chat.machine.outbox().items().iter().map(|item| (item.id, item.state(), item.attempt));
    let calls = chat.machine.transcript().messages().iter().flat_map(|message| message.calls());
    let calls = calls.map(|part| (part.key(), part.phase(), part.delivery(), part.awaits_rewrite()));
    let (items, calls): (Vec<_>, Vec<_>) = (items.collect(), calls.collect());
    let holds = chat.machine.turn().holds();
    format!("{} {items:?} {calls:?} {holds:?} {:?}", chat.waits_for(), chat.machine.exchange().state())
}

/// Does what the chat waits for.
fn act_as(chat: &mut Chat, whom: WaitsOn) {
    let name = whom.as_str();
    let calls: Vec<_> = chat.machine.awaited_calls(whom).cloned().collect();
    let items = chat.machine.awaited_items(whom);
    match whom {
        WaitsOn::User => {
            let part = calls.first().expect("invariant 14: the user is named, and no call");
            let approval = part.approval.as_ref().expect("invariant 14: the user is named for a call without approval");
            let answer = chat.respond(&chat.text(approval.id), false, "");
            answer.unwrap_or_else(|code| panic!("invariant 14: the user cannot answer: {code:?}"));
        }
        WaitsOn::Tool => {
            let part = calls.first().expect("invariant 14: a tool is named, and no call");
            let output = chat.browser_output(&chat.text(part.call), false);
            output.unwrap_or_else(|code| panic!("invariant 14: the page cannot give its output: {code:?}"));
        }
        WaitsOn::Host => {
            let item = *items.first().expect("invariant 14: the host is named, and no item");
            assert!(chat.claim_item(item), "invariant 14: the host cannot claim item {item}");
        }
        WaitsOn::Reply => {
            end_what_is_open(chat);
            // Who waits for a reply in which the backend goes on after an answer can stop waiting.
            chat.stop();
        }
        WaitsOn::Rewrite => {
            let messages = chat.machine.transcript().messages().iter();
            let awaited = messages.flat_map(|message| message.calls()).filter(|part| part.awaits_rewrite());
            let call = awaited.map(|part| part.key()).next().expect("invariant 14: a rewrite is named, and no call");
            assert!(chat.act(|chat| chat.machine.rewrite(call, toolgate::machine::Payload::NONE)));
        }
        WaitsOn::Resume => chat.resume(),
        WaitsOn::Retry => {
            let item = *items.first().expect("invariant 14: a retry is named, and no item");
            chat.retry(item).unwrap_or_else(|code| panic!("invariant 14: item {item} cannot be retried: {code:?}"));
        }
        WaitsOn::Cancel => {
            assert!(!items.is_empty(), "invariant 14: {name} is named, and no item");
            chat.cancel();
            let left = chat.undelivered().into_iter().any(|item| items.contains(&item));
            assert!(!left, "invariant 14: what can only be given up is not");
        }
    }
}
