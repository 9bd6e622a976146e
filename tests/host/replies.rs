//! Replies: how a stream ends, what that means for the turn, and outputs that are not final.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{Code, Ending, OutcomeKind, Phase, Status, StreamEnd, TurnStatus};

#[test]
fn each_end_of_a_stream_gives_the_turn_its_ending() {
    let cases = [
        (StreamEnd::Finished, Ending::Finished),
        (StreamEnd::Error, Ending::Failed),
        (StreamEnd::Aborted, Ending::Interrupted),
        (StreamEnd::Disconnected, Ending::Disconnected),
        (StreamEnd::StepLimit, Ending::StepLimit),
    ];
    for (how, ending) in cases {
        let (mut chat, _) = Chat::waiting();
        chat.stream(|reply| reply.text("Well,"));
        chat.end(how);
        assert_eq!(chat.machine.turn().ending(), Some(ending));
    }
}

#[test]
fn a_finished_reply_without_content_is_empty() {
    let (mut chat, item) = Chat::waiting();
    chat.more(|reply| reply.start("r1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Empty));
    assert_eq!((chat.machine.status(), chat.undelivered()), (Status::Stalled, vec![item]));
}

#[test]
fn a_reply_whose_last_step_is_empty_ends_as_empty_and_keeps_its_work() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.step().call("c1").output("c1").step_done().step().step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Empty));
    assert_eq!((chat.machine.turn_status(), chat.undelivered()), (TurnStatus::Incomplete, NONE.to_vec()));
}

#[test]
fn the_host_may_report_that_a_finish_was_caused_by_the_step_limit() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.step().call("c1").output("c1").step_done().finish());
    chat.end(StreamEnd::StepLimit);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::StepLimit));
    assert_eq!(chat.machine.turn_status(), TurnStatus::Incomplete);
}

#[test]
fn a_failed_step_does_not_count_as_work_even_if_the_backend_finishes_it() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.step().text("Well,").failure().step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn_status(), TurnStatus::Error);
}

#[test]
fn finish_sets_the_ending_and_sending_waits_for_the_streams_end() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.more(|reply| reply.step_done().finish());
    assert_eq!(chat.listed(), NONE);
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.listed().len(), 1, "the connection was lost after the announced ending");
}

#[test]
fn the_first_announced_ending_counts() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,").failure().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Failed));
    chat.end(StreamEnd::Aborted);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Failed));
}

#[test]
fn an_abort_event_is_an_interruption() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,").raw(json!({ "type": "abort" })));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Interrupted));
}

#[test]
fn the_finish_reason_interrupted_counts_as_disconnected() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.more(|reply| reply.raw(json!({ "type": "finish", "finishReason": "interrupted" })));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Disconnected));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn a_turn_that_ends_badly_is_incomplete_after_work_and_an_error_without_work() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,"));
    chat.end(StreamEnd::Error);
    assert_eq!(chat.machine.turn_status(), TurnStatus::Error, "a part of a text does not count as work");
    assert_eq!(chat.said(), ["m1", "Well,"]);
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.call("c1").output("c1"));
    chat.end(StreamEnd::Error);
    assert_eq!(chat.machine.turn_status(), TurnStatus::Incomplete);
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,").step_done().step());
    chat.end(StreamEnd::Error);
    assert_eq!(chat.machine.turn_status(), TurnStatus::Incomplete);
}

#[test]
fn an_incomplete_turn_is_in_the_next_request_exactly_once() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,").call("c1").output("c1").call("c2").input_start("c3"));
    chat.end(StreamEnd::Disconnected);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(chat.said(), ["m1", "Well,", "m2"]);
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.wire_part("c3"), None);
    let body = chat.body(chat.item(item)).to_string();
    assert_eq!((body.matches("\"c1\"").count(), body.matches("\"c2\"").count()), (3, 2));
}

#[test]
fn a_preliminary_output_keeps_the_call_open_until_the_stream_ends() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.call("c1").preliminary("c1").call("c2").preliminary("c2").preliminary("c2").output("c2"));
    assert_eq!((chat.phase("c1"), chat.outcome("c1")), (Phase::Preliminary, None));
    assert_eq!(chat.page_output("c1", false), Err(Code::Busy));
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.wire_part("c2").unwrap()["output"], json!({ "did": "c2" }));
}

#[test]
fn a_preliminary_output_is_closed_after_any_ending() {
    for &ending in StreamEnd::ALL {
        let (mut chat, _) = Chat::waiting();
        chat.stream(|reply| reply.call("c1").preliminary("c1"));
        chat.end(ending);
        let complete = matches!(ending, StreamEnd::Finished | StreamEnd::StepLimit);
        // A stream that broke off may still be replayed; the next message closes the call.
        assert_eq!(chat.outcome("c1").is_some(), complete, "{ending:?}");
        chat.user("m2");
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)), "{ending:?}");
    }
}
