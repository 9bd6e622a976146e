//! Nothing waits for ever: from every state, something that a user can do leads to a next request.
//!
//! The search is what a person would try: wait for the stream or end it, write a message, answer what is
//! asked, cancel. Each request on the way must be one that a backend accepts; the watch sees to that.

use crate::chat::Chat;
use toolgate::machine::StreamEnd;

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
