//! The invariants that two states show: what was, and what one input made of it.

use crate::apply::Applied;
use crate::inputs::{Event, Input, Whose};
use crate::rules::{Holds, holds};
use crate::scene::{approval, number_of, second_approval};
use crate::symmetry::message_bit;
use crate::words::letter;
use crate::world::{Told, World, parts};
use toolgate::machine::{
    Author, DeliveryState, Event as Happened, Holder, Item, Machine, Phase, Rule, ToolPart, Trigger,
};

/// Looks at what an input did, and records in `after` what has left.
pub fn check(before: &World, input: Input, applied: &Applied, after: &mut World) -> Holds {
    if applied.refused.is_some() {
        let same = crate::symmetry::exact(&before.machine) == crate::symmetry::exact(&after.machine);
        holds(4, same, || "what was refused has changed something".to_owned())?;
    }
    let cuts = matches!(input, Input::Regenerate | Input::Replace);
    let resets = matches!(input, Input::Tell(Event::Reset, _));
    for was in before.parts() {
        // A step is taken back by the reply that told it.
        let told = number_of(was.call).is_some_and(|c| before.backend.told.iter().any(|told| told.call() == Some(c)));
        let cuts = cuts || resets && told;
        match after.machine.transcript().call(was.call) {
            Some(is) => call_goes_on(was, is, input, &after.machine)?,
            None => holds(9, cuts, || format!("{} is gone", letter(was.call)))?,
        }
    }
    approvals_stay(&before.machine, &after.machine)?;
    contradictions_are_told(before, input, applied)?;
    // What was refused as long as an answer had not left is asked when it is told again: the backend waits for it.
    let told = before.backend.again.and_then(|at| before.backend.told.get(at));
    let asks = after.machine.options().answering && matches!(told, Some(Told::AskAgain(_)));
    if input == Input::Again && !asks {
        nothing_doubles(&before.machine, &after.machine)?;
    }
    for place in 0..after.machine.items().len() {
        item_goes_on(before, input, after, place)?;
    }
    Ok(())
}

/// 1, 4, 5, 6: what a call may become.
fn call_goes_on(was: &ToolPart, is: &ToolPart, input: Input, after: &Machine) -> Holds {
    let c = || letter(was.call);
    if was.phase.is_settled() {
        let phase = was.phase == is.phase || (was.phase, is.phase) == (Phase::Denied, Phase::OutputDenied);
        let same = phase && was.outcome == is.outcome && was.output == is.output;
        holds(4, same, || format!("{} was settled as {:?}, and changes to {:?}", c(), told(was), told(is)))?;
    }
    let (Some(asked), answered) = (&was.approval, was.decision()) else { return Ok(()) };
    let asks = is.approval.as_ref().filter(|approval| approval.id == asked.id);
    if let Some(decision) = answered {
        match (asks, is.decision()) {
            // The backend may overrule what it has: it is the one that runs the call.
            (Some(_), Some(now)) if input.is_backends() && now.by == Author::Backend => {}
            // A turn that is ended takes back what never left.
            (Some(_), Some(now))
                if after.rule() == Some(Rule::End)
                    && now.by == Author::Policy
                    && matches!(was.delivery, Some(DeliveryState::Held | DeliveryState::Ready)) => {}
            (Some(_), now) => {
                holds(1, now == Some(decision), || format!("the decision about {} becomes {now:?}", c()))?;
            }
            (None, _) => {
                let waits = matches!(
                    was.delivery,
                    Some(DeliveryState::Held | DeliveryState::Ready | DeliveryState::InFlight | DeliveryState::Failed)
                );
                // The first event of a reply says that what it answers has arrived; and it may have before a retry.
                let arrived = |item: &Item| {
                    let may = matches!(item.state, DeliveryState::Acknowledged | DeliveryState::Unconfirmed);
                    may && item.approvals.contains(&asked.id)
                };
                // What was called off meanwhile is asked in vain.
                let waits = waits && !was.is_closed() && !after.items().iter().any(arrived);
                holds(5, !waits, || format!("the decision about {} was not delivered, and is taken back", c()))?;
                holds(5, input.is_backends(), || format!("{} is asked again, and nobody asked", c()))?;
            }
        }
    }
    // An input that turns out to be unusable settles the call: there is nothing left to decide.
    let unusable = is.phase == Phase::OutputError && !was.phase.is_settled();
    if asks.is_some() && !unusable && (was.phase == Phase::ApprovalRequested || answered.is_some()) {
        let written = |part: &ToolPart| part.decision().and_then(|decision| decision.original).unwrap_or(part.input);
        holds(6, written(was) == written(is), || format!("the input of {} changes under its approval", c()))?;
    }
    Ok(())
}

fn told(part: &ToolPart) -> (Phase, Option<&toolgate::machine::Outcome>, toolgate::machine::Payload) {
    (part.phase, part.outcome.as_ref(), part.output)
}

/// 6: an approval keeps its call, and once closed it stays closed.
fn approvals_stay(before: &Machine, after: &Machine) -> Holds {
    for (id, was) in before.transcript().approvals() {
        let is = after.transcript().approval(id);
        let (Holder::Call(c) | Holder::Superseded(c)) = was;
        let closed = Some(Holder::Superseded(c));
        let stays = is == Some(was) || is == closed;
        holds(6, stays, || format!("the approval of {} was {was:?} and becomes {is:?}", letter(c)))?;
    }
    Ok(())
}

/// 4: a result for a call that has one, or that is denied, is told as an anomaly.
fn contradictions_are_told(before: &World, input: Input, applied: &Applied) -> Holds {
    let Input::Tell(event, Whose::Awaited) = input else { return Ok(()) };
    let Some(phase) = event.call().and_then(|c| before.phase(c)) else { return Ok(()) };
    let contradicts = match event {
        Event::Output(_) | Event::Error(_) => phase.is_settled() || phase == Phase::ApprovalRequested,
        Event::Denied(_) => matches!(phase, Phase::OutputAvailable | Phase::OutputError),
        Event::Preliminary(_) => phase.is_settled(),
        _ => false,
    };
    let told = applied.events.iter().any(|event| matches!(event, Happened::Anomaly(_)));
    // What is told again may contradict what has happened since, and need not be told twice.
    let retried = |item: u32| before.machine.item(item).is_some_and(|item| item.attempt > 1);
    let again = before.backend.cut || before.backend.resumed || before.backend.told.is_empty();
    let again = again || before.machine.last_reply().and_then(|reply| reply.item).is_some_and(retried);
    let answers = before.machine.last_reply().is_none_or(|reply| reply.ending.is_none());
    holds(4, told || !contradicts || again || !answers, || {
        format!("{event:?} contradicts that the call is {phase:?}, and nobody is told")
    })
}

/// 12: what is told again is there already.
fn nothing_doubles(before: &Machine, after: &Machine) -> Holds {
    let shape = |machine: &Machine| -> Vec<usize> {
        machine.transcript().messages().iter().map(|message| message.parts.len()).collect()
    };
    let (was, is) = (shape(before), shape(after));
    holds(12, was == is, || format!("what is told again is written again: parts by message {was:?}, then {is:?}"))?;
    for (was, is) in parts(before).zip(parts(after)) {
        let same = was.call == is.call && told(was) == told(is) && was.approval == is.approval;
        holds(12, same, || format!("{} changes because it is told again: {was:?}, then {is:?}", letter(was.call)))?;
    }
    Ok(())
}

/// 1, 7, 9: an item starts once for each attempt, by the host, and what it carries leaves once by itself.
fn item_goes_on(before: &World, input: Input, after: &mut World, place: usize) -> Holds {
    let item = &after.machine.items()[place];
    let was = before.machine.item(item.id);
    let ready = |item: &Item| item.state == DeliveryState::Ready;
    let retried = was.is_some_and(|was| was.attempt < item.attempt);
    holds(1, !retried || matches!(input, Input::Retry(_)), || "an attempt is made that nobody asked for".to_owned())?;
    if let Some(was) = was {
        let again = ready(item) && !ready(was);
        holds(1, !again || retried, || format!("a request that was {:?} is ready to leave again", was.state))?;
        let key = |item: &Item| {
            (item.approvals.clone(), item.granted.clone(), item.outputs.clone(), item.messages.clone(), item.trigger)
        };
        holds(1, key(was) == key(item), || "a request changes what it carries".to_owned())?;
        let body = !was.body.is_some() || was.body == item.body;
        holds(1, body, || "a request changes its body".to_owned())?;
    }
    // A retry that did not leave is as it was before the retry.
    let taken_back = was.is_some_and(|was| was.attempt > item.attempt);
    if ready(item) || taken_back || !was.is_none_or(ready) {
        return Ok(());
    }
    // The backend's reply says that it is there; else only the host sends.
    let by = input.is_backends() || matches!(input, Input::Claim | Input::Fail | Input::Answer(..));
    holds(1, by, || "a request starts, and the host did not send it".to_owned())?;
    let automatic = item.attempt == 1 && item.messages.is_empty() && item.trigger != Trigger::Regenerate;
    let (mut calls, mut messages) = (after.left.calls, after.left.messages);
    for &message in item.messages.iter().filter(|_| item.attempt == 1) {
        let bit = 1 << message_bit(message);
        holds(9, messages & bit == 0, || "a message leaves twice".to_owned())?;
        messages |= bit;
    }
    let (mut granted, mut denied) = (false, true);
    for &id in item.calls.iter().filter(|_| automatic) {
        let Some(c) = number_of(id) else { continue };
        let place = |one| item.approvals.iter().position(|&id| id == one);
        let carried = [approval(c), second_approval(c)].map(place);
        let bits = [carried[0].is_some(), carried[1].is_some(), item.outputs.contains(&id)];
        let bits = bits.iter().enumerate().fold(0, |bits, (place, &set)| bits | u8::from(set) << place);
        let again = calls[c] & bits != 0;
        let only_denied = carried.iter().flatten().all(|&place| !item.granted[place]) && bits & 4 == 0;
        granted |= again && !only_denied;
        denied &= again;
        calls[c] |= bits;
    }
    holds(7, !granted, || "an approval or an output leaves a second time by itself".to_owned())?;
    // A denial that may not have arrived goes along with what is new; alone it does not leave again.
    let ahead = after.machine.options().answers_ahead() && !item.is_answer();
    holds(7, !(automatic && denied) || ahead, || "a denial leaves a second time by itself".to_owned())?;
    (after.left.calls, after.left.messages) = (calls, messages);
    Ok(())
}
