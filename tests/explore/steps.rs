//! The invariants that two states show: what was, and what one input made of it.

use crate::apply::Applied;
use crate::inputs::{Event, Input, Whose};
use crate::rules::{Holds, holds};
use crate::scene::{Scene, is_second_approval};
use crate::symmetry::message_bit;
use crate::tape::exact;
use crate::view;
use crate::words::letter;
use crate::world::{Told, World, parts};
use toolgate::machine::{
    ApprovalOwner, DecidedBy, Delivery, DeliveryState, Event as Happened, Hold, Item, ItemState, Kind, Machine, Phase,
    ToolPart,
};

/// Looks at what an input did, and records in `after` what was sent.
pub fn check(before: &World, input: Input, applied: &Applied, after: &mut World, scene: &Scene) -> Holds {
    if applied.refused.is_some() {
        holds(4, exact(&before.machine) == exact(&after.machine), || {
            "what was refused has changed something".to_owned()
        })?;
    }
    let cuts = matches!(input, Input::Regenerate | Input::Replace);
    let resets = matches!(input, Input::Tell(Event::Reset, _));
    for was in before.parts() {
        // A step is taken back by the reply that told it.
        let number = before.number(was.key());
        let told = number.is_none_or(|c| before.backend.told.iter().any(|told| told.call() == Some(c)));
        let cuts = cuts || resets && told;
        match after.machine.transcript().call(was.key()) {
            Some(is) => call_goes_on(was, is, input, before, after)?,
            None => holds(9, cuts, || format!("{} is gone", letter(was.call)))?,
        }
    }
    approvals_stay(&before.machine, &after.machine)?;
    contradictions_are_told(before, input, applied, scene)?;
    // What was refused as long as an answer had not been sent is asked when it is told again: the backend waits for it.
    let told = before.backend.again.and_then(|at| before.backend.told.get(at));
    let asks = after.machine.options().answering && matches!(told, Some(Told::AskAgain(_)));
    if input == Input::Again && !asks {
        nothing_doubles(&before.machine, &after.machine)?;
    }
    if !matches!(input, Input::Reload) {
        view::check(&before.machine, applied, &after.machine)?;
    }
    for place in 0..after.machine.outbox().items().len() {
        item_goes_on(before, input, after, place, scene)?;
    }
    Ok(())
}

/// 1, 4, 5, 6: what a call may become.
fn call_goes_on(was: &ToolPart, is: &ToolPart, input: Input, before: &World, world: &World) -> Holds {
    let after = &world.machine;
    let c = || letter(was.call);
    if was.phase().is_settled() {
        let phase = was.phase() == is.phase() || (was.phase(), is.phase()) == (Phase::Denied, Phase::OutputDenied);
        let same = phase && was.outcome() == is.outcome() && was.output == is.output;
        holds(4, same, || format!("{} was settled as {:?}, and changes to {:?}", c(), told(was), told(is)))?;
    }
    let (Some(asked), answered) = (&was.approval, was.decision()) else { return Ok(()) };
    let asks = is.approval.as_ref().filter(|approval| approval.id == asked.id);
    let delivery = before.machine.delivery(was);
    if let Some(decision) = answered {
        match (asks, is.decision()) {
            // The backend may overrule what it has: it is the one that runs the call.
            (Some(_), Some(now)) if input.is_backends() && now.by == DecidedBy::Backend => {}
            // A turn that is ended takes back what was never sent.
            (Some(_), Some(now))
                if after.turn().holds().has(Hold::TurnEnded)
                    && now.by == DecidedBy::Policy
                    && matches!(delivery, Some(DeliveryState::Held | DeliveryState::Ready)) => {}
            (Some(_), now) => {
                holds(1, now == Some(decision), || format!("the decision about {} becomes {now:?}", c()))?;
            }
            (None, _) => {
                let waits = matches!(
                    delivery,
                    Some(DeliveryState::Held | DeliveryState::Ready | DeliveryState::InFlight | DeliveryState::Failed)
                );
                // The first event of a reply says that what it answers has arrived; and it may have before a retry.
                let arrived = |item: &Item| {
                    let state = item.state().delivery();
                    let may = matches!(state, DeliveryState::Acknowledged | DeliveryState::Unconfirmed);
                    may && item.approvals().any(|id| id == asked.id)
                };
                // What was called off meanwhile is asked in vain.
                let waits = waits && !was.is_closed() && !after.outbox().items().iter().any(arrived);
                holds(5, !waits, || format!("the decision about {} was not delivered, and is taken back", c()))?;
                holds(5, input.is_backends(), || format!("{} is asked again, and nobody asked", c()))?;
            }
        }
    }
    // A denial that was not delivered is delivered, or never will be asked about; it is not dropped.
    if was.delivery() == Delivery::Held && is.delivery() == Delivery::None && was.decision().is_some() {
        let settles = !was.phase().is_settled() && is.phase().is_settled();
        holds(5, input.is_backends() || settles || was.is_closed() || is.phase().is_settled(), || {
            format!("the decision about {} is held no longer, and was not sent", c())
        })?;
    }
    // An input that turns out to be unusable settles the call: there is nothing left to decide.
    let unusable = is.phase() == Phase::OutputError && !was.phase().is_settled();
    if asks.is_some() && !unusable && (was.phase() == Phase::ApprovalRequested || answered.is_some()) {
        let written = |part: &ToolPart| part.models_input();
        holds(6, written(was) == written(is), || format!("the input of {} changes under its approval", c()))?;
    }
    Ok(())
}

fn told(part: &ToolPart) -> (Phase, Option<&toolgate::machine::Outcome>, toolgate::machine::Payload) {
    (part.phase(), part.outcome(), part.output)
}

/// 6: an approval keeps its call, and once closed it stays closed; until its call is over and another one asks under its id.
fn approvals_stay(before: &Machine, after: &Machine) -> Holds {
    for (id, was) in before.transcript().approvals() {
        let is = after.transcript().approval(id);
        let key = was.key();
        let closed = Some(ApprovalOwner::Superseded(key));
        let over = |machine: &Machine| machine.transcript().call(key).is_none_or(|part| part.phase().is_settled());
        // Calls of which nothing is left take their approvals with them.
        let gone = after.transcript().call(key).is_none();
        let free = matches!(was, ApprovalOwner::Superseded(_)) || over(before) || over(after);
        let rebound = free && is.is_some_and(|is| is.key() != key && matches!(is, ApprovalOwner::Call(_)));
        let stays = is == Some(was) || is == closed || rebound || gone;
        let c = before.transcript().call(key).map_or("?".to_owned(), |part| letter(part.call));
        holds(6, stays, || format!("the approval of {c} was {was:?} and becomes {is:?}"))?;
    }
    Ok(())
}

/// 4: a result for a call that has one, or that is denied, is told as an anomaly.
fn contradictions_are_told(before: &World, input: Input, applied: &Applied, scene: &Scene) -> Holds {
    let Input::Tell(event, Whose::Awaited) = input else { return Ok(()) };
    let call = event
        .call()
        .filter(|&c| before.is_newest(c, scene) && before.machine.transcript().calls_named(scene.call(c)).count() == 1);
    let Some(phase) = call.and_then(|c| before.phase(c)) else { return Ok(()) };
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
    let item = before.machine.exchange().item().or(before.machine.turn().last_reply().and_then(|reply| reply.item));
    let again = again || item.is_some_and(retried);
    let answers = before.machine.exchange().reply().is_some();
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
        let same = was.key() == is.key() && told(was) == told(is) && was.approval == is.approval;
        holds(12, same, || format!("{} changes because it is told again: {was:?}, then {is:?}", letter(was.call)))?;
    }
    Ok(())
}

/// Whether the user's message counts as this item's retry: where answers go first, once, if that can run nothing.
fn is_repeated(was: &Item, item: &Item, after: &Machine) -> bool {
    let options = after.options();
    let runs = item.approves() || item.has_outputs();
    options.answers_first && item.repeated && !was.repeated && (!runs || options.repeats_ignored)
}

/// 1, 7, 9: an item starts once for each attempt, by the host, and what it carries is sent once without anybody's asking.
fn item_goes_on(before: &World, input: Input, after: &mut World, place: usize, scene: &Scene) -> Holds {
    let item = &after.machine.outbox().items()[place];
    let was = before.machine.item(item.id);
    let ready = |item: &Item| item.state() == ItemState::Ready;
    let retried = was.is_some_and(|was| was.attempt < item.attempt);
    let repeated = was.is_some_and(|was| is_repeated(was, item, &after.machine));
    let asked = matches!(input, Input::Retry(_)) || repeated;
    holds(1, !retried || asked, || "an attempt is made that nobody asked for".to_owned())?;
    if let Some(was) = was {
        let again = ready(item) && !ready(was);
        holds(1, !again || retried, || format!("a request that was {:?} is ready to be sent again", was.state()))?;
        let key = |item: &Item| (item.carried.clone(), item.messages.clone(), item.kind);
        holds(1, key(was) == key(item), || "a request changes what it carries".to_owned())?;
        let frozen = |item: &Item| (item.body, item.key);
        let body = !was.body.is_some() || frozen(was) == frozen(item);
        holds(1, body, || "a request changes its body".to_owned())?;
    }
    // A retry that was not sent is as it was before the retry.
    let taken_back = was.is_some_and(|was| was.attempt > item.attempt);
    if ready(item) || taken_back || !was.is_none_or(ready) {
        return Ok(());
    }
    // The backend's reply says that it is there; else only the host sends.
    let by = input.is_backends() || matches!(input, Input::Claim | Input::Fail | Input::Answer(..));
    // An unlabelled event never touches a request that is about to be sent.
    let unlabelled = matches!(input, Input::Tell(_, Whose::Awaited) | Input::Again);
    let labelled = !unlabelled || scene.profile.labels && before.backend.hosted;
    holds(1, by && labelled, || "a request starts, and the host did not send it".to_owned())?;
    let automatic = item.attempt == 1 && item.messages.is_empty() && item.kind != Kind::Regenerate;
    let (mut calls, mut messages) = (after.left.calls.clone(), after.left.messages);
    for &message in item.messages.iter().filter(|_| item.attempt == 1) {
        let bit = 1 << message_bit(message);
        holds(9, messages & bit == 0, || "a message is sent twice".to_owned())?;
        messages |= bit;
    }
    let (mut approves, mut denied) = (false, true);
    for carried in item.carried.iter().filter(|_| automatic) {
        let own = after.number(carried.call).map(|c| scene.approval(c));
        let decision = match carried.approval {
            None => 0,
            Some(id) if is_second_approval(id) => 2,
            own_or_not => {
                if own_or_not == own {
                    1
                } else {
                    4
                }
            }
        };
        let bits = decision | if carried.output { 8 } else { 0 };
        let sent = calls.entry(carried.call).or_default();
        let again = *sent & bits != 0;
        let only_denied = !carried.approved && !carried.output;
        approves |= again && !only_denied;
        denied &= again;
        *sent |= bits;
    }
    holds(7, !approves, || "an approval or an output is sent a second time, and nobody asked".to_owned())?;
    // A denial that may not have arrived goes along with what is new; alone it is not sent again.
    let ahead = after.machine.options().answers_ahead() && !item.is_answer();
    holds(7, !(automatic && denied) || ahead, || "a denial is sent a second time, and nobody asked".to_owned())?;
    (after.left.calls, after.left.messages) = (calls, messages);
    Ok(())
}
