//! The search: breadth first, so that the first broken invariant has the shortest path.
//!
//! A state is stored as its number only. Each path to it stores the used budget, the last input and the previous state;
//! the state is rebuilt by applying the inputs again. If a state was reached before and no part of the used budget was
//! larger, it is not expanded again, because all states that follow were already reached.

use crate::inputs::{Input, table};
use crate::profile::{Budget, CALLS, Profile};
use crate::rules::{self, Broken};
use crate::scene::Scene;
use crate::symmetry::identity;
use crate::wire::Judge;
use crate::words::counterexample;
use crate::world::World;
use crate::{reload, steps, waits, way_out};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::{Once, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The number of states that a worker receives at a time.
const PORTION: usize = 2048;

/// One path to a state.
struct Node {
    parent: u32,
    spent: u32,
    /// Another path to the same state, which used other parts of the budget.
    other: u32,
    input: u16,
}

const NOBODY: u32 = u32::MAX;

/// A hasher for numbers that are already hashes.
#[derive(Default)]
pub struct Plain(u64);

impl std::hash::Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type States = HashMap<u64, u32, BuildHasherDefault<Plain>>;

/// The figures of an exploration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// The number of states; states that differ only by symmetry or names count once.
    pub states: usize,
    /// The number of inputs that were tried.
    pub transitions: u64,
    /// The length of the longest of the shortest paths.
    pub depth: usize,
    /// The number of conversations that the codecs wrote and read.
    pub histories: usize,
    /// How long it took.
    pub took: Duration,
    /// Whether every reachable state was explored.
    pub complete: bool,
}

impl Display for Figures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Figures { states, transitions, depth, histories, .. } = self;
        let seconds = self.took.as_secs_f32();
        write!(f, "{states} states, {transitions} transitions, depth {depth}, {histories} histories, {seconds:.1} s")
    }
}

/// A state that was found and is not yet among the known states.
struct Found {
    parent: u32,
    input: u16,
    number: u64,
    spent: Budget,
}

/// The results of one worker.
#[derive(Default)]
struct Portion {
    found: Vec<Found>,
    transitions: u64,
    histories: usize,
    broken: Option<(u32, u16, Broken)>,
}

/// The state of a running exploration.
struct Search {
    scene: Scene,
    table: Vec<Input>,
    nodes: Vec<Node>,
    states: States,
}

/// Explores a profile. `Err` is a counterexample in words.
pub fn explore(profile: Profile, workers: usize) -> Result<Figures, String> {
    let started = Instant::now();
    let (scene, _) = Scene::new(profile);
    let root = identity(&World::new(&scene), &scene).0;
    let mut search = Search { table: table(&profile), scene, nodes: Vec::new(), states: HashMap::default() };
    search.add(&Found { parent: NOBODY, input: 0, number: root, spent: Budget::default() });
    let search = RwLock::new(search);
    let mut figures = Figures::default();
    let broken = thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        let orders: Vec<_> = (0..workers)
            .map(|_| {
                let (order, orders) = mpsc::channel::<(usize, Range<usize>)>();
                let (done, search) = (done.clone(), &search);
                scope.spawn(move || work(search, &orders, &done));
                order
            })
            .collect();
        let mut level = 0..1;
        while !level.is_empty() && level.end < profile.states {
            let mut next = level.start;
            while next < level.end {
                let mut sent = 0;
                for order in &orders {
                    if next == level.end {
                        break;
                    }
                    let end = (next + PORTION).min(level.end);
                    order.send((sent, next..end)).expect("a worker panicked");
                    (next, sent) = (end, sent + 1);
                }
                let mut portions: Vec<(usize, Portion)> = results.iter().take(sent).collect();
                portions.sort_by_key(|(number, _)| *number);
                let mut search = search.write().expect("a worker panicked");
                for (_, portion) in portions {
                    figures.transitions += portion.transitions;
                    figures.histories += portion.histories;
                    if let Some((parent, input, broken)) = portion.broken {
                        return Some((search.path(parent, input), broken));
                    }
                    portion.found.iter().for_each(|found| search.add(found));
                }
            }
            level = level.end..search.read().expect("a worker panicked").nodes.len();
            if std::env::var_os("EXPLORE_LEVELS").is_some() {
                eprintln!("{:.0?}: level {}, {} paths", started.elapsed(), figures.depth, level.end);
            }
            figures.depth += usize::from(!level.is_empty());
        }
        figures.complete = level.is_empty();
        None
    });
    let search = search.into_inner().expect("the workers have finished");
    if let Some((path, broken)) = broken {
        return Err(counterexample(&search.scene, &path, &broken));
    }
    figures.states = search.states.len();
    figures.took = started.elapsed();
    Ok(figures)
}

/// A worker: expands the states that it receives, until there are no more.
fn work(
    search: &RwLock<Search>,
    orders: &mpsc::Receiver<(usize, Range<usize>)>,
    done: &mpsc::Sender<(usize, Portion)>,
) {
    let mut judge = Judge::new(&search.read().expect("a worker panicked").scene);
    quietly(|| {
        for (number, range) in orders {
            let portion = search.read().expect("a worker panicked").portion(range, &mut judge);
            if done.send((number, portion)).is_err() {
                break;
            }
        }
    });
}

impl Search {
    /// Whether the state was reached before without using more of any budget.
    fn knows(&self, number: u64, spent: Budget) -> bool {
        let mut way = self.states.get(&number).copied().unwrap_or(NOBODY);
        while let Some(node) = self.nodes.get(way as usize) {
            if Budget::unpacked(node.spent).within(spent) {
                return true;
            }
            way = node.other;
        }
        false
    }

    fn add(&mut self, found: &Found) {
        if self.knows(found.number, found.spent) {
            return;
        }
        let place = u32::try_from(self.nodes.len()).expect("too many states for their index");
        let other = self.states.insert(found.number, place).unwrap_or(NOBODY);
        self.nodes.push(Node { parent: found.parent, spent: found.spent.packed(), other, input: found.input });
    }

    /// The path to a state, and one more input.
    fn path(&self, mut place: u32, input: u16) -> Vec<Input> {
        let mut path = vec![self.table[usize::from(input)]];
        while let Some(node) = self.nodes.get(place as usize).filter(|node| node.parent != NOBODY) {
            path.push(self.table[usize::from(node.input)]);
            place = node.parent;
        }
        path.reverse();
        path
    }

    /// The state with this index, rebuilt by applying its inputs.
    fn world(&self, place: u32) -> World {
        let node = &self.nodes[place as usize];
        if node.parent == NOBODY {
            return World::new(&self.scene);
        }
        let mut world = World::new(&self.scene);
        for input in self.path(node.parent, node.input) {
            world = self.next(&world, input).map_or(world, |(next, _)| next);
        }
        world
    }

    /// The state after an input, and whether the change of the state breaks an invariant; `None` if the input panics or
    /// is not tried in this state.
    fn next(&self, world: &World, input: Input) -> Option<(World, Result<(), Broken>)> {
        let price = input.price(world, &self.scene)?;
        let mut next = world.clone();
        let applied = catch_unwind(AssertUnwindSafe(|| next.apply(input, &self.scene))).ok()?;
        next.spent = world.spent.plus(price);
        let held = steps::check(world, input, &applied, &mut next, &self.scene);
        Some((next, held))
    }

    fn portion(&self, range: Range<usize>, judge: &mut Judge) -> Portion {
        let judged = judge.judged();
        let mut portion = Portion::default();
        let mut seen: HashSet<(u64, u32)> = HashSet::new();
        let mut parent: Option<(u32, World)> = None;
        for place in range {
            let place = place as u32;
            let node = &self.nodes[place as usize];
            // Neighbouring nodes mostly have the same previous state.
            if parent.as_ref().is_none_or(|(known, _)| *known != node.parent) && node.parent != NOBODY {
                parent = Some((node.parent, self.world(node.parent)));
            }
            let world = match &parent {
                Some((_, parent)) => self.next(parent, self.table[usize::from(node.input)]).map(|(world, _)| world),
                None => Some(World::new(&self.scene)),
            };
            let Some(world) = world else { continue };
            if let Some((input, broken)) = self.expand(place, &world, judge, &mut seen, &mut portion) {
                portion.broken = Some((place, input, broken));
                break;
            }
        }
        portion.histories = judge.judged() - judged;
        portion
    }

    /// Applies every input to a state. Stops at the first that breaks an invariant.
    fn expand(
        &self,
        place: u32,
        world: &World,
        judge: &mut Judge,
        seen: &mut HashSet<(u64, u32)>,
        portion: &mut Portion,
    ) -> Option<(u16, Broken)> {
        let calls = identity(world, &self.scene).1;
        for (number, &input) in self.table.iter().enumerate() {
            let number = number as u16;
            let Some(price) = input.price(world, &self.scene) else { continue };
            if !world.spent.plus(price).within(self.scene.profile.budget) || self.is_twin(input, &calls, world) {
                continue;
            }
            portion.transitions += 1;
            let Some((next, held)) = self.next(world, input) else {
                return Some((number, Broken { invariant: 11, what: format!("{input}: this input panics") }));
            };
            if let Err(broken) = held {
                return Some((number, broken));
            }
            let identity = identity(&next, &self.scene).0;
            if self.knows(identity, next.spent) || !seen.insert((identity, next.spent.packed())) {
                continue;
            }
            if !self.states.contains_key(&identity)
                && let Err(broken) = self.look(&next, judge)
            {
                return Some((number, broken));
            }
            portion.found.push(Found { parent: place, input: number, number: identity, spent: next.spent });
        }
        None
    }

    /// Whether an earlier call of the step is in the same state, so that the input would have the same effect on it.
    fn is_twin(&self, input: Input, calls: &[u64; CALLS], world: &World) -> bool {
        let Some(c) = input.call() else { return false };
        let step = self.scene.profile.calls_of(self.scene.profile.step_of(c));
        let there = world.part(c).is_some();
        there && (step.start..c).any(|twin| calls[twin] == calls[c] && world.part(twin).is_some())
    }

    /// Checks one new state.
    fn look(&self, world: &World, judge: &mut Judge) -> Result<(), Broken> {
        let looked = catch_unwind(AssertUnwindSafe(|| {
            rules::check(world, &self.scene)?;
            waits::check(world, &self.scene)?;
            reload::check(world, &self.table, &self.scene)?;
            way_out::check(world, &self.scene)
        }));
        looked.unwrap_or_else(|_| Err(Broken { invariant: 11, what: "an action of the user panics".to_owned() }))?;
        judge.check(world)
    }
}

/// Runs `body` without printing panics, which are reported once, with their path.
fn quietly(body: impl FnOnce()) {
    static HOOK: Once = Once::new();
    thread_local! { static QUIET: Cell<bool> = const { Cell::new(false) } }
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    body();
    QUIET.set(false);
}
