//! The mean time of an operation of the native machine in a chat with 100, 1,000 or 16,000 such operations, as a
//! Markdown table for `./pkg-scripts/bench`.
//!
//! No test depends on these times. The work of the host (storing values, building the view) is not included, except for
//! data parts: there the codec reads the host's values.

use serde_json::json;
use std::time::{Duration, Instant};
use toolgate::json::{Store, Value};
use toolgate::machine::{
    About, Admission, Brings, CallReport, Id, Input, Machine, Message, OnUserMessage, Opening, Options, Payload,
    Request, Respond, Role, StreamEnd,
};
use toolgate::wire::ai_sdk::AiSdk;

const SIZES: [u32; 3] = [100, 1_000, 16_000];
/// The minimum number of operations in a round, and the number of rounds.
const ACTS: u32 = 20_000;
const ROUNDS: usize = 9;

/// Performs one kind of operation this many times in a new chat, and returns the time.
type Run = fn(u32) -> Duration;

/// Measures every kind, and prints the table.
pub fn measure() {
    let rows: [(&str, Run); 14] = [
        ("an approval of a step, answered", |count| answers(count, false)),
        ("an approval answered and sent, where each answer is sent on its own", |count| answers(count, true)),
        ("a decision remembered for its input", |count| remembers(count, false)),
        ("a request answered by a decision that was remembered for its input", |count| remembers(count, true)),
        ("a call of a step: decided, sent with the others, its result read", releases),
        ("a step with one call: decided, sent, its result read; all steps in one turn", steps),
        ("a data part, new", |count| data_parts(count, false)),
        ("a data part, updated", |count| data_parts(count, true)),
        ("a user's message, claimed and answered", turns),
        ("an answer that fails", |count| failures(count, &|_, _| ())),
        ("an answer that failed, sent again", |count| failures(count, &retry)),
        ("the result of a call whose answer failed", |count| failures(count, &output)),
        ("another request about a call that waits for its answer", joined),
        ("a message that is sent while an approval is pending", passing),
    ];
    println!("| mean time of an operation in the native machine | in 100 | in 1,000 | in 16,000 | growth |");
    println!("|---|---:|---:|---:|---:|");
    // The environment variable `GROWTH` selects the rows whose names contain its text.
    let meant = std::env::var("GROWTH").unwrap_or_default();
    for (name, run) in rows.into_iter().filter(|(name, _)| name.contains(&meant)) {
        let each = SIZES.map(|count| fastest(run, count));
        let growth = each[2] / each[0];
        println!("| {name} | {:.2} µs | {:.2} µs | {:.2} µs | {growth:.1}× |", each[0], each[1], each[2]);
    }
}

/// µs for one operation, in the fastest round, which is the least disturbed by other processes.
fn fastest(run: Run, count: u32) -> f64 {
    let chats = ACTS.div_ceil(count);
    run(count);
    let figures = (0..ROUNDS).map(|_| {
        let time: Duration = (0..chats).map(|_| run(count)).sum();
        time.as_secs_f64() * 1e6 / f64::from(chats * count)
    });
    figures.fold(f64::INFINITY, f64::min)
}

// Ids are numbers, which the host assigns to texts.

const TOOL: Id = Id::at(0);
const FRESH: Id = Id::at(1);

fn call(nth: u32) -> Id {
    Id::at(2 + 4 * nth)
}

fn approval(nth: u32) -> Id {
    Id::at(3 + 4 * nth)
}

fn message(nth: u32) -> Id {
    Id::at(4 + 4 * nth)
}

fn digest(nth: u32) -> Id {
    Id::at(5 + 4 * nth)
}

/// The index of a call's input. The machine does not read the value.
fn input(nth: u32) -> Payload {
    Payload(1 + nth)
}

fn digested(value: Payload) -> Option<Id> {
    value.0.checked_sub(1).map(digest)
}

/// A chat whose first message was sent.
fn asked(answering: bool) -> Machine {
    let mut machine = Machine::new(Options { answering, ..Options::default() });
    send(&mut machine, 0);
    machine
}

fn send(machine: &mut Machine, nth: u32) {
    machine.send_user_message(Message::new(message(nth), Role::User), None).expect("the chat accepts a message");
    claim(machine);
}

fn claim(machine: &mut Machine) -> u32 {
    let item = machine.outgoing().next().map(|item| item.id).expect("a request may be sent");
    assert!(machine.claim(item), "a listed request can be claimed");
    item
}

fn event(machine: &mut Machine) -> Admission {
    machine.admit(About::default(), Brings::Content)
}

/// The backend requests an approval of this call.
fn request(machine: &mut Machine, of: u32, nth: u32) {
    let admission = machine.admit(About::default(), Brings::Report);
    let (approval, envelope) = (approval(nth), Payload::NONE);
    let request =
        Request { approval, envelope, automatic: false, repeat_unsafe: false, is_local: false, expires_at: None };
    machine.request(admission, call(of), &request, 0, &mut digested);
}

/// The backend opens a call and requests its approval.
fn ask(machine: &mut Machine, nth: u32) {
    ask_about(machine, nth, nth);
}

/// Like [`ask`], for a call with the input of the call `of`.
fn ask_about(machine: &mut Machine, nth: u32, of: u32) {
    let admission = event(machine);
    let opening =
        Opening { call: call(nth), name: TOOL, input: Input::InputAvailable, fallback_id: FRESH, same: &mut |_| true };
    machine.open_call(admission, opening, &mut |part| part.input = input(of));
    let envelope = Payload::NONE;
    let approval = approval(nth);
    let request =
        Request { approval, envelope, automatic: false, repeat_unsafe: false, is_local: false, expires_at: None };
    let at = machine.request(admission, call(nth), &request, 0, &mut digested).expect("the approval becomes pending");
    machine.recall(at, 0, &mut digested);
}

fn respond(machine: &mut Machine, nth: u32) {
    let reason = Payload::NONE;
    let answer = Respond { approval: approval(nth), approved: true, reason, as_shown: Some(true), edited: None };
    machine.respond(answer).expect("a pending approval can be decided");
}

fn output(machine: &mut Machine, nth: u32) {
    let admission = event(machine);
    let report = CallReport { call: call(nth), input: Input::Output, same: &mut |_| false };
    machine.report_on(admission, report, &mut |part| part.output = input(nth)).expect("the result is accepted");
}

fn end(machine: &mut Machine) {
    machine.stream_ended(StreamEnd::Finished, About::default());
}

/// Reads the state that a host reads after every operation.
fn look(machine: &mut Machine) {
    std::hint::black_box((machine.take_events(), machine.take_changes(), machine.outgoing().count()));
}

fn timed(act: impl FnOnce()) -> Duration {
    let began = Instant::now();
    act();
    began.elapsed()
}

/// Decides the approvals of one step one by one. The last one stays pending.
fn answers(count: u32, answering: bool) -> Duration {
    let mut machine = asked(answering);
    (0..=count).for_each(|nth| ask(&mut machine, nth));
    if !answering {
        end(&mut machine);
    }
    look(&mut machine);
    timed(|| {
        for nth in 0..count {
            respond(&mut machine, nth);
            if answering {
                let item = claim(&mut machine);
                machine.mark_sent(item).expect("it was claimed");
            }
            look(&mut machine);
        }
    })
}

/// Remembers decisions one by one. With `recalls`, measures instead new requests for the same inputs, which the
/// remembered decisions answer.
fn remembers(count: u32, recalls: bool) -> Duration {
    let mut machine = asked(false);
    (0..count).for_each(|nth| ask(&mut machine, nth));
    look(&mut machine);
    let remembering = timed(|| {
        for nth in 0..count {
            respond(&mut machine, nth);
            machine.remember(approval(nth), true, true, None, 0, &mut digested);
            look(&mut machine);
        }
    });
    if !recalls {
        return remembering;
    }
    end(&mut machine);
    claim(&mut machine);
    (0..count).for_each(|nth| output(&mut machine, nth));
    look(&mut machine);
    timed(|| {
        for nth in 0..count {
            ask_about(&mut machine, count + nth, nth);
            look(&mut machine);
        }
        assert_eq!(machine.pending().count(), 0, "the remembered decision decides the approval");
    })
}

/// A step with this many calls, from the first decision to the last result.
fn releases(count: u32) -> Duration {
    let mut machine = asked(false);
    (0..count).for_each(|nth| ask(&mut machine, nth));
    end(&mut machine);
    look(&mut machine);
    timed(|| {
        for nth in 0..count {
            respond(&mut machine, nth);
            look(&mut machine);
        }
        claim(&mut machine);
        for nth in 0..count {
            output(&mut machine, nth);
            look(&mut machine);
        }
        end(&mut machine);
        look(&mut machine);
    })
}

/// This many steps of one turn, each with a call that requests approval.
fn steps(count: u32) -> Duration {
    let mut machine = asked(false);
    timed(|| {
        for nth in 0..count {
            if event(&mut machine) == Admission::Current {
                machine.step_start(FRESH);
            }
            ask(&mut machine, nth);
            end(&mut machine);
            respond(&mut machine, nth);
            claim(&mut machine);
            output(&mut machine, nth);
            look(&mut machine);
        }
    })
}

/// This many turns, each with one message and one text.
fn turns(count: u32) -> Duration {
    let mut machine = asked(false);
    timed(|| {
        for nth in 1..=count {
            event(&mut machine);
            machine.begin(Some(approval(nth)), FRESH);
            machine.content(0, Payload::NONE, FRESH);
            end(&mut machine);
            send(&mut machine, nth);
            look(&mut machine);
        }
    })
}

fn retry(machine: &mut Machine, nth: u32) {
    // The first item is the user's message.
    machine.retry(nth + 2).expect("the answer failed");
    let item = claim(machine);
    machine.mark_sent(item).expect("it was claimed");
}

/// Answers that cannot be sent. If `then` does something, measures that instead.
fn failures(count: u32, then: &dyn Fn(&mut Machine, u32)) -> Duration {
    let mut machine = asked(true);
    (0..count).for_each(|nth| ask(&mut machine, nth));
    let failing = timed(|| {
        for nth in 0..count {
            respond(&mut machine, nth);
            let item = claim(&mut machine);
            machine.mark_failed(item, Payload::NONE).expect("it was claimed");
            look(&mut machine);
        }
    });
    let after = timed(|| {
        for nth in 0..count {
            then(&mut machine, nth);
            look(&mut machine);
        }
    });
    if machine.outbox().undelivered().next().is_some() { failing } else { after }
}

/// Requests about one call, which the user answers once.
fn joined(count: u32) -> Duration {
    let mut machine = asked(true);
    ask(&mut machine, 0);
    timed(|| {
        for nth in 1..count {
            request(&mut machine, 0, nth);
            look(&mut machine);
        }
        respond(&mut machine, 0);
        while machine.outgoing().next().is_some() {
            let item = claim(&mut machine);
            machine.mark_sent(item).expect("it was claimed");
            look(&mut machine);
        }
    })
}

/// The user writes while the backend waits for an approval.
fn passing(count: u32) -> Duration {
    let passes = OnUserMessage::Pass;
    let mut machine =
        Machine::new(Options { answering: true, takes_messages: true, on_user_message: passes, ..Options::default() });
    send(&mut machine, 0);
    ask(&mut machine, 0);
    timed(|| {
        for nth in 1..=count {
            machine
                .send_user_message(Message::new(message(nth), Role::User), None)
                .expect("the chat accepts a message");
            let item = claim(&mut machine);
            machine.mark_sent(item).expect("it was claimed");
            look(&mut machine);
        }
    })
}

/// The backend sends data parts with ids; with `updates`, it changes them.
fn data_parts(count: u32, updates: bool) -> Duration {
    let (store, mut codec, mut machine) = (Store::default(), AiSdk::default(), Machine::new(Options::default()));
    let fallback_id = store.make("fresh");
    let (user, reply) = (store.make("m1"), store.make("r1"));
    machine.send_user_message(Message::new(user, Role::User), None).expect("the chat accepts a message");
    claim(&mut machine);
    machine.admit(About::default(), Brings::Start(Some(reply)));
    machine.begin(Some(reply), fallback_id);
    let chunks = |value: u32| -> Vec<Value> {
        let chunk = |nth: u32| json!({ "type": "data-weather", "id": format!("d{nth}"), "data": value });
        (0..count).map(|nth| Value::from_json(chunk(nth))).collect()
    };
    let mut read = |chunks: Vec<Value>| {
        for chunk in chunks {
            let chunk = store.give(chunk);
            codec.receive(&mut machine, &store, chunk, About::default(), fallback_id, 0);
            store.end();
            look(&mut machine);
        }
    };
    let (first, second) = (chunks(1), chunks(2));
    let new = timed(|| read(first));
    if updates { timed(|| read(second)) } else { new }
}
