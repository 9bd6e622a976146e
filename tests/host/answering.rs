//! Answering protocols: each decision is sent at once in an item of its own, while the stream is open and waits for it.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{
    About, Code, DeliveryState, Item, ItemState, OutcomeKind, Phase, RespondOutcome, Sent, Status, StreamEnd,
    TurnStatus,
};

/// Sends everything that is listed. The backend receives it.
pub fn send(chat: &mut Chat) {
    for item in chat.listed() {
        assert_eq!(chat.mark_sent(item), Ok(()));
    }
}

#[test]
fn each_decision_is_sent_at_once_in_its_own_item_while_the_stream_runs() {
    let mut chat = Chat::answering(3);
    chat.approve("a2");
    assert_eq!(chat.sendable(), "a2");
    chat.deny("a1");
    assert_eq!(chat.sendable(), "a2, a1");
    assert_eq!(chat.pending(), "a3");
    assert_eq!(chat.delivery("c2"), Some(DeliveryState::Ready));
    assert_eq!(chat.machine.status(), Status::Streaming);
    let keys: Vec<String> = chat.machine.outgoing().map(|item| chat.key(item)).collect();
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn several_answers_are_in_flight_at_once() {
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    let first = chat.claim();
    chat.deny("a2");
    let second = chat.claim();
    assert_eq!(
        (chat.delivery("c1"), chat.delivery("c2")),
        (Some(DeliveryState::InFlight), Some(DeliveryState::InFlight))
    );
    assert_eq!(chat.mark_sent(second), Ok(()));
    assert_eq!(chat.mark_sent(first), Ok(()));
    assert_eq!((chat.phase("c1"), chat.phase("c2")), (Phase::Submitted, Phase::Denied));
    chat.more(|reply| reply.output("c1").text("Done.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.state("c2"), "output-denied", "the end of the reply makes the denial final");
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
    assert_eq!((chat.machine.status(), chat.machine.turn_status()), (Status::Idle, TurnStatus::Done));
}

#[test]
fn a_double_click_creates_one_answer() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
    let item = chat.claim();
    assert!(!chat.claim_item(item));
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_answer_is_not_a_submission_and_awaits_no_reply() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.status(), Status::AwaitingApproval);
    chat.approve("a1");
    assert_eq!((chat.machine.status(), chat.machine.turn_status()), (Status::Idle, TurnStatus::Open));
    send(&mut chat);
    assert_eq!((chat.machine.status(), chat.machine.turn_status()), (Status::Idle, TurnStatus::Done));
    assert!(!chat.machine.is_stalled());
}

#[test]
fn the_chat_waits_for_a_page_tool_after_its_approval_was_sent() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call_of("locate", "c1").request("c1", "a1").finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    send(&mut chat);
    assert_eq!((chat.waits_for().as_str(), chat.machine.turn_status()), ("tool c1", TurnStatus::Open));
    chat.page_output("c1", false).unwrap();
    send(&mut chat);
    assert_eq!((chat.waits_for().as_str(), chat.machine.turn_status()), ("", TurnStatus::Done));
}

#[test]
fn after_an_answer_the_backend_continues_in_the_same_message() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    // The host may name the answer as the request of the events that follow it.
    let about = About { request: Some(item), ..About::default() };
    for chunk in crate::stream::Stream::new().start("r1").step().output("c1").text("Done.").finish().chunks() {
        chat.receive_about(chunk, about);
    }
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Acknowledged));
    assert_eq!(chat.machine.status(), Status::Streaming);
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!(chat.machine.transcript().messages().len(), 2);
    assert_eq!(chat.said(), ["m1", "Done."]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!((chat.anomalies(), chat.undelivered()), (vec![], vec![]));
}

#[test]
fn content_after_an_answer_is_new_and_not_a_replay() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    send(&mut chat);
    chat.more(|reply| reply.start("r1").step().text("One."));
    chat.end(StreamEnd::Finished);
    let steps = chat.ui_messages(toolgate::wire::ai_sdk::Shape::Body)[1]["parts"].as_array().unwrap().len();
    assert_eq!(steps, 4, "two steps, the call and the text");
}

#[test]
fn an_answer_that_could_not_be_sent_waits_for_a_retry_with_the_same_key_and_body() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    let before = (chat.key(chat.item(item)), chat.body(chat.item(item)));
    chat.mark_failed(item).unwrap();
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![item]));
    assert_eq!(chat.machine.turn().ending(), None, "the stream continues");
    assert_eq!(chat.retry(item), Ok(()), "a retry is accepted while the stream runs");
    assert_eq!(chat.listed(), [item]);
    assert_eq!((chat.key(chat.item(item)), chat.body(chat.item(item))), before);
    assert_eq!(chat.item(item).attempt, 2);
    send(&mut chat);
    assert_eq!(chat.undelivered(), NONE);
}

#[test]
fn a_result_acknowledges_the_answer() {
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    chat.approve("a2");
    for item in chat.listed() {
        chat.claim_item(item);
    }
    let failed = chat.listed().first().copied();
    assert_eq!(failed, None);
    let items: Vec<u32> =
        chat.machine.outbox().items().iter().filter(|item| item.is_aside()).map(|item| item.id).collect();
    chat.mark_failed(items[1]).unwrap();
    chat.more(|reply| reply.output("c1").output("c2"));
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Acknowledged));
    assert_eq!(chat.undelivered(), NONE);
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_decision_of_the_backend_is_never_sent() {
    for (ours, theirs, phase) in [
        (true, true, Phase::Submitted),
        (true, false, Phase::Denied),
        (false, false, Phase::Denied),
        (false, true, Phase::Denied),
    ] {
        let mut chat = Chat::answering(1);
        assert_eq!(chat.respond("a1", ours, ""), Ok(RespondOutcome::Accepted));
        let item = chat.listed()[0];
        chat.more(|reply| reply.response("a1", theirs));
        assert_eq!((chat.listed(), chat.delivery("c1")), (vec![], None), "{ours} {theirs}");
        assert!(!chat.claim_item(item));
        assert_eq!(chat.phase("c1"), phase, "{ours} {theirs}");
        chat.resume();
        assert_eq!(chat.listed(), NONE);
    }
}

#[test]
fn no_decision_is_sent_for_a_call_that_ran_or_was_denied_meanwhile() {
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    chat.deny("a2");
    chat.more(|reply| reply.output("c1").denied("c2"));
    assert_eq!(chat.listed(), NONE);
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-available", "output-denied"));
}

#[test]
fn stop_holds_the_answers_made_before_it_until_resume() {
    let mut chat = Chat::answering(3);
    chat.approve("a1");
    chat.stop();
    assert_eq!((chat.listed(), chat.delivery("c1")), (vec![], Some(DeliveryState::Held)));
    chat.end(StreamEnd::Aborted);
    assert_eq!(chat.listed(), NONE);
    chat.resume();
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn an_answer_in_flight_stays_in_flight_when_the_user_stops() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.stop();
    chat.end(StreamEnd::Aborted);
    assert_eq!(chat.item_state(item), DeliveryState::InFlight);
    assert_eq!(chat.mark_sent(item), Ok(()));
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Acknowledged));
}

fn state(chat: &Chat, item: u32) -> Option<ItemState> {
    chat.machine.outbox().item(item).map(Item::state)
}

#[test]
fn an_answer_in_flight_whose_stream_ends_badly_is_unconfirmed() {
    let endings = [StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected];
    for how in endings {
        let mut chat = Chat::answering(1);
        chat.more(|reply| reply.step_done().finish());
        chat.end(StreamEnd::Finished);
        chat.approve("a1");
        let item = chat.claim();
        chat.end_of(item, Some(7), how);
        assert_eq!(state(&chat, item), Some(ItemState::InFlight), "another attempt's stream");
        chat.end_of(item, None, how);
        assert_eq!(state(&chat, item), Some(ItemState::Unconfirmed));
        assert_eq!(chat.user("m2"), Sent::Sent);
        assert_eq!((chat.sendable().as_str(), chat.outcome("c1")), ("m2", Some((OutcomeKind::Interrupted, true))));
    }
}

#[test]
fn an_answer_in_flight_whose_stream_finishes_has_arrived() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!((state(&chat, item), chat.phase("c1")), (Some(ItemState::Done), Phase::Submitted));
    assert_eq!(chat.user("m2"), Sent::Sent);
}

#[test]
fn a_backend_that_was_told_to_remember_an_approval_may_decide_by_itself() {
    for remembers in [true, false] {
        let mut chat = Chat::answering(1);
        chat.approve("a1");
        if remembers {
            chat.remember("a1", true);
        }
        let item = chat.claim();
        chat.mark_sent(item).unwrap();
        chat.more(|reply| reply.output("c1").call_with("edit", "c2", json!("y")).request("c2", "a2").output("c2"));
        assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Executed, false)));
        assert_eq!(chat.anomalies().len(), usize::from(!remembers));
    }
}
