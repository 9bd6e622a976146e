//! Outgoing items: claimed once, sent once, and sent again only by a retry.

use crate::chat::{Chat, NONE};
use toolgate::machine::{About, Code, DeliveryState, OutcomeKind, Status, StreamEnd, TurnStatus};

#[test]
fn listing_changes_nothing() {
    let chat = Chat::decided();
    let before = chat.saved();
    assert_eq!(chat.listed(), chat.listed());
    assert_eq!(chat.saved(), before);
}

#[test]
fn an_item_is_claimed_by_one_caller_only() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    assert!(chat.claim_item(item));
    assert!(!chat.claim_item(item));
    assert!(!chat.claim_item(99));
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.item_state(item), DeliveryState::InFlight);
    assert_eq!(
        (chat.delivery("c1"), chat.delivery("c2")),
        (Some(DeliveryState::InFlight), Some(DeliveryState::InFlight))
    );
}

#[test]
fn marking_an_item_sent_claims_it() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    let sent = chat.act(|chat| chat.machine.mark_sent(item));
    assert!(sent.is_ok());
    assert_eq!(chat.listed(), NONE);
    assert!(!chat.claim_item(item));
    assert_eq!(chat.mark_sent(item), Ok(()));
    assert_eq!(chat.mark_sent(99), Err(Code::UnknownOutgoing));
    assert_eq!(chat.mark_sent(0), Err(Code::UnknownOutgoing));
    assert!(!chat.claim_item(0));
}

#[test]
fn the_first_event_of_the_reply_acknowledges_the_item() {
    let mut chat = Chat::decided();
    let item = chat.claim();
    chat.more(|reply| reply.start("r1"));
    assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Acknowledged));
}

#[test]
fn a_stream_that_finishes_without_an_event_acknowledges_the_item() {
    let mut chat = Chat::decided();
    let item = chat.claim();
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
    assert!(chat.machine.is_stalled(), "an empty reply stalls");
}

#[test]
fn any_other_ending_before_an_event_leaves_the_item_unconfirmed() {
    for ending in [StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected] {
        let mut chat = Chat::decided();
        let item = chat.claim();
        chat.end(ending);
        assert_eq!(chat.item_state(item), DeliveryState::Unconfirmed, "{ending:?}");
        assert_eq!(chat.undelivered(), [item]);
        assert_eq!(chat.listed(), NONE);
        chat.resume();
        assert_eq!(chat.listed(), NONE, "an item that may have arrived is never sent again automatically");
    }
}

#[test]
fn a_failed_item_is_listed_again_only_after_retry_with_the_same_key_and_an_equal_body() {
    let mut chat = Chat::decided();
    let item = chat.claim();
    let (key, body) = (chat.key(chat.item(item)), chat.body(chat.item(item)));
    assert_eq!(chat.mark_failed(item), Ok(()));
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![item]));
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Failed));
    chat.resume();
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.retry(item), Ok(()));
    assert_eq!((chat.listed(), chat.undelivered()), (vec![item], vec![]));
    assert_eq!((chat.key(chat.item(item)), chat.body(chat.item(item))), (key, body));
    assert_eq!(chat.item(item).attempt, 2);
    assert_eq!(chat.claim(), item);
}

#[test]
fn an_item_that_the_host_marks_as_failed_without_a_claim_counts_as_claimed() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    let failed = chat.act(|chat| chat.machine.mark_failed(item, toolgate::machine::Payload::NONE));
    assert!(failed.is_ok());
    assert_eq!(chat.item_state(item), DeliveryState::Failed);
    assert!(!chat.claim_item(item));
    assert_eq!(chat.mark_failed(99), Err(Code::UnknownOutgoing));
}

#[test]
fn a_retry_of_a_delivered_item_is_refused() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    assert_eq!(chat.retry(item), Err(Code::Busy));
    chat.claim();
    assert_eq!(chat.retry(item), Err(Code::Busy));
    assert_eq!(chat.retry(99), Err(Code::UnknownOutgoing));
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!(chat.retry(item), Err(Code::Busy));
}

#[test]
fn a_failure_after_the_reply_has_begun_is_a_lost_connection() {
    let mut chat = Chat::decided();
    let item = chat.claim();
    chat.more_of(item, |reply| reply.start("r1").step().output("c1").text("Do"));
    assert_eq!(chat.mark_failed(item), Ok(()));
    assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
    assert_eq!(chat.machine.turn_status(), TurnStatus::Incomplete);
    assert_eq!(chat.listed(), NONE);
    // An event without a request may belong to the reply to another request.
    let mut chat = Chat::decided();
    let item = chat.claim();
    chat.stream(|reply| reply.text("Do"));
    assert_eq!(chat.mark_failed(item), Ok(()));
    assert_eq!((chat.item_state(item), chat.undelivered()), (DeliveryState::Unconfirmed, vec![item]));
}

#[test]
fn a_withdrawn_item_can_not_be_claimed() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    chat.stop();
    assert_eq!(chat.listed(), NONE);
    assert!(!chat.claim_item(item));
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
}

#[test]
fn the_same_decisions_have_the_same_key_in_every_tab() {
    let asked = Chat::asking(2);
    let key = |approved: bool| {
        let mut tab = asked.restored();
        tab.approve("a1");
        tab.respond("a2", approved, "").unwrap();
        let item = tab.listed()[0];
        tab.key(tab.item(item))
    };
    assert_eq!(key(true), key(true));
    assert_ne!(key(true), key(false));
}

#[test]
fn a_retry_of_an_item_that_failed_without_a_claim_has_the_key_of_the_first_attempt() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    let key = chat.key(chat.item(item));
    let failed = chat.act(|chat| chat.machine.mark_failed(item, toolgate::machine::Payload::NONE));
    assert!(failed.is_ok());
    assert_eq!(chat.retry(item), Ok(()));
    assert_eq!((chat.item(item).attempt, chat.key(chat.item(item))), (2, key));
}

#[test]
fn messages_have_their_own_keys() {
    let mut chat = Chat::default();
    chat.user("m1");
    let first = chat.claim();
    let first_key = chat.key(chat.item(first));
    chat.reply(|reply| reply.text("Hello."));
    chat.user("m2");
    let second = chat.claim();
    assert_ne!(first_key, chat.key(chat.item(second)));
}

#[test]
fn an_unrequested_stream_never_changes_a_ready_item() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    chat.more_of(99, |reply| reply.start("r1").output("c1").text("Who am I?"));
    assert_eq!(
        (chat.listed(), chat.anomalies()),
        (vec![item], vec![]),
        "an event of an unknown request settles no item"
    );
    chat.more(|reply| reply.start("r2").text("Well,").step().call("c9").finish());
    assert_eq!((chat.listed(), chat.said()), (vec![item], vec!["m1".to_owned()]));
    let codes = chat.anomalies();
    assert!(codes.contains(&Code::Superseded) && codes.len() < 8, "{codes:?}");
    assert!(chat.claim_item(item));
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-available", "output-denied"));
}

#[test]
fn a_ready_user_message_comes_after_an_unrequested_reply() {
    let mut chat = Chat::default();
    chat.user("m1");
    let item = chat.listed()[0];
    chat.more(|reply| reply.start("r0").step().text("Still there?"));
    assert_eq!((chat.said(), chat.listed()), (vec!["Still there?".to_owned(), "m1".to_owned()], vec![item]));
    // The claim ends the unrequested reply, because a host does not end a stream that it did not open.
    assert!(chat.claim_item(item));
    chat.more(|reply| reply.start("r1").step().text("Hello.").finish());
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!((chat.said().len(), chat.machine.status()), (3, Status::Idle));
}

#[test]
fn an_unrequested_reply_ends_with_its_own_last_event() {
    for last in ["finish", "abort", "error"] {
        let mut chat = Chat::asking(1);
        chat.more(|reply| reply.start("r2").step().text("By the way,"));
        assert_eq!(chat.machine.status(), Status::Streaming);
        chat.receive_about(serde_json::json!({ "type": last, "errorText": "x" }), About::default());
        assert_ne!(chat.machine.status(), Status::Streaming, "{last}");
        chat.user("m2");
        assert_eq!(chat.sendable(), "m2", "{last}");
    }
}

#[test]
fn a_replay_withdraws_a_ready_item_which_is_then_built_again() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.end(StreamEnd::Disconnected);
    chat.approve("a1");
    let first = chat.listed()[0];
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2"));
    assert_eq!(chat.listed(), NONE, "one submission at a time");
    assert!(!chat.claim_item(first));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE, "c2 is not decided");
    chat.deny("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_denial_of_an_earlier_step_becomes_final_with_the_next_request() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.more(|reply| reply.step().ask("c2", "a2"));
    chat.end(StreamEnd::Finished);
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
    assert_eq!(chat.state("c1"), "output-denied");
}

#[test]
fn calls_of_an_earlier_step_are_closed_when_a_later_one_is_submitted() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").step().ask("c2", "a2"));
    chat.approve("a2");
    chat.claim();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
}
