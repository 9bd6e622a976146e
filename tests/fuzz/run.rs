//! Runs cases in threads, until the requested number of inputs is reached.

use crate::case::{self, Case, Counts, Target};
use crate::fail;
use crate::rng::Rng;
use crate::shrink;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// The number of inputs between two progress messages.
const TOLD: u64 = 1_000_000;

/// The shared state of the threads of a run.
struct Run {
    target: Target,
    count: u64,
    seed: u64,
    threads: u64,
    began: Instant,
    inputs: AtomicU64,
    stopped: AtomicBool,
    /// The cases that broke a rule, with their numbers.
    broken: Mutex<Vec<(u64, Case)>>,
}

/// Runs cases until this many inputs are reached. Each thread has its own cases and its own share of the inputs, so the
/// run depends only on the seed and the number of threads.
pub fn run(target: Target, count: u64, seed: u64, threads: u64) -> Counts {
    case::quietly();
    let (name, what) = (target.name(), target.inputs());
    println!("{name}: {count} {what} from seed {seed}, in {threads} threads");
    let run = &Run {
        target,
        count,
        seed,
        threads,
        began: Instant::now(),
        inputs: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        broken: Mutex::default(),
    };
    let mut counts = Counts::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|worker| scope.spawn(move || run.work(worker))).collect();
        for worker in workers {
            counts.add(worker.join().expect("every case catches its panics"));
        }
    });
    let mut broken = std::mem::take(&mut *run.broken.lock().expect("no thread panics while it holds this lock"));
    broken.sort_by_key(|(number, _)| *number);
    if let Some((number, case)) = broken.into_iter().next() {
        let wrong = case.wrong.unwrap_or_default();
        let (steps, wrong) = shrink::shortest(case.steps, wrong);
        let inputs = counts.inputs;
        fail(&format!(
            "after {inputs} {what}, in case {number}: {wrong}\nThe input, for `./pkg-scripts/fuzz replay FILE`:\n{steps}"
        ));
    }
    let Counts { inputs, whole, cases } = counts;
    println!("{inputs} {what} in {cases} cases: no rule was broken. The whole state was checked {whole} times");
    counts
}

impl Run {
    /// Runs the cases of one thread.
    fn work(&self, worker: u64) -> Counts {
        let mut counts = Counts::default();
        let share = self.count.div_ceil(self.threads);
        let mut number = worker;
        while counts.inputs < share && !self.stopped.load(Ordering::Relaxed) {
            // Every case has its own seed, so that it can be run alone.
            let case = case::random(self.target, Rng::new(self.seed ^ (number << 20)).next(), number);
            counts.add(case.counts);
            self.tell(case.counts.inputs);
            if case.wrong.is_some() {
                self.stopped.store(true, Ordering::Relaxed);
                self.broken.lock().expect("no thread panics while it holds this lock").push((number, case));
            }
            number += self.threads;
        }
        counts
    }

    /// Prints the progress of the run from time to time.
    fn tell(&self, more: u64) {
        let before = self.inputs.fetch_add(more, Ordering::Relaxed);
        let now = before + more;
        if before / TOLD != now / TOLD {
            println!("{now} {}, {} s", self.target.inputs(), self.began.elapsed().as_secs());
        }
    }
}
