//! How a denial ends a turn or a step. The turn stays ended after stops, messages, restores and loads.

use crate::chat::{Chat, NONE};
use crate::on_deny::{asking, deny_only, streaming};
use toolgate::machine::{OnDeny, OutcomeKind, Sent, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

const SKIPPED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Skipped, false));
const DENIED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Denied, false));

#[test]
fn an_ended_turn_stays_ended_while_its_stream_continues() {
    let mut chat = streaming(OnDeny::EndTurn, 1);
    deny_only(&mut chat, "a1");
    chat.more(|reply| reply.step_done().step().ask("c2", "a2").call_of("locate", "c3").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.outcome("c2"), chat.listed()), (SKIPPED, vec![]));
    chat.page_output("c3", false).unwrap();
    assert_eq!(chat.listed(), NONE);
    // A message that the backend sends without a request belongs to the turn.
    chat.more(|reply| reply.start("r9").step().ask("c4", "a4").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.pending().as_str(), chat.listed()), ("", vec![]));
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2");
    chat.reply(|reply| reply.ask("c5", "a5"));
    assert_eq!(chat.pending(), "a5", "the next turn is not skipped");
}

#[test]
fn stop_and_cancel_after_the_end_of_a_turn_send_nothing() {
    let mut chat = asking(OnDeny::EndTurn, 2);
    deny_only(&mut chat, "a1");
    chat.stop();
    chat.resume();
    chat.cancel();
    chat.resume();
    assert_eq!((chat.listed(), chat.outcome("c1"), chat.outcome("c2")), (vec![], DENIED, SKIPPED));
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn regenerating_after_the_end_of_a_turn_sends_a_request() {
    let mut chat = asking(OnDeny::EndTurn, 2);
    deny_only(&mut chat, "a1");
    chat.regenerate(None).unwrap();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "");
    chat.reply(|reply| reply.ask("c3", "a3").ask("c4", "a4"));
    assert_eq!(chat.pending(), "a3 a4");
    chat.approve("a3");
    chat.approve("a4");
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_message_written_during_the_stream_follows_an_ended_turn() {
    let mut chat = streaming(OnDeny::EndTurn, 2);
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.more(|reply| reply.ask("c3", "a3").finish());
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2", "a1 a2 a3"));
}

#[test]
fn a_retry_continues_an_ended_turn() {
    // The submission stalls, and a denial in a later step ends the turn.
    let mut chat = asking(OnDeny::EndTurn, 1);
    chat.approve("a1");
    let item = chat.claim();
    chat.reply(|reply| reply.step_done().step().ask("c2", "a2"));
    deny_only(&mut chat, "a2");
    assert_eq!((chat.rule(), chat.undelivered()), ("end", vec![item]));
    chat.retry(item).unwrap();
    assert_eq!(chat.claim(), item);
    chat.reply(|reply| reply.output("c1").step_done().step().ask("c3", "a3"));
    assert_eq!(chat.pending(), "a3");
}

#[test]
fn a_restored_chat_keeps_the_effect_of_the_policy_at_every_point() {
    for policy in [OnDeny::SkipRest, OnDeny::EndTurn] {
        let straight = story(policy, usize::MAX);
        for point in 0..6 {
            let restored = story(policy, point);
            assert_eq!(restored.ui_messages(Shape::Body), straight.ui_messages(Shape::Body), "{policy:?} at {point}");
            assert_eq!(restored.said(), straight.said());
        }
    }
}

/// A whole turn with a policy and a queued message, with a restore before step `point`.
fn story(policy: OnDeny, point: usize) -> Chat {
    let mut chat = asking(policy, 3);
    let steps: [&dyn Fn(&mut Chat); 6] = [
        &|chat| chat.approve("a1"),
        &|chat| deny_only(chat, "a2"),
        &|chat| {
            let _ = chat.respond("a3", true, "");
        },
        &|chat| {
            if chat.listed().len() == 1 {
                chat.claim();
                chat.reply(|reply| reply.output("c1").denied("c2").denied("c3").text("Done."));
            }
        },
        &|chat| {
            chat.user("m2");
        },
        &|chat| {
            let item = chat.claim();
            assert_eq!(chat.approvals(item), if policy == OnDeny::EndTurn { "a1 a2 a3" } else { "" });
            chat.reply(|reply| reply.text("All right."));
        },
    ];
    for (number, step) in steps.iter().enumerate() {
        if number == point {
            chat = chat.restored();
        }
        step(&mut chat);
    }
    chat
}

#[test]
fn a_restore_during_the_stream_keeps_the_effect_of_the_policy() {
    let mut chat = streaming(OnDeny::EndTurn, 1);
    deny_only(&mut chat, "a1");
    let mut chat = chat.restored();
    assert_eq!(chat.rule(), "end");
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.outcome("c2"), chat.listed()), (SKIPPED, vec![]));
}

#[test]
fn a_loaded_ended_turn_sends_nothing_and_its_denials_are_sent_with_the_next_message() {
    let mut chat = asking(OnDeny::EndTurn, 2);
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    chat.load(chat.ui_messages(Shape::View));
    assert_eq!((chat.outcome("c1"), chat.outcome("c2"), chat.listed()), (SKIPPED, DENIED, vec![]));
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2", "a1 a2"));
}
