//! Who releases an approval after the user stopped, or after a reply broke off: only the user, by an act on it.

use crate::chat::Chat;
use crate::remembered::{answer, ask, remembering};
use crate::stored_histories::{assistant, part_with, user};
use serde_json::json;
use toolgate::machine::{OnDeny, OnUserMessage, OutcomeKind, Sent, StreamEnd};

const INTERRUPTED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Interrupted, false));

/// How the user or the network held what was approved before.
const HOLDS: [&str; 3] = ["stop", "stop in the stream", "broken off"];

/// A chat with a page tool, three calls that need approval, and an approval of the first one, which is held.
fn held(how: &str, policy: OnUserMessage) -> Chat {
    let mut chat = Chat::with(policy, &["locate"]);
    chat.set_options(|options| options.approval_timeout = Some(100));
    chat.at(1000);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1").ask("c2", "a2").ask("c3", "a3").call_of("locate", "p1"));
    if how == "stop" {
        chat.end(StreamEnd::Finished);
    }
    chat.approve("a1");
    if how.starts_with("stop") {
        chat.stop();
    }
    if how != "stop" {
        chat.end(StreamEnd::Aborted);
    }
    chat
}

#[test]
fn no_denial_expiry_output_or_memory_releases_a_held_approval() {
    for how in HOLDS {
        let mut chat = held(how, OnUserMessage::default());
        chat.deny("a2");
        assert_eq!(chat.sendable(), "", "{how}: a denial");
        chat.page_output("p1", false).unwrap();
        assert_eq!(chat.sendable(), "", "{how}: the output of a page tool");
        let mut expired = chat.clone();
        expired.tick(2000);
        assert_eq!((expired.pending().as_str(), expired.sendable().as_str()), ("", ""), "{how}: an expiry");
        assert_eq!(expired.waits_for(), "resume", "{how}");
        assert_eq!((chat.respond_all(&["a3"], false), chat.sendable().as_str()), (1, ""), "{how}: Deny all");
        chat.resume();
        assert_eq!(chat.sendable(), "a1 a2 a3 output of p1", "{how}");
    }
}

#[test]
fn another_approval_releases_a_held_one() {
    for how in HOLDS {
        let mut chat = held(how, OnUserMessage::default());
        chat.page_output("p1", false).unwrap();
        chat.deny("a2");
        chat.approve("a3");
        assert_eq!(chat.sendable(), "a1 a2 a3 output of p1", "{how}");
    }
}

#[test]
fn a_denial_after_stop_is_sent_if_no_approval_is_held() {
    let mut chat = Chat::asking(2);
    chat.deny("a1");
    chat.stop();
    chat.deny("a2");
    assert_eq!(chat.sendable(), "a1 a2");
    let mut chat = Chat::answering(2);
    chat.deny("a1");
    chat.stop();
    chat.deny("a2");
    assert_eq!(chat.sendable(), "a1, a2");
}

#[test]
fn a_denial_does_not_release_a_held_approval_of_an_answering_backend() {
    let mut chat = Chat::answering(3);
    chat.approve("a1");
    chat.stop();
    chat.deny("a2");
    assert_eq!(chat.sendable(), "");
    chat.approve("a3");
    assert_eq!(chat.sendable(), "a1, a2, a3");
}

#[test]
fn a_denial_that_ends_the_turn_releases_no_held_approval_of_a_page_tool() {
    let mut chat = Chat::answering_with(1, |options| options.on_deny = OnDeny::EndTurn);
    chat.stream(|reply| reply.call_of("locate", "p1").request("p1", "b1"));
    chat.approve("b1");
    chat.stop();
    chat.deny("a1");
    assert_eq!((chat.sendable().as_str(), chat.waits_for().contains("resume")), ("", true));
    chat.resume();
    assert_eq!(chat.sendable(), "a1, b1");
}

#[test]
fn a_message_after_stop_closes_held_approvals_and_carries_the_denials() {
    for how in HOLDS {
        let mut chat = held(how, OnUserMessage::default());
        chat.deny("a2");
        assert_eq!(chat.user("m2"), Sent::Sent, "{how}");
        let item = chat.claim();
        assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a2 a3", "m2"), "{how}");
        assert_eq!(chat.outcome("c1"), INTERRUPTED, "{how}");
        let reason = chat.part("c1").outcome().unwrap().reason;
        assert_eq!(chat.store.to_json(reason), "Not sent.", "{how}");
        let part = chat.wire_part("c1").unwrap();
        assert_eq!((&part["state"], part.get("approval")), (&json!("output-error"), None), "{how}");
    }
}

#[test]
fn a_message_while_a_stopped_stream_still_runs_closes_what_was_approved_before() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.stop();
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.outcome("c1"), INTERRUPTED);
    chat.end(StreamEnd::Aborted);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_message_that_was_queued_before_stop_waits_while_an_approval_is_held() {
    for how in HOLDS {
        let mut chat = Chat::with(OnUserMessage::Queue, &[]);
        chat.user("m1");
        chat.claim();
        chat.stream(|reply| reply.ask("c1", "a1"));
        if how == "stop" {
            chat.end(StreamEnd::Finished);
        }
        assert_eq!(chat.user("m2"), Sent::Queued);
        chat.approve("a1");
        if how.starts_with("stop") {
            chat.stop();
        }
        if how != "stop" {
            chat.end(StreamEnd::Aborted);
        }
        assert_eq!((chat.sendable().as_str(), chat.waits_for().as_str()), ("", "resume"), "{how}");
        let mut cancelled = chat.clone();
        cancelled.cancel();
        assert_eq!(cancelled.sendable(), "m2", "{how}");
        let mut next = chat.clone();
        next.user("m3");
        assert_eq!((next.sendable().as_str(), next.outcome("c1")), ("m2 m3", INTERRUPTED), "{how}");
        chat.resume();
        assert_eq!(chat.sendable(), "a1", "{how}");
        chat.claim();
        chat.reply(|reply| reply.output("c1").text("Done."));
        assert_eq!(chat.sendable(), "m2", "{how}");
    }
}

#[test]
fn a_message_that_was_queued_before_stop_is_sent_if_no_approval_is_held() {
    let mut chat = Chat::with(OnUserMessage::Queue, &[]).that_asks(1);
    chat.user("m2");
    chat.deny("a1");
    chat.stop();
    assert_eq!(chat.sendable(), "a1 m2");
}

#[test]
fn a_message_after_stop_refuses_held_approvals_where_the_backend_waits_for_answers() {
    for answering in [false, true] {
        let mut chat = if answering { Chat::answering(2) } else { Chat::asking(2) };
        chat.set_options(|options| (options.answers_first, options.cancel_answers) = (true, true));
        if answering {
            chat.end(StreamEnd::Finished);
        }
        chat.approve("a1");
        chat.stop();
        assert_eq!(chat.sendable(), "");
        assert_eq!(chat.user("m2"), Sent::Queued);
        let mut told = Vec::new();
        while let Some(&item) = chat.listed().first() {
            if !chat.messages(item).is_empty() {
                break;
            }
            chat.claim_item(item);
            let decisions = chat.decisions(item);
            told.extend(decisions.as_array().unwrap().iter().map(|told| told["outcome"].clone()));
            if answering {
                chat.mark_sent(item).unwrap();
            } else {
                chat.reply(|reply| reply.text("As you wish."));
            }
        }
        assert_eq!(told, ["skipped", "denied"], "{answering}");
        assert_eq!((chat.outcome("c1"), chat.sendable().as_str()), (INTERRUPTED, "m2"), "{answering}");
    }
}

#[test]
fn a_remembered_decision_does_not_release_a_held_approval() {
    let mut chat = remembering(true, true);
    chat.user("m2");
    chat.claim();
    chat.stream(|reply| ask(reply, "move", "c2", &json!("x")));
    answer(&mut chat, "a2", true);
    chat.stop();
    chat.more(|reply| ask(reply, "edit", "c3", &json!("x")));
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.pending().as_str(), chat.listed()), ("", vec![]));
    chat.resume();
    assert_eq!(chat.sendable(), "a2 a3");
}

#[test]
fn an_edit_or_a_regeneration_removes_queued_messages_too() {
    for regenerates in [false, true] {
        let mut chat = Chat::with(OnUserMessage::Queue, &[]).that_asks(1);
        assert_eq!(chat.user("later"), Sent::Queued);
        if regenerates {
            chat.regenerate(None).unwrap();
        } else {
            assert_eq!(chat.try_user("m2", Some("m1")), Ok(Sent::Sent));
        }
        assert!(chat.machine.queue().is_empty());
        let item = chat.claim();
        chat.reply(|reply| reply.text("Hello."));
        assert_eq!((chat.item(item).messages.len(), chat.listed()), (usize::from(!regenerates), vec![]));
    }
}

#[test]
fn a_loaded_approval_beside_an_open_page_tool_is_sent_with_the_tools_result() {
    let approved = part_with("c1", "approval-responded", json!({ "approval": { "id": "a1", "approved": true } }));
    let mut page = part_with("p1", "input-available", json!({}));
    page["type"] = json!("tool-locate");
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.load(json!([user("m1"), assistant("r1", &[approved, page])]));
    assert_eq!((chat.undelivered(), chat.waits_for().as_str()), (vec![], "tool p1"));
    chat.page_output("p1", false).unwrap();
    assert_eq!(chat.sendable(), "a1 output of p1");
}

#[test]
fn a_queued_message_does_not_wait_for_an_approved_page_tool_of_a_turn_that_a_denial_has_ended() {
    let mut chat = Chat::with(OnUserMessage::Queue, &["locate"]);
    chat.set_options(|options| options.on_deny = OnDeny::EndTurn);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_of("locate", "p1").request("p1", "b1").ask("c1", "a1"));
    chat.approve("b1");
    chat.deny("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.end(StreamEnd::Error);
    assert_eq!(chat.outcome("p1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.sendable(), "a1 m2");
}

#[test]
fn a_queued_message_does_not_release_a_held_approval_of_an_answering_backend() {
    let mut chat = Chat::answering(2);
    chat.set_options(|options| options.on_user_message = OnUserMessage::Queue);
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.approve("a1");
    chat.stop();
    assert_eq!((chat.sendable().as_str(), chat.waits_for().contains("resume")), ("", true));
    chat.resume();
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn do_not_run_closes_that_held_approval_and_releases_nothing() {
    for how in HOLDS {
        let mut chat = held(how, OnUserMessage::default());
        chat.deny("a2");
        chat.cancel_unsent("a1");
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, false)), "{how}");
        assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("a3", ""), "{how}");
        // Undecided, denied and unknown approvals are left as they are.
        for approval in ["a1", "a2", "a3", "none"] {
            chat.cancel_unsent(approval);
        }
        assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("a3", ""), "{how}");
        assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)), "{how}");
        chat.page_output("p1", false).unwrap();
        chat.approve("a3");
        assert_eq!(chat.sendable(), "a2 a3 output of p1", "{how}");
    }
}

#[test]
fn do_not_run_keeps_other_held_approvals() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.stop();
    let mut both = chat.clone();
    both.approve("a2");
    both.stop();
    both.cancel_unsent("a1");
    assert_eq!((both.sendable().as_str(), both.waits_for().as_str()), ("", "resume"));
    both.resume();
    assert_eq!(both.sendable(), "a2");
    both.claim();
    both.cancel_unsent("a2");
    assert_eq!(both.outcome("c2"), None, "it was sent");
}

#[test]
fn do_not_run_reports_the_cancellation_once_no_approval_is_held() {
    let mut chat = Chat::answering(2);
    chat.set_options(|options| options.cancel_answers = true);
    chat.approve("a1");
    chat.stop();
    chat.deny("a2");
    assert_eq!((chat.sendable().as_str(), chat.waits_for().as_str()), ("", "reply, resume"));
    chat.cancel_unsent("a1");
    assert_eq!(
        (chat.sendable().as_str(), chat.waits_for().as_str()),
        ("a1, a2", "host 3 4, reply"),
        "both are answered"
    );
}
