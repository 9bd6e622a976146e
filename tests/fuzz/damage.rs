//! Ways to damage a valid JSON value: parts of it are removed, replaced, added, doubled or moved.

use crate::rng::Rng;
use serde_json::{Map, Value as Json, json};

/// An id: mostly one of a few common ones, sometimes an odd one (`__proto__`, empty, a control character), rarely a
/// huge one.
pub fn id(rng: &mut Rng) -> String {
    const COMMON: [&str; 8] = ["c1", "c2", "c3", "a1", "a2", "a3", "r1", "m1"];
    const ODD: [&str; 7] = ["__proto__", "constructor", "toString", "", "\n", "\u{0}", "tool-"];
    match rng.weighted(&[30, 6, 1]) {
        0 => (*rng.pick(&COMMON)).to_owned(),
        1 => (*rng.pick(&ODD)).to_owned(),
        _ => "x".repeat(10_000),
    }
}

/// A random JSON value.
pub fn any(rng: &mut Rng, depth: usize) -> Json {
    match rng.below(if depth == 0 { 7 } else { 9 }) {
        0 => Json::Null,
        1 => json!(rng.flag()),
        2 => json!(rng.next() as i64),
        3 => json!(-0.5),
        4 => json!(id(rng)),
        5 => json!([]),
        6 => json!({}),
        7 => (0..rng.below(3)).map(|_| any(rng, depth - 1)).collect(),
        _ => {
            let names = ["id", "type", "approved", "toolCallId", "__proto__", "text", "state", "output"];
            let entries = (0..rng.below(3)).map(|_| ((*rng.pick(&names)).to_owned(), any(rng, depth - 1)));
            Json::Object(entries.collect::<Map<_, _>>())
        }
    }
}

/// Damages a few places of the value. Most values are not changed.
pub fn perhaps(rng: &mut Rng, value: &mut Json) {
    let times = rng.weighted(&[8, 3, 1, 1]);
    for _ in 0..times {
        once(rng, value);
    }
}

/// Damages one place in the value.
pub fn once(rng: &mut Rng, value: &mut Json) {
    let deeper = !rng.once_in(3);
    match value {
        Json::Object(properties) if !properties.is_empty() => {
            let names: Vec<String> = properties.keys().cloned().collect();
            let name = rng.pick(&names).clone();
            let is_branch = properties[&name].is_object() || properties[&name].is_array();
            if deeper
                && is_branch
                && let Some(inner) = properties.get_mut(&name)
            {
                return once(rng, inner);
            }
            match rng.below(6) {
                0 | 1 => drop(properties.remove(&name)),
                2 | 3 => drop(properties.insert(name, any(rng, 1))),
                4 => drop(properties.insert(name, json!(id(rng)))),
                _ => {
                    drop(properties.insert((*rng.pick(&["__proto__", "constructor", "extra"])).to_owned(), any(rng, 2)))
                }
            }
        }
        Json::Array(items) if !items.is_empty() => {
            let place = rng.below(items.len());
            if deeper {
                return once(rng, &mut items[place]);
            }
            match rng.below(5) {
                0 => drop(items.remove(place)),
                1 => items[place] = any(rng, 1),
                2 => items.insert(rng.below(items.len()), items[place].clone()),
                3 => {
                    let item = items.remove(place);
                    items.insert(rng.below(items.len() + 1), item);
                }
                _ => items.push(any(rng, 1)),
            }
        }
        _ => *value = any(rng, 2),
    }
}
