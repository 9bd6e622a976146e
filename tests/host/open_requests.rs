//! Answering backends: each request is answered exactly once. What the backend adds later closes no request, and a
//! request that this client closes is answered with what refuses that call and nothing else.

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

/// Sends everything that is listed, and returns the answers.
fn sent(chat: &mut Chat) -> Vec<String> {
    let mut answers = answers(chat);
    // Answers are sent side by side.
    answers.sort();
    for item in chat.listed() {
        chat.mark_sent(item).unwrap();
    }
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
fn a_request_that_another_one_replaces_is_refused() {
    for is_updated in [false, true] {
        let mut chat = Chat::answering(1);
        chat.more(|reply| {
            let reply = if is_updated { reply.update("c1", json!({ "path": "/other" })) } else { reply };
            reply.request("c1", "a2").request("c1", "a2")
        });
        assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a2", vec!["a1 skipped Superseded.".to_owned()]));
        chat.approve("a2");
        assert_eq!(sent(&mut chat), ["a2 approved"]);
        assert_eq!((sent(&mut chat), chat.anomalies()), (vec![], vec![]));
    }
}

#[test]
fn a_request_about_a_call_whose_decision_is_held_is_refused() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.stop();
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("", vec!["a2 skipped Superseded.".to_owned()]));
    chat.resume();
    assert_eq!(sent(&mut chat), ["a1 approved"]);
}

#[test]
fn a_request_that_cannot_be_asked_is_refused() {
    let mut chat = Chat::answering(1);
    chat.deny("a1");
    assert_eq!(sent(&mut chat), ["a1 denied no"]);
    chat.more(|reply| reply.request("c1", "a2").request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("", vec!["a2 skipped Superseded.".to_owned()]));

    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((sent(&mut chat), chat.pending()), (vec!["a2 skipped Superseded.".to_owned()], String::new()));
    chat.retry(item).unwrap();
    assert_eq!(sent(&mut chat), ["a1 approved"]);
}

#[test]
fn neither_stopping_nor_loading_takes_a_refusal_back() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2"));
    chat.stop();
    let messages = chat.ui_messages(Shape::View);
    chat.load(messages);
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a2", vec!["a1 skipped Superseded.".to_owned()]));
}

#[test]
fn a_refusal_that_could_not_be_sent_waits_for_a_retry() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2"));
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(sent(&mut chat), Vec::<String>::new());
    chat.retry(item).unwrap();
    assert_eq!((sent(&mut chat), sent(&mut chat)), (vec!["a1 skipped Superseded.".to_owned()], vec![]));
}

#[test]
fn nothing_is_refused_where_a_refusal_would_refuse_others() {
    let mut chat = Chat::answering_with(1, |options| options.denials_spread = true);
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!((chat.pending().as_str(), sent(&mut chat)), ("a2", vec![]));
    chat.approve("a2");
    assert_eq!(sent(&mut chat), ["a2 approved"]);
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
fn refusals_survive_a_snapshot() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.request("c1", "a2").update("c1", json!({ "path": "/other" })).request("c1", "a3"));
    let mut chat = chat.restored();
    assert_eq!(sent(&mut chat), ["a1 skipped Superseded.", "a2 skipped Superseded."]);
    chat.approve("a3");
    assert_eq!(sent(&mut chat), ["a3 approved"]);
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
