//! The invariants that concern two states, before and after one input.

use crate::apply::Applied;
use crate::inputs::{Copy, Event, Input, Whose};
use crate::rules::{Holds, holds};
use crate::scene::{Scene, is_second_approval};
use crate::symmetry::message_bit;
use crate::tape::exact;
use crate::words::letter;
use crate::world::{GIVEN_UP, REFUSED, Told, World, parts};
use crate::{loads, view};
use toolgate::machine::{
    ApprovalOwner, DecidedBy, Decision, Delivery, DeliveryState, Event as Happened, Item, ItemState, Kind, Machine,
    OnDeny, PartPos, Phase, Reply, ToolPart,
};

/// Checks the effects of an input, and records in `after` what was sent.
pub fn check(before: &World, input: Input, applied: &Applied, after: &mut World, scene: &Scene) -> Holds {
    if applied.refused.is_some() {
        holds(4, exact(&before.machine) == exact(&after.machine), || "a refused input changed something".to_owned())?;
    }
    if matches!(input, Input::Load(_)) {
        return loads::check(before, after);
    }
    let cuts = matches!(input, Input::Regenerate | Input::Replace);
    let resets = match input {
        Input::Tell(event, _) => event == Event::Reset,
        Input::Again(_) => before.backend.told.contains(&Told::Reset),
        _ => false,
    };
    for was in before.parts() {
        // A reset removes only calls that the open reply has sent.
        let number = before.number(was.key());
        let told = number.is_none_or(|c| before.backend.told.iter().any(|told| told.call() == Some(c)));
        let cuts = cuts || resets && told;
        match after.machine.transcript().call(was.key()) {
            Some(is) => call_changes(was, is, input, before, after)?,
            None => holds(9, cuts, || format!("{} was removed", letter(was.call)))?,
        }
    }
    approvals_stay(&before.machine, &after.machine)?;
    contradictions_are_told(before, input, applied, scene)?;
    // The machine refuses a second approval request while the first decision is unsent. A replay may repeat that
    // request later, when the machine accepts it.
    let told = before.backend.again.and_then(|at| before.backend.told.get(at));
    let asks = after.machine.options().answering && matches!(told, Some(Told::AskAgain(_)));
    if let Input::Again(copy) = input {
        decisions_stay(before, &after.machine)?;
        // Before a reset is replayed, the calls that it removed exist for a moment.
        let resets = before.backend.told.contains(&Told::Reset);
        let whole = copy == Copy::Whole && before.spent.damages == 0 && !after.backend.disturbed;
        if whole && !asks && !resets {
            nothing_doubles(&before.machine, &after.machine)?;
        }
    }
    if !matches!(input, Input::Reload) {
        view::check(&before.machine, applied, &after.machine)?;
    }
    if input == Input::Cancel {
        cancelling_sends_nothing(&after.machine)?;
    }
    held_approvals_stay(&before.machine, input, &after.machine)?;
    if let (Input::Unread, Some(item)) = (input, before.unread_item()) {
        // The backend has dropped the message, so it is sent again.
        item.messages.iter().for_each(|&message| after.left.messages &= !(1 << message_bit(message)));
    }
    note_given_up(&before.machine, input, after);
    for place in 0..after.machine.outbox().items().len() {
        item_changes(before, input, after, place, scene)?;
    }
    Ok(())
}

/// An answer that failed is refused instead when the user gives it up, and once before a message that waits.
fn note_given_up(before: &Machine, input: Input, after: &mut World) {
    let acts = matches!(input, Input::Cancel | Input::Message | Input::Replace);
    let sent = |item: &&Item| item.attempt > 1 || matches!(item.state(), ItemState::InFlight | ItemState::Failed);
    for item in before.outbox().items().iter().filter(sent).filter(|item| after.machine.item(item.id).is_none()) {
        for carried in &item.carried {
            let sent = after.left.calls.entry(carried.call).or_default();
            if acts || *sent & REFUSED == 0 {
                *sent |= GIVEN_UP;
            }
        }
    }
}

/// 8: after a cancellation, decisions and outputs wait for the user's message, unless the protocol reports
/// cancellations or sends answers before a message.
fn cancelling_sends_nothing(machine: &Machine) -> Holds {
    let mut listed = machine.outgoing().filter(|item| item.kind == Kind::Step);
    let may_send = machine.options().answers_ahead();
    holds(8, may_send || listed.next().is_none(), || "a step is sent although the user cancelled".to_owned())
}

/// 19: an approval that is held is sent only after an act of the user on it, or after a replay. Stopping holds all that
/// were not sent.
fn held_approvals_stay(before: &Machine, input: Input, after: &Machine) -> Holds {
    let stopped = input == Input::Stop;
    let approves = |item: &Item| item.state() == ItemState::Ready && item.approves();
    holds(19, !stopped || !after.outbox().items().iter().any(approves), || {
        "an approval is ready to be sent although the user stopped".to_owned()
    })?;
    let by_user = matches!(
        input,
        Input::Resume | Input::Retry(_) | Input::Respond(_, true) | Input::Edit(_) | Input::RespondAll(true)
    );
    let replayed = before.exchange().reply().is_some_and(|reply| reply.is_replay);
    if by_user || replayed || !before.turn().holds().until_resumed() {
        return Ok(());
    }
    for item in after.outbox().items().iter().filter(|item| before.item(item.id).is_none()) {
        for carried in item.carried.iter().filter(|carried| carried.approved) {
            let was = before.transcript().call(carried.call);
            let held = was.is_some_and(|was| was.phase() == Phase::Approved && was.delivery() == Delivery::Held);
            // A call that the page has run needs no release any more.
            let ran = after.transcript().call(carried.call).is_some_and(|is| is.phase().is_settled());
            let held = held && !ran;
            holds(19, !held, || format!("{input:?} releases an approval that was held"))?;
        }
    }
    Ok(())
}

/// 1, 4, 5, 6: how a call may change.
fn call_changes(was: &ToolPart, is: &ToolPart, input: Input, before: &World, world: &World) -> Holds {
    let after = &world.machine;
    let c = || letter(was.call);
    let delivery = before.machine.delivery(was);
    // Another input makes a decision void that was never sent.
    let changed = was.input_changes() < is.input_changes();
    let is_first = |id: u32| before.machine.item(id).is_some_and(|item| item.attempt == 1);
    let is_unsent = match was.delivery() {
        Delivery::None => false,
        Delivery::Held => true,
        Delivery::In(id) => match delivery {
            Some(DeliveryState::Ready) => is_first(id),
            Some(DeliveryState::Failed) => before.machine.item(id).is_some_and(Item::is_aside),
            _ => false,
        },
    };
    let is_void = changed && is_unsent && was.decision().is_some();
    holds(17, !changed || input.is_backends(), || format!("the input of {} changes without an event", c()))?;
    holds(17, !changed || was.decision().is_none() || is_void, || {
        format!("the input of {} changes although a decision on it was sent", c())
    })?;
    // A policy, or a decision that is remembered for the tool, may decide the new input at once, as it decided the old.
    let again = is.decision().is_some_and(|decision| match decision.by {
        DecidedBy::Policy => true,
        DecidedBy::Remembered => after.remembered().all().any(|kept| kept.tool == is.name && kept.input.is_none()),
        _ => false,
    });
    holds(17, !is_void || again || is.decision() != was.decision(), || {
        format!("the decision on {} applies to another input", c())
    })?;
    if was.phase().is_settled() && !is_void {
        let phase = was.phase() == is.phase() || (was.phase(), is.phase()) == (Phase::Denied, Phase::OutputDenied);
        let same = phase && was.outcome() == is.outcome() && was.output == is.output;
        holds(4, same, || format!("{} was settled as {:?}, and becomes {:?}", c(), told(was), told(is)))?;
    }
    if is_void {
        let asks = was.approval_id() == is.approval_id();
        return holds(5, asks, || format!("{} has another approval after a change of its input", c()));
    }
    let (Some(asked), answered) = (&was.approval, was.decision()) else { return Ok(()) };
    let asks = is.approval.as_ref().filter(|approval| approval.id == asked.id);
    if let Some(decision) = answered {
        match (asks, is.decision()) {
            // The backend runs the call, so it may overrule a decision that it has received.
            (Some(_), Some(now)) if input.is_backends() && now.by == DecidedBy::Backend => {}
            // An ended turn withdraws approvals that were not sent.
            (Some(_), Some(now))
                if after.options().on_deny == OnDeny::EndTurn
                    && now.by == DecidedBy::Policy
                    && matches!(delivery, Some(DeliveryState::Held | DeliveryState::Ready)) => {}
            (Some(_), now) => {
                // The user lets it be remembered, or an edit that was not sent is undone.
                let kept = |now: &Decision| {
                    let original = now.original.or(decision.original);
                    Decision { remember: decision.remember, original, ..*now } == *decision
                };
                let same = now.is_some_and(kept);
                holds(1, same, || format!("the decision on {} becomes {now:?}", c()))?;
            }
            (None, _) => {
                let waits = matches!(
                    delivery,
                    Some(DeliveryState::Held | DeliveryState::Ready | DeliveryState::InFlight | DeliveryState::Failed)
                );
                // The first event of a reply confirms the item that it answers, possibly an earlier attempt of it.
                let arrived = |item: &Item| {
                    let state = item.state().delivery();
                    let may = matches!(state, DeliveryState::Acknowledged | DeliveryState::Unconfirmed);
                    may && item.approvals().any(|id| id == asked.id)
                };
                // A cancelled call no longer waits for its decision.
                let waits = waits && !was.is_closed() && !after.outbox().items().iter().any(arrived);
                holds(5, !waits, || format!("the undelivered decision on {} is removed", c()))?;
                holds(5, input.is_backends(), || format!("{} is pending again without an approval request", c()))?;
            }
        }
    }
    // A held decision is dropped only by an event of the backend, or because its call is closed or settled.
    if was.delivery() == Delivery::Held && is.delivery() == Delivery::None && was.decision().is_some() {
        let settles = !was.phase().is_settled() && is.phase().is_settled();
        holds(5, input.is_backends() || settles || was.is_closed() || is.phase().is_settled(), || {
            format!("the decision on {} is no longer held, and was not sent", c())
        })?;
    }
    // An input that is reported as invalid settles the call, so nothing is left to decide.
    let unusable = is.phase() == Phase::OutputError && !was.phase().is_settled();
    if asks.is_some() && !unusable && !changed && (was.phase() == Phase::ApprovalRequested || answered.is_some()) {
        let written = |part: &ToolPart| part.models_input();
        holds(6, written(was) == written(is), || {
            format!("the input of {} changes although its approval is pending", c())
        })?;
    }
    Ok(())
}

fn told(part: &ToolPart) -> (Phase, Option<&toolgate::machine::Outcome>, toolgate::machine::Payload) {
    (part.phase(), part.outcome(), part.output)
}

/// 6: an approval id keeps its call, and a superseded approval stays superseded. Another call may use the id once the
/// approval is superseded or its call is settled.
fn approvals_stay(before: &Machine, after: &Machine) -> Holds {
    for (id, was) in before.transcript().approvals() {
        let is = after.transcript().approval(id);
        let key = was.key();
        let closed = Some(ApprovalOwner::Superseded(key));
        let over = |machine: &Machine| machine.transcript().call(key).is_none_or(|part| part.phase().is_settled());
        // The approvals of a removed call are removed too.
        let gone = after.transcript().call(key).is_none();
        let free = matches!(was, ApprovalOwner::Superseded(_)) || over(before) || over(after);
        let rebound = free && is.is_some_and(|is| is.key() != key && matches!(is, ApprovalOwner::Call(_)));
        let stays = is == Some(was) || is == closed || rebound || gone;
        let c = before.transcript().call(key).map_or("?".to_owned(), |part| letter(part.call));
        holds(6, stays, || format!("the approval of {c} was {was:?} and becomes {is:?}"))?;
    }
    Ok(())
}

/// 4: a result for a settled or denied call is reported as an anomaly.
fn contradictions_are_told(before: &World, input: Input, applied: &Applied, scene: &Scene) -> Holds {
    let Input::Tell(event, Whose::Awaited) = input else { return Ok(()) };
    let call = event
        .call()
        .filter(|&c| before.is_newest(c, scene) && before.machine.transcript().calls_named(scene.call(c)).count() == 1);
    let Some(phase) = call.and_then(|c| before.phase(c)) else { return Ok(()) };
    let contradicts = match event {
        Event::Output(_) | Event::Error(_) => {
            phase.is_settled() || matches!(phase, Phase::RequestWaits | Phase::ApprovalRequested)
        }
        Event::Denied(_) => matches!(phase, Phase::OutputAvailable | Phase::OutputError),
        Event::Preliminary(_) => phase.is_settled(),
        _ => false,
    };
    let told = applied.events.iter().any(|event| matches!(event, Happened::Anomaly(_)));
    // A replayed event may contradict later events. It was reported once already.
    let retried = |item: u32| before.machine.item(item).is_some_and(|item| item.attempt > 1);
    let again = before.backend.cut || before.backend.resumed || before.backend.told.is_empty();
    let item = before.machine.exchange().item().or(before.machine.turn().last_reply().and_then(|reply| reply.item));
    let again = again || item.is_some_and(retried);
    let answers = before.machine.exchange().reply().is_some();
    holds(4, told || !contradicts || again || !answers, || {
        format!("{event:?} contradicts the call's phase {phase:?}, but no anomaly is reported")
    })
}

/// Whether the backend has updated the input of a call from before the reply: if the reply repeats the call with the
/// input of that time, this is another call, because an opening with another input always is.
fn lost_input(before: &Machine, part: &ToolPart) -> bool {
    let at = before.transcript().place(part.key());
    let is_before = |(at, reply): (PartPos, &Reply)| Some(at.message) == reply.message && at.part < reply.base;
    part.input_changes() > 0 && at.zip(before.exchange().reply()).is_some_and(is_before)
}

/// 12: a replay adds nothing.
fn nothing_doubles(before: &Machine, after: &Machine) -> Holds {
    if parts(before).any(|part| lost_input(before, part)) {
        return Ok(());
    }
    let shape = |machine: &Machine| -> Vec<usize> {
        machine.transcript().messages().iter().map(|message| message.parts.len()).collect()
    };
    let (was, is) = (shape(before), shape(after));
    holds(12, was == is, || format!("a replay adds parts; number by message: {was:?}, then {is:?}"))?;
    for (was, is) in parts(before).zip(parts(after)) {
        let same = was.key() == is.key() && told(was) == told(is) && was.approval == is.approval;
        holds(12, same, || format!("the replay changes {}: {was:?}, then {is:?}", letter(was.call)))?;
    }
    Ok(())
}

/// 5, 12: a replay takes no decision back, although one of the two copies of the reply may be damaged. The call stays
/// open, no other call gets its id, and its approval is not requested again.
fn decisions_stay(world: &World, after: &Machine) -> Holds {
    let before = &world.machine;
    if parts(before).any(|part| lost_input(before, part)) {
        return Ok(());
    }
    // A reset removes what the replay has added.
    let resets = world
        .backend
        .told
        .iter()
        .skip(world.backend.again.unwrap_or_default())
        .take(2)
        .any(|told| *told == Told::Reset);
    let known = before.exchange().reply().map_or(0, |reply| reply.replay.end);
    let stays = |part: &&ToolPart| !resets || before.transcript().place(part.key()).is_some_and(|at| at.part < known);
    for was in parts(before).filter(|part| part.decision().is_some() && !part.phase().is_settled()).filter(stays) {
        let c = || letter(was.call);
        let is = after.transcript().call(was.key());
        holds(5, is.is_some_and(|is| !is.is_closed()), || format!("a replay closes the decided call {}", c()))?;
        let named = |machine: &Machine| machine.transcript().calls_named(was.call).count();
        holds(12, named(before) == named(after), || format!("a replay adds another call {}", c()))?;
        let asked = |part: &ToolPart| part.is_pending() && part.approval_id() == was.approval_id();
        holds(5, !parts(after).any(asked), || format!("a replay requests the approval of {} again", c()))?;
    }
    Ok(())
}

/// Whether a user message counts as a retry of this item. It does if answers are sent before messages, only once, and
/// only if the item has no approval and no output.
fn is_repeated(was: &Item, item: &Item, after: &Machine) -> bool {
    let runs = item.approves() || item.has_outputs();
    after.options().answers_first && item.repeated && !was.repeated && !runs
}

/// 1, 7, 9: the host sends an item once for each attempt, and its contents are sent automatically only once.
fn item_changes(before: &World, input: Input, after: &mut World, place: usize, scene: &Scene) -> Holds {
    let item = &after.machine.outbox().items()[place];
    let was = before.machine.item(item.id);
    // A message that could not be sent beside a reply is sent with a later request, if the user gives its item up.
    let has_failed = item.kind == Kind::PassedMessage && item.state() == ItemState::Failed;
    if has_failed {
        item.messages.iter().for_each(|&message| after.left.messages &= !(1 << message_bit(message)));
    }
    let ready = |item: &Item| item.state() == ItemState::Ready;
    let retried = was.is_some_and(|was| was.attempt < item.attempt);
    let repeated = was.is_some_and(|was| is_repeated(was, item, &after.machine));
    let asked = matches!(input, Input::Retry(_)) || repeated;
    holds(1, !retried || asked, || "a new attempt was made without a retry".to_owned())?;
    if let Some(was) = was {
        let again = ready(item) && !ready(was);
        holds(1, !again || retried, || format!("a request that was {:?} is ready to be sent again", was.state()))?;
        let key = |item: &Item| (item.carried.clone(), item.messages.clone(), item.kind);
        // An answer that waited for another decision has that one now.
        holds(1, was.waits || key(was) == key(item), || "the contents of a request change".to_owned())?;
        let frozen = |item: &Item| (item.body, item.key);
        // A request that is done, and will not be sent again, needs no body.
        let is_dropped = item.state() == ItemState::Done && !item.body.is_some();
        let body = !was.body.is_some() || is_dropped || frozen(was) == frozen(item);
        holds(1, body, || "the body of a request changes".to_owned())?;
        let returns = was.state() == ItemState::Done && item.state() != ItemState::Done && !item.is_aside();
        // A request that was answered before it was sent never had one. A key outlives its body.
        let had_body = was.key.is_some();
        holds(1, !returns || !had_body || item.body.is_some(), || {
            "a request whose body was dropped may be sent again".to_owned()
        })?;
    }
    // An item whose retry is withdrawn has the state from before the retry.
    let taken_back = was.is_some_and(|was| was.attempt > item.attempt);
    if ready(item) || taken_back || !was.is_none_or(ready) {
        return Ok(());
    }
    // Only the host sends a ready item; an event of the reply to it shows that another client has sent it.
    let by = input.is_backends() || matches!(input, Input::Claim | Input::Fail | Input::Answer(..));
    // An event without a request id never changes a ready item.
    let unlabelled = matches!(input, Input::Tell(_, Whose::Awaited | Whose::Lost) | Input::Again(_));
    let labelled = !unlabelled || scene.profile.labels && before.backend.hosted;
    holds(1, by && labelled, || "a request is in flight, but the host did not send it".to_owned())?;
    let automatic = item.attempt == 1 && item.messages.is_empty() && item.kind != Kind::Regenerate;
    let (mut calls, mut messages) = (after.left.calls.clone(), after.left.messages);
    for &message in item.messages.iter().filter(|_| !has_failed) {
        let bit = 1 << message_bit(message);
        holds(9, messages & bit == 0 || item.attempt > 1, || "a message is sent twice".to_owned())?;
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
        denied &= again && *sent & GIVEN_UP == 0;
        let refused = if *sent & GIVEN_UP == 0 { 0 } else { REFUSED };
        *sent = (*sent | bits | refused) & !GIVEN_UP;
    }
    holds(7, !approves, || "an approval or an output is sent a second time automatically".to_owned())?;
    // A denial that may not have arrived is sent again together with new contents, but not alone. A backend that takes
    // answers first also gets one to a request that the user gave up.
    let options = after.machine.options();
    let ahead = options.answers_first || (options.answers_ahead() && !item.is_aside());
    // A request that continues a step limit carries nothing.
    let again = automatic && denied && !item.carried.is_empty();
    holds(7, !again || ahead, || "a denial is sent a second time automatically".to_owned())?;
    (after.left.calls, after.left.messages) = (calls, messages);
    Ok(())
}
