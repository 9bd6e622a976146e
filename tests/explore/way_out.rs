//! 14: the chat never waits endlessly. From every state, actions of the user and the host lead to a request with the
//! user's next message.
//!
//! The search first tries the usual actions: end the stream of a request, send a message, and cancel if the message is
//! refused or not sent. If that fails, it tries all actions of a user and a host, shortest sequences first. It does not
//! end streams that no request opened.

use crate::inputs::{Input, Whose};
use crate::rules::{Holds, holds};
use crate::scene::Scene;
use crate::tape::exact;
use crate::world::World;
use std::collections::HashSet;
use toolgate::machine::{Id, Message, Role, StreamEnd};

/// The largest number of inputs until the next message is sent.
const LENGTH: usize = 7;

/// Searches for inputs after which the next message is sent.
pub fn check(world: &World, scene: &Scene) -> Holds {
    let found = as_a_person(world, scene) || by_search(world, scene);
    holds(14, found, || "no sequence of actions of the user and the host sends the next message".to_owned())
}

fn next_message(scene: &Scene) -> Message {
    Message::new(scene.unknown, Role::User)
}

fn leaves(world: &World, message: Id) -> bool {
    world.machine.outgoing().any(|item| item.messages.contains(&message))
}

fn as_a_person(world: &World, scene: &Scene) -> bool {
    let mut world = world.clone();
    let message = next_message(scene).id;
    answers_arrive(&mut world, scene);
    world.apply(Input::Claim, scene);
    end(&mut world, StreamEnd::Aborted, scene);
    if world.machine.send_user_message(next_message(scene), None).is_err() {
        world.apply(Input::Cancel, scene);
        if world.machine.send_user_message(next_message(scene), None).is_err() {
            return false;
        }
    }
    // Each request that must precede the message is one more round, and there are only few.
    for _ in 0..4 {
        answers_arrive(&mut world, scene);
        if leaves(&world, message) {
            return true;
        }
        if world.machine.outgoing().next().is_none() {
            world.apply(Input::Cancel, scene);
            continue;
        }
        world.apply(Input::Claim, scene);
        end(&mut world, StreamEnd::Disconnected, scene);
    }
    leaves(&world, message)
}

/// The host ends the stream of a request, if it has one.
fn end(world: &mut World, how: StreamEnd, scene: &Scene) {
    if world.backend.hosted {
        world.apply(Input::End(how, Whose::Awaited), scene);
    }
}

/// Sends and delivers every listed answer.
fn answers_arrive(world: &mut World, scene: &Scene) {
    for _ in 0..2 * scene.profile.calls() {
        while world.answers().next().is_some() {
            world.apply(Input::Answer(0, true), scene);
        }
        if world.machine.outgoing().next().is_some_and(|item| item.is_aside()) {
            world.apply(Input::Claim, scene);
        }
    }
}

fn by_search(world: &World, scene: &Scene) -> bool {
    let message = next_message(scene);
    let mut acts = vec![Input::Claim, Input::End(StreamEnd::Aborted, Whose::Awaited), Input::Cancel, Input::Stop];
    acts.extend([Input::Resume, Input::Retry(0), Input::Retry(1), Input::Fail, Input::Answer(0, true)]);
    acts.push(Input::TimeIsUp);
    acts.extend((0..scene.profile.calls()).flat_map(|c| [Input::Respond(c, true), Input::Respond(c, false)]));
    let mut level = vec![world.clone()];
    let mut seen = HashSet::new();
    for _ in 0..LENGTH {
        let mut next = Vec::new();
        for world in level {
            if leaves(&world, message.id) {
                return true;
            }
            let mut successors: Vec<World> = Vec::new();
            let waits = world.machine.queue().has(message.id);
            if !waits {
                let mut written = world.clone();
                if written.machine.send_user_message(message.clone(), None).is_ok() {
                    successors.push(written);
                }
            }
            for &act in acts.iter().filter(|act| act.price(&world, scene).is_some()) {
                let mut acted = world.clone();
                acted.apply(act, scene);
                successors.push(acted);
            }
            next.extend(successors.into_iter().filter(|world| seen.insert(exact(&world.machine))));
        }
        level = next;
    }
    level.iter().any(|world| leaves(world, message.id))
}
