//! Tools that run in the page: their step is held until they have results, and the results are sent with the step.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{asked, assistant, user};
use serde_json::json;
use toolgate::machine::{Code, OnUserMessage, OutcomeKind, Phase, StreamEnd};

/// A chat whose reply called a tool of the page.
fn with_browser_tool() -> Chat {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").ask("c2", "a2"));
    chat
}

#[test]
fn a_page_tool_holds_its_step_until_it_gives_an_output() {
    let mut chat = with_browser_tool();
    chat.approve("a2");
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.page_output("c1", false), Ok(()));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
}

#[test]
fn a_page_tools_output_alone_is_submitted() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1"));
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.page_output("c1", true), Ok(()));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Failed, false)));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "");
    chat.reply(|reply| reply.text("I see."));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn a_page_tools_output_is_sent_once_even_if_the_reply_to_it_begins_no_step() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1"));
    chat.page_output("c1", false).unwrap();
    chat.claim();
    chat.more(|reply| reply.start("r1").text("I see."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE);
    chat.resume();
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_approved_page_tool_holds_its_step_until_it_gives_an_output() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1"));
    chat.approve("a1");
    assert_eq!(chat.phase("c1"), Phase::Approved);
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.page_output("c1", false), Ok(()));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
    assert_eq!(chat.wire_part("c1").unwrap()["state"], "output-available");
    chat.reply(|reply| reply.text("You are here."));
    assert!(!chat.machine.is_stalled());
}

#[test]
fn an_unsent_output_is_kept_when_a_loaded_history_still_requests_the_approval() {
    for by_backend in [false, true] {
        let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
        chat.user("m1");
        chat.claim();
        let approved = json!({ "type": "tool-approval-response", "approvalId": "a1", "approved": true });
        chat.reply(|reply| {
            let reply = reply.call_of("locate", "c1").request("c1", "a1");
            if by_backend { reply.raw(approved) } else { reply }
        });
        if !by_backend {
            chat.approve("a1");
        }
        chat.page_output("c1", false).unwrap();
        chat.load(json!([user("m1"), assistant("r1", &[asked("c1", "a1")])]));
        assert_eq!(chat.listed(), NONE, "loading sends nothing");
        let [item] = chat.undelivered()[..] else { panic!("{}", chat.waits_for()) };
        assert_eq!(chat.waits_for(), format!("retry {item}"));
        chat.retry(item).unwrap();
        let item = chat.claim();
        assert_eq!(chat.approvals(item), if by_backend { "" } else { "a1" });
        assert_eq!(chat.wire_part("c1").unwrap()["state"], "output-available");
    }
}

#[test]
fn a_denied_page_tool_needs_no_output_and_accepts_none() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1"));
    chat.deny("a1");
    assert_eq!(chat.page_output("c1", false), Err(Code::AlreadySettled));
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn the_page_may_run_a_call_without_an_approval_when_its_reply_is_over() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_of("locate", "c1").call("c2").provider_call("c3").ask("c4", "a4"));
    assert_eq!(chat.runnable(), "", "the reply may still request approval");
    let mut broken = chat.clone();
    broken.end(StreamEnd::Disconnected);
    assert_eq!(broken.runnable(), "");
    let mut reconnecting = chat.clone();
    reconnecting.reconnecting();
    assert_eq!(reconnecting.runnable(), "", "the replay may request approval");
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    let mut unlisted = chat.clone();
    unlisted.set_options(|options| options.page_tools.rest = true);
    assert_eq!(unlisted.runnable(), "c1 c2", "no server runs c2 after the reply");
    assert_eq!(chat.runnable(), "c1", "the server runs what the page does not list");
    chat.approve("a4");
    chat.page_output("c1", false).unwrap();
    assert_eq!((chat.runnable().as_str(), chat.sendable().as_str()), ("", "a4 output of c1"));
}

#[test]
fn the_page_may_run_an_approved_call_during_the_reply_and_after_its_answer_was_sent() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call_of("locate", "c1").request("c1", "a1").ask("c2", "a2"));
    assert_eq!(chat.runnable(), "");
    chat.approve("a1");
    chat.approve("a2");
    assert_eq!(chat.runnable(), "c1");
    for item in chat.listed() {
        chat.claim_item(item);
    }
    assert_eq!((chat.phase("c1"), chat.runnable().as_str()), (Phase::Submitted, "c1"));
    chat.page_output("c1", false).unwrap();
    assert_eq!(chat.runnable(), "");
}

#[test]
fn the_shown_step_begins_after_the_last_shown_step_start() {
    let mut chat = Chat::default();
    assert_eq!(chat.machine.shown_step(), 0);
    chat.user("m1");
    assert_eq!(chat.machine.shown_step(), 1, "a user message has no step");
    chat.claim();
    chat.stream(|reply| reply.call("c1").output("c1"));
    assert_eq!(chat.machine.shown_step(), 1);
    chat.more(|reply| reply.step_done().step().call("c2"));
    assert_eq!(chat.machine.shown_step(), 3);
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.restored().machine.shown_step(), 3);
}

#[test]
fn an_output_for_a_call_with_a_pending_approval_is_refused() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1"));
    assert_eq!(chat.page_output("c1", false), Err(Code::ApprovalPending));
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn an_output_for_a_call_that_is_unknown_unfinished_or_settled_is_refused() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.input_start("c1").call("c2").output("c2"));
    assert_eq!(chat.page_output("c9", false), Err(Code::UnknownCall));
    assert_eq!(chat.page_output("c1", false), Err(Code::Busy));
    assert_eq!(chat.page_output("c2", false), Err(Code::AlreadySettled));
}

#[test]
fn a_page_tools_output_during_a_stream_is_sent_after_it() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_of("locate", "c1"));
    assert_eq!(chat.page_output("c1", false), Ok(()));
    assert_eq!(chat.listed(), NONE);
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn with_a_models_own_api_every_approved_call_holds_its_step_until_it_gives_an_output() {
    let mut chat = Chat::with_model_api();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1").ask("c2", "a2"));
    chat.approve("a1");
    chat.deny("a2");
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.page_output("c1", false), Ok(()));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
    chat.reply(|reply| reply.text("Done."));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_approved_page_tool_that_a_message_interrupts_may_have_run() {
    let mut chat = Chat::with_model_api();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1"));
    chat.approve("a1");
    chat.user("m2");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
}

#[test]
fn cancel_keeps_an_output_for_the_next_message_and_sends_nothing() {
    for reloads in [false, true] {
        let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
        chat.user("m1");
        chat.claim();
        chat.reply(|reply| reply.call_of("locate", "c1"));
        assert_eq!(chat.page_output("c1", false), Ok(()));
        assert_eq!(chat.listed().len(), 1);
        if reloads {
            chat = chat.restored();
        }
        chat.cancel();
        chat.resume();
        assert_eq!(chat.listed(), NONE);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
        chat.user("m2");
        let item = chat.claim();
        assert_eq!((chat.messages(item), chat.outputs(item)), ("m2".into(), "c1".into()));
    }
}

#[test]
fn an_output_given_after_cancel_sends_the_ones_that_cancel_kept() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_of("locate", "c1").call("c2"));
    assert_eq!(chat.page_output("c1", false), Ok(()));
    chat.cancel();
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.page_output("c2", false), Ok(()));
    let item = chat.claim();
    assert_eq!(chat.outputs(item), "c1 c2");
}

#[test]
fn cancel_keeps_the_approval_of_a_call_that_ran_in_the_page() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1").ask("c2", "a2"));
    chat.approve("a1");
    assert_eq!(chat.page_output("c1", false), Ok(()));
    chat.cancel();
    assert_eq!(chat.listed(), NONE);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(
        (chat.approvals(item), chat.outputs(item), chat.messages(item)),
        ("a1".into(), "c1".into(), "m2".into())
    );
}
