//! Invariant 8: the seven outcomes stay distinct in the view, in requests, for the model, and after loading.

use crate::chat::Chat;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use toolgate::machine::{OnDeny, OutcomeKind, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

const CALLS: [&str; 8] = ["ran", "broke", "denied", "skipped", "expired", "cancelled", "cut", "lost"];

fn ask(call: &str) -> [Json; 2] {
    let input =
        json!({ "type": "tool-input-available", "toolCallId": call, "toolName": "edit", "input": { "of": call } });
    [input, json!({ "type": "tool-approval-request", "toolCallId": call, "approvalId": format!("ask {call}") })]
}

/// A chat with a call of each outcome, and one that may have run.
fn all() -> Chat {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest);
    let turn = |chat: &mut Chat, calls: &[&str]| {
        chat.user(&chat.new_message());
        chat.claim();
        chat.reply(|reply| calls.iter().flat_map(|call| ask(call)).fold(reply, |reply, chunk| reply.raw(chunk)));
    };
    turn(&mut chat, &["ran", "broke"]);
    assert_eq!(chat.respond_all(&["ask ran", "ask broke"], true), 2);
    chat.claim();
    chat.reply(|reply| reply.output("ran").error("broke").text("Done."));
    turn(&mut chat, &["denied", "skipped"]);
    chat.deny("ask denied");
    chat.claim();
    chat.reply(|reply| reply.denied("denied").denied("skipped").text("All right."));
    chat.set_options(|options| options.approval_timeout = Some(10));
    turn(&mut chat, &["expired"]);
    chat.tick(10);
    chat.claim();
    chat.reply(|reply| reply.denied("expired").text("Too late."));
    turn(&mut chat, &["cancelled"]);
    chat.cancel();
    chat.user(&chat.new_message());
    chat.claim();
    chat.stream(|reply| ask("cut").into_iter().fold(reply, |reply, chunk| reply.raw(chunk)));
    // A later step of the reply follows the call, and supersedes its approval.
    chat.more(|reply| reply.step_done().step().text("Something else.").finish());
    chat.end(StreamEnd::Finished);
    turn(&mut chat, &["lost"]);
    chat.approve("ask lost");
    let item = chat.claim();
    chat.end_of(item, None, StreamEnd::Disconnected);
    chat.user(&chat.new_message());
    chat.claim();
    chat.reply(|reply| reply.text("The end."));
    chat
}

fn kinds(chat: &Chat) -> Vec<(OutcomeKind, bool)> {
    CALLS.iter().map(|call| chat.outcome(call).unwrap()).collect()
}

fn expected() -> Vec<(OutcomeKind, bool)> {
    vec![
        (OutcomeKind::Executed, false),
        (OutcomeKind::Failed, false),
        (OutcomeKind::Denied, false),
        (OutcomeKind::Skipped, false),
        (OutcomeKind::Expired, false),
        (OutcomeKind::Cancelled, false),
        (OutcomeKind::Interrupted, false),
        (OutcomeKind::Interrupted, true),
    ]
}

/// The parts of all calls, in order.
fn parts(messages: &Json) -> Vec<Json> {
    let parts = messages.as_array().unwrap().iter().filter_map(|message| message["parts"].as_array()).flatten();
    parts.filter(|part| part["toolCallId"].is_string()).cloned().collect()
}

fn differ(list: Vec<Json>) {
    let distinct: BTreeSet<String> = list.iter().map(Json::to_string).collect();
    assert_eq!(distinct.len(), CALLS.len(), "{list:#?}");
}

#[test]
fn every_outcome_is_distinct_in_the_view() {
    let chat = all();
    assert_eq!(kinds(&chat), expected());
    let shown = parts(&chat.ui_messages(Shape::View));
    differ(shown.iter().map(|part| json!([part["outcome"]["kind"], part["outcome"]["mayHaveRun"]])).collect());
}

#[test]
fn every_outcome_is_distinct_in_a_requests_body() {
    let sent = parts(&all().ui_messages(Shape::Body));
    differ(sent.iter().map(|part| json!([part["state"], part["callProviderMetadata"]["toolgate"]])).collect());
    for part in sent {
        assert!(part.get("outcome").is_none() && part.get("delivery").is_none() && part.get("decidedBy").is_none());
        let (state, approved) = (part["state"].as_str().unwrap(), part["approval"]["approved"].as_bool());
        match part["toolCallId"].as_str().unwrap() {
            "ran" | "broke" => assert_eq!(approved, Some(true)),
            "denied" | "skipped" | "expired" => assert_eq!((state, approved), ("output-denied", Some(false))),
            _ => assert_eq!((state, approved), ("output-error", None)),
        }
    }
}

#[test]
fn every_outcome_is_distinct_for_the_model() {
    let chat = all();
    differ(CALLS.iter().map(|call| chat.model_result(call).unwrap()).collect());
}

#[test]
fn every_outcome_survives_a_restore_and_loading_ui_and_model_messages() {
    let chat = all();
    assert_eq!(kinds(&chat.restored()), expected());
    for kept in [chat.ui_messages(Shape::View), chat.ui_messages(Shape::Body), chat.history()] {
        let mut other = chat.alike();
        other.load(kept);
        assert_eq!(kinds(&other), expected());
        assert_eq!(other.history().to_string(), chat.history().to_string());
        // Loading a second time must not change the outcomes either.
        let mut again = other.alike();
        again.load(other.ui_messages(Shape::Body));
        assert_eq!(kinds(&again), expected());
    }
}
