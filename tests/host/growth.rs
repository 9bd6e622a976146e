//! The work for n things that a backend, a history or a user can make many of grows like n log n at most.
//!
//! Work is the number of reads of parts and items, not time.

use serde_json::{Value as Json, json};
use std::ops::Range;
use toolgate::json::{Gate, GateOptions, ReplyTo};
use toolgate::machine::{
    About, Admission, Brings, CallReport, Id, Input, Machine, Message, OnUserMessage, Opening, Options, PartPos,
    Payload, Request, Respond, Role, reads,
};

const NOW: u64 = 1_800_000_000_000;

/// Requires that twice as many things cost hardly more than twice the reads.
fn grows_slowly(act: impl Fn(usize)) {
    let cost = |count| {
        let before = reads();
        act(count);
        reads() - before
    };
    let few = 400;
    let (once, twice) = (cost(few), cost(2 * few));
    assert!(2 * twice < 5 * once, "{once} reads for {few}, {twice} for {}", 2 * few);
}

fn load(history: Json) {
    Gate::new("chat", &GateOptions::default(), NOW).load(&history, NOW).unwrap();
}

fn listed(range: Range<usize>, each: impl Fn(usize) -> Json) -> Json {
    Json::Array(range.map(each).collect())
}

/// A stored call with this id and input.
fn stored(id: &str, input: usize) -> Json {
    json!({ "type": "tool-t", "toolCallId": id, "state": "output-available", "input": { "n": input }, "output": 1 })
}

#[test]
fn copies_of_a_call_in_a_history() {
    grows_slowly(|count| {
        load(json!([{ "id": "m", "role": "assistant", "parts": listed(0..count, |_| stored("c", 0)) }]))
    });
}

#[test]
fn calls_and_data_of_one_step() {
    grows_slowly(|count| {
        let mut gate = Gate::new("chat", &GateOptions::default(), NOW);
        gate.send_user_message(&json!({ "text": "hi" }), None).unwrap();
        let item = gate.outgoing()[0].id;
        gate.claim(item);
        let mut receive = |event: Json| assert!(gate.receive(&event, ReplyTo::default(), NOW), "{event}");
        receive(json!({ "type": "start", "messageId": "m" }));
        receive(json!({ "type": "start-step" }));
        for nth in 0..count {
            let call = format!("c{nth}");
            receive(json!({ "type": "tool-input-start", "toolCallId": call, "toolName": "t" }));
            receive(json!({ "type": "tool-input-available", "toolCallId": call, "toolName": "t", "input": nth }));
            receive(json!({ "type": "data-x", "data": nth }));
        }
    });
}

// The machine itself, as the hosts of other protocols use it.

const FRESH: Id = Id::at(0);

fn id(kind: u32, nth: usize) -> Id {
    Id::at(1 + 4 * u32::try_from(nth).unwrap() + kind)
}

fn answering(options: Options) -> Machine {
    let mut machine = Machine::new(Options { answering: true, ..options });
    write(&mut machine, 0);
    let item = machine.outgoing().next().unwrap().id;
    machine.claim(item);
    machine
}

fn write(machine: &mut Machine, nth: usize) {
    machine.send_user_message(Message::new(id(0, nth), Role::User), None).unwrap();
}

fn ask(machine: &mut Machine, nth: usize) {
    let admission = machine.admit(About::default(), Brings::Content);
    assert_eq!(admission, Admission::Current);
    let call = id(1, nth);
    let opening = Opening { call, name: FRESH, input: Input::InputAvailable, fallback_id: FRESH, same: &mut |_| true };
    machine.open_call(admission, opening, &mut |_| ());
    request(machine, call, id(2, nth)).unwrap();
}

fn request(machine: &mut Machine, call: Id, approval: Id) -> Option<PartPos> {
    let admission = machine.admit(About::default(), Brings::Report);
    let envelope = Payload::NONE;
    let request =
        Request { approval, envelope, automatic: false, repeat_unsafe: false, is_local: false, expires_at: None };
    machine.request(admission, call, &request, 0, &mut |_| None)
}

fn approve(machine: &mut Machine, nth: usize) {
    let (approval, reason) = (id(2, nth), Payload::NONE);
    machine.respond(Respond { approval, approved: true, reason, as_shown: Some(true), edited: None }).unwrap();
}

/// As a host does after each change.
fn look(machine: &mut Machine) {
    machine.outgoing().take(1).count();
    machine.take_changes();
    machine.take_events();
}

#[test]
fn answers_while_offline() {
    grows_slowly(|count| {
        let mut machine = answering(Options::default());
        (0..count).for_each(|nth| ask(&mut machine, nth));
        for nth in 0..count {
            approve(&mut machine, nth);
            look(&mut machine);
        }
        let items: Vec<u32> = machine.outgoing().map(|item| item.id).collect();
        assert_eq!(items.len(), count);
        for item in items {
            machine.claim(item);
            machine.mark_sent(item).unwrap();
            look(&mut machine);
        }
    });
}

/// The host sends everything that is listed.
fn send_all(machine: &mut Machine) {
    loop {
        let Some(item) = machine.outgoing().next().map(|item| item.id) else { return };
        machine.claim(item);
        machine.mark_sent(item).unwrap();
        look(machine);
    }
}

#[test]
fn requests_about_one_call() {
    grows_slowly(|count| {
        let mut machine = answering(Options::default());
        ask(&mut machine, 0);
        for nth in 1..count {
            request(&mut machine, id(1, 0), id(2, nth));
            look(&mut machine);
        }
        approve(&mut machine, 0);
        send_all(&mut machine);
    });
}

#[test]
fn requests_about_a_call_that_was_denied() {
    grows_slowly(|count| {
        let mut machine = answering(Options::default());
        ask(&mut machine, 0);
        let (approval, reason) = (id(2, 0), Payload::NONE);
        machine.respond(Respond { approval, approved: false, reason, as_shown: Some(true), edited: None }).unwrap();
        for nth in 1..count {
            request(&mut machine, id(1, 0), id(2, nth));
            look(&mut machine);
        }
        send_all(&mut machine);
    });
}

#[test]
fn decisions_that_are_remembered() {
    grows_slowly(|count| {
        let mut machine = answering(Options::default());
        for nth in 0..count {
            ask(&mut machine, nth);
            approve(&mut machine, nth);
            machine.remember(id(2, nth), true, false, None, 0, &mut |_| Some(id(3, nth)));
            look(&mut machine);
        }
        send_all(&mut machine);
    });
}

/// Approves this many calls and fails to send each answer.
fn failed_answers(count: usize) -> Machine {
    let mut machine = answering(Options::default());
    for nth in 0..count {
        ask(&mut machine, nth);
        approve(&mut machine, nth);
        let item = machine.outgoing().next().unwrap().id;
        machine.claim(item);
        machine.mark_failed(item, Payload::NONE).unwrap();
        look(&mut machine);
    }
    assert_eq!(machine.outbox().undelivered().count(), count);
    machine
}

#[test]
fn answers_that_failed() {
    grows_slowly(|count| drop(failed_answers(count)));
}

#[test]
fn answers_that_failed_and_are_sent_again() {
    grows_slowly(|count| {
        let mut machine = failed_answers(count);
        for item in machine.awaited_items(toolgate::machine::WaitsOn::Retry) {
            machine.retry(item).unwrap();
            look(&mut machine);
        }
        send_all(&mut machine);
        assert_eq!(machine.outbox().undelivered().count(), 0);
    });
}

#[test]
fn answers_that_failed_whose_calls_settle() {
    grows_slowly(|count| {
        let mut machine = failed_answers(count);
        for nth in 0..count {
            let admission = machine.admit(About::default(), Brings::Report);
            let report = CallReport { call: id(1, nth), input: Input::Output, same: &mut |_| true };
            machine.report_on(admission, report, &mut |_| ()).unwrap();
            look(&mut machine);
        }
        assert_eq!(machine.outbox().undelivered().count(), 0);
    });
}

#[test]
fn messages_that_pass() {
    grows_slowly(|count| {
        let passing = OnUserMessage::Pass;
        let mut machine = answering(Options { on_user_message: passing, takes_messages: true, ..Options::default() });
        ask(&mut machine, 0);
        for nth in 1..count {
            write(&mut machine, nth);
            send_all(&mut machine);
        }
        assert_eq!(machine.queue().messages().len(), count - 1);
    });
}
