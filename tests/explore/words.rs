//! What a person reads: inputs, states and counterexamples.

use crate::inputs::{Event, Input, Whose};
use crate::rules::Broken;
use crate::scene::{Scene, number_of};
use crate::world::World;
use std::fmt::{Display, Formatter, Result, Write};
use toolgate::machine::{Id, Item, StreamEnd, ToolPart};

/// The letter of a call: A, B and C of the first step come before those of the second.
pub fn letter(id: Id) -> String {
    number_of(id).map_or_else(|| "a call without a name".to_owned(), |number| format!("call {}", name(number)))
}

fn name(number: usize) -> char {
    char::from(b'A' + number as u8)
}

impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let word = |yes: bool, one: &'static str, other: &'static str| if yes { one } else { other };
        match *self {
            Input::Tell(event, Whose::Awaited) => write!(f, "the backend {event}"),
            Input::Tell(event, whose) => write!(f, "{whose} {event}"),
            Input::Again => write!(f, "the backend tells the next event of the cut reply again"),
            Input::End(how, Whose::Awaited) => write!(f, "the stream ends: {}", ending(how)),
            Input::End(how, whose) => write!(f, "{whose} ends its stream: {}", ending(how)),
            Input::Claim => write!(f, "the host claims the request, and sends it"),
            Input::Fail => write!(f, "the host says that the request failed"),
            Input::Answer(n, true) => write!(f, "answer {} of those in flight arrives", n + 1),
            Input::Answer(n, false) => write!(f, "answer {} of those in flight could not be sent", n + 1),
            Input::Reload => write!(f, "the page is reloaded from its snapshot"),
            Input::Respond(c, approved) => {
                write!(f, "the user {} approval {}", word(approved, "grants", "denies"), name(c))
            }
            Input::RespondAll(approved) => write!(f, "the user {} all approvals", word(approved, "grants", "denies")),
            Input::Message => write!(f, "the user sends a message"),
            Input::Replace => write!(f, "the user writes the first message anew"),
            Input::Regenerate => write!(f, "the user wants the last answer once more"),
            Input::Cancel => write!(f, "the user cancels"),
            Input::Stop => write!(f, "the user stops"),
            Input::Expire => write!(f, "nobody answers in time"),
            Input::Resume => write!(f, "the user goes on (resume)"),
            Input::Retry(0) => write!(f, "the user retries the undelivered request"),
            Input::Retry(_) => write!(f, "the user retries the other undelivered request"),
            Input::Browser(c, failed) => {
                write!(f, "call {} {} in the browser", name(c), word(failed, "fails", "has run"))
            }
        }
    }
}

impl Display for Whose {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Whose::Awaited => "the request",
            Whose::Older => "an older request",
            Whose::EarlierAttempt => "an earlier attempt of the request",
        })
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        use Event as E;
        let (words, call) = match *self {
            E::Begin => ("begins its message", None),
            E::BeginNew => ("begins a message that is new", None),
            E::BeginUnnamed => ("begins a message without an id", None),
            E::Step => ("begins a step", None),
            E::Reset => ("takes its step back", None),
            E::StepDone => ("is through with its step", None),
            E::Text => ("sends text", None),
            E::Finish => ("says that its reply ends well", None),
            E::Failure => ("says that its reply fails", None),
            E::Start(c) => ("begins the input of call", Some(c)),
            E::Name(c) => ("names call", Some(c)),
            E::Rename(c) => ("gives another input to call", Some(c)),
            E::Retool(c) => ("gives another tool to call", Some(c)),
            E::Unusable(c) => ("finds the input unusable of call", Some(c)),
            E::Ask(c) => ("asks for approval", Some(c)),
            E::AskAgain(c) => ("asks under a second approval id about call", Some(c)),
            E::AskForeign(c) => ("asks under another call's approval id about call", Some(c)),
            E::Automatic(c) => ("announces an automatic approval for call", Some(c)),
            E::Decides(c, true) => ("itself grants approval", Some(c)),
            E::Decides(c, false) => ("itself denies approval", Some(c)),
            E::Preliminary(c) => ("gives a preliminary output of call", Some(c)),
            E::Output(c) => ("gives the output of call", Some(c)),
            E::Error(c) => ("reports the failure of call", Some(c)),
            E::Denied(c) => ("reports as denied call", Some(c)),
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

/// A state: each call, each request, and what the chat does.
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
                    let _ = writeln!(text, "     {}", of_call(part));
                }
            }
        }
    }
    for item in machine.items() {
        let _ = writeln!(text, "   {}", of_item(item));
    }
    let queued = machine.queued().count();
    if queued > 0 {
        let _ = writeln!(text, "   {queued} of the user's messages wait in the queue");
    }
    let held = if machine.is_holding() { "; decisions are held" } else { "" };
    let left = if machine.is_leaving_denials() { "; denials wait for the next message" } else { "" };
    let turn = machine.turn_status().as_str();
    let _ = write!(text, "   the chat is {}, its turn {turn}{held}{left}", machine.status().as_str());
    text
}

fn of_call(part: &ToolPart) -> String {
    let mut text = format!("{}: {} ({:?})", letter(part.call), part.phase.state(), part.phase);
    if let Some(decision) = part.decision() {
        let _ = write!(text, ", {} by {:?}", if decision.approved { "granted" } else { "denied" }, decision.by);
    }
    if let Some(outcome) = &part.outcome {
        let run = if outcome.may_have_run { ", may have run" } else { "" };
        let _ = write!(text, ", {}{run}", outcome.kind.as_str());
    }
    if let Some(delivery) = part.delivery {
        let _ = write!(text, ", decision {}", delivery.as_str());
    }
    if part.output.is_some() {
        let _ = write!(text, ", has a result (value {})", part.output.0);
    }
    text
}

fn of_item(item: &Item) -> String {
    let carried = |ids: &[Id]| ids.iter().filter_map(|&id| number_of(id)).map(name).collect::<String>();
    let mut text = format!("request {} ({:?}): {}", item.id, item.trigger, item.state.as_str());
    if item.stalled {
        text.push_str(", stalled");
    }
    if item.ended {
        text.push_str(", its reply has ended");
    }
    let _ = write!(text, ", attempt {}", item.attempt);
    if !item.calls.is_empty() {
        let _ = write!(text, ", about {}", carried(&item.calls));
    }
    if !item.messages.is_empty() {
        let _ = write!(text, ", with {} of the user's messages", item.messages.len());
    }
    text
}

/// A broken invariant, and the shortest way to it.
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
