//! Answering protocols: restores, loads, policies, and outputs of the page.

use crate::answering::send;
use crate::chat::Chat;
use crate::stored_histories::{asked, assistant, user};
use serde_json::json;
use toolgate::machine::{
    Code, DeliveryState, Ending, OnDeny, OnUserMessage, OutcomeKind, Phase, RespondOutcome, Status, StreamEnd,
};

#[test]
fn after_a_restore_ready_answers_are_sent_and_those_in_flight_are_unconfirmed() {
    let mut chat = Chat::answering(3);
    chat.approve("a1");
    let lost = chat.claim();
    chat.deny("a2");
    let mut chat = chat.restored();
    assert_eq!((chat.sendable().as_str(), chat.undelivered()), ("a2", vec![lost]));
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Unconfirmed));
    assert_eq!(chat.machine.turn().ending(), None, "the approval may have arrived, so the turn goes on");
    chat.approve("a3");
    assert_eq!(chat.sendable(), "a2, a3");
    assert_eq!(chat.retry(lost), Ok(()));
    assert_eq!(chat.sendable(), "a1, a2, a3");
}

#[test]
fn a_lost_answer_does_not_change_how_the_turn_ended() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    chat.claim();
    let chat = chat.restored();
    assert_eq!((chat.undelivered().len(), chat.machine.turn().ending()), (1, Some(Ending::Finished)));
}

#[test]
fn after_a_load_each_answer_without_a_result_is_unconfirmed_on_its_own() {
    let mut chat = Chat::answering(3);
    chat.approve("a1");
    chat.deny("a2");
    chat.end(StreamEnd::Disconnected);
    let history = chat.ui_messages(toolgate::wire::ai_sdk::Shape::Body);
    let mut other = Chat::answering_with(0, |_| {});
    other.end(StreamEnd::Disconnected);
    other.load(history);
    assert_eq!(
        (other.undelivered().len(), other.sendable().as_str()),
        (2, ""),
        "c1 and c2 are unconfirmed although c3 is not decided"
    );
    other.approve("a3");
    assert_eq!(other.sendable(), "a3");
}

#[test]
fn with_end_turn_denials_and_skips_are_sent_at_once() {
    let mut chat = Chat::answering_with(3, |options| options.on_deny = OnDeny::EndTurn);
    chat.approve("a1");
    chat.approve("a3");
    chat.claim_item(chat.listed()[0]);
    chat.deny("a2");
    assert_eq!(chat.sendable(), "a2, a3", "an approval that was not sent is withdrawn");
    assert_eq!((chat.phase("c1"), chat.outcome("c3")), (Phase::Submitted, Some((OutcomeKind::Skipped, false))));
    chat.more(|reply| reply.ask("c4", "a4"));
    assert_eq!(chat.sendable(), "a2, a3, a4");
}

#[test]
fn with_skip_rest_requests_after_a_sent_denial_are_skipped() {
    let mut chat = Chat::answering_with(2, |options| options.on_deny = OnDeny::SkipRest);
    chat.deny("a1");
    assert_eq!(chat.sendable(), "a1, a2");
    send(&mut chat);
    chat.more(|reply| reply.ask("c3", "a3"));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a3"));
    send(&mut chat);
    chat.more(|reply| reply.step().ask("c4", "a4"));
    assert_eq!(chat.pending(), "a4", "the next step is not skipped");
}

#[test]
fn an_expiry_and_a_remembered_decision_are_sent_as_answers() {
    let mut chat = Chat::answering_with(1, |options| options.approval_timeout = Some(100));
    chat.tick(100);
    assert_eq!(chat.sendable(), "a1");
    assert_eq!(chat.decisions(chat.listed()[0])[0]["outcome"], "expired");

    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.remember("a1", false);
    chat.more(|reply| reply.ask("c2", "a2"));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a1, a2"));
}

#[test]
fn an_answer_waits_for_the_rewrite_of_its_result() {
    let mut chat = Chat::answering_with(1, |options| options.rewrites = true);
    chat.deny("a1");
    assert_eq!(chat.sendable(), "");
    assert!(chat.rewrite("c1", "It said no."));
    assert_eq!(chat.sendable(), "a1");
    assert_eq!(chat.decisions(chat.listed()[0])[0]["reason"], "It said no.");
}

#[test]
fn an_output_of_the_page_is_sent_as_its_own_answer() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call_of("locate", "c1"));
    assert_eq!(chat.page_output("c1", false), Ok(()));
    assert_eq!(chat.sendable(), "output of c1");
    let item = chat.listed()[0];
    let told = chat.decisions(item);
    assert_eq!((&told[0]["outcome"], &told[0]["output"]), (&json!("executed"), &json!({ "ran": "c1" })));
    send(&mut chat);
    assert_eq!(chat.sendable(), "");
}

#[test]
fn the_output_of_an_approved_page_tool_is_sent_after_its_approval() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call_of("locate", "c1").request("c1", "a1"));
    chat.approve("a1");
    assert_eq!(chat.sendable(), "a1", "the approval does not wait for the output");
    assert_eq!(chat.page_output("c1", true), Ok(()));
    assert_eq!(chat.sendable(), "a1");
    let approval = chat.claim();
    assert_eq!(chat.decisions(approval)[0]["outcome"], "approved");
    chat.mark_failed(approval).unwrap();
    assert_eq!(chat.sendable(), "");
    chat.retry(approval).unwrap();
    chat.mark_sent(approval).unwrap();
    assert_eq!(chat.sendable(), "output of c1");
    let told = chat.decisions(chat.listed()[0]);
    assert_eq!((&told[0]["outcome"], &told[0]["reason"]), (&json!("failed"), &json!("no network")));
}

#[test]
fn an_approval_and_an_output_survive_loading_a_history_in_which_the_approval_is_pending() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call_of("locate", "c1").request("c1", "a1"));
    chat.approve("a1");
    chat.page_output("c1", false).unwrap();
    chat.load(json!([user("m1"), assistant("r1", &[asked("c1", "a1")])]));
    let [approval] = chat.undelivered()[..] else { panic!("{}", chat.waits_for()) };
    chat.retry(approval).unwrap();
    assert_eq!(chat.sendable(), "a1");
    send(&mut chat);
    assert_eq!(chat.sendable(), "output of c1");
}

#[test]
fn a_regeneration_waits_for_the_answers_in_flight() {
    let mut chat = Chat::answering(1);
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    assert_eq!(chat.regenerate(None), Err(Code::Busy));
    chat.mark_sent(item).unwrap();
    assert_eq!(chat.regenerate(None), Ok(()));
}

#[test]
fn the_codec_receives_a_decision_with_its_request_and_outcome() {
    let mut chat = Chat::answering(0);
    let request =
        json!({ "type": "tool-approval-request", "approvalId": "a1", "toolCallId": "c1", "acp": { "id": 7 } });
    let call = json!({
        "type": "tool-input-available", "toolCallId": "c1", "toolName": "edit", "input": { "path": "a" },
        "providerMetadata": { "acp": { "kind": "edit" } },
    });
    chat.more(|reply| reply.raw(call).raw(request));
    assert_eq!(chat.respond("a1", false, "not that"), Ok(RespondOutcome::Accepted));
    let item = chat.claim();
    let expected = json!([{
        "approvalId": "a1", "toolCallId": "c1", "toolName": "edit", "input": { "path": "a" },
        "outcome": "denied", "reason": "not that",
        "approval": { "id": "a1", "acp": { "id": 7 } }, "metadata": { "acp": { "kind": "edit" } },
    }]);
    assert_eq!(chat.decisions(item), expected);
}

#[test]
fn if_outputs_imply_approval_both_are_sent_in_one_answer() {
    let mut chat = Chat::answering_with(0, |options| options.outputs_approve = true);
    chat.more(|reply| reply.call_of("locate", "c1").request("c1", "a1").call_of("locate", "c2").request("c2", "a2"));
    chat.approve("a1");
    assert_eq!(chat.sendable(), "");
    chat.page_output("c1", false).unwrap();
    assert_eq!(chat.sendable(), "a1 output of c1");
    assert_eq!(chat.decisions(chat.listed()[0])[0]["outcome"], "executed");
    chat.deny("a2");
    assert_eq!(chat.sendable(), "a1 output of c1, a2");
}

#[test]
fn no_decision_is_sent_for_an_automatic_request_of_a_cancelled_reply() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.set_options(|options| (options.answering, options.cancel_answers) = (true, true));
    chat.more(|reply| reply.call("c0"));
    chat.end(StreamEnd::Aborted);
    chat.cancel();
    let request =
        json!({ "type": "tool-approval-request", "toolCallId": "c1", "approvalId": "a1", "isAutomatic": true });
    chat.more(|reply| reply.call_of("locate", "c1").raw(request));
    assert_eq!((chat.phase("c1"), chat.sendable().as_str()), (Phase::AutomaticRequest, ""));
}

#[test]
fn a_report_on_a_settled_call_opens_no_reply() {
    let mut chat = Chat::answering(2);
    chat.deny("a1");
    chat.more(|reply| reply.output("c2").text("Done.").finish());
    chat.end(StreamEnd::Finished);
    send(&mut chat);
    chat.take_events();
    chat.more(|reply| reply.denied("c1").output("c2"));
    assert_eq!((chat.state("c1"), chat.machine.status()), ("output-denied", Status::Idle));
    assert_eq!(chat.anomalies(), [Code::AlreadySettled]);
    assert_eq!(chat.user("m2"), toolgate::machine::Sent::Sent);
}
