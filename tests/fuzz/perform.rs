//! Performs a step, and checks its effects. Every failed check is a panic.

use crate::chat::Chat;
use crate::history::unsound;
use crate::invariants;
use crate::snapshots::{revive, sound};
use crate::stored_histories::is_whole;
use crate::way_out::{assert_someone_can_act, assert_way_out};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use toolgate::json::Value;
use toolgate::machine::{About, Code, Exchange, Payload, Reconnect, Respond, StreamEnd};
use toolgate::wire::Values;
use toolgate::wire::ai_sdk::{self, Received};

fn about(step: &Json) -> About {
    let number = |place: usize| step[place].as_u64().and_then(|number| u32::try_from(number).ok());
    let reconnect = match step[2].as_str() {
        Some("start") => Some(Reconnect::Start),
        Some("offset") => Some(Reconnect::Offset),
        Some(_) | None => None,
    };
    About { request: number(0), attempt: number(1), reconnect }
}

/// Ignores whether an action was accepted or refused.
fn either<T>(_: Result<T, Code>) {}

/// Performs a step. A step that does not apply is refused or ignored, and every failed check is a panic.
pub fn perform(chat: &mut Chat, step: &Json) {
    let text = |place: usize| step[place].as_str().unwrap_or_default();
    let flag = step[2].as_bool().or(step[1].as_bool()).unwrap_or_default();
    let item = step[1].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
    match text(0) {
        "event" => receive(chat, &step[1], about(&step[2])),
        "end" => {
            let how = end_named(text(1));
            let about = about(&step[2]);
            chat.act(|chat| chat.machine.stream_ended(how, about));
        }
        "respond" => either(chat.respond(text(1), flag, text(3))),
        "respond-all" => drop(chat.respond_all(&["a1", "a2", "a3"], flag)),
        // A host gives each message a new id, so a step with the id of a sent message does nothing.
        "user" if chat.watch.was_sent(text(1)) => {}
        "user" => either(chat.try_user(text(1), step[2].as_str())),
        "regenerate" => either(chat.regenerate(step[1].as_str())),
        "output" => either(chat.page_output(text(1), flag)),
        "claim" => {
            for item in chat.listed() {
                chat.claim_item(item);
            }
        }
        "sent" => either(chat.mark_sent(item)),
        "failed" => either(chat.mark_failed(item)),
        "retry" => chat.undelivered().into_iter().for_each(|item| either(chat.retry(item))),
        "cancel" => chat.cancel(),
        "stop" => chat.stop(),
        "resume" => chat.resume(),
        "restore" if chat.closely => restore(chat),
        "restore" => *chat = chat.restored(),
        "reconnecting" => chat.reconnecting(),
        "way-out" => {
            assert_someone_can_act(chat);
            assert_way_out(chat);
        }
        "judged" => judge(chat),
        "load" => load(chat, &step[1]),
        "repair" => repair(&step[1], flag),
        "revive" => revive(chat, &step[1], &step[2]),
        "read" => read(chat, &step[1], about(&step[2])),
        "unseen" => perform_unseen(chat, &step[1]),
        "looked-at" => look(chat),
        "tick" => chat.tick(chat.clock + u64::from(item)),
        "remember" => chat.remember_until(text(1), flag, step[3].as_u64()),
        "forget" => chat.forget(item),
        "rewrite" => _ = chat.rewrite(text(1), text(2)),
        other => panic!("unknown step {other}"),
    }
}

/// Reads an event, which must not be modified. An event of an unknown type must change nothing.
fn receive(chat: &mut Chat, event: &Json, about: About) {
    let given = Value::from_json(event.clone());
    let before = chat.machine.revision();
    let received = chat.receive_value(given.clone(), about);
    assert!(given.to_json() == *event, "the codec modified the event");
    let foreign = event["type"].as_str().is_some_and(|kind| kind.ends_with("of-tomorrow") || kind == "__proto__");
    assert!(!foreign || received == Received::Unknown, "invariant 11: an unknown event was read: {event}");
    let same = chat.machine.revision() == before;
    assert!(received != Received::Unknown || same, "invariant 11: an unknown event changed something: {event}");
}

/// Checks everything in a chat whose states were not checked after each step: the state, a view that was updated with
/// all changes at once, a follower, a restored chat, and whether each party that the chat waits for can act.
fn judge(chat: &mut Chat) {
    sound(chat);
    chat.look_closely();
    assert_someone_can_act(chat);
    restore(chat);
    chat.look_closely();
}

/// Checks that a restored chat equals the original, that restoring it again changes nothing, and that a follower shows
/// the same chat.
fn restore(chat: &mut Chat) {
    let [shown, follows] = [&*chat, &chat.followed()].map(|chat| as_restored(chat.facts()));
    assert!(shown == follows, "invariant 15: a follower shows another chat: {shown} and {follows}");
    let at_rest = is_at_rest(chat);
    let again = chat.restored();
    let restored = as_restored(again.facts());
    assert!(!at_rest || shown == restored, "invariant 10: the restored chat differs: {shown} and {restored}");
    assert_eq!(again.saved(), again.restored().saved(), "invariant 10: a second restore changes something");
    *chat = again;
}

/// Whether nothing is in flight that a restore would change.
pub fn is_at_rest(chat: &Chat) -> bool {
    *chat.machine.exchange() == Exchange::Idle
        && !chat.machine.outbox().items().iter().any(|item| item.state().is_under_way())
}

/// Performs a step of a chat without checking its state.
pub fn perform_unseen(chat: &mut Chat, step: &Json) {
    let text = |place: usize| step[place].as_str().unwrap_or_default();
    let flag = step[2].as_bool().unwrap_or_default();
    let store = &chat.store;
    let machine = &mut chat.machine;
    match text(0) {
        "event" => read(chat, &step[1], about(&step[2])),
        "end" => {
            let how = end_named(text(1));
            machine.stream_ended(how, about(&step[2]));
        }
        "respond" => {
            let (approval, reason) = (store.make(text(1)), Payload::NONE);
            let answer = Respond { approval, approved: flag, reason, as_shown: Some(true), edited: None };
            _ = machine.respond(answer);
        }
        "output" => {
            let output = store.retain(store.json_value(json!("ran")));
            _ = machine.add_output(store.make(text(1)), output, flag);
        }
        "user" => {
            let message = store.json_value(json!({ "id": text(1), "text": text(1) }));
            let message = ai_sdk::user_message(store, message, store.make(text(1)));
            let replace = step[2].as_str().map(|id| store.make(id));
            _ = machine.send_user_message(message, replace);
        }
        "claim" => {
            let listed: Vec<u32> = machine.outgoing().map(|item| item.id).collect();
            for item in listed {
                machine.claim(item);
            }
        }
        "retry" => {
            let undelivered: Vec<u32> = machine.outbox().undelivered().map(|item| item.id).collect();
            for item in undelivered {
                _ = machine.retry(item);
            }
        }
        "cancel" => machine.cancel(Payload::NONE),
        "stop" => machine.stop(),
        "resume" => machine.resume(),
        "reconnecting" => machine.reconnecting(About::default(), chat.clock),
        other => panic!("unknown step {other}"),
    }
    chat.machine.take_events();
    chat.store.end();
}

/// Reads an event without checking the state after it.
fn read(chat: &mut Chat, event: &Json, about: About) {
    let unnamed = chat.store.make("unnamed");
    let given = Value::from_json(event.clone());
    let before = chat.machine.revision();
    let chunk = chat.store.give(given.clone());
    let received = chat.codec.receive(&mut chat.machine, &chat.store, chunk, about, unnamed, chat.clock);
    assert!(given.to_json() == *event, "the codec modified the event");
    let same = chat.machine.revision() == before;
    assert!(received != Received::Unknown || same, "invariant 11: an unknown event changed something: {event}");
    let begun = chat.machine.current_message().and_then(|at| chat.machine.transcript().messages().get(at));
    if begun.is_some_and(|message| message.id == unnamed) {
        chat.machine.begin(Some(chat.store.new_id()), unnamed);
    }
    chat.machine.take_events();
    chat.store.end();
}

/// Checks a state that was not checked after each step, and that a second restore changes nothing.
fn look(chat: &Chat) {
    sound(chat);
    invariants::check(chat);
    let again = chat.restored_unseen();
    assert_eq!(again.saved(), again.restored_unseen().saved(), "invariant 10: a second restore changes something");
}

/// Loads a history into an empty chat: loading must repair it and send nothing. `whole`: checks all other rules too.
fn repair(history: &Json, whole: bool) {
    let mut alone = Chat::default();
    let given = Value::from_json(history.clone());
    if whole && history.is_array() {
        alone.load_value(given);
        return is_whole(&alone);
    }
    let value = alone.store.give(given.clone());
    let repairs = ai_sdk::load(&mut alone.machine, &alone.store, value, 0);
    assert_eq!(repairs.is_some(), history.is_array(), "only a history that is not an array is refused");
    assert!(given.to_json() == *history, "loading modified the history");
    alone.store.end();
    sound(&alone);
    assert!(alone.listed().is_empty(), "invariant 1: loading sends a request");
    let wrong = unsound(&alone.history(), &BTreeSet::new());
    assert!(wrong.is_none(), "invariant 3: {wrong:?} after loading");
    alone.store.end();
}

/// Loads a history into the chat. Only a value that is not an array may be refused.
fn load(chat: &mut Chat, history: &Json) {
    if chat.closely {
        repair(history, true);
    }
    let is_list = history.is_array();
    assert_eq!(
        chat.try_load(Value::from_json(history.clone())).is_some(),
        is_list,
        "only a history that is not an array is refused"
    );
}

/// Removes data that a snapshot does not contain: the text of an incomplete input, and unknown properties of step
/// boundaries.
fn as_restored(facts: Json) -> Json {
    match facts {
        Json::Array(items) => items.into_iter().map(as_restored).collect(),
        Json::Object(properties) if properties.get("type") == Some(&json!("step-start")) => {
            json!({ "type": "step-start" })
        }
        Json::Object(properties) => {
            let kept = properties.into_iter().filter(|(name, _)| name != "rawInput");
            Json::Object(kept.map(|(name, value)| (name, as_restored(value))).collect())
        }
        plain => plain,
    }
}

/// The end of a stream with this status.
fn end_named(status: &str) -> StreamEnd {
    StreamEnd::ALL.iter().find(|end| end.as_str() == status).copied().unwrap_or(StreamEnd::Finished)
}
