//! Streams that the host reconnected to. Their events say whether they restart or continue the reply; nothing is
//! doubled or lost.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{assistant, part_with, user};
use crate::stream::Stream;
use serde_json::json;
use toolgate::machine::{Code, OnUserMessage, Reconnect, Sent, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

#[test]
fn a_reconnected_stream_withdraws_a_ready_step_to_which_it_may_add_calls() {
    let mut chat = Chat::default();
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1"));
    chat.end(StreamEnd::Disconnected);
    chat.approve("a1");
    assert_eq!(chat.waits_for(), "host 1");
    chat.reconnected(Reconnect::Offset, |reply| reply.call("c2"));
    assert_eq!((chat.listed(), chat.waits_for().as_str()), (NONE.to_vec(), "reply"));
    chat.reconnected(Reconnect::Offset, |reply| reply.output("c2"));
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn a_reconnected_stream_of_an_unknown_reply_changes_no_ready_item() {
    let mut chat = Chat::asking(1);
    chat.regenerate(None).unwrap();
    let ready = chat.listed();
    chat.reconnected(Reconnect::Start, |reply| reply.start("r9").text("Late."));
    assert_eq!(chat.anomalies().first(), Some(&Code::Superseded));
    assert_eq!((chat.listed(), chat.said()), (ready, vec!["m1".to_owned()]));
}

#[test]
fn a_replay_that_is_cancelled_halfway_adds_no_call_that_the_message_has() {
    for policy in [OnUserMessage::DenyPending, OnUserMessage::CancelPending, OnUserMessage::Queue] {
        for queued in [true, false] {
            for ends in [StreamEnd::Finished, StreamEnd::Disconnected] {
                let mut chat = Chat::with(policy, &[]);
                let request = |call: &str, approval: &str| {
                    part_with(call, "approval-requested", json!({ "approval": { "id": approval } }))
                };
                let asks = [request("c1", "a1"), request("c2", "a2"), request("c3", "a3")];
                chat.load(json!([user("m1"), assistant("r1", &asks)]));
                chat.reconnecting();
                chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2"));
                if queued {
                    assert_eq!(chat.user("m2"), Sent::Queued);
                }
                chat.cancel();
                let before = chat.ui_messages(Shape::View);
                chat.reconnected(Reconnect::Start, |reply| reply.ask("c3", "a3").step_done().finish());
                assert_eq!(chat.ui_messages(Shape::View), before, "{policy:?}, {queued}");
                chat.end(ends);
                let calls = chat.machine.transcript().messages().iter().flat_map(|message| message.calls()).count();
                assert_eq!((calls, chat.pending().as_str()), (3, ""), "{policy:?}, {queued}");
                assert_eq!(chat.sendable(), if queued { "m2" } else { "" }, "{policy:?}");
            }
        }
    }
}

#[test]
fn after_any_ending_the_rest_of_a_replay_does_not_double_a_call() {
    let ends: [fn(&mut Chat); 3] =
        [|chat| chat.end(StreamEnd::Aborted), |chat| chat.end(StreamEnd::Disconnected), |chat| *chat = chat.restored()];
    for (end, bits) in ends.into_iter().flat_map(|end| (0..64).map(move |bits| (end, bits))) {
        let [ends_first, queues, cancels, answering, again, starts] =
            [0, 1, 2, 3, 4, 5].map(|bit| bits >> bit & 1 == 1);
        let mut chat = Chat::default();
        chat.set_options(|options| options.answering = answering);
        let request = |call: &str, approval: &str| {
            part_with(call, "approval-requested", json!({ "approval": { "id": approval } }))
        };
        let asks = [request("c1", "a1"), request("c2", "a2"), request("c3", "a3")];
        chat.load(json!([user("m1"), assistant("r1", &asks)]));
        chat.reconnecting();
        chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2"));
        if queues {
            chat.user("m2");
        }
        if ends_first {
            end(&mut chat);
        }
        if cancels {
            chat.cancel();
        }
        if !ends_first {
            end(&mut chat);
        }
        if again {
            chat.reconnecting();
        }
        let shown = chat.said();
        chat.anomalies();
        if starts {
            chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2"));
        }
        chat.reconnected(Reconnect::Start, |reply| reply.ask("c3", "a3").text("Well?").step_done().finish());
        let calls = chat.machine.transcript().messages().iter().flat_map(|message| message.calls()).count();
        assert_eq!(calls, 3, "{bits:06b}");
        if cancels && !starts {
            // The end of the reply lets the queued message go.
            let without_message = |said: Vec<String>| said.into_iter().filter(|text| text != "m2").collect::<Vec<_>>();
            assert_eq!(without_message(chat.said()), without_message(shown), "{bits:06b}");
            assert_eq!(chat.anomalies().first(), Some(&Code::Superseded), "{bits:06b}");
        }
    }
}

#[test]
fn content_that_a_reply_adds_after_a_report_on_an_earlier_call_is_kept() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").output("c1"));
    chat.user("m2");
    let item = chat.claim();
    chat.more_of(item, |reply| reply.input_delta("c1", "{}").text("Hello."));
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.said(), ["m1", "m2", "Hello."]);
}

#[test]
fn a_stream_from_the_start_adds_nothing_after_a_rest_that_began_with_a_result() {
    let ends: [fn(&mut Chat); 3] =
        [Chat::cancel, |chat| chat.end(StreamEnd::Disconnected), |chat| chat.end(StreamEnd::Finished)];
    for end in ends {
        let mut chat = Chat::answering(0);
        let asked = |reply: Stream| reply.start("r1").step().ask("c1", "a1");
        chat.more(asked);
        chat.approve("a1");
        chat.claim();
        let mut chat = chat.restored();
        chat.more(|reply| reply.start("r1").output("c1").text("Done."));
        end(&mut chat);
        let before = chat.ui_messages(Shape::View);
        chat.more(|reply| asked(reply).output("c1").text("Done."));
        assert_eq!(chat.ui_messages(Shape::View), before);
        assert_eq!(chat.pending(), "");
    }
}
