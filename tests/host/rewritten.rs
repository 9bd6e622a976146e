//! Results that this client writes: requests wait until the host has rewritten each of them.

use crate::chat::{Chat, NONE};
use serde_json::{Value as Json, json};
use toolgate::machine::{DeliveryState, Event, OnDeny, OnUserMessage, OutcomeKind, Sent, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// A chat whose host rewrites results.
fn rewriting() -> Chat {
    let mut chat = Chat::default();
    chat.set_options(|options| options.rewrites = true);
    chat
}

/// The calls whose results were reported since the last call of this function, and whether the machine waits for a
/// rewrite.
fn reported_results(chat: &mut Chat) -> Vec<(String, bool)> {
    let results = chat.take_events().into_iter().filter_map(|event| match event {
        Event::Result { key, call, .. } => Some((key, call)),
        _ => None,
    });
    let waits = |(key, call)| {
        let part = chat.machine.transcript().call(key).expect("the call is there");
        (chat.text(call).to_string(), part.awaits_rewrite())
    };
    results.map(waits).collect()
}

fn waiting(call: &str) -> (String, bool) {
    (call.to_owned(), true)
}

#[test]
fn nothing_is_sent_until_every_result_is_rewritten() {
    let mut chat = rewriting().that_asks(3);
    chat.take_events();
    chat.approve("a1");
    chat.deny("a2");
    chat.deny("a3");
    assert_eq!(reported_results(&mut chat), [waiting("c2"), waiting("c3")]);
    let ready = chat.machine.outbox().active().unwrap().id;
    assert!(!chat.claim_item(ready));
    assert_eq!(chat.mark_sent(ready), Ok(()));
    assert_eq!((chat.listed(), chat.item_state(ready)), (vec![], DeliveryState::Ready));
    assert!(chat.rewrite("c2", "Nobody touches c2."));
    assert_eq!(chat.listed(), NONE);
    assert!(chat.rewrite("c3", ""), "the host may leave a result unchanged");
    let item = chat.claim();
    let body = chat.body(chat.item(item));
    let reasons = [2, 3].map(|part| body["messages"][1]["parts"][part]["approval"]["reason"].clone());
    assert_eq!(reasons, [json!("Nobody touches c2."), json!("no")]);
}

#[test]
fn each_result_is_rewritten_once() {
    let mut chat = rewriting().that_asks(1);
    assert!(!chat.rewrite("c1", "no rewrite is awaited"));
    assert!(!chat.rewrite("c9", "no call has this key"));
    chat.deny("a1");
    assert!(chat.rewrite("c1", "first"));
    assert!(!chat.rewrite("c1", "second"));
    assert_eq!(chat.wire_part("c1").unwrap()["approval"]["reason"], "first");
}

#[test]
fn the_outcome_contains_the_users_reason_after_a_rewrite() {
    let mut chat = rewriting().that_asks(1);
    chat.deny("a1");
    chat.rewrite("c1", "The user says: no");
    let shown = &chat.ui_messages(Shape::View)[1]["parts"][1];
    assert_eq!(
        (&shown["outcome"]["reason"], &shown["approval"]["reason"]),
        (&json!("no"), &json!("The user says: no"))
    );
}

#[test]
fn the_host_may_rewrite_every_result_of_this_client() {
    // A skipped and a denied call.
    let mut chat = rewriting();
    chat.set_options(|options| options.on_deny = OnDeny::SkipRest);
    let mut chat = chat.that_asks(2);
    chat.take_events();
    chat.deny("a1");
    assert_eq!(reported_results(&mut chat), [waiting("c1"), waiting("c2")]);
    // An expired call.
    let mut chat = rewriting();
    chat.set_options(|options| options.approval_timeout = Some(100));
    let mut chat = chat.that_asks(1);
    chat.take_events();
    chat.tick(100);
    assert_eq!(reported_results(&mut chat), [waiting("c1")]);
    chat.rewrite("c1", "Too late.");
    let item = chat.claim();
    assert_eq!(chat.body(chat.item(item))["messages"][1]["parts"][1]["approval"]["reason"], "Too late.");
    // Cancelled calls.
    let mut chat = rewriting().that_asks(2);
    chat.take_events();
    chat.cancel();
    assert_eq!(reported_results(&mut chat), [waiting("c1"), waiting("c2")]);
    chat.rewrite("c1", "Called off.");
    chat.user("m2");
    assert_eq!(chat.listed(), NONE);
    chat.rewrite("c2", "");
    let item = chat.claim();
    let body = chat.body(chat.item(item));
    let texts = [1, 2].map(|part| body["messages"][1]["parts"][part]["errorText"].clone());
    assert_eq!(texts, [json!("Called off."), json!("Cancelled. never mind")]);
    // An interrupted call.
    let mut chat = rewriting();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1"));
    chat.take_events();
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!((reported_results(&mut chat), chat.listed()), (vec![waiting("c1")], vec![]));
    chat.rewrite("c1", "Who knows.");
    assert_eq!(
        (chat.listed().len(), chat.model_result("c1")),
        (1, Some(json!({ "type": "error-text", "value": "Who knows." })))
    );
}

#[test]
fn results_of_tools_and_the_backend_are_not_rewritten() {
    let mut chat = rewriting();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call("c1").output("c1").call("c2").error("c2").ask("c3", "a3").denied("c3"));
    chat.more(|reply| reply.automatic("c4", "a4").response("a4", false).input_start("c5").input_delta("c5", "{\"of"));
    chat.more(|reply| reply.call_of("locate", "c6").finish());
    chat.end(StreamEnd::Aborted);
    chat.page_output("c6", false).unwrap();
    assert!(reported_results(&mut chat).iter().all(|(_, waits)| !waits));
    assert_eq!(chat.outcome("c5"), Some((OutcomeKind::Interrupted, false)));
    chat.user("m2");
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_message_waits_for_rewrites_of_the_results_that_it_causes() {
    for policy in [OnUserMessage::DenyPending, OnUserMessage::CancelPending] {
        let mut chat = rewriting();
        chat.set_options(|options| options.on_user_message = policy);
        let mut chat = chat.that_asks(1);
        assert_eq!(chat.user("m2"), Sent::Sent);
        assert_eq!(chat.listed(), NONE, "{policy:?}");
        chat.rewrite("c1", "Never mind c1.");
        let item = chat.claim();
        assert_eq!(chat.messages(item), "m2");
        assert!(chat.body(chat.item(item)).to_string().contains("Never mind c1."), "{policy:?}");
    }
}

#[test]
fn cancel_stops_waiting_and_keeps_the_original_results() {
    let mut chat = rewriting().that_asks(1);
    chat.deny("a1");
    chat.take_events();
    chat.user("m2");
    assert_eq!(chat.listed(), NONE);
    chat.cancel();
    assert_eq!(
        reported_results(&mut chat),
        [("c1".to_owned(), false)],
        "the result is reported, and no rewrite is awaited"
    );
    assert!(!chat.rewrite("c1", "too late"));
    let item = chat.claim();
    assert_eq!(chat.body(chat.item(item))["messages"][1]["parts"][1]["approval"]["reason"], "no");
}

#[test]
fn a_retry_sends_the_first_body_again() {
    let mut chat = rewriting().that_asks(1);
    chat.deny("a1");
    chat.rewrite("c1", "written");
    let item = chat.claim();
    let body = chat.body(chat.item(item));
    chat.mark_failed(item).unwrap();
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    assert_eq!(chat.claim(), item);
    assert_eq!(chat.body(chat.item(item)), body);
    assert!(body.to_string().contains("written"));
}

#[test]
fn after_a_restore_the_host_is_asked_again_for_missing_rewrites() {
    let mut chat = rewriting().that_asks(2);
    chat.deny("a1");
    chat.deny("a2");
    chat.rewrite("c1", "written");
    let mut chat = chat.restored();
    assert_eq!((reported_results(&mut chat), chat.listed()), (vec![waiting("c2")], vec![]));
    chat.rewrite("c2", "later");
    let item = chat.claim();
    let body = chat.body(chat.item(item));
    let reasons = [1, 2].map(|part| body["messages"][1]["parts"][part]["approval"]["reason"].clone());
    assert_eq!(reasons, [json!("written"), json!("later")]);
}

#[test]
fn requests_do_not_wait_for_a_host_that_stopped_rewriting() {
    let mut chat = rewriting().that_asks(1);
    chat.deny("a1");
    chat.set_options(|options| options.rewrites = false);
    let mut chat = chat.restored();
    assert_eq!((reported_results(&mut chat), chat.listed().len()), (vec![("c1".to_owned(), false)], 1));
}

#[test]
fn loading_never_requests_rewrites() {
    let mut kept = Chat::asking(2);
    kept.deny("a1");
    let mut messages = kept.ui_messages(Shape::Body);
    messages
        .as_array_mut()
        .unwrap()
        .push(json!({ "id": "m9", "role": "user", "parts": [{ "type": "text", "text": "Well?" }] }));
    let mut chat = rewriting();
    chat.load(messages.clone());
    assert_eq!((reported_results(&mut chat), chat.outcome("c2")), (vec![], Some((OutcomeKind::Interrupted, false))));
    chat.user("m10");
    assert_eq!(chat.listed().len(), 1);
    // Earlier results no longer wait for a rewrite.
    let mut chat = rewriting().that_asks(1);
    chat.deny("a1");
    chat.load(messages);
    assert!(!chat.rewrite("c1", "too late"));
    chat.user("m10");
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn requests_do_not_wait_for_the_rewrite_of_a_removed_call() {
    let mut chat = rewriting().that_asks(1);
    chat.deny("a1");
    chat.try_user("m2", Some("m1")).unwrap();
    assert!(!chat.rewrite("c1", "the call was removed"));
    assert_eq!(chat.listed().len(), 1);
}

/// A chat with a denied, a skipped, a cancelled and an interrupted call, each with a text of the host.
fn all_written() -> Chat {
    let mut chat = rewriting();
    chat.set_options(|options| options.on_deny = OnDeny::SkipRest);
    let mut chat = chat.that_asks(2);
    chat.deny("a1");
    chat.rewrite("c1", "one");
    chat.rewrite("c2", "two");
    chat.claim();
    chat.reply(|reply| reply.denied("c1").denied("c2").step_done().step().ask("c3", "a3"));
    chat.cancel();
    chat.rewrite("c3", "three");
    chat.user("m2");
    chat.claim();
    chat.reply(|reply| reply.call("c4"));
    chat.user("m3");
    chat.rewrite("c4", "four");
    chat.claim();
    chat.reply(|reply| reply.text("Enough."));
    chat
}

fn written(chat: &Chat) -> Vec<Json> {
    let text = |call| {
        let told = chat.model_result(call).unwrap();
        if told["reason"].is_null() { told["value"].clone() } else { told["reason"].clone() }
    };
    ["c1", "c2", "c3", "c4"].map(text).to_vec()
}

#[test]
fn the_rewritten_text_survives_loading_the_assembled_and_the_shown_messages() {
    let chat = all_written();
    assert_eq!(written(&chat), ["one", "two", "three", "four"]);
    for kept in [chat.ui_messages(Shape::View), chat.ui_messages(Shape::Body), chat.history()] {
        let mut other = chat.alike();
        other.load(kept);
        assert_eq!(written(&other), ["one", "two", "three", "four"]);
        assert_eq!(
            ["c1", "c2", "c3", "c4"].map(|call| other.outcome(call)),
            ["c1", "c2", "c3", "c4"].map(|call| chat.outcome(call))
        );
        assert_eq!(other.history().to_string(), chat.history().to_string());
        let reason = other.part("c1").outcome().unwrap().reason;
        assert_eq!(other.store.to_json(reason), "no", "the user's reason is kept next to the rewritten text");
    }
    let restored = chat.restored();
    assert_eq!(written(&restored), ["one", "two", "three", "four"]);
}
