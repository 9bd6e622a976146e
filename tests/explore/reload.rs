//! 10: a restored machine continues like the original, except that items in flight are unconfirmed.
//!
//! If nothing is in flight, both must look the same. If their internal states differ, both get the same further inputs,
//! and must look the same after each.

use crate::inputs::Input;
use crate::rules::{self, Broken, Holds, holds};
use crate::scene::Scene;
use crate::tape::{exact, followed, reloaded, saved};
use crate::view;
use crate::words::describe;
use crate::world::World;
use std::panic::{AssertUnwindSafe, catch_unwind};
use toolgate::machine::{Exchange, Item, ItemState, Machine, Phase, ToolPart, WaitsOn};

/// The number of further inputs for two machines with different internal states.
const FURTHER: usize = 2;

/// Checks the effects of a reload in this state.
pub fn check(world: &World, table: &[Input], scene: &Scene) -> Holds {
    let machine = &world.machine;
    let refused = || "a machine's own snapshot is refused".to_owned();
    let (Some(restored), Some(follower)) = (reloaded(machine), followed(machine)) else {
        return holds(10, false, refused);
    };
    // A follower shows the identical state. It reads no events, so it lacks what only they need.
    let same = saved(machine) == saved(&follower) && view::of(machine) == view::of(&follower);
    holds(15, same, || "a follower shows another state".to_owned())?;
    let waits = |item: &Item| item.state().is_under_way();
    let at_rest = !machine.outbox().items().iter().any(waits) && machine.exchange().reply().is_none();
    if at_rest && !matches!(machine.exchange(), Exchange::Reconnecting { .. }) {
        if exact(machine) == exact(&restored) {
            return Ok(());
        }
        let other = World { machine: restored, ..world.clone() };
        return stays_equal(world, &other, table, scene, FURTHER, &mut Vec::new());
    }
    for item in machine.outbox().items() {
        let is = restored.item(item.id).map(Item::state);
        let due = due_after(world, item);
        holds(10, is == Some(due), || format!("after a reload a request is {is:?}, and it was {:?}", item.state()))?;
    }
    let lost: Vec<u32> = machine.outbox().items().iter().filter(|item| waits(item)).map(|item| item.id).collect();
    holds(1, restored.outgoing().all(|item| !lost.contains(&item.id)), || {
        "after a reload an item in flight is sent again automatically".to_owned()
    })?;
    let after = World { machine: restored, ..world.clone() };
    rules::check(&after, scene)
}

/// The state of a request after a reload. An agent that asks during its reply continues without the page; if an
/// approval was sent, the rest of that reply is awaited, and so is the rest of one that was to be read again.
fn due_after(world: &World, item: &Item) -> ItemState {
    let machine = &world.machine;
    let is_open = machine.exchange().item() == Some(item.id);
    let asks = machine.options().asks_in_reply();
    let last = machine.turn().last_reply().and_then(|last| last.item);
    let reads_again = matches!(machine.exchange(), Exchange::Reconnecting { .. }) && last == Some(item.id);
    match item.state() {
        ItemState::Replying if is_open && asks && runs_approved(world) => ItemState::Replying,
        ItemState::Done if reads_again && asks && runs_approved(world) => ItemState::Replying,
        ItemState::Replying if item.is_aside() => ItemState::Done,
        ItemState::Replying if asks => ItemState::Done,
        ItemState::InFlight | ItemState::Replying if item.is_aside() || is_open => ItemState::Unconfirmed,
        state => state,
    }
}

/// Whether an approved call was sent, and has no result.
fn runs_approved(world: &World) -> bool {
    let failed = |item: &Item| item.state() == ItemState::Failed && item.approves();
    let runs = |part: &ToolPart| part.phase() == Phase::Submitted;
    !world.machine.outbox().items().iter().any(failed) && world.parts().any(runs)
}

/// Checks that both look the same after every sequence of inputs.
fn stays_equal(
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
            "after a reload{then} the state differs: without the reload\n{}\nwith it\n{}",
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
            stays_equal(&first, &second, table, scene, further - 1, path)?;
        }
        path.pop();
    }
    Ok(())
}

/// Everything that a view shows of a machine.
pub fn seen(machine: &Machine) -> impl PartialEq + use<> {
    let parts = crate::world::parts(machine).map(|part| (*part, machine.delivery(part))).collect::<Vec<_>>();
    let messages = machine.transcript().messages().to_vec();
    let approvals: Vec<_> = machine.transcript().approvals().collect();
    let items: Vec<_> = machine.outbox().items().iter().map(|item| (item.clone(), machine.is_listed(item))).collect();
    let waiting = machine.waiting();
    let about = WaitsOn::ALL.iter().map(|&whom| {
        let calls: Vec<_> = machine.awaited_calls(whom).map(|part| part.key()).collect();
        (calls, machine.awaited_items(whom))
    });
    let turn = machine.turn();
    let turn = (turn.ending(), turn.has_work(), turn.holds(), turn.skips_rest(), turn.broke_off());
    let runnable: Vec<_> = machine.runnable_calls().map(|part| part.key()).collect();
    let step = (machine.shown_step(), runnable);
    let rest = (machine.status(), machine.turn_status(), machine.counts(), machine.next_deadline());
    (
        parts,
        messages,
        approvals,
        items,
        waiting,
        about.collect::<Vec<_>>(),
        turn,
        step,
        rest,
        machine.queue().messages().to_vec(),
    )
}
