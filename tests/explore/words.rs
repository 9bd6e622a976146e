//! Texts for people: inputs, states and counterexamples.

use crate::inputs::{Copy, Event, Input, Known, Whose};
use crate::rules::Broken;
use crate::scene::{Scene, number_of};
use crate::world::World;
use std::fmt::{Display, Formatter, Result, Write};
use toolgate::machine::{Id, Item, Reconnect, StreamEnd, ToolPart, WaitsOn};

/// The letter of a call's id.
pub fn letter(id: Id) -> String {
    number_of(id).map_or_else(|| "not a call's id".to_owned(), |number| format!("id {}", name(number)))
}

fn name(number: usize) -> char {
    char::from(b'A' + number as u8)
}

impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let word = |yes: bool, one: &'static str, other: &'static str| if yes { one } else { other };
        match *self {
            Input::Tell(event, Whose::Awaited) => write!(f, "the backend {event}"),
            Input::Tell(event, Whose::Lost) => write!(f, "the backend {event}, and the event is lost"),
            Input::Tell(event, whose) => write!(f, "{whose} {event}"),
            Input::Again(copy) => {
                write!(f, "the backend replays the next event of the cut reply")?;
                match copy {
                    Copy::Whole => Ok(()),
                    Copy::Lost => write!(f, ", which is lost"),
                    Copy::Doubled => write!(f, ", which arrives twice"),
                    Copy::Swapped => write!(f, ", and the one after it arrives first"),
                }
            }
            Input::End(how, Whose::Awaited) => write!(f, "the stream ends: {}", ending(how)),
            Input::End(how, whose) => write!(f, "the stream of {whose} ends: {}", ending(how)),
            Input::Claim => write!(f, "the host claims the request, and sends it"),
            Input::Fail => write!(f, "the host reports that the request failed"),
            Input::Answer(n, true) => write!(f, "answer {} of those in flight arrives", n + 1),
            Input::Answer(n, false) => write!(f, "answer {} of those in flight could not be sent", n + 1),
            Input::Reload => write!(f, "the page is reloaded from its snapshot"),
            Input::Load(Known::Shown) => write!(f, "the app loads what the page shows"),
            Input::Load(Known::Asked) => write!(f, "the app loads a history without the decisions"),
            Input::Respond(c, approved) => {
                write!(f, "the user {} approval {}", word(approved, "approves", "denies"), name(c))
            }
            Input::RespondAll(approved) => write!(f, "the user {} all approvals", word(approved, "approves", "denies")),
            Input::Message => write!(f, "the user sends a message"),
            Input::Replace => write!(f, "the user replaces the first message"),
            Input::Regenerate => write!(f, "the user regenerates the last reply"),
            Input::Cancel => write!(f, "the user cancels"),
            Input::Stop => write!(f, "the user stops"),
            Input::Expire => write!(f, "the approvals expire"),
            Input::Resume => write!(f, "the user resumes"),
            Input::Retry(0) => write!(f, "the user retries the undelivered request"),
            Input::Retry(_) => write!(f, "the user retries the other undelivered request"),
            Input::Browser(c, failed) => {
                write!(f, "call {} {} in the page", name(c), word(failed, "fails", "has run"))
            }
            Input::Rewrite(c) => write!(f, "the host rewrites the result of call {}", name(c)),
            Input::Reconnecting => write!(f, "the host starts to reconnect"),
            Input::Reconnect(Reconnect::Start) => write!(f, "the host reconnects to the last stream at its start"),
            Input::Reconnect(Reconnect::Offset) => write!(f, "the host reconnects to the last stream where it was cut"),
            Input::Edit(c) => write!(f, "the user approves call {} with another input", name(c)),
            Input::Remember(c) => write!(f, "the decision on call {} is remembered for its tool", name(c)),
            Input::TimeIsUp => write!(f, "the time limit for reconnecting passes"),
            Input::Unread => write!(f, "the backend has not read a message that passed"),
        }
    }
}

impl Display for Whose {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Whose::Awaited => "the reply to the request",
            Whose::Older => "the reply to an older request",
            Whose::Ready => "the reply to the ready request",
            Whose::EarlierAttempt => "the reply to an earlier attempt of the request",
            Whose::Lost => "the awaited reply",
        })
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        use Event as E;
        let (words, call) = match *self {
            E::Begin => ("begins its message", None),
            E::BeginNew => ("begins a new message", None),
            E::BeginUnnamed => ("begins a message without an id", None),
            E::BeginOld => ("begins a message that is not the last one", None),
            E::Note => ("sends transient data", None),
            E::Data => ("sends data", None),
            E::Step => ("begins a step", None),
            E::Reset => ("resets its step", None),
            E::StepDone => ("finishes its step", None),
            E::Text => ("sends text", None),
            E::Finish => ("announces that its reply ends well", None),
            E::Failure => ("announces that its reply fails", None),
            E::Start(c) => ("begins the input of call", Some(c)),
            E::Name(c) => ("sends call", Some(c)),
            E::Rename(c) => ("gives another input to call", Some(c)),
            E::Update(c) => ("updates the input of call", Some(c)),
            E::Retool(c) => ("gives another tool to call", Some(c)),
            E::Unusable(c) => ("reports an invalid input of call", Some(c)),
            E::Ask(c) => ("requests approval of call", Some(c)),
            E::AskAgain(c) => ("requests approval, with a second approval id, of call", Some(c)),
            E::AskForeign(c) => ("requests approval, with another call's approval id, of call", Some(c)),
            E::Automatic(c) => ("announces an automatic approval for call", Some(c)),
            E::Decides(c, true) => ("itself approves call", Some(c)),
            E::Decides(c, false) => ("itself denies call", Some(c)),
            E::Withdraw(c) => ("withdraws its approval request for call", Some(c)),
            E::Preliminary(c) => ("gives a preliminary output of call", Some(c)),
            E::Output(c) => ("gives the output of call", Some(c)),
            E::Error(c) => ("reports the failure of call", Some(c)),
            E::Denied(c) => ("reports a denial of call", Some(c)),
        };
        f.write_str(words)?;
        call.map_or(Ok(()), |c| write!(f, " {}", name(c)))
    }
}

fn ending(how: StreamEnd) -> &'static str {
    match how {
        StreamEnd::Finished => "finished",
        StreamEnd::Error => "error",
        StreamEnd::Aborted => "aborted",
        StreamEnd::Disconnected => "disconnected",
        StreamEnd::StepLimit => "at the step limit",
    }
}

/// A state: each call, each request, and the status of the chat.
pub fn describe(world: &World) -> String {
    let mut text = String::new();
    let machine = &world.machine;
    for message in machine.transcript().messages() {
        let mut step = 0;
        let _ = writeln!(text, "   message of the {}:", message.role.as_str());
        for part in &message.parts {
            match part {
                toolgate::machine::Part::StepStart => {
                    step += 1;
                    let _ = writeln!(text, "     step {step}");
                }
                toolgate::machine::Part::Content { .. } => text.push_str("     text\n"),
                toolgate::machine::Part::Tool(part) => {
                    let _ = writeln!(text, "     {}", of_call(part, world));
                }
            }
        }
    }
    for item in machine.outbox().items() {
        let _ = writeln!(text, "   {}", of_item(item));
    }
    let queued = machine.queue().messages().len();
    if queued > 0 {
        let _ = writeln!(text, "   {queued} user messages are queued");
    }
    let waiting = machine.waiting();
    let waits: Vec<&str> = WaitsOn::ALL.iter().filter(|&&whom| waiting.on(whom)).map(|whom| whom.as_str()).collect();
    let (status, turn) = (machine.status().as_str(), machine.turn_status().as_str());
    let _ = writeln!(text, "   the chat is {status}, its turn {turn}; it waits for [{}]", waits.join(", "));
    let turn = machine.turn();
    let _ = writeln!(text, "   {:?}; broke off: {}; {:?}", turn.holds(), turn.broke_off(), turn.last_reply());
    let backend = &world.backend;
    let _ = write!(
        text,
        "   {:?}; the stream is open: {}, opened by the host: {}",
        machine.exchange(),
        backend.open,
        backend.hosted
    );
    text
}

fn of_call(part: &ToolPart, world: &World) -> String {
    let slot = world.number(part.key()).map_or('?', name);
    let mut text = format!("{slot} ({}): {} ({:?})", letter(part.call), part.phase().state(), part.phase());
    if let Some(decision) = part.decision() {
        let _ = write!(text, ", {} by {:?}", if decision.approved { "approved" } else { "denied" }, decision.by);
    }
    if let Some(outcome) = part.outcome() {
        let run = if outcome.may_have_run { ", may have run" } else { "" };
        let _ = write!(text, ", {}{run}", outcome.kind.as_str());
    }
    if let Some(delivery) = world.machine.delivery(part) {
        let _ = write!(text, ", decision {}", delivery.as_str());
    }
    if part.output.is_some() {
        let _ = write!(text, ", has a result (value {})", part.output.0);
    }
    text
}

fn of_item(item: &Item) -> String {
    let mut text = format!("request {} ({:?}): {}", item.id, item.kind, item.state().as_str());
    let _ = write!(text, ", attempt {}", item.attempt);
    for carried in &item.carried {
        let what = match (carried.approval.is_some(), carried.cancelled, carried.approved, carried.output) {
            (true, true, _, _) => "cancelled",
            (true, _, true, _) => "approved",
            (true, _, false, _) => "denied",
            (false, _, _, true) => "output",
            (false, _, _, false) => "nothing",
        };
        let _ = write!(text, ", {} (key {}): {what}", letter(carried.id), carried.call.0);
    }
    if !item.messages.is_empty() {
        let _ = write!(text, ", with {} of the user's messages", item.messages.len());
    }
    text
}

/// Describes a broken invariant, and the shortest path to it.
pub fn counterexample(scene: &Scene, path: &[Input], broken: &Broken) -> String {
    let mut text = format!("invariant {}: {}\n", broken.invariant, broken.what);
    let _ = writeln!(text, " by {} inputs (policy: {}):", path.len(), scene.profile.policy);
    let mut world = World::new(scene);
    for (number, &input) in path.iter().enumerate() {
        let _ = writeln!(text, "   {}. {input}", number + 1);
        let price = input.price(&world, scene).unwrap_or_default();
        let last = number + 1 == path.len();
        let mut next = world.clone();
        let applied = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| next.apply(input, scene)));
        if last && applied.is_err() {
            text.push_str(" which panics in this state:\n");
            break;
        }
        next.spent = world.spent.plus(price);
        world = next;
        if last {
            text.push_str(" and then:\n");
        }
    }
    text + &describe(&world)
}
