//! Damaged and forged snapshots are refused, or cause no harm.

use crate::chat::Chat;
use crate::stored_histories::{assistant, ran, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{About, Kind, Message, Part, Payload, Phase, Role, Sent, StreamEnd};

#[test]
fn a_damaged_snapshot_is_refused_as_a_whole() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.deny("a2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.user("m2");
    let saved = chat.saved_lists();
    let with = |numbers: &Json| [numbers.clone(), saved[1].clone(), saved[2].clone()];
    let restores = |numbers: &Json| chat.revived(&with(numbers)).is_some();
    assert!(restores(&saved[0]));
    let numbers = saved[0].as_array().unwrap();
    for end in 0..numbers.len() {
        assert!(!restores(&json!(numbers[..end])), "cut at {end}");
    }
    let mut longer = numbers.clone();
    longer.push(json!(0));
    assert!(!restores(&json!(longer)));
    assert!(chat.revived(&[saved[0].clone(), json!([]), saved[2].clone()]).is_none());
    assert!(chat.revived(&[saved[0].clone(), saved[1].clone(), json!([])]).is_none());
    for wrong in [json!(-1), json!(0.5), json!(1e300), json!("1"), json!(null)] {
        let believed = (0..numbers.len()).filter(|&place| {
            let mut damaged = numbers.clone();
            damaged[place] = wrong.clone();
            restores(&json!(damaged))
        });
        assert_eq!(believed.count(), 0, "{wrong}");
    }
}

#[test]
fn a_forged_snapshot_does_no_harm() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.deny("a2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.user("m2");
    let saved = chat.saved_lists();
    let numbers = saved[0].as_array().unwrap();
    for wrong in [0u32, 1, 2, 3, 255, 256, u32::MAX] {
        for place in 0..numbers.len() {
            let mut forged = numbers.clone();
            forged[place] = json!(wrong);
            let forged = [json!(forged), saved[1].clone(), saved[2].clone()];
            let Some(mut machine) = chat.revived(&forged) else { continue };
            machine.cancel(Payload::NONE);
            let listed: Vec<u32> = machine.outgoing().map(|item| item.id).collect();
            listed.iter().for_each(|&item| assert!(machine.claim(item)));
            machine.stream_ended(StreamEnd::Disconnected, About::default());
            machine.respond_all(&[], true, Payload::NONE);
            let message = Message::new(chat.store.make("m3"), Role::User);
            assert!(machine.send_user_message(message, None).is_ok());
        }
    }
}

#[test]
fn a_snapshot_with_an_output_of_a_pending_call_is_refused() {
    let chat = Chat::asking(1);
    let saved = chat.saved_lists();
    let (numbers, values) = (saved[0].as_array().unwrap(), saved[2].as_array().unwrap());
    let mut refused = 0;
    for place in 0..numbers.len() {
        let mut forged = numbers.clone();
        forged[place] = json!(values.len());
        let Some(mut revived) = chat.revived_chat(&[json!(forged), saved[1].clone(), saved[2].clone()]) else {
            refused += 1;
            continue;
        };
        revived.machine.respond_all(&[revived.store.make("a1")], false, Payload::NONE);
        assert_eq!(revived.restored_unseen().saved(), revived.restored_unseen().restored_unseen().saved(), "{place}");
    }
    assert!(refused > 0);
}

#[test]
fn a_snapshot_with_a_counter_that_is_too_large_is_refused() {
    let chat = Chat::default();
    let [numbers, ids, values] = chat.saved_lists();
    let restores = |count: u32| {
        let mut numbers = numbers.clone();
        // The counter of the calls created so far.
        numbers[1] = json!(count);
        chat.revived(&[numbers, ids.clone(), values.clone()]).is_some()
    };
    assert!(restores(5) && !restores((1 << 30) - 1));
}

#[test]
fn a_snapshot_whose_last_reply_names_a_missing_message_is_refused() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.end(StreamEnd::Disconnected);
    let [numbers, ids, values] = chat.saved_lists();
    // The message's index. The reply's base, its ending, two flags and the remembered decisions follow it.
    let place = numbers.as_array().unwrap().len() - 7;
    assert_eq!((numbers[place].as_f64(), chat.machine.transcript().messages().len()), (Some(1.0), 2));
    let restores = |message: u32| {
        let mut numbers = numbers.clone();
        numbers[place] = json!(message);
        chat.revived(&[numbers, ids.clone(), values.clone()]).is_some()
    };
    assert!(restores(1) && !restores(2));
}

/// Chats from snapshots in which one number at a time is replaced by one of the values, with a valid checksum.
fn forged(chat: &Chat, values: std::ops::Range<usize>) -> impl Iterator<Item = Chat> {
    let [numbers, ids, kept] = chat.saved_lists();
    let places = numbers.as_array().unwrap().len();
    let all = (0..places).flat_map(move |place| values.clone().map(move |value| (place, value)));
    all.filter_map(move |(place, value)| {
        let mut forged = numbers.clone();
        forged[place] = json!(value);
        chat.revived_chat(&[forged, ids.clone(), kept.clone()])
    })
}

#[test]
fn a_snapshot_in_which_a_reply_writes_to_the_users_message_is_refused() {
    let mut chat = Chat::asking(1);
    chat.user("m2");
    chat.claim();
    chat.more(|reply| reply.start("r2").text("Well"));
    for revived in forged(&chat, 0..5) {
        let machine = &revived.machine;
        let last = machine.turn().last_reply().and_then(|last| last.message);
        for message in [last, machine.current_message()].into_iter().flatten() {
            assert_eq!(machine.transcript().messages()[message].role, Role::Assistant);
        }
        // Saving and restoring the chat again loses no message.
        let users = machine.transcript().messages().iter().filter(|message| message.role == Role::User).count();
        assert_eq!(
            revived.restored_unseen().machine.transcript().messages().len(),
            machine.transcript().messages().len()
        );
        assert!(users > 0);
    }
}

#[test]
fn a_snapshot_in_which_a_queued_message_has_a_call_is_refused() {
    let with = |parts: &[Json]| {
        let mut chat = Chat::default();
        chat.load(json!([assistant("r1", parts)]));
        chat.more(|reply| reply.start("r2").text("Well"));
        assert_eq!(chat.user("m1"), Sent::Queued);
        chat.saved_lists()
    };
    let [numbers, ids, values] = with(&[ran("c1")]);
    let numbers = numbers.as_array().unwrap();
    // The call follows the number of messages, four numbers of the first message, and a step boundary.
    let length = with(&[ran("c1"), ran("c2")])[0].as_array().unwrap().len() - numbers.len();
    let call = numbers[6..6 + length].to_vec();
    // The value of the queued text is the last one.
    let last = values.as_array().unwrap().len() as f64;
    let value = numbers.iter().rposition(|number| number.as_f64() == Some(last)).unwrap();
    let restores = |part: &[Json]| {
        let mut numbers = numbers.clone();
        numbers.splice(value - 1..=value, part.iter().cloned());
        Chat::default().revived(&[json!(numbers), ids.clone(), values.clone()]).is_some()
    };
    assert!(restores(&numbers[value - 1..=value]) && !restores(&call));
}

#[test]
fn a_snapshot_in_which_a_ready_message_has_a_call_or_is_not_the_last_one_is_refused() {
    let mut chat = Chat::default();
    chat.load(json!([assistant("r1", &[ran("c1")]), user("m1"), assistant("r2", &[ran("c2")])]));
    chat.user("m2");
    let [numbers, ids, values] = chat.saved_lists();
    let mut numbers = numbers.as_array().unwrap().clone();
    // The first message becomes a user message with a call, which a loaded history may contain.
    numbers[2] = json!(1);
    let with_call = chat.revived_chat(&[json!(numbers), ids, values]).unwrap();
    for revived in [&chat, &with_call].into_iter().flat_map(|chat| forged(chat, 0..8)) {
        let machine = &revived.machine;
        let messages = machine.transcript().messages();
        for item in machine.outbox().items().iter().filter(|item| machine.outgoing().any(|ready| ready.id == item.id)) {
            let first = messages.len() - item.messages.len();
            for &id in item.messages.iter().filter(|_| item.attempt == 1) {
                let index = machine.transcript().position(id).unwrap();
                assert!(index >= first, "message {index} is ready, and others follow it");
                assert_eq!(item.kind, Kind::Message, "a user message is in another kind of request");
                let is_content = |part: &Part| matches!(part, Part::Content { .. });
                assert!(messages[index].parts.iter().all(is_content), "a ready message has a call");
            }
        }
    }
}

/// When an item is dropped, its outputs count as unsent again, so their calls must be in states that allow an output.
#[test]
fn a_snapshot_in_which_an_item_has_an_output_of_a_denied_call_is_refused() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    assert!(chat.machine.outgoing().next().is_some());
    let mut accepted = 0;
    for Chat { machine, .. } in forged(&chat, 0..3) {
        accepted += 1;
        let carried = machine.outgoing().flat_map(|item| &item.carried);
        for call in
            carried.filter(|carried| carried.output).filter_map(|carried| machine.transcript().call(carried.call))
        {
            assert!(!matches!(call.phase(), Phase::Denied | Phase::ApprovalRequested), "the output of a denied call");
        }
    }
    assert!(accepted > 0);
}

/// A new call would later get this key, and the item would then contain that call.
#[test]
fn a_snapshot_in_which_an_item_names_a_call_that_does_not_exist_yet_is_refused() {
    let mut chat = Chat::asking(2);
    chat.deny("a1");
    chat.deny("a2");
    let mut named = 0;
    for Chat { machine, .. } in forged(&chat, 0..6) {
        for carried in machine.outgoing().flat_map(|item| &item.carried) {
            named += 1;
            let call = machine.transcript().call(carried.call);
            assert!(call.is_some_and(|call| call.call == carried.id), "{carried:?}");
        }
    }
    assert!(named > 0);
}
