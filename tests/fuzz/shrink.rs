//! Removes the steps and values that a failing case does not need.

use crate::case::{replay, watched_closely};
use serde_json::{Value as Json, json};

/// The largest number of shorter cases to try.
const TRIES: usize = 4_000;

/// The kind of a failure, which must not change while a case is shortened: its position, and the beginning of its
/// message.
fn kind(wrong: &str) -> String {
    wrong.chars().take(60).collect()
}

/// The shortest case found that fails in the same way, and its message. If the case also fails when every state is
/// checked, it is shortened with these checks, because they find the failure at the earliest step.
pub fn shortest(mut steps: Vec<Json>, mut wrong: String) -> (Json, String) {
    let closely = watched_closely(&steps);
    if let Err(earlier) = replay(&closely) {
        steps = closely;
        wrong = earlier;
    }
    (shortened(steps, &kind(&wrong)), wrong)
}

fn shortened(mut steps: Vec<Json>, kind: &str) -> Json {
    let mut tries = 0;
    let mut fails = |steps: &[Json]| {
        tries += 1;
        tries <= TRIES && replay(steps).is_err_and(|wrong| wrong.starts_with(kind))
    };
    loop {
        let before = json!(steps);
        let mut place = steps.len();
        while place > 1 {
            place -= 1;
            let mut shorter = steps.clone();
            shorter.remove(place);
            if fails(&shorter) {
                steps = shorter;
            }
        }
        for place in 1..steps.len() {
            while let Some(smaller) = smaller(&steps[place]).into_iter().find(|smaller| {
                let mut shorter = steps.clone();
                shorter[place] = smaller.clone();
                fails(&shorter)
            }) {
                steps[place] = smaller;
            }
        }
        if json!(steps) == before {
            return before;
        }
    }
}

/// Copies of the value, each with one element or property removed, at any depth.
fn smaller(value: &Json) -> Vec<Json> {
    let mut all = Vec::new();
    match value {
        Json::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(place);
                all.push(json!(without));
                all.extend(smaller(item).into_iter().map(|item| {
                    let mut with = items.clone();
                    with[place] = item;
                    json!(with)
                }));
            }
        }
        Json::Object(properties) => {
            for (name, inner) in properties {
                let mut without = properties.clone();
                without.remove(name);
                all.push(json!(without));
                all.extend(smaller(inner).into_iter().map(|inner| {
                    let mut with = properties.clone();
                    with.insert(name.clone(), inner);
                    json!(with)
                }));
            }
        }
        _ => {}
    }
    all
}
