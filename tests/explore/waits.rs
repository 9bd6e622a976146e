//! Invariant 14: every party that the chat waits for can act, and its action has an effect. If the chat waits for no
//! party, all its work is done.

use crate::rules::{Holds, holds};
use crate::scene::Scene;
use crate::tape::exact;
use crate::world::World;
use toolgate::machine::{
    About, Exchange, Hold, Item, ItemState, Machine, Message, Payload, Respond, Role, Sent, StreamEnd, TurnStatus,
    WaitsOn,
};

/// Checks the parties that a state waits for.
pub fn check(world: &World, scene: &Scene) -> Holds {
    let machine = &world.machine;
    let waiting = machine.waiting();
    for &whom in WaitsOn::ALL.iter().filter(|&&whom| waiting.on(whom)) {
        acts(world, whom, scene)?;
    }
    if waiting.is_anyone() {
        return Ok(());
    }
    // A message that was sent waits for the rest of the reply.
    let is_sent = machine.queue().messages().iter().all(|queued| queued.is_sent);
    holds(14, is_sent, || "a message is queued, but the chat waits for no party".to_owned())?;
    let holds_back = machine.turn().holds().has(Hold::TurnEnded) || machine.turn().holds().has(Hold::DenialsOnly);
    let unsent = machine.transcript().has_unsent();
    holds(14, !unsent || holds_back, || "a decision is unsent, but the chat waits for no party".to_owned())?;
    let open = machine.turn_status() == TurnStatus::Open;
    holds(14, !open, || "the turn is open, but the chat waits for no party".to_owned())?;
    // If the user writes a message, that message or an item that must precede it is sent.
    let mut written = machine.clone();
    let message = Message::new(scene.unknown, Role::User);
    let sent = written.send_user_message(message, None);
    let is_sent = written.waiting().on(WaitsOn::Host) || written.waiting().on(WaitsOn::Rewrite);
    holds(14, sent.is_ok() && is_sent, || "the chat waits for no party, but a message leads to no request".to_owned())?;
    let queued = sent == Ok(Sent::Queued);
    holds(14, !queued || written.waiting().is_anyone(), || "a message is queued without a reason".to_owned())
}

/// Performs each possible action of a party in a copy of the machine.
fn acts(world: &World, whom: WaitsOn, scene: &Scene) -> Holds {
    let machine = &world.machine;
    let before = exact(machine);
    let word = whom.as_str();
    let mut tried = 0;
    let mut act = |what: &str, acts: &mut dyn FnMut(&mut Machine) -> bool| -> Holds {
        tried += 1;
        let mut after = machine.clone();
        let done = acts(&mut after);
        holds(14, done, || format!("the chat waits for `{word}`, but {what} is refused or has no effect"))?;
        holds(14, exact(&after) != before, || format!("the chat waits for `{word}`, but {what} changes nothing"))
    };
    match whom {
        WaitsOn::User => {
            for part in machine.awaited_calls(whom) {
                let Some(approval) = part.approval.as_ref().map(|asked| asked.id) else { continue };
                for approved in [true, false] {
                    let answer =
                        Respond { approval, approved, reason: Payload::NONE, as_shown: Some(true), edited: None };
                    let key = part.key();
                    act("an answer", &mut |machine| {
                        let ok = machine.respond(answer).is_ok();
                        ok && machine.transcript().call(key).is_some_and(|part| !part.is_pending())
                    })?;
                }
            }
        }
        WaitsOn::Tool => {
            for part in machine.awaited_calls(whom) {
                let key = part.key();
                act("an output", &mut |machine| {
                    let ok = machine.add_output(part.call, scene.output, false).is_ok();
                    ok && machine.transcript().call(key).is_some_and(|part| part.phase().is_settled())
                })?;
            }
        }
        WaitsOn::Host => {
            for id in machine.awaited_items(whom) {
                act("a claim", &mut |machine| machine.claim(id))?;
            }
        }
        WaitsOn::Reply => {
            act("a stop, and the end of its stream", &mut |machine| {
                machine.stop();
                // The host can end only the stream of a request.
                if world.backend.hosted {
                    machine.stream_ended(StreamEnd::Aborted, About::default());
                }
                // The host knows whether the answers that it sent have arrived.
                let flies = |item: &&Item| item.is_aside() && item.state() == ItemState::InFlight;
                let flying: Vec<u32> = machine.outbox().items().iter().filter(flies).map(|item| item.id).collect();
                let arrived = flying.into_iter().all(|id| machine.mark_sent(id).is_ok());
                machine.stop();
                arrived && *machine.exchange() == Exchange::Idle && !machine.waiting().on(WaitsOn::Reply)
            })?;
        }
        WaitsOn::Rewrite => {
            for part in world.parts().filter(|part| part.awaits_rewrite()) {
                let key = part.key();
                act("a rewrite", &mut |machine| machine.rewrite(key, scene.error))?;
            }
        }
        WaitsOn::Resume => {
            act("resuming", &mut |machine| {
                machine.resume();
                !machine.waiting().on(WaitsOn::Resume) && machine.waiting().is_anyone()
            })?;
        }
        WaitsOn::Retry => {
            for id in machine.awaited_items(whom) {
                act("a retry", &mut |machine| {
                    let ok = machine.retry(id).is_ok();
                    ok && machine.item(id).is_none_or(|item| !item.state().is_undelivered())
                })?;
            }
        }
        WaitsOn::Cancel => {
            for id in machine.awaited_items(whom) {
                act("cancelling", &mut |machine| {
                    machine.cancel(scene.reason);
                    machine.item(id).is_none_or(|item| item.state() == ItemState::Done)
                })?;
            }
        }
    }
    holds(14, tried > 0, || format!("the chat waits for `{word}`, but for no call or item"))
}
