//! Snapshots: a restored chat continues like the original, except for items in flight.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{Code, DeliveryState, Ending, OnUserMessage, OutcomeKind, Phase, Sent, Status, StreamEnd};

#[test]
fn a_pending_approval_is_pending_after_a_restore() {
    let mut chat = Chat::asking(2).restored();
    assert_eq!(chat.pending(), "a1 a2");
    chat.approve("a1");
    chat = chat.restored();
    assert_eq!((chat.pending().as_str(), chat.delivery("c1")), ("a2", Some(DeliveryState::Held)));
    chat.deny("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_ready_item_can_be_sent_after_a_restore() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let mut restored = chat.restored();
    assert_eq!(restored.listed(), chat.listed());
    let item = restored.claim();
    assert_eq!(restored.approvals(item), "a1");
    assert_eq!(restored.key(restored.item(item)), chat.key(chat.item(item)));
}

#[test]
fn an_item_in_flight_is_unconfirmed_after_a_restore_and_never_sent_automatically() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    let mut chat = chat.restored();
    assert_eq!(chat.item_state(item), DeliveryState::Unconfirmed);
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![item]));
    chat.resume();
    assert_eq!(chat.listed(), NONE);
    chat.retry(item).unwrap();
    assert_eq!(chat.item(item).attempt, 2);
    assert_eq!(chat.claim(), item);
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!((chat.state("c1"), chat.undelivered()), ("output-available", vec![]));
}

#[test]
fn an_item_in_flight_is_in_flight_for_a_follower() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.deny("a2");
    let item = chat.claim();
    let mut follower = chat.followed();
    assert_eq!(follower.delivery("c1"), Some(DeliveryState::InFlight));
    assert_eq!((follower.machine.status(), follower.undelivered()), (Status::Submitted, vec![]));
    chat.more_of(item, |reply| reply.start("r1").output("c1"));
    follower = chat.followed();
    assert_eq!((follower.machine.status(), follower.state("c1")), (Status::Streaming, "output-available"));
    assert_eq!(follower.take_events(), vec![]);
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.followed().facts(), chat.facts());
}

#[test]
fn an_approval_is_pending_for_a_follower_while_the_reply_continues() {
    let chat = Chat::asking_in_a_stream(2);
    let mut follower = chat.followed();
    assert_eq!((follower.machine.status(), follower.pending().as_str()), (Status::Streaming, "a1 a2"));
    follower.approve("a1");
    follower.approve("a2");
    assert_eq!((follower.delivery("c1"), follower.listed()), (Some(DeliveryState::Held), vec![]));
}

#[test]
fn the_next_message_gives_up_an_unconfirmed_item() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    let mut chat = chat.restored();
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.undelivered(), NONE);
}

#[test]
fn cancel_gives_up_an_unconfirmed_item() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    let mut chat = chat.restored();
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)));
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
}

#[test]
fn an_unconfirmed_item_is_done_when_events_settle_its_calls() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    let mut chat = chat.restored();
    chat.more_of(item, |reply| reply.start("r1").output("c1").text("Done.").finish());
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!((chat.undelivered(), chat.machine.status()), (vec![], Status::Idle));
}

#[test]
fn an_open_reply_counts_as_disconnected() {
    let mut chat = Chat::asking_in_a_stream(2);
    chat.approve("a1");
    let item = chat.machine.outbox().active().unwrap().id;
    let mut chat = chat.restored();
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Disconnected));
    assert_eq!(chat.item_state(item), DeliveryState::Unconfirmed);
    assert_eq!((chat.pending().as_str(), chat.machine.status()), ("a2", Status::AwaitingApproval));
    chat.approve("a2");
    let next = chat.claim();
    assert_eq!(chat.approvals(next), "a1 a2");
}

#[test]
fn a_decision_made_in_an_open_reply_is_held() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    let mut chat = chat.restored();
    assert_eq!(chat.listed(), NONE);
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn decisions_held_by_stop_are_held_after_a_restore() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.stop();
    let mut chat = chat.restored();
    chat.load(chat.ui_messages(toolgate::wire::ai_sdk::Shape::View));
    assert_eq!(chat.listed(), NONE);
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.stop();
    let mut chat = chat.restored();
    chat.more(|reply| reply.output("c2"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE, "only the user releases what stop holds");
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn an_open_reply_can_be_replayed() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    let mut chat = chat.restored();
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1").text("Well?").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "Well?"]);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_queued_message_is_queued_after_a_restore() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.user("m2");
    let restored = chat.restored();
    assert_eq!((restored.listed(), restored.machine.queue().messages().len()), (vec![], 1));
    let mut retried = restored.clone();
    retried.retry(item).unwrap();
    retried.claim();
    retried.reply(|reply| reply.output("c1").text("Done."));
    let next = retried.claim();
    assert_eq!(retried.messages(next), "m2");
    let mut cancelled = restored.clone();
    cancelled.cancel();
    let next = cancelled.claim();
    assert_eq!(cancelled.messages(next), "m2");
    let mut settled = restored.clone();
    let mut done =
        json!({ "type": "tool-edit", "toolCallId": "c1", "state": "output-available", "input": {}, "output": 1 });
    done["approval"] = json!({ "id": "a1", "approved": true });
    settled.load(
        json!([{ "id": "m1", "role": "user", "parts": [] }, { "id": "r1", "role": "assistant", "parts": [done] }]),
    );
    let next = settled.claim();
    assert_eq!(settled.messages(next), "m2");
    let mut written = restored;
    assert_eq!(written.user("m3"), Sent::Sent);
    let next = written.claim();
    assert_eq!(written.messages(next), "m2 m3");
}

#[test]
fn two_tabs_that_make_the_same_decision_send_the_same_key() {
    let asked = Chat::asking(1);
    let keys: Vec<String> = (0..2)
        .map(|_| {
            let mut tab = asked.restored();
            tab.approve("a1");
            let item = tab.claim();
            tab.key(tab.item(item))
        })
        .collect();
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn a_settled_call_is_unchanged_by_a_restore() {
    let mut chat = Chat::with(OnUserMessage::CancelPending, &["locate"]).that_asks(3);
    chat.approve("a1");
    chat.deny("a2");
    chat.cancel();
    let restored = chat.restored();
    for call in ["c1", "c2", "c3"] {
        assert_eq!((restored.phase(call), restored.outcome(call)), (chat.phase(call), chat.outcome(call)));
    }
    assert_eq!(restored.history().to_string(), chat.history().to_string());
    assert_eq!(restored.machine.options().on_user_message, OnUserMessage::CancelPending);
}

#[test]
fn a_superseded_approval_stays_superseded() {
    let mut chat = Chat::asking(1);
    chat.try_user("m2", Some("m1")).unwrap();
    let mut chat = chat.restored();
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn an_approval_superseded_by_a_later_step_stays_superseded() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.step().text("Never mind."));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    let mut chat = chat.restored();
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn the_part_of_an_input_that_has_arrived_is_restored() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.input_start("c1").input_delta("c1", "{\"of\":\"c1\"}"));
    let mut chat = chat.restored();
    assert_eq!(chat.phase("c1"), Phase::InputStreaming);
    chat.user("m2");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    assert_eq!(chat.wire_part("c1"), None);
}

#[test]
fn restoring_a_chat_with_nothing_in_flight_gives_the_same_snapshot() {
    let mut chat = Chat::asking(3);
    assert_eq!(chat.restored().saved(), chat.saved());
    chat.approve("a1");
    chat.deny("a2");
    assert_eq!(chat.restored().saved(), chat.saved());
    chat.approve("a3");
    assert_eq!(chat.restored().saved(), chat.saved());
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.restored().saved(), chat.saved());
    chat.user("m2");
    assert_eq!(chat.restored().saved(), chat.saved());
}
