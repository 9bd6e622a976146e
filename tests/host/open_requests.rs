//! Answering backends: each request is answered exactly once. What the backend adds later closes no request, a second
//! request about a call joins the first one, and a request that this client closes is answered with what refuses that
//! call and nothing else.

use crate::chat::Chat;
use serde_json::json;
use toolgate::machine::{OutcomeKind, Phase, Sent, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// The answers that are ready: approval, outcome and reason of each.
fn answers(chat: &Chat) -> Vec<String> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    chat.listed()
        .into_iter()
        .flat_map(|item| chat.decisions(item).as_array().cloned().unwrap_or_default())
        .map(|one| [&one["approvalId"], &one["outcome"], &one["reason"]].map(text).join(" ").trim().to_owned())
        .collect()
}

/// Sends the answers that are listed, then those that are listed because of that, and returns them.
fn sent(chat: &mut Chat) -> Vec<String> {
    let mut answers = Vec::new();
    loop {
        let ready = self::answers(chat);
        if ready.is_empty() {
            break;
        }
        answers.extend(ready);
        for item in chat.listed() {
            chat.mark_sent(item).unwrap();
        }
    }
    // Answers are sent side by side.
    answers.sort();
    answers
}

#[test]
fn a_later_step_or_message_closes_no_request() {
    for message in [false, true] {
        let mut chat = Chat::answering(2);
        chat.approve("a1");
        chat.more(|reply| if message { reply.step_done().finish() } else { reply.step().text("Meanwhile.") });
        if message {
            chat.end(StreamEnd::Finished);
            chat.more(|reply| reply.start("r2").step().text("Meanwhile.").ask("c3", "a3"));
        }
        let third = if message { "a2 a3" } else { "a2" };
        assert_eq!(chat.pending(), third, "{message}");
        assert_eq!(sent(&mut chat), ["a1 approved"], "{message}");
        chat.deny("a2");
        assert_eq!(sent(&mut chat), ["a2 denied no"], "{message}");
        chat.more(|reply| reply.output("c1").denied("c2"));
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
        assert_eq!(chat.anomalies(), []);
    }
}

#[test]
fn a_call_of_an_earlier_step_is_asked_about() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call("c1").step().text("Meanwhile.").request("c1", "a1"));
    assert_eq!((chat.pending().as_str(), chat.anomalies()), ("a1", vec![]));
    chat.approve("a1");
    assert_eq!(sent(&mut chat), ["a1 approved"]);
}

#[test]
fn a_message_decides_the_requests_of_all_steps_before_it_is_sent() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.step().ask("c2", "a2").step().text("Meanwhile.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(sent(&mut chat), ["a1 denied The user moved on.", "a2 denied The user moved on."]);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_request_of_a_call_that_another_one_replaces_is_refused() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.call_with("write", "c1", json!({ "path": "/other" })).request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), answers(&chat)), ("a2", vec!["a1 skipped Superseded.".to_owned()]));
    assert_eq!(sent(&mut chat).len(), 1);
    chat.approve("a2");
    assert_eq!(sent(&mut chat), ["a2 approved"]);
}

#[test]
fn a_request_whose_input_never_completes_is_refused() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.input_start("c1").request("c1", "a1").finish());
    assert_eq!((chat.phase("c1"), answers(&chat).len()), (Phase::RequestWaits, 0));
    chat.end(StreamEnd::Finished);
    assert_eq!(sent(&mut chat), ["a1 skipped"]);
}

#[test]
fn an_update_alone_keeps_the_request() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.update("c1", json!({ "path": "/other" })));
    chat.approve("a1");
    assert_eq!(sent(&mut chat), ["a1 approved"]);
}

#[test]
fn after_an_answer_was_sent_the_user_is_asked_again() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    assert_eq!(sent(&mut chat), ["a1 approved"]);
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a2", vec![]));
    chat.deny("a2");
    assert_eq!(sent(&mut chat), ["a2 denied no"]);
}

#[test]
fn one_decision_answers_all_requests_about_a_call() {
    for (approves, is_updated) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut chat = Chat::answering(2);
        chat.more(|reply| {
            let reply = if is_updated { reply.update("c1", json!({ "path": "/other" })) } else { reply };
            reply.request("c1", "b1").request("c1", "b1").request("c1", "d1")
        });
        assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a1 a2", vec![]));
        let word = if approves { "approved" } else { "denied no" };
        if approves {
            chat.approve("a1")
        } else {
            chat.deny("a1")
        };
        assert_eq!(chat.sendable(), "a1");
        assert_eq!(sent(&mut chat), ["a1", "b1", "d1"].map(|id| format!("{id} {word}")));
        assert_eq!((sent(&mut chat), chat.anomalies(), chat.pending().as_str()), (vec![], vec![], "a2"));
        chat.more(|reply| if approves { reply.output("c1") } else { reply.denied("c1") });
        assert_eq!((chat.anomalies(), chat.undelivered()), (vec![], vec![]));
    }
}

#[test]
fn a_request_that_joins_a_decided_one_is_answered_with_it() {
    // The decision is ready to be sent.
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a1"));
    assert_eq!(sent(&mut chat), ["a1 approved", "a2 approved"]);

    // It is held, because the user stopped.
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.stop();
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("", vec![]));
    chat.resume();
    assert_eq!(sent(&mut chat), ["a1 approved", "a2 approved"]);

    // It could not be sent. Nothing but a retry sends it.
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((sent(&mut chat), chat.pending(), chat.anomalies()), (vec![], String::new(), vec![]));
    chat.retry(item).unwrap();
    assert_eq!(sent(&mut chat), ["a1 approved", "a2 approved"]);
}

#[test]
fn stopping_keeps_an_approval_of_a_joined_request_from_being_sent() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2"));
    chat.approve("a1");
    chat.claim();
    assert_eq!(chat.sendable(), "a2");
    chat.stop();
    assert_eq!(sent(&mut chat), ["a2 skipped Superseded."]);
}

#[test]
fn a_message_or_a_cancellation_answers_joined_requests_too() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!(chat.user("m2"), Sent::Queued);
    let reason = "denied The user moved on.";
    assert_eq!(sent(&mut chat), [format!("a1 {reason}"), format!("a2 {reason}")]);

    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2"));
    chat.cancel();
    assert_eq!(sent(&mut chat), ["a1 cancelled never mind", "a2 cancelled never mind"]);
}

#[test]
fn nothing_is_sent_for_joined_requests_that_the_backend_closes() {
    let mut chat = Chat::answering(2);
    chat.more(|reply| reply.request("c1", "b1").request("c2", "b2").output("c1").withdrawn("b2"));
    assert_eq!(sent(&mut chat), Vec::<String>::new());
    chat.approve("a2");
    assert_eq!(sent(&mut chat), ["a2 approved"]);
}

#[test]
fn a_joined_request_is_refused_if_the_other_one_is_withdrawn() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2").withdrawn("a1"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("", vec!["a2 skipped Superseded.".to_owned()]));
}

#[test]
fn a_request_that_cannot_be_asked_is_refused() {
    let mut chat = Chat::answering(1);
    chat.deny("a1");
    assert_eq!(sent(&mut chat), ["a1 denied no"]);
    chat.more(|reply| reply.request("c1", "a2").request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("", vec!["a2 skipped Superseded.".to_owned()]));
}

/// A chat with a refusal that is not sent yet: of `a2`.
fn refusing() -> Chat {
    let mut chat = Chat::answering(2);
    chat.deny("a1");
    assert_eq!(sent(&mut chat), ["a1 denied no"]);
    chat.more(|reply| reply.request("c1", "b1"));
    chat
}

#[test]
fn neither_stopping_nor_loading_takes_a_refusal_back() {
    let mut chat = refusing();
    chat.stop();
    let messages = chat.ui_messages(Shape::View);
    chat.load(messages);
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a2", vec!["b1 skipped Superseded.".to_owned()]));
}

#[test]
fn loading_keeps_a_joined_request() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2"));
    let messages = chat.ui_messages(Shape::View);
    chat.load(messages);
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a1", vec![]));
    chat.approve("a1");
    assert_eq!(sent(&mut chat), ["a1 approved", "a2 approved"]);
}

#[test]
fn a_refusal_that_could_not_be_sent_waits_for_a_retry() {
    let mut chat = refusing();
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(sent(&mut chat), Vec::<String>::new());
    chat.retry(item).unwrap();
    assert_eq!((sent(&mut chat), sent(&mut chat)), (vec!["b1 skipped Superseded.".to_owned()], vec![]));
}

#[test]
fn nothing_is_refused_where_a_refusal_would_refuse_others() {
    let mut chat = Chat::answering_with(1, |options| options.denials_spread = true);
    chat.more(|reply| reply.request("c1", "a2"));
    chat.approve("a1");
    assert_eq!(sent(&mut chat), ["a1 approved", "a2 approved"]);
    chat.more(|reply| reply.output("c1").ask("c2", "b1").request("c2", "b2").withdrawn("b1"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("", vec![]));
}

#[test]
fn an_edit_refuses_the_requests_of_the_calls_that_it_removes() {
    let mut chat = Chat::answering(2);
    chat.more(|reply| reply.request("c1", "b1"));
    chat.approve("a2");
    let mut chat = chat.restored();
    chat.try_user("m2", Some("m1")).unwrap();
    let refused = ["a1", "a2", "b1"].map(|id| format!("{id} skipped Superseded."));
    assert_eq!((sent(&mut chat), chat.pending()), (refused.to_vec(), String::new()));
}

#[test]
fn nothing_is_sent_for_requests_that_the_backend_closes() {
    let mut chat = Chat::answering(3);
    chat.more(|reply| reply.output("c1").response("a2", true).denied("c3"));
    chat.more(|reply| reply.step().text("On.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((sent(&mut chat), chat.pending()), (vec![], String::new()));
}

#[test]
fn a_decision_on_a_request_that_the_backend_withdraws_is_not_sent() {
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    chat.more(|reply| reply.withdrawn("a1"));
    assert_eq!((sent(&mut chat), chat.anomalies(), chat.pending().as_str()), (vec![], vec![], "a2"));

    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.withdrawn("a1"));
    assert_eq!((chat.undelivered(), chat.pending().as_str()), (vec![], ""));
}

#[test]
fn cancelling_answers_every_request_once() {
    let mut chat = Chat::answering(2);
    chat.more(|reply| reply.step().ask("c3", "a3"));
    chat.deny("a2");
    chat.cancel();
    let expected = ["a2 denied no", "a1 cancelled never mind", "a3 cancelled never mind"];
    let mut answers = sent(&mut chat);
    answers.sort();
    assert_eq!(answers, {
        let mut all = expected;
        all.sort_unstable();
        all
    });
    assert_eq!(sent(&mut chat), Vec::<String>::new());
}

#[test]
fn joined_requests_and_refusals_survive_a_snapshot() {
    let mut chat = refusing();
    chat.more(|reply| reply.request("c2", "b2"));
    let mut chat = chat.restored();
    assert_eq!(sent(&mut chat), ["b1 skipped Superseded."]);
    chat.approve("a2");
    assert_eq!(sent(&mut chat), ["a2 approved", "b2 approved"]);
}

#[test]
fn requests_of_all_steps_survive_a_snapshot() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.call_with("write", "c1", json!({ "path": "/other" })).step().ask("c2", "a2"));
    let mut chat = chat.restored();
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a2", vec!["a1 skipped Superseded.".to_owned()]));
    chat.approve("a2");
    assert_eq!(sent(&mut chat), ["a2 approved"]);
}

#[test]
fn a_request_whose_answer_failed_and_is_given_up_is_refused() {
    for cancels in [true, false] {
        let mut chat = Chat::answering(2);
        chat.approve("a1");
        chat.deny("a2");
        for item in chat.listed() {
            chat.mark_failed(item).unwrap();
        }
        assert_eq!(answers(&chat), [""; 0], "an answer that failed is not sent by itself");
        if cancels {
            chat.cancel();
        } else {
            assert_eq!(chat.user("m2"), Sent::Queued, "the user retries the approval, or gives it up");
            chat.user("m3");
        }
        let answers = sent(&mut chat);
        assert!(answers[0].starts_with(if cancels { "a1 cancelled" } else { "a1 skipped" }), "{answers:?}");
        assert_eq!(answers[1..], ["a2 denied no"], "cancels: {cancels}");
    }
}

#[test]
fn a_failed_answer_to_a_joined_request_that_is_given_up_is_a_refusal() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "b1"));
    chat.deny("a1");
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.cancel();
    // Without it, the agent waits for ever.
    assert_eq!(sent(&mut chat).len(), 1);
}

#[test]
fn a_failed_approval_is_not_sent_to_a_joined_request_when_the_other_one_is_withdrawn() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.request("c1", "b1").withdrawn("a1"));
    assert!(sent(&mut chat).iter().all(|answer| !answer.ends_with("approved")), "nobody has pressed Send again");
}

#[test]
fn a_failed_answer_to_a_joined_request_is_dropped_when_that_is_withdrawn() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "b1"));
    chat.approve("a1");
    for _ in 0..2 {
        let item = chat.claim();
        chat.mark_failed(item).unwrap();
    }
    // A new connection uses both ids for requests about other calls.
    chat.more(|reply| reply.withdrawn("a1").withdrawn("b1"));
    assert!(chat.undelivered().is_empty());
}
