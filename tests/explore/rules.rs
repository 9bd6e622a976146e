//! The invariants that concern a single state of the machine.
//!
//! The numbers are those of the list in docs/how-it-works.md, "Invariants". Those that compare two states are in
//! steps.rs, 10 in reload.rs, 14 in waits.rs and way_out.rs, 15 in view.rs, and those that need a codec (3, 13, and 8
//! after a load) in wire.rs.

use crate::scene::Scene;
use crate::tape::exact;
use crate::words::letter;
use crate::world::{World, parts};
use toolgate::machine::{
    ApprovalOwner, CallKey, Code, DeliveryState, Ending, Item, ItemState, Kind, LastReply, Machine, OutcomeKind,
    Payload, Phase, Respond, RespondOutcome, ToolPart,
};

/// A broken invariant, and the evidence.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The number of the invariant.
    pub invariant: u8,
    /// What is wrong, in words.
    pub what: String,
}

/// The result of a check.
pub type Holds = Result<(), Broken>;

/// `Ok` if `holds` is true; otherwise the failure that `what` describes.
pub fn holds(invariant: u8, holds: bool, what: impl FnOnce() -> String) -> Holds {
    if holds { Ok(()) } else { Err(Broken { invariant, what: what() }) }
}

/// Checks one state.
pub fn check(world: &World, scene: &Scene) -> Holds {
    shapes(&world.machine)?;
    places(&world.machine)?;
    deliveries(&world.machine)?;
    barrier(&world.machine)?;
    requests(&world.machine)?;
    memory(&world.machine)?;
    answers(world, scene)
}

/// 2, 8: only a settled call has an outcome, and a denied call has no output. 6: open calls have different approvals.
/// 9: every message occurs once.
fn shapes(machine: &Machine) -> Holds {
    let mut approvals = 0u64;
    let once = |set: &mut u64, id: u32| {
        let first = *set >> id & 1 == 0;
        *set |= 1 << id;
        first
    };
    for part in parts(machine) {
        let c = || letter(part.call);
        let open = part.approval.as_ref().filter(|_| !part.phase().is_settled());
        if let Some(approval) = open {
            holds(6, once(&mut approvals, approval.id.place()), || {
                format!("another open call also has the approval of {}", c())
            })?;
        }
        let settled = part.phase().is_settled() == part.outcome().is_some();
        holds(8, settled, || format!("{} is {:?}, and its outcome is {:?}", c(), part.phase(), part.outcome()))?;
        let refused = matches!(part.phase(), Phase::Denied | Phase::OutputDenied);
        let mute = !refused || !part.output.is_some() && !part.has_unsent_output();
        holds(2, mute, || format!("{} is denied and has an output", c()))?;
        let denied = !refused || part.decision().is_some_and(|decision| !decision.approved);
        holds(2, denied, || format!("{} is denied, and its approval is not a denial", c()))?;
        let Some(outcome) = part.outcome() else { continue };
        use OutcomeKind::{Cancelled, Denied, Executed, Expired, Failed, Interrupted, Skipped};
        let fits = match outcome.kind {
            Executed => part.phase() == Phase::OutputAvailable,
            Failed | Cancelled | Interrupted => part.phase() == Phase::OutputError,
            Denied | Skipped | Expired => refused,
        };
        let open = matches!(outcome.kind, Cancelled | Interrupted);
        let fits = fits && (open || !outcome.may_have_run);
        holds(8, fits, || format!("{} is {:?} with the outcome {outcome:?}", c(), part.phase()))?;
    }
    let messages = machine.transcript().messages();
    let mut seen = 0;
    let queued = machine.queue().messages().iter().map(|queued| &queued.message);
    for message in messages.iter().chain(queued) {
        holds(9, once(&mut seen, message.id.place()), || "a message occurs twice".to_owned())?;
    }
    Ok(())
}

/// 6: only calls of the last step, or of the turn of an answering backend, can be decided, and by their own approval.
fn places(machine: &Machine) -> Holds {
    let transcript = machine.transcript();
    let messages = transcript.messages();
    let mut asked = 0;
    for (index, message) in messages.iter().enumerate() {
        for (place, part) in message.parts.iter().enumerate() {
            let Some(part) = part.tool() else { continue };
            let at = transcript.place(part.key());
            let found = at.is_some_and(|at| (at.message, at.part) == (index, place));
            holds(9, found, || format!("{} is not at its indexed position", letter(part.call)))?;
            asked += u32::from(part.is_pending());
            holds(17, !part.is_pending() || part.input_complete, || {
                format!("{} is pending with an unfinished input", letter(part.call))
            })?;
            if !matches!(part.phase(), Phase::RequestWaits | Phase::ApprovalRequested | Phase::Approved) {
                continue;
            }
            // Nothing that an answering backend adds later closes its requests.
            let in_turn = machine.options().answering && transcript.is_in_turn(index);
            let last = in_turn || index + 1 == messages.len() && place >= message.last_step();
            holds(6, last, || format!("{} is {:?}, and later content follows it", letter(part.call), part.phase()))?;
            let own = part.approval.as_ref().and_then(|approval| transcript.approval(approval.id));
            let own = own == Some(ApprovalOwner::Call(part.key()));
            holds(6, own, || {
                format!("{} is {:?} with an approval that is superseded", letter(part.call), part.phase())
            })?;
        }
    }
    let counted = machine.counts().0 == asked && machine.pending().count() == asked as usize;
    holds(14, counted, || format!("{asked} approvals are pending, but the machine counts {}", machine.counts().0))
}

/// 1: at most one submission is active, and the delivery state of a decision matches its item.
fn deliveries(machine: &Machine) -> Holds {
    let outbox = machine.outbox();
    let active = outbox.items().iter().filter(|item| item.is_active()).count();
    holds(1, active <= 1, || format!("{active} submissions are active at once"))?;
    let counted = outbox.is_counted_right() && machine.transcript().is_counted_right();
    holds(14, counted, || "a stored count differs from the number of counted entries".to_owned())?;
    for part in parts(machine) {
        let Some(delivery) = machine.delivery(part) else { continue };
        let decided = part.approval.as_ref().filter(|approval| approval.decision.is_some() || part.is_closed());
        let Some(decided) = decided else {
            return holds(1, false, || format!("{} is {delivery:?} but not decided", letter(part.call)));
        };
        if matches!(delivery, DeliveryState::Held | DeliveryState::Acknowledged) {
            continue;
        }
        let carries = |item: &Item| {
            let carried = item.carries(part.key()).and_then(|carried| carried.approval);
            item.state().delivery() == delivery && carried == Some(decided.id)
        };
        let carried = outbox.items().iter().any(carries);
        holds(1, carried, || {
            format!("the decision on {} is {delivery:?}, but no item contains it", letter(part.call))
        })?;
    }
    for item in outbox.items() {
        let denied = |part: &ToolPart| matches!(part.phase(), Phase::Denied | Phase::OutputDenied);
        let mut outputs = item.carried.iter().filter(|carried| carried.output);
        let gives = outputs.any(|carried| machine.transcript().call(carried.call).is_some_and(denied));
        holds(2, !gives, || "a request contains an output of a denied call".to_owned())?;
    }
    Ok(())
}

fn is_unsent(delivery: DeliveryState) -> bool {
    matches!(delivery, DeliveryState::Held | DeliveryState::Ready | DeliveryState::Failed)
}

/// 20: no request of an answering backend is answered twice, and one that its call does not have any more is answered,
/// unless the backend has settled the call or withdrawn its request.
fn requests(machine: &Machine) -> Holds {
    if !machine.options().answering {
        return Ok(());
    }
    let answers = machine.outbox().items().iter().filter(|item| item.kind == Kind::Answer);
    // A call may have the approval id of an earlier one. That is another request.
    let requests = answers.flat_map(|item| &item.carried).filter_map(|one| Some((one.approval?.place(), one.call)));
    let mut answered: Vec<(u32, CallKey)> = requests.collect();
    answered.sort_unstable();
    holds(20, answered.windows(2).all(|two| two[0] != two[1]), || "a request is answered twice".to_owned())?;
    for (approval, owner) in machine.transcript().approvals() {
        let ApprovalOwner::Superseded(key) = owner else { continue };
        let closed = machine.transcript().call(key).is_some_and(|part| {
            let ran = part.phase().is_settled() && !part.is_closed();
            // The answer is held, after the user stopped.
            let held = part.approval_id() == Some(approval) && machine.delivery(part).is_some();
            ran || held || part.approval.as_ref().is_none_or(|approval| approval.automatic)
        });
        let is_answered = answered.iter().any(|&(answered, _)| answered == approval.place());
        holds(20, closed || is_answered, || "a request that its call does not have is not answered".to_owned())?;
    }
    Ok(())
}

fn is_on_its_way(item: &Item) -> bool {
    matches!(item.state(), ItemState::Ready | ItemState::InFlight)
}

/// 1, 7, 9, 14: an automatic request contains a decision or an output, no message overtakes an answer, and a step is
/// sent only when it is complete.
fn barrier(machine: &Machine) -> Holds {
    for item in machine.outgoing().filter(|item| item.kind == Kind::Answer && item.attempt == 1) {
        let part = item.carried.first().and_then(|carried| machine.transcript().call(carried.call));
        let own = |part: &ToolPart| {
            let asked = part.approval.as_ref().map(|asked| asked.id);
            item.approvals().all(|id| Some(id) == asked)
        };
        let said = |part: &ToolPart| part.decision().is_some() || part.is_closed();
        let decides = item.approvals().next().is_some();
        // A request that the call does not show is refused, or answered with the one that the call shows.
        let sent = |part: &ToolPart| matches!(machine.delivery(part), Some(delivery) if !is_unsent(delivery));
        let fits = match item.tool {
            Some(_) => part.is_none_or(|part| said(part) && sent(part)),
            None => part.is_some_and(|part| !decides || own(part) && said(part)),
        };
        holds(1, fits && item.carried.len() == 1, || {
            "an answer is listed that has an undecided approval, or not exactly one call".to_owned()
        })?;
    }
    let Some(item) = machine.outgoing().find(|item| !item.is_aside()) else { return Ok(()) };
    let mut items = machine.outbox().items().iter();
    // A refusal is no decision of the user, and may come after the message.
    let decides = |item: &Item| item.carried.iter().any(|one| machine.transcript().call(one.call).is_some());
    let overtakes = item.attempt == 1 && items.any(|item| item.is_aside() && decides(item) && is_on_its_way(item));
    holds(9, !overtakes, || "a message is sent before an answer".to_owned())?;
    let mixes = machine.options().answers_first && !item.messages.is_empty() && !item.carried.is_empty();
    holds(14, !mixes, || "a request has answers and a message, and its backend accepts only one of them".to_owned())?;
    if item.attempt > 1 || !item.messages.is_empty() || item.kind == Kind::Regenerate {
        return Ok(());
    }
    holds(7, !machine.is_stalled(), || "something is sent from a stalled chat".to_owned())?;
    let at_limit = |last: &LastReply| last.ending == Ending::StepLimit && last.message.is_some();
    let continues = machine.turn().last_reply().is_some_and(at_limit);
    holds(7, continues || !item.carried.is_empty(), || "an empty submission is listed".to_owned())?;
    for carried in item.carried.iter().filter(|carried| carried.approval.is_some()) {
        let part = machine.transcript().call(carried.call);
        let own = part.is_some_and(|part| part.approval.as_ref().map(|asked| asked.id) == carried.approval);
        let decided = part.is_some_and(|part| part.decision().is_some() || part.is_closed());
        holds(1, own && decided, || "a submission contains an undecided approval".to_owned())?;
    }
    let last = machine.transcript().last();
    let step = last.map_or(&[][..], |last| &last.parts[last.last_step()..]);
    for part in step.iter().filter_map(|part| part.tool()) {
        let open = match part.phase() {
            // After a reply that broke off, calls that only its stream could settle are written as closed.
            Phase::InputStreaming | Phase::RequestWaits | Phase::AutomaticRequest => !machine.is_abandoned(part.key()),
            Phase::InputAvailable | Phase::Preliminary => !part.provider_executed && !machine.is_abandoned(part.key()),
            Phase::ApprovalRequested => true,
            Phase::Approved => machine.options().is_page_tool(part),
            _ => false,
        };
        holds(14, !open, || format!("the step is sent, and {} is {:?}", letter(part.call), part.phase()))?;
    }
    Ok(())
}

/// 16: stored approvals and requests belong to calls and messages that exist.
fn memory(machine: &Machine) -> Holds {
    for (_, owner) in machine.transcript().approvals() {
        let there = machine.transcript().call(owner.key()).is_some();
        holds(16, there, || "an approval of a removed call is remembered".to_owned())?;
    }
    let message = |id| {
        let known = machine.transcript().position(id).is_some();
        known || machine.queue().has(id)
    };
    for item in machine.outbox().items().iter().filter(|item| item.state() == ItemState::Ready) {
        let there = item.messages.iter().all(|&id| message(id));
        holds(16, there, || "a request is ready whose message was removed".to_owned())?;
        let there = item.attempt > 1
            || item.tool.is_some()
            || item.carried.iter().all(|one| machine.transcript().call(one.call).is_some());
        holds(16, there, || "a request is ready whose call was removed".to_owned())?;
    }
    Ok(())
}

/// 1, 2, 4, 6: inputs that must be refused are refused and change nothing: other decisions, decisions on an outdated
/// input or a superseded approval, outputs of calls that are pending or settled, and claims of unlisted items.
fn answers(world: &World, scene: &Scene) -> Holds {
    let machine = &world.machine;
    let mut probed = machine.clone();
    let before = exact(machine);
    let mut asked = |what: &str, invariant: u8, fits: &mut dyn FnMut(&mut Machine) -> bool| -> Holds {
        let answer = fits(&mut probed);
        holds(invariant, answer, || format!("{what}: the result differs from the expected one"))?;
        holds(invariant, exact(&probed) == before, || format!("{what}: the refused input changes something"))
    };
    let answer = |approval, approved, reason, as_shown| Respond { approval, approved, reason, as_shown, edited: None };
    for (approval, owner) in machine.transcript().approvals() {
        let Some(part) = machine.transcript().call(owner.key()) else { continue };
        let name = letter(part.call);
        for approved in [true, false] {
            let word = if approved { "approving" } else { "denying" };
            if matches!(owner, ApprovalOwner::Superseded(_)) {
                asked(&format!("{word} {name}, whose approval is superseded"), 6, &mut |machine| {
                    let answer = machine.respond(answer(approval, approved, Payload::NONE, Some(true)));
                    answer.is_err_and(|refusal| refusal.code == Code::Superseded)
                })?;
            } else if part.phase() == Phase::RequestWaits {
                asked(&format!("{word} {name}, whose input still arrives"), 17, &mut |machine| {
                    let answer = machine.respond(answer(approval, approved, Payload::NONE, None));
                    answer.is_err_and(|refusal| refusal.code == Code::Busy)
                })?;
            } else if part.is_pending() {
                let reused = part.approval.as_ref().is_some_and(|approval| approval.reused_id);
                asked(&format!("{word} {name} with an input that it no longer has"), 6, &mut |machine| {
                    let answer = machine.respond(answer(approval, approved, Payload::NONE, Some(false)));
                    answer.is_err_and(|refusal| refusal.code == Code::StaleInput)
                })?;
                if reused {
                    asked(&format!("{word} {name} with a reused id, without naming the input"), 6, &mut |machine| {
                        let answer = machine.respond(answer(approval, approved, Payload::NONE, None));
                        answer.is_err_and(|refusal| refusal.code == Code::StaleInput)
                    })?;
                }
            } else if let Some(decision) = part.decision() {
                let same = decision.approved == approved;
                asked(&format!("{word} {name} again"), 1, &mut |machine| match machine.respond(answer(
                    approval,
                    approved,
                    scene.reason,
                    Some(true),
                )) {
                    Ok(answer) => same && answer == RespondOutcome::Duplicate,
                    Err(refusal) => !same && refusal.code == Code::AlreadyDecided,
                })?;
            }
        }
    }
    for part in parts(machine) {
        // An output belongs to the newest open call with its id or, if none is open, to the newest call with its id.
        let mut named = machine.transcript().calls_named(part.call);
        let closed = |(_, part): (_, &ToolPart)| {
            part.is_pending() || part.phase() == Phase::RequestWaits || part.phase().is_settled()
        };
        if named.next().map(|(_, newest)| newest.key()) == Some(part.key()) && closed(((), part)) {
            let open = |(at, older): (toolgate::machine::PartPos, &ToolPart)| {
                machine.transcript().is_in_turn(at.message) && !older.phase().is_settled()
            };
            if machine.transcript().calls_named(part.call).any(|one| open(one) && !one.1.is_pending()) {
                continue;
            }
            let invariant = if part.phase() == Phase::Denied { 2 } else { 4 };
            asked(&format!("an output of the page for {}", letter(part.call)), invariant, &mut |machine| {
                machine.add_output(part.call, scene.other_output, false).is_err()
            })?;
        }
    }
    let listed = |id: u32| machine.outgoing().any(|listed| listed.id == id);
    for item in machine.outbox().items().iter().filter(|item| !listed(item.id)) {
        asked("claiming a request that is not listed", 1, &mut |machine| !machine.claim(item.id))?;
    }
    for part in parts(machine).filter(|part| machine.transcript().approval(part.call).is_none()) {
        asked("deciding with a call's id in place of an approval's", 6, &mut |machine| {
            machine.respond(answer(part.call, true, Payload::NONE, Some(true))).is_err()
        })?;
    }
    Ok(())
}
