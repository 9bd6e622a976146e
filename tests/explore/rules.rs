//! The invariants that one state shows, read off the machine itself.
//!
//! The numbers are those of the README's list, "Invariants". Those that take two states are in steps.rs,
//! 10 in reload.rs, 14 in way_out.rs, and what only a codec can show (3, 13, and 8 after a load) in wire.rs.

use crate::scene::{Scene, call, number_of};
use crate::symmetry::exact;
use crate::words::letter;
use crate::world::{World, numbers, parts};
use toolgate::machine::{
    Answer, Code, DeliveryState, Holder, Item, Machine, OutcomeKind, Payload, Phase, ToolPart, Trigger,
};

/// An invariant that does not hold, and what shows it.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Which one.
    pub invariant: u8,
    /// What is wrong, in words.
    pub what: String,
}

/// Whether something holds.
pub type Holds = Result<(), Broken>;

/// Holds if `holds`; else `what` says what is wrong.
pub fn holds(invariant: u8, holds: bool, what: impl FnOnce() -> String) -> Holds {
    if holds { Ok(()) } else { Err(Broken { invariant, what: what() }) }
}

/// Looks at one state.
pub fn check(world: &World, scene: &Scene) -> Holds {
    shapes(&world.machine)?;
    places(&world.machine)?;
    deliveries(&world.machine)?;
    barrier(&world.machine)?;
    answers(&world.machine, scene)
}

/// 2, 8: an outcome says how a call settled, and a denied call has no output. 9: everything stands once.
fn shapes(machine: &Machine) -> Holds {
    let (mut calls, mut approvals) = (0u64, 0u64);
    let once = |set: &mut u64, id: u32| {
        let first = *set >> id & 1 == 0;
        *set |= 1 << id;
        first
    };
    for part in parts(machine) {
        let c = || letter(part.call);
        holds(9, once(&mut calls, part.call.place()), || format!("{} stands twice", c()))?;
        if let Some(approval) = &part.approval {
            holds(6, once(&mut approvals, approval.id.place()), || {
                format!("the approval of {} is another call's too", c())
            })?;
        }
        let settled = part.phase.is_settled() == part.outcome.is_some();
        holds(8, settled, || format!("{} is {:?}, and its outcome is {:?}", c(), part.phase, part.outcome))?;
        let refused = matches!(part.phase, Phase::Denied | Phase::OutputDenied);
        let mute = !refused || !part.output.is_some() && !part.unsent_output;
        holds(2, mute, || format!("{} is denied and has an output", c()))?;
        let denied = !refused || part.decision().is_some_and(|decision| !decision.approved);
        holds(2, denied, || format!("{} is denied, and its approval is not", c()))?;
        let Some(outcome) = &part.outcome else { continue };
        use OutcomeKind::{Cancelled, Denied, Executed, Expired, Failed, Interrupted, Skipped};
        let fits = match outcome.kind {
            Executed => part.phase == Phase::OutputAvailable,
            Failed | Cancelled | Interrupted => part.phase == Phase::OutputError,
            Denied | Skipped | Expired => refused,
        };
        let open = matches!(outcome.kind, Cancelled | Interrupted);
        let fits = fits && (open || !outcome.may_have_run);
        holds(8, fits, || format!("{} is {:?} with the outcome {outcome:?}", c(), part.phase))?;
    }
    let messages = machine.transcript().messages();
    let mut seen = 0;
    for message in messages.iter().chain(machine.queued()) {
        holds(9, once(&mut seen, message.id.place()), || "a message stands twice".to_owned())?;
    }
    Ok(())
}

/// 6: only what stands in the last step can be asked, by its own approval.
fn places(machine: &Machine) -> Holds {
    let transcript = machine.transcript();
    let messages = transcript.messages();
    let mut asked = 0;
    for (index, message) in messages.iter().enumerate() {
        for (place, part) in message.parts.iter().enumerate() {
            let Some(part) = part.tool() else { continue };
            let at = transcript.find(part.call);
            let found = at.is_some_and(|at| (at.message, at.part) == (index, place));
            holds(9, found, || format!("{} is not found where it stands", letter(part.call)))?;
            asked += u32::from(part.is_pending());
            if !matches!(part.phase, Phase::ApprovalRequested | Phase::Approved) {
                continue;
            }
            let last = index + 1 == messages.len() && place >= message.last_step();
            holds(6, last, || format!("{} is {:?}, and something stands behind it", letter(part.call), part.phase))?;
            let own = part.approval.as_ref().and_then(|approval| transcript.approval(approval.id));
            let own = own == Some(Holder::Call(part.call));
            holds(6, own, || format!("{} is {:?} by an approval that is closed", letter(part.call), part.phase))?;
        }
    }
    let counted = machine.counts().0 == asked && machine.pending().count() == asked as usize;
    holds(14, counted, || format!("{asked} approvals wait, and the machine counts {}", machine.counts().0))
}

/// 1: one item at most is on its way, and a decision is where its item is.
fn deliveries(machine: &Machine) -> Holds {
    let active = machine.items().iter().filter(|item| item.is_active()).count();
    holds(1, active <= 1, || format!("{active} requests are on their way at once"))?;
    for part in parts(machine) {
        let Some(delivery) = part.delivery else { continue };
        let decided = part.approval.as_ref().filter(|approval| approval.decision.is_some() || part.is_closed());
        let Some(decided) = decided else {
            return holds(1, false, || format!("{} is {delivery:?} and not decided", letter(part.call)));
        };
        if matches!(delivery, DeliveryState::Held | DeliveryState::Acknowledged) {
            continue;
        }
        let carries = |item: &Item| item.state == delivery && item.approvals.contains(&decided.id);
        let carried = machine.items().iter().any(carries);
        holds(1, carried, || format!("the decision about {} is {delivery:?} in no request", letter(part.call)))?;
    }
    for item in machine.items() {
        let denied = |c: usize| {
            let part = machine.transcript().call(call(c));
            part.is_some_and(|part| matches!(part.phase, Phase::Denied | Phase::OutputDenied))
        };
        let gives = numbers(&item.outputs).find(|&c| denied(c));
        holds(2, gives.is_none(), || "a request carries an output of a denied call".to_owned())?;
    }
    Ok(())
}

fn is_on_its_way(item: &Item) -> bool {
    matches!(item.state, DeliveryState::Ready | DeliveryState::InFlight)
}

/// 7, 14: what leaves by itself carries something, and only a step that is complete leaves.
fn barrier(machine: &Machine) -> Holds {
    for item in machine.outgoing().filter(|item| item.is_answer() && item.attempt == 1) {
        let part = item.calls.first().and_then(|&call| machine.transcript().call(call));
        let own = |part: &ToolPart| part.approval.as_ref().is_some_and(|asked| item.approvals.contains(&asked.id));
        let said = |part: &ToolPart| part.decision().is_some() || part.is_closed();
        let fits = part.is_some_and(|part| item.approvals.is_empty() || own(part) && said(part));
        holds(1, fits && item.calls.len() == 1, || "an answer is listed that answers nothing".to_owned())?;
    }
    let Some(item) = machine.outgoing().find(|item| !item.is_answer()) else { return Ok(()) };
    let overtakes = item.attempt == 1 && machine.items().iter().any(|item| item.is_answer() && is_on_its_way(item));
    holds(9, !overtakes, || "a message overtakes an answer".to_owned())?;
    if item.attempt > 1 || !item.messages.is_empty() || item.trigger == Trigger::Regenerate {
        return Ok(());
    }
    holds(7, !machine.is_stalled(), || "something leaves a stalled chat".to_owned())?;
    holds(7, !item.calls.is_empty(), || "a submission is listed that carries nothing".to_owned())?;
    for &approval in &item.approvals {
        let part = parts(machine).find(|part| part.approval.as_ref().is_some_and(|asked| asked.id == approval));
        let decided = part.is_some_and(|part| part.decision().is_some() || part.is_closed());
        holds(1, decided, || "a submission carries an approval that is not decided".to_owned())?;
    }
    let last = machine.transcript().last();
    let step = last.map_or(&[][..], |last| &last.parts[last.last_step()..]);
    for part in step.iter().filter_map(|part| part.tool()) {
        let open = match part.phase {
            Phase::InputStreaming | Phase::ApprovalRequested | Phase::AutomaticRequest => true,
            Phase::InputAvailable | Phase::Preliminary => !part.provider_executed,
            Phase::Approved => machine.options().is_browser_tool(part),
            _ => false,
        };
        holds(14, !open, || format!("the step leaves, and {} is {:?}", letter(part.call), part.phase))?;
    }
    Ok(())
}

/// 1, 2, 4, 6: what is answered, closed or settled takes no other answer, and says so.
fn answers(machine: &Machine, scene: &Scene) -> Holds {
    let mut probed = machine.clone();
    let before = exact(machine);
    let mut asked = |what: &str, invariant: u8, fits: &mut dyn FnMut(&mut Machine) -> bool| -> Holds {
        let answer = fits(&mut probed);
        holds(invariant, answer, || format!("{what}: the answer is not as it should be"))?;
        holds(invariant, exact(&probed) == before, || format!("{what}: it changes something"))
    };
    for (approval, holder) in machine.transcript().approvals() {
        let (Holder::Call(id) | Holder::Superseded(id)) = holder;
        let Some(part) = machine.transcript().call(id) else { continue };
        let name = letter(id);
        for approved in [true, false] {
            let word = if approved { "approving" } else { "denying" };
            if matches!(holder, Holder::Superseded(_)) {
                asked(&format!("{word} {name}, whose approval is closed"), 6, &mut |machine| {
                    let answer = machine.respond(approval, approved, Payload::NONE, true, None);
                    answer.is_err_and(|refusal| refusal.code == Code::Superseded)
                })?;
            } else if part.is_pending() {
                asked(&format!("{word} {name} by an input that it has no more"), 6, &mut |machine| {
                    let answer = machine.respond(approval, approved, Payload::NONE, false, None);
                    answer.is_err_and(|refusal| refusal.code == Code::StaleInput)
                })?;
            } else if let Some(decision) = part.decision() {
                let same = decision.approved == approved;
                asked(&format!("{word} {name} once more"), 1, &mut |machine| match machine.respond(
                    approval,
                    approved,
                    scene.reason,
                    true,
                    None,
                ) {
                    Ok(answer) => same && answer == Answer::Duplicate,
                    Err(refusal) => !same && refusal.code == Code::AlreadyDecided,
                })?;
            }
        }
        if part.is_pending() || part.phase.is_settled() {
            let invariant = if part.phase == Phase::Denied { 2 } else { 4 };
            asked(&format!("an output of the browser for {name}"), invariant, &mut |machine| {
                machine.add_output(id, scene.other_output, false).is_err()
            })?;
        }
    }
    for item in machine.items().iter().filter(|item| machine.outgoing().all(|listed| listed.id != item.id)) {
        asked("claiming a request that is not listed", 1, &mut |machine| !machine.claim(item.id))?;
    }
    for part in parts(machine).filter(|part| number_of(part.call).is_some()) {
        let approval = part.approval.as_ref().map(|approval| approval.id);
        if approval == Some(part.call) {
            continue;
        }
        asked("an answer to a call's id", 6, &mut |machine| {
            machine.respond(part.call, true, Payload::NONE, true, None).is_err()
        })?;
    }
    Ok(())
}
