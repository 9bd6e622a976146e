//! The parties that the chat waits for: exactly those that can act.

use crate::chat::{Chat, NONE};
use crate::on_deny::{deny_only, streaming};
use toolgate::machine::{Ending, Event, OnDeny, OnUserMessage, OutcomeKind, Sent, StreamEnd};

#[test]
fn the_chat_waits_for_page_tools_and_for_tools_that_no_server_runs() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1"));
    assert_eq!(chat.waits_for(), "tool c1");
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call("c1"));
    assert_eq!(chat.waits_for(), "reply", "the server may still run it");
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.waits_for(), "tool c1");
}

#[test]
fn the_chat_waits_for_a_missing_rewrite() {
    let mut chat = Chat::default();
    chat.set_options(|options| options.rewrites = true);
    let mut chat = chat.that_asks(1);
    chat.deny("a1");
    assert_eq!(chat.waits_for(), "rewrite");
}

#[test]
fn an_ended_turn_does_not_wait_for_resume() {
    let mut chat = streaming(OnDeny::EndTurn, 1);
    chat.stop();
    deny_only(&mut chat, "a1");
    chat.end(StreamEnd::Aborted);
    assert_eq!((chat.waits_for().as_str(), chat.listed()), ("", NONE.to_vec()));
}

#[test]
fn denials_held_for_the_next_message_do_not_wait_for_resume() {
    let mut chat = Chat::asking_in_a_stream(2);
    chat.deny("a1");
    chat.end(StreamEnd::Disconnected);
    chat.cancel();
    assert_eq!(chat.waits_for(), "");
}

#[test]
fn no_retry_is_offered_while_an_item_is_in_flight_or_an_approval_is_pending() {
    let (mut chat, item) = Chat::failed();
    assert_eq!(chat.waits_for(), format!("retry {item}"));
    chat.more(|reply| reply.start("r9").step().text("Well."));
    assert_eq!(chat.waits_for(), "reply");
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.approve("a2");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.request("c1", "a9"));
    assert_eq!(chat.waits_for(), "user c1");
}

/// A chat that requests approval of `c1` and `c2`, and has a provider's call whose approval may be requested later.
fn with_a_provider() -> Chat {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1").ask("c2", "a2").provider_call("c3"));
    chat
}

#[test]
fn a_failed_request_with_approvals_blocks_later_decisions() {
    let mut chat = with_a_provider();
    chat.approve("a1");
    chat.deny("a2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.request("c3", "a3"));
    chat.approve("a3");
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn denials_held_for_the_next_message_are_sent_with_an_approval() {
    let mut chat = with_a_provider();
    chat.deny("a1");
    chat.cancel();
    assert_eq!(chat.listed(), NONE);
    chat.more(|reply| reply.request("c3", "a3"));
    chat.approve("a3");
    assert_eq!(chat.sendable(), "a1 a3");
}

#[test]
fn a_request_closes_calls_that_only_a_broken_stream_could_settle() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.more_of(item, |reply| reply.start("r1").ask("c2", "a2"));
    chat.end(StreamEnd::Disconnected);
    chat.approve("a2");
    assert_eq!(chat.sendable(), "a2");
    chat.claim();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
}

#[test]
fn an_unrequested_reply_without_content_does_not_end_the_turn() {
    let mut chat = Chat::asking(1);
    chat.more(|reply| reply.start("r9").finish());
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Finished));
}

#[test]
fn denials_that_are_repeated_before_a_message_need_no_reply() {
    let mut chat = Chat::default();
    chat.set_options(|options| options.answers_first = true);
    let mut chat = chat.that_asks(1);
    chat.deny("a1");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.claim();
    chat.take_events();
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
    assert!(!chat.take_events().iter().any(|event| matches!(event, Event::Stalled { .. })));
}
