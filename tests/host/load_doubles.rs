//! Stored histories with duplicates: of a message, a call, or an approval.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{answered, asked, assistant, load_repaired, part, part_with, ran, text, user};
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, Delivery, OutcomeKind, Phase, RespondOutcome, ToolPart};
use toolgate::wire::ai_sdk::Shape;

fn ids(chat: &Chat) -> Vec<String> {
    let messages = chat.ui_messages(Shape::Body);
    messages.as_array().unwrap().iter().map(|message| message["id"].as_str().unwrap().to_owned()).collect()
}

/// The ids of the calls, as one text for each message.
fn calls(chat: &Chat) -> Vec<String> {
    let messages = chat.machine.transcript().messages();
    messages
        .iter()
        .map(|m| m.calls().map(|tool| chat.text(tool.call).to_string()).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn a_duplicate_message_is_loaded_once() {
    let history = json!([
        user("m1"),
        assistant("r1", &[text("Done."), ran("c1")]),
        user("m1"),
        assistant("r1", &[text("Done."), ran("c1")])
    ]);
    let repairs = ["duplicate-message", "duplicate-message", "duplicate-call c1 output-available"];
    let chat = load_repaired(history, &repairs);
    assert_eq!((ids(&chat), chat.said()), (vec!["m1".into(), "r1".into()], vec!["m1".into(), "Done.".into()]));
}

#[test]
fn a_duplicate_message_with_two_ids_is_loaded_once() {
    // The server and the client gave the reply different ids. The call in both shows that they are copies.
    let parts = [text("Let me."), ran("c1")];
    let history = json!([user("m1"), assistant("r1", &parts), assistant("srv-1", &parts), user("m2")]);
    let chat = load_repaired(history, &["duplicate-call c1 output-available"]);
    assert_eq!(
        (ids(&chat), chat.said()),
        (vec!["m1".into(), "r1".into(), "m2".into()], vec!["m1".into(), "Let me.".into(), "m2".into()])
    );
}

#[test]
fn the_same_reply_twice_in_a_row_is_loaded_once() {
    let history = json!([user("m1"), assistant("r1", &[text("Hello.")]), assistant("srv-1", &[text("Hello.")])]);
    assert_eq!(load_repaired(history, &["duplicate-message"]).said(), ["m1", "Hello."]);
    // Without ids, only the content can be compared.
    let bare = json!({ "role": "assistant", "parts": [text("Hello.")] });
    let history = json!([user("m1"), bare, bare]);
    assert_eq!(
        load_repaired(history, &["invalid-value", "invalid-value", "duplicate-message"]).said(),
        ["m1", "Hello."]
    );
}

#[test]
fn a_user_message_may_be_repeated() {
    let again = json!({ "id": "m2", "role": "user", "parts": [text("m1")] });
    let history =
        json!([user("m1"), again, assistant("r1", &[text("Yes?")]), user("m3"), assistant("r2", &[text("Yes?")])]);
    assert_eq!(load_repaired(history, &[]).said(), ["m1", "m1", "Yes?", "m3", "Yes?"]);
}

#[test]
fn two_different_messages_with_one_id_are_both_loaded() {
    let history =
        json!([user("m1"), assistant("r1", &[text("First.")]), user("m2"), assistant("r1", &[text("Second.")])]);
    let chat = load_repaired(history, &["duplicate-message"]);
    assert_eq!(chat.said(), ["m1", "First.", "m2", "Second."]);
    assert_eq!(ids(&chat)[..3], ["m1", "r1", "m2"]);
    let roles = json!([user("x"), { "id": "x", "role": "assistant", "parts": [text("Hello.")] }]);
    assert_eq!(load_repaired(roles, &["duplicate-message"]).said(), ["x", "Hello."]);
}

#[test]
fn a_message_that_was_stored_again_with_more_parts_has_each_part_once() {
    let more = [text("Let me."), ran("c1"), json!({ "type": "step-start" }), text("Done.")];
    let half = [json!({ "type": "text", "text": "Let me.", "state": "streaming" }), asked("c1", "a1")];
    let history = json!([user("m1"), assistant("r1", &half), assistant("r1", &more)]);
    let chat = load_repaired(history, &["duplicate-message", "duplicate-call c1 output-available"]);
    assert_eq!(chat.said(), ["m1", "Let me.", "Done."]);
    assert_eq!(calls(&chat), ["", "c1", ""]);
}

#[test]
fn copies_of_a_call_in_a_turn_are_merged() {
    let messages = [assistant("r1", &[answered("c1", "a1", true)]), assistant("r2", &[ran("c1"), text("Done.")])];
    let chat = load_repaired(json!([user("m1"), messages[0], messages[1]]), &["duplicate-call c1 output-available"]);
    assert_eq!(
        (chat.outcome("c1"), calls(&chat)),
        (Some((OutcomeKind::Executed, false)), vec!["".into(), "c1".into(), "".into()])
    );
    assert_eq!(chat.undelivered(), NONE);
    // An id that is reused in another turn is another call.
    let history = json!([user("m1"), messages[0], user("m2"), messages[1]]);
    let chat = load_repaired(history, &["unanswered-call c1 output-error"]);
    assert_eq!(calls(&chat), ["", "c1", "", "c1"]);
    assert_eq!((chat.outcome("c1"), chat.undelivered()), (Some((OutcomeKind::Executed, false)), vec![]));
}

#[test]
fn a_call_that_an_append_only_history_repeats_as_executed_is_executed() {
    let again = [asked("c1", "a1"), answered("c2", "a2", true)];
    let history = json!([user("m1"), assistant("r1", &[ran("c1"), ran("c2")]), assistant("r2", &again)]);
    let repairs = ["duplicate-call c1 output-available", "duplicate-call c2 output-available"];
    let mut chat = load_repaired(history, &repairs);
    assert_eq!((chat.pending().as_str(), chat.undelivered()), ("", vec![]));
    assert_eq!(
        (chat.outcome("c1"), chat.outcome("c2")),
        (Some((OutcomeKind::Executed, false)), Some((OutcomeKind::Executed, false)))
    );
    assert!(chat.respond("a1", true, "").is_err());
}

#[test]
fn the_copy_that_progressed_most_is_used_regardless_of_its_position() {
    let denied = part_with("c1", "output-denied", json!({ "approval": { "id": "a1", "approved": false } }));
    let closed = part_with(
        "c1",
        "output-error",
        json!({ "errorText": "Interrupted.",
        "callProviderMetadata": { "toolgate": { "outcome": "interrupted", "mayHaveRun": true } } }),
    );
    let ascending = [
        part("c1", "input-streaming"),
        part("c1", "input-available"),
        asked("c1", "a1"),
        answered("c1", "a1", true),
        answered("c1", "a1", false),
        part_with("c1", "output-available", json!({ "output": "half", "preliminary": true })),
        closed,
        ran("c1"),
    ];
    for (place, less) in ascending.iter().enumerate() {
        for more in &ascending[place + 1..] {
            for pair in [[less, more], [more, less]] {
                let mut chat = Chat::default();
                chat.load(json!([assistant("r1", &[pair[0].clone()]), assistant("r2", &[pair[1].clone(), text("x")])]));
                let mut alone = Chat::default();
                alone.load(json!([assistant("r1", std::slice::from_ref(more)), assistant("r2", &[text("x")])]));
                assert_eq!(chat.outcome("c1"), alone.outcome("c1"), "{} and {}", pair[0], pair[1]);
            }
        }
    }
    // Of two complete copies, the first counts.
    let history = json!([assistant("r1", &[denied, ran("c1")])]);
    let chat = load_repaired(history, &["duplicate-call c1 output-denied"]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
}

#[test]
fn a_duplicate_call_in_one_message_stays_at_its_first_position() {
    let chat = load_repaired(
        json!([user("m1"), assistant("r1", &[part("c1", "input-available"), ran("c2"), ran("c1")])]),
        &["duplicate-call c1 output-available"],
    );
    assert_eq!(calls(&chat), ["", "c1 c2"]);
}

#[test]
fn an_approval_of_two_calls_belongs_to_the_first() {
    let parts = [asked("c1", "a1"), asked("c2", "a1")];
    let mut chat = load_repaired(json!([user("m1"), assistant("r1", &parts)]), &["duplicate-approval c2 output-error"]);
    assert_eq!((chat.pending().as_str(), chat.outcome("c2")), ("a1", Some((OutcomeKind::Interrupted, false))));
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Accepted));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
    assert_eq!(chat.phase("c1"), Phase::Submitted);
}

#[test]
fn a_decision_on_the_approval_of_two_calls_belongs_to_the_first() {
    let parts = [answered("c1", "a1", false), answered("c2", "a1", true)];
    let mut chat = load_repaired(json!([user("m1"), assistant("r1", &parts)]), &["duplicate-approval c2 output-error"]);
    // The second call was stored as approved, so it may have run.
    assert_eq!((chat.phase("c1"), chat.outcome("c2")), (Phase::Denied, Some((OutcomeKind::Interrupted, true))));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadyDecided));
    let denied = [asked("c1", "a1"), answered("c2", "a1", false)];
    let chat =
        load_repaired(json!([user("m1"), assistant("r1", &denied)]), &["duplicate-approval c2 approval-responded"]);
    assert_eq!((chat.phase("c2"), chat.outcome("c2")), (Phase::Denied, Some((OutcomeKind::Denied, false))));
}

#[test]
fn a_result_is_kept_if_another_call_has_the_same_approval() {
    let approved: Json = json!({ "output": "done", "approval": { "id": "a1", "approved": true } });
    let parts = [part_with("c1", "output-available", approved.clone()), part_with("c2", "output-available", approved)];
    let chat = load_repaired(json!([user("m1"), assistant("r1", &parts)]), &["duplicate-approval c2 output-available"]);
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.wire_part("c2").unwrap().get("approval"), None);
}

#[test]
fn copies_of_an_open_call_in_a_step_are_merged_even_if_their_approvals_differ() {
    let parts = [answered("c1", "a1", true), asked("c1", "b1")];
    let history = json!([user("m1"), assistant("r1", &parts)]);
    let chat = load_repaired(history, &["duplicate-call c1 approval-responded"]);
    assert_eq!((calls(&chat)[1].as_str(), chat.pending().as_str()), ("c1", ""));
}

#[test]
fn of_two_calls_with_equal_ids_only_the_sent_one_is_in_the_request_after_a_load() {
    let mut chat = Chat::default();
    chat.set_options(|options| (options.answering, options.cancel_answers) = (true, true));
    // A backend without approval ids of its own asks the same again after it knows of the denial.
    let ask = |reply: Stream| reply.step().ask("c1", "c1");
    chat.more(|reply| ask(reply.start("r1")));
    chat.deny("c1");
    let first = chat.claim();
    chat.mark_sent(first).unwrap();
    chat.more(ask);
    chat.deny("c1");
    for _ in 0..2 {
        chat.load(chat.ui_messages(Shape::View));
        let of = |part: &&ToolPart| part.delivery() == Delivery::In(first);
        let parts = chat.machine.transcript().messages()[0].calls().filter(of).map(ToolPart::key);
        let carried = |key| chat.item(first).carries(key).is_some();
        assert!(parts.into_iter().all(carried));
        chat.followed();
        chat.restored();
    }
}

/// Providers refuse a step in which an id occurs twice, also if the app's message has it.
#[test]
fn two_results_of_one_id_in_a_step_are_sent_in_two_steps() {
    let failed = part_with("c1", "output-error", json!({ "errorText": "disk full" }));
    let chat = load_repaired(json!([user("m1"), assistant("r1", &[failed, ran("c1")])]), &[]);
    let body = chat.ui_messages(Shape::Body);
    let states = body[1]["parts"].as_array().unwrap().iter().map(|part| part["state"].as_str());
    assert_eq!(states.collect::<Vec<_>>(), [None, Some("output-error"), None, Some("output-available")]);
}
