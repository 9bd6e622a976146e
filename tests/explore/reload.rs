//! 10: a machine that was saved and restored goes on as the first one, but that what was on its way is
//! unconfirmed.
//!
//! At rest both must be the same state. Where they differ in what only the machine knows, both are driven
//! on side by side: no input may show the difference.

use crate::apply::{reloaded, saved};
use crate::inputs::Input;
use crate::rules::{Broken, Holds, holds};
use crate::scene::Scene;
use crate::symmetry::exact;
use crate::words::describe;
use crate::world::World;
use std::panic::{AssertUnwindSafe, catch_unwind};
use toolgate::machine::{DeliveryState, Item, Machine};

/// How far two machines that differ inside are driven on.
const FURTHER: usize = 2;

/// Looks at what a reload would do in this state.
pub fn check(world: &World, table: &[Input], scene: &Scene) -> Holds {
    let machine = &world.machine;
    let restored = reloaded(machine);
    let waits =
        |item: &Item| item.state == DeliveryState::InFlight || item.is_active() && item.state != DeliveryState::Ready;
    let at_rest = !machine.items().iter().any(waits) && machine.last_reply().is_none_or(|reply| reply.ending.is_some());
    if at_rest {
        if exact(machine) == exact(&restored) {
            return Ok(());
        }
        let other = World { machine: restored, ..world.clone() };
        return goes_on(world, &other, table, scene, FURTHER, &mut Vec::new());
    }
    // What the snapshot says, but for what was on its way.
    let (mut before, after) = (saved(machine), saved(&restored));
    let lost: Vec<u32> = before.items.iter().filter(|item| waits(item)).map(|item| item.id).collect();
    for item in before.items.iter_mut().filter(|item| lost.contains(&item.id)) {
        (item.state, item.ended) = (DeliveryState::Unconfirmed, true);
    }
    let items = before.items == after.items;
    holds(10, items, || "after a reload a request is neither as it was nor unconfirmed".to_owned())?;
    let carried = |id| before.items.iter().any(|item| lost.contains(&item.id) && item.approvals.contains(&id));
    for message in &mut before.messages {
        for part in &mut message.parts {
            let toolgate::machine::Part::Tool(part) = part else { continue };
            let answered = part.decision().is_some() || part.is_closed();
            let sent = part.approval.as_ref().is_some_and(|asked| answered && carried(asked.id));
            if sent {
                part.delivery = Some(DeliveryState::Unconfirmed);
            }
        }
    }
    holds(10, before.messages == after.messages, || "after a reload the transcript is another".to_owned())?;
    let rest = before.approvals == after.approvals && before.queue == after.queue && before.left == after.left;
    holds(10, rest && (after.hold || !before.hold), || "after a reload something is forgotten".to_owned())?;
    holds(1, restored.outgoing().all(|item| !lost.contains(&item.id)), || {
        "after a reload what was on its way leaves by itself".to_owned()
    })
}

/// Whatever happens to both, they look the same.
fn goes_on(
    first: &World,
    second: &World,
    table: &[Input],
    scene: &Scene,
    further: usize,
    path: &mut Vec<Input>,
) -> Holds {
    holds(10, seen(&first.machine) == seen(&second.machine), || {
        let inputs: Vec<String> = path.iter().map(|input| input.to_string()).collect();
        let then = if inputs.is_empty() { String::new() } else { format!(" and {}", inputs.join(", ")) };
        format!(
            "after a reload{then} it is another state: without the reload\n{}\nwith it\n{}",
            describe(first),
            describe(second)
        )
    })?;
    if further == 0 {
        return Ok(());
    }
    for &input in table.iter().filter(|input| input.price(first, scene).is_some()) {
        let next = |world: &World| {
            let mut world = world.clone();
            catch_unwind(AssertUnwindSafe(|| world.apply(input, scene))).ok().map(|_| world)
        };
        path.push(input);
        let (Some(first), Some(second)) = (next(first), next(second)) else {
            return Err(Broken { invariant: 11, what: format!("after a reload, {input} panics") });
        };
        if exact(&first.machine) != exact(&second.machine) {
            goes_on(&first, &second, table, scene, further - 1, path)?;
        }
        path.pop();
    }
    Ok(())
}

/// Everything that can be seen of a machine.
fn seen(machine: &Machine) -> impl PartialEq + use<> {
    let saved = saved(machine);
    let rest = (saved.approvals, saved.next_item, saved.queue, saved.hold, saved.left, saved.turn);
    (saved.messages, saved.items, rest, machine.status(), machine.turn_status(), machine.counts())
}
