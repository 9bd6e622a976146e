//! Approval requests that this client makes itself, about calls that the page runs: the backend is told the results
//! only.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{assistant, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, OnDeny, OnUserMessage, OutcomeKind, Phase, RespondOutcome, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

const DENIED: &str = "Denied. no";

/// A chat whose reply called the page's tool once for each id, and in which this client asked about each call.
fn asking(calls: &[&str]) -> Chat {
    asking_with(calls, |_| {})
}

fn asking_with(calls: &[&str], set: impl FnOnce(&mut toolgate::machine::Options)) -> Chat {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.set_options(set);
    chat.user("m1");
    chat.claim();
    let asked = |reply: crate::stream::Stream, call: &&str| reply.call_of("locate", call).local_request(call);
    chat.more(|reply| calls.iter().fold(reply.start("r1").step(), asked));
    chat
}

fn ended(calls: &[&str]) -> Chat {
    let mut chat = asking(calls);
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    chat
}

/// The state, the approval and the outcome of a call in a request.
fn sent(chat: &Chat, call: &str) -> (String, Json, Json) {
    let part = chat.wire_part(call).unwrap();
    let kept = part["callProviderMetadata"]["toolgate"]["outcome"].clone();
    (part["state"].as_str().unwrap().to_owned(), part["approval"].clone(), kept)
}

#[test]
fn a_call_that_this_client_asks_about_waits_for_the_user() {
    let mut chat = ended(&["c1"]);
    assert_eq!(
        (chat.phase("c1"), chat.pending().as_str(), chat.runnable().as_str()),
        (Phase::ApprovalRequested, "c1", "")
    );
    assert_eq!(chat.page_output("c1", false), Err(Code::ApprovalPending));
    assert_eq!(sent(&chat, "c1"), ("input-available".to_owned(), Json::Null, Json::Null));
}

#[test]
fn an_approved_call_is_run_by_the_page_and_only_its_output_is_sent() {
    let mut chat = ended(&["c1"]);
    chat.approve("c1");
    assert_eq!((chat.listed(), chat.runnable().as_str()), (NONE.to_vec(), "c1"));
    assert_eq!(sent(&chat, "c1"), ("input-available".to_owned(), Json::Null, Json::Null));
    assert_eq!(chat.page_output("c1", false), Ok(()));
    let item = chat.claim();
    assert_eq!(sent(&chat, "c1"), ("output-available".to_owned(), Json::Null, Json::Null));
    let decision = &chat.decisions(item)[0];
    assert_eq!((&decision["outcome"], &decision["approval"]), (&json!("executed"), &Json::Null));
    let history = chat.history().to_string();
    assert!(!history.contains("approval"), "{history}");
}

#[test]
fn a_denied_call_never_runs_and_an_error_is_sent_as_its_result() {
    let mut chat = ended(&["c1"]);
    chat.deny("c1");
    assert_eq!((chat.outcome("c1"), chat.runnable().as_str()), (Some((OutcomeKind::Denied, false)), ""));
    assert_eq!(chat.page_output("c1", false), Err(Code::AlreadySettled));
    let item = chat.claim();
    assert_eq!(sent(&chat, "c1"), ("output-error".to_owned(), Json::Null, json!("denied")));
    assert_eq!(chat.wire_part("c1").unwrap()["errorText"], DENIED);
    assert_eq!(chat.model_result("c1"), Some(json!({ "type": "error-text", "value": DENIED })));
    let decision = &chat.decisions(item)[0];
    assert_eq!(
        (&decision["outcome"], &decision["reason"], &decision["approval"]),
        (&json!("failed"), &json!(DENIED), &Json::Null)
    );
    assert_eq!(chat.respond("c1", false, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("c1", true, ""), Err(Code::AlreadyDecided));
    chat.reply(|reply| reply.text("I see."));
    assert_eq!((chat.listed(), chat.machine.is_stalled()), (NONE.to_vec(), false));
}

#[test]
fn a_stored_denial_is_still_one_after_a_load_and_is_sent_unchanged() {
    let mut chat = ended(&["c1"]);
    chat.deny("c1");
    let histories = [chat.ui_messages(Shape::Body), chat.ui_messages(Shape::View), chat.history()];
    for history in histories {
        let mut loaded = Chat::with(OnUserMessage::default(), &["locate"]);
        assert!(loaded.load(history.clone()).is_empty(), "{history}");
        assert_eq!(loaded.outcome("c1"), Some((OutcomeKind::Denied, false)), "{history}");
        assert_eq!(loaded.wire_part("c1").unwrap()["errorText"], DENIED);
        assert_eq!(sent(&loaded, "c1"), sent(&chat, "c1"));
        assert_eq!(loaded.history(), chat.history());
        assert_eq!(loaded.restored().outcome("c1"), Some((OutcomeKind::Denied, false)));
    }
}

#[test]
fn a_request_and_an_approval_survive_a_restore_and_the_load_of_a_view() {
    let mut approved = ended(&["c1", "c2"]);
    approved.approve("c1");
    let mut loaded = Chat::with(OnUserMessage::default(), &["locate"]);
    assert!(loaded.load(approved.ui_messages(Shape::View)).is_empty());
    for mut chat in [approved.restored(), loaded] {
        assert_eq!((chat.pending().as_str(), chat.runnable().as_str()), ("c2", "c1"));
        assert_eq!(sent(&chat, "c1"), ("input-available".to_owned(), Json::Null, Json::Null));
        assert_eq!(chat.undelivered(), NONE);
        chat.deny("c2");
        assert_eq!(chat.listed(), NONE);
        chat.page_output("c1", false).unwrap();
        chat.claim();
        assert_eq!((sent(&chat, "c1").0.as_str(), sent(&chat, "c2").0.as_str()), ("output-available", "output-error"));
    }
}

#[test]
fn what_is_known_of_a_call_stays_when_the_backends_history_is_loaded() {
    let stored = || {
        json!([
            user("m1"),
            assistant(
                "r1",
                &[json!({
                    "type": "tool-locate", "toolCallId": "c1", "state": "input-available", "input": { "path": "c1" }
                })]
            )
        ])
    };
    let mut pending = ended(&["c1"]);
    pending.load(stored());
    assert_eq!(pending.pending(), "c1");
    let mut approved = ended(&["c1"]);
    approved.approve("c1");
    approved.load(stored());
    assert_eq!((approved.pending().as_str(), approved.runnable().as_str()), ("", "c1"));
    let mut denied = ended(&["c1"]);
    denied.deny("c1");
    denied.load(stored());
    assert_eq!(denied.outcome("c1"), Some((OutcomeKind::Denied, false)));
    let mut ran = ended(&["c1"]);
    ran.approve("c1");
    ran.page_output("c1", false).unwrap();
    ran.load(stored());
    assert_eq!((ran.phase("c1"), ran.runnable().as_str()), (Phase::OutputAvailable, ""));
}

#[test]
fn on_an_answering_protocol_no_answer_is_sent_for_the_approval_itself() {
    for approves in [true, false] {
        let mut chat = asking_with(&["c1"], |options| options.answering = true);
        chat.respond("c1", approves, "no").unwrap();
        if approves {
            assert_eq!((chat.sendable().as_str(), chat.runnable().as_str()), ("", "c1"));
            chat.page_output("c1", false).unwrap();
        }
        assert_eq!(chat.sendable(), "c1 output of c1");
        let item = chat.claim();
        let decision = &chat.decisions(item)[0];
        assert_eq!(decision["outcome"], if approves { "executed" } else { "failed" });
        assert_eq!(decision["approval"], Json::Null);
        chat.mark_sent(item).unwrap();
        assert_eq!(chat.sendable(), "");
    }
}

#[test]
fn a_cancelled_call_is_reported_as_one_that_the_page_did_not_run() {
    let mut chat = asking_with(&["c1"], |options| (options.answering, options.cancel_answers) = (true, true));
    chat.cancel();
    assert_eq!(chat.sendable(), "output of c1");
    let item = chat.claim();
    let decision = &chat.decisions(item)[0];
    assert_eq!((&decision["outcome"], &decision["approval"]), (&json!("cancelled"), &Json::Null));
}

#[test]
fn calls_that_are_skipped_or_expire_have_a_result_too() {
    let mut chat = asking_with(&["c1", "c2"], |options| options.on_deny = OnDeny::SkipRest);
    chat.deny("c1");
    assert_eq!(chat.wire_part("c2").unwrap()["errorText"], "Skipped.");
    assert_eq!(sent(&chat, "c2"), ("output-error".to_owned(), Json::Null, json!("skipped")));
    let mut chat = asking_with(&["c1"], |options| options.approval_timeout = Some(5));
    chat.tick(9);
    assert_eq!(chat.wire_part("c1").unwrap()["errorText"], "Expired.");
    assert_eq!(sent(&chat, "c1"), ("output-error".to_owned(), Json::Null, json!("expired")));
}

#[test]
fn a_message_instead_of_a_decision_denies_the_call_and_takes_the_result_along() {
    let mut chat = ended(&["c1"]);
    chat.user("m2");
    chat.claim();
    assert_eq!(sent(&chat, "c1"), ("output-error".to_owned(), Json::Null, json!("denied")));
    assert_eq!(chat.wire_part("c1").unwrap()["errorText"], "Denied. The user moved on.");
}

#[test]
fn a_request_of_the_backend_replaces_that_of_this_client() {
    let mut chat = asking(&["c1"]);
    chat.more(|reply| reply.request("c1", "a1").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.pending(), "a1");
    chat.deny("a1");
    chat.claim();
    assert_eq!(sent(&chat, "c1").0, "approval-responded");
}

#[test]
fn a_decision_on_a_request_of_this_client_also_decides_a_later_one_of_the_backend() {
    for approval in ["c1", "a1"] {
        let asks = |decides: &dyn Fn(&mut Chat)| {
            let mut chat = asking_with(&["c1"], |options| options.answering = true);
            decides(&mut chat);
            chat.more(|reply| reply.request("c1", approval));
            assert_eq!(chat.pending(), "");
            chat
        };
        let approved = asks(&|chat| chat.approve("c1"));
        assert_eq!((approved.sendable(), approved.runnable().as_str()), (approval.to_owned(), "c1"));
        let mut denied = asks(&|chat| chat.deny("c1"));
        assert_eq!(denied.outcome("c1"), Some((OutcomeKind::Denied, false)));
        let item = denied.claim();
        assert_eq!(
            (denied.approvals(item).as_str(), &denied.decisions(item)[0]["outcome"]),
            (approval, &json!("denied"))
        );
        denied.mark_sent(item).unwrap();
        assert_eq!(denied.sendable(), "");
    }
}

#[test]
fn only_open_calls_of_the_page_are_asked_about() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| {
        let reply = reply.call("c1").local_request("c1").call_of("locate", "c2").output("c2").local_request("c2");
        reply.call_of("locate", "c3").request("c3", "a3").local_request("c3").local_request("c4")
    });
    assert_eq!(
        (chat.pending().as_str(), chat.phase("c1"), chat.phase("c2")),
        ("a3", Phase::InputAvailable, Phase::OutputAvailable)
    );
}

#[test]
fn a_call_whose_request_cannot_be_made_is_closed_and_does_not_run() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "c2").call_of("locate", "c2").local_request("c2"));
    assert_eq!((chat.pending().as_str(), chat.runnable().as_str()), ("c2", ""));
    assert_eq!(chat.outcome("c2").map(|(kind, _)| kind), Some(OutcomeKind::Interrupted));
    assert_eq!(chat.machine.pending().next().map(|part| chat.text(part.call).to_string()), Some("c1".to_owned()));
}
