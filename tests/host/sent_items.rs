//! Sent items: how they settle, which are sent again, and which are forgotten.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{About, Code, DeliveryState, ItemState, OutcomeKind, StreamEnd};

#[test]
fn an_unconfirmed_answer_is_delivered_when_its_call_continues() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    let mut chat = chat.restored();
    assert!(chat.undelivered().contains(&item));
    chat.more(|reply| reply.preliminary("c1"));
    assert_eq!((chat.item(item).state(), chat.delivery("c1")), (ItemState::Done, Some(DeliveryState::Acknowledged)));
}

#[test]
fn a_failed_item_is_done_when_nothing_in_it_remains_to_be_sent() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.output("c1"));
    assert_eq!((chat.undelivered(), chat.listed()), (NONE.to_vec(), NONE.to_vec()));
    assert_eq!(chat.retry(item), Err(Code::Busy));
}

#[test]
fn a_decision_whose_approval_id_another_call_has_now_is_not_sent_again() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    let item = chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.stream(|reply| reply.ask("c2", "a1"));
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.undelivered(), chat.pending().as_str()), (vec![item], "a1"));
    assert_eq!(chat.retry(item), Ok(()));
    assert_eq!((chat.undelivered(), chat.listed()), (NONE.to_vec(), NONE.to_vec()));
}

#[test]
fn an_answer_that_must_not_repeat_is_given_up_and_not_retried() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| {
        let request = json!({
            "type": "tool-approval-request", "toolCallId": "c1", "approvalId": "a1", "repeatUnsafe": true,
        });
        reply.call("c1").raw(request)
    });
    chat.approve("a1");
    let item = chat.claim();
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.waits_for(), format!("cancel {item}"));
    assert_eq!((chat.retry(item), chat.listed()), (Err(Code::RepeatUnsafe), NONE.to_vec()));
    chat.cancel();
    assert_eq!((chat.waits_for().as_str(), chat.outcome("c1")), ("", Some((OutcomeKind::Cancelled, true))));
}

#[test]
fn a_ready_step_is_withdrawn_when_the_backend_requests_approval_of_another_call_in_it() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1").provider_call("c2"));
    chat.approve("a1");
    assert_eq!(chat.sendable(), "a1");
    chat.more(|reply| reply.request("c2", "a2"));
    assert_eq!((chat.sendable().as_str(), chat.pending().as_str()), ("", "a2"));
    chat.approve("a2");
    assert_eq!(chat.sendable(), "a1 a2");
}

#[test]
fn done_items_of_earlier_turns_are_forgotten() {
    let mut chat = Chat::default();
    for turn in 1..=200 {
        chat.user(&format!("m{turn}"));
        chat.claim();
        chat.reply(|reply| reply.text("Hello."));
    }
    let known = chat.machine.outbox().items();
    assert!(known.len() <= 70, "{} items are remembered", known.len());
}

#[test]
fn a_result_that_names_one_of_many_answers_of_the_turn_settles_its_call() {
    let mut chat = Chat::answering(200);
    let mut first = 0;
    for call in 1..=200 {
        chat.approve(&format!("a{call}"));
        let item = chat.claim();
        chat.mark_sent(item).unwrap();
        first = if call == 1 { item } else { first };
    }
    chat.more_of(first, |reply| reply.output("c1"));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_late_result_of_a_request_that_was_given_up_is_an_anomaly() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let given_up = chat.claim();
    chat.stream(|reply| reply.text("Hm."));
    chat.end(StreamEnd::Finished);
    assert!(chat.machine.is_stalled());
    chat.user("m2");
    chat.claim();
    assert_eq!(chat.anomalies(), []);
    chat.more_of(given_up, |reply| reply.output("c1"));
    assert_eq!(chat.anomalies(), [Code::AlreadySettled], "the user reads that the outcome is unknown");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
}

#[test]
fn only_requests_that_may_be_sent_again_keep_their_bodies() {
    let mut chat = Chat::default();
    let with_body = |chat: &Chat| {
        let items = chat.machine.outbox().items().iter();
        items.filter(|item| item.body.is_some()).map(|item| item.id).collect::<Vec<_>>()
    };
    for number in 1..=4 {
        chat.user(&format!("m{number}"));
        let item = chat.claim();
        assert_eq!(with_body(&chat), [item]);
        chat.reply(|reply| reply.text("Well."));
    }
    // The reply is read again, and breaks off: its request is sent again as it was.
    let last = chat.machine.outbox().items().last().map(|item| item.id).unwrap();
    let (body, key) = (chat.body(chat.item(last)), chat.key(chat.item(last)));
    chat.reconnected(toolgate::machine::Reconnect::Start, |reply| reply.start("r7").step());
    let chat = chat.restored();
    assert_eq!(chat.undelivered(), [last]);
    assert_eq!((chat.body(chat.item(last)), chat.key(chat.item(last))), (body, key));
}

/// The request of the message cannot be sent again as it was, because the approval's request followed it.
#[test]
fn a_request_whose_reply_is_read_again_after_another_request_is_not_offered_for_a_retry() {
    for ends in [None, Some(StreamEnd::Disconnected), Some(StreamEnd::Finished)] {
        let mut chat = Chat::default();
        chat.user("m1");
        let first = chat.claim();
        chat.stream(|reply| reply.ask("c1", "a1"));
        chat.end(StreamEnd::Disconnected);
        chat.approve("a1");
        let second = chat.claim();
        chat.mark_failed(second).expect("it was claimed");
        for chunk in crate::stream::Stream::new().text("Hm.").chunks() {
            let reconnect = Some(toolgate::machine::Reconnect::Offset);
            chat.receive_about(chunk, About { request: Some(first), reconnect, ..About::default() });
        }
        if let Some(how) = ends {
            chat.end(how);
        }
        let mut chat = chat.restored();
        assert_eq!(chat.undelivered(), [second], "{ends:?}");
        chat.retry(second).expect("the approval can be sent again");
    }
}
