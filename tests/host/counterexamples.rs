//! Counterexamples that the exhaustive exploration once found, as tests. Each is the shortest for a broken invariant.

use crate::chat::{Chat, NONE};
use toolgate::machine::{About, Code, DeliveryState, RespondOutcome, Sent, StreamEnd};

#[test]
fn a_reply_with_the_id_of_an_earlier_message_gets_a_new_id() {
    let (mut chat, _) = Chat::waiting();
    chat.more(|reply| reply.start("r1").text("One."));
    chat.end(StreamEnd::Finished);
    chat.user("m2");
    chat.claim();
    chat.more(|reply| reply.start("r1").text("Two.").start("r1"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "One.", "m2", "Two."]);
    let ids: Vec<_> = chat.machine.transcript().messages().iter().map(|message| message.id).collect();
    assert_eq!(ids.iter().filter(|&&id| id == ids[1]).count(), 1);
}

#[test]
fn a_step_is_reset_only_by_the_reply_that_wrote_it() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    let last = chat.text(chat.machine.transcript().last().unwrap().id).to_string();
    chat.more(|reply| reply.start(&last).text("Hm.").reset());
    assert_eq!(chat.said(), ["m1"]);
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Acknowledged));
}

#[test]
fn after_a_restore_the_calls_of_a_failed_item_still_wait_for_their_results() {
    let ask = |chat: &mut Chat| {
        let last = chat.text(chat.machine.transcript().last().unwrap().id).to_string();
        chat.more(|reply| reply.start(&last).step().text("More."));
        chat.said()
    };
    let (mut first, _) = Chat::failed();
    let mut second = first.restored();
    assert_eq!(ask(&mut first), ask(&mut second));
}

#[test]
fn a_reply_may_be_replayed_after_a_withdrawn_submission() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.stop();
    let before = chat.facts()["messages"].clone();
    let last = chat.text(chat.machine.transcript().last().unwrap().id).to_string();
    chat.more(|reply| reply.start(&last).step().ask("c1", "a1"));
    assert_eq!(chat.facts()["messages"], before);
}

#[test]
fn stop_before_a_message_was_sent_survives_a_restore() {
    let (mut chat, item) = Chat::waiting();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.deny("a1");
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    chat.stop();
    let mut other = chat.restored();
    for chat in [&mut chat, &mut other] {
        chat.claim();
        chat.end(StreamEnd::Finished);
    }
    assert_eq!(chat.facts(), other.facts());
}

#[test]
fn a_stopped_retry_is_sent_only_by_another_retry() {
    for failed in [true, false] {
        let mut chat = Chat::decided();
        let item = chat.claim();
        if failed {
            chat.mark_failed(item).unwrap();
        } else {
            chat.end(StreamEnd::Disconnected);
        }
        let before = chat.item(item).clone();
        chat.retry(item).unwrap();
        chat.stop();
        assert_eq!(*chat.item(item), before);
        chat.resume();
        assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![item]));
        chat.retry(item).unwrap();
        assert_eq!((chat.claim(), chat.item(item).attempt), (item, 2));
    }
}

#[test]
fn a_replay_by_a_server_that_knows_the_key_duplicates_nothing() {
    let (mut chat, item) = Chat::waiting();
    chat.more(|reply| reply.start("r1").step().text("One"));
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    chat.claim();
    chat.more(|reply| reply.start("r1").step().text("One").ask("c1", "a1").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "One"]);
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn a_stream_of_the_first_attempt_that_continues_withdraws_the_retry() {
    let (mut chat, item) = Chat::waiting();
    chat.stream(|reply| reply.text("One"));
    let id = chat.text(chat.machine.transcript().last().unwrap().id).to_string();
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    chat.receive_about(serde_json::json!({ "type": "start", "messageId": id }), About::default());
    chat.more(|reply| reply.step().text("One"));
    assert_eq!((chat.listed(), chat.item(item).attempt), (NONE.to_vec(), 1));
    assert_eq!(chat.said(), ["m1", "One"]);
}

#[test]
fn a_decision_in_a_cut_reply_confirms_the_request_that_the_reply_answered() {
    let (mut chat, item) = Chat::waiting();
    chat.stream(|reply| reply.ask("c1", "a1"));
    let mut chat = chat.restored();
    assert_eq!(chat.undelivered(), [item]);
    chat.deny("a1");
    assert_eq!((chat.undelivered(), chat.item_state(item)), (vec![], DeliveryState::Acknowledged));
    assert_eq!(chat.retry(item), Err(Code::Busy));
}

#[test]
fn a_retry_makes_a_denial_in_the_lost_reply_final() {
    let (mut chat, item) = Chat::waiting();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.deny("a1");
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    assert_eq!(chat.state("c1"), "output-denied");
    chat.claim();
    chat.more_of(item, |reply| reply.start("r9").text("Well."));
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!((chat.user("m2"), chat.listed().len()), (Sent::Sent, 1));
    let next = chat.claim();
    assert_eq!(chat.approvals(next), "a1");
}

#[test]
fn a_denial_by_the_backend_without_a_request_is_the_same_before_and_after_a_restore() {
    let (mut chat, _) = Chat::waiting();
    chat.reply(|reply| reply.call("c1").denied("c1"));
    let mut other = chat.restored();
    assert_eq!(chat.respond("c1", false, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(other.respond("c1", false, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("c1", true, ""), Err(Code::AlreadyDecided));
}

#[test]
fn a_denial_that_remains_after_regenerating_is_sent_with_the_next_message_only() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    let last = chat.text(chat.machine.transcript().last().unwrap().id).to_string();
    chat.more(|reply| reply.start("r9").text("Well."));
    chat.end(StreamEnd::Finished);
    assert_ne!(last, "r9");
    chat.regenerate(None).unwrap();
    chat.stop();
    chat.resume();
    assert_eq!(chat.listed(), NONE);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
}

#[test]
fn closing_the_calls_of_a_given_up_item_does_not_acknowledge_it() {
    for (settled, closed) in [("c1", "c2"), ("c2", "c1")] {
        let mut chat = Chat::asking(2);
        chat.approve("a1");
        chat.approve("a2");
        chat.claim();
        let mut chat = chat.restored();
        chat.more(|reply| reply.start("r9").output(settled));
        chat.cancel();
        assert_eq!((chat.delivery(settled), chat.delivery(closed)), (None, None), "{closed} is closed");
    }
}

#[test]
fn a_step_that_is_sent_before_a_message_closes_earlier_steps() {
    let (mut chat, _) = Chat::waiting();
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.deny("a1");
    chat.more(|reply| reply.step().ask("c2", "a2"));
    chat.approve("a2");
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.state("c1")), ("a1 a2", "output-denied"));
}

#[test]
fn a_decision_in_a_failed_request_still_applies_when_the_approval_is_requested_again() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.retry(item).unwrap();
    chat.more(|reply| reply.request("c1", "b1"));
    assert_eq!((chat.sendable().as_str(), chat.pending().as_str()), ("a1", ""));
    chat.mark_sent(item).unwrap();
    assert_eq!((chat.sendable().as_str(), chat.anomalies()), ("b1", vec![]));
}

#[test]
fn a_new_request_for_a_call_confirms_its_unconfirmed_decision() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    let mut chat = chat.restored();
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1").request("c1", "b1"));
    assert_eq!((chat.pending().as_str(), chat.undelivered()), ("b1", vec![]));
    assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
    chat.approve("b1");
    assert_eq!(chat.sendable(), "b1");
}

#[test]
fn a_replay_of_a_different_reply_to_a_retry_duplicates_nothing() {
    let (mut chat, item) = Chat::waiting();
    chat.more(|reply| reply.start("r1").step().call("c1"));
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    chat.claim();
    chat.more(|reply| reply.start("r1").text("Otherwise."));
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").text("Otherwise."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "Otherwise."]);
}
