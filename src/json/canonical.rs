//! Values as exact JSON, for snapshots and digests: the same form as `src/ts/json/encode.ts`.
//!
//! What JSON lacks is an object with the key `$`: `undefined`, −0 and URLs. An object that has the key `$` or
//! `__proto__` itself becomes a list of entries, so the form is unambiguous.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Value;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

/// Levels that are stored as nested JSON. Deeper containers are stored as text: one level of the value can take three
/// levels of the encoded form, and `serde_json` reads 128, some of which are the snapshot's own.
const DEEP: u32 = 33;

/// How many levels of the encoded form an event, a history or an output may have: every function that visits a value is
/// recursive.
pub(super) const MAX_LEVELS: u32 = 512;

/// A stored request has a few levels above the values in it.
const MAX_STORED_LEVELS: u32 = MAX_LEVELS + 16;

/// How many levels of the encoded form an object takes that is stored as a list of entries.
const LEVELS_OF_ENTRIES: u32 = 3;

/// The digest of a value: the hex SHA-256 of its canonical JSON. Equal inputs have equal digests, in the npm package
/// too.
#[must_use]
pub fn digest(value: &Value) -> String {
    let mut text = String::new();
    write(&encode_to(value, u32::MAX, 0), true, &mut text);
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The value as plain JSON, from which [`decode`] makes an equal one.
pub(super) fn encode(value: &Value) -> Json {
    encode_to(value, DEEP, 0)
}

fn encode_to(value: &Value, deep: u32, depth: u32) -> Json {
    let next = |value: &Value| encode_to(value, deep, depth + 1);
    match value {
        Value::Undefined | Value::Gone => json!({ "$": "undefined" }),
        Value::Plain(Json::Number(number))
            if number.as_f64().is_some_and(|number| number == 0.0 && number.is_sign_negative()) =>
        {
            json!({ "$": "-0" })
        }
        Value::Plain(json) => json.clone(),
        Value::Url(url) => json!({ "$": "url", "v": url }),
        Value::Partial(input) => encode_to(&input.value(), deep, depth),
        Value::Array(_) | Value::Object(_) if depth == deep => {
            let mut text = String::new();
            write(&encode_to(value, u32::MAX, 0), false, &mut text);
            json!({ "$": "json", "v": text })
        }
        Value::Array(items) => Json::Array(items.iter().map(next).collect()),
        Value::Object(properties) if value.own("$").is_some() || value.own("__proto__").is_some() => {
            let entries: Vec<Json> = properties.iter().map(|(name, value)| json!([name, next(value)])).collect();
            json!({ "$": "object", "v": entries })
        }
        Value::Object(properties) => {
            Json::Object(properties.iter().map(|(name, value)| (name.clone(), next(value))).collect::<Map<_, _>>())
        }
    }
}

/// The value that [`encode`] wrote, or a description of what it cannot have written.
pub(super) fn decode(json: &Json) -> Result<Value, String> {
    match json {
        Json::Object(object) => match object.get("$") {
            Some(tag) => tagged(tag, object.get("v")),
            None => {
                let entry = |(name, value): (&String, &Json)| Ok((name.clone(), decode(value)?));
                Ok(Value::of_entries(object.iter().map(entry).collect::<Result<_, String>>()?))
            }
        },
        Json::Array(items) => Ok(Value::list(items.iter().map(decode).collect::<Result<Vec<_>, _>>()?)),
        plain => Ok(Value::Plain(plain.clone())),
    }
}

fn tagged(tag: &Json, content: Option<&Json>) -> Result<Value, String> {
    let unknown = || format!("unknown tag {tag}");
    match (tag.as_str().ok_or_else(unknown)?, content) {
        ("undefined", _) => Ok(Value::Undefined),
        ("-0", _) => Ok(Value::Plain(json!(-0.0))),
        ("url", Some(Json::String(url))) => Ok(Value::Url(url.clone())),
        ("json", Some(Json::String(text))) => decode(&read_deep(text)?),
        ("object", Some(Json::Array(entries))) => {
            let entry = |entry: &Json| match entry.as_array().map(Vec::as_slice) {
                Some([Json::String(name), value]) => Ok((name.clone(), decode(value)?)),
                _ => Err("an object's entry is not a pair".to_owned()),
            };
            Ok(Value::of_entries(entries.iter().map(entry).collect::<Result<_, String>>()?))
        }
        // JSON of Rust has no big integers, dates or numbers that are not finite.
        _ => Err(unknown()),
    }
}

/// Reads JSON with more levels than `serde_json` reads by default.
fn read_deep(text: &str) -> Result<Json, String> {
    let (mut level, mut in_text, mut is_escaped) = (0u32, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_text,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => level += 1,
            b'}' | b']' if !in_text => level = level.saturating_sub(1),
            _ => {}
        }
        if level > MAX_STORED_LEVELS {
            return Err(format!("a value has more than {MAX_STORED_LEVELS} levels of arrays and objects"));
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let json = Json::deserialize(&mut reader).and_then(|json| reader.end().map(|()| json));
    json.map_err(|error| format!("not valid JSON: {error}"))
}

/// Whether a snapshot of the value can be read again.
pub(super) fn is_readable(json: &Json) -> bool {
    fits(json, MAX_LEVELS)
}

fn fits(json: &Json, levels: u32) -> bool {
    match json {
        Json::Array(items) => levels > 0 && items.iter().all(|item| fits(item, levels - 1)),
        Json::Object(object) => {
            let own = if object.contains_key("$") || object.contains_key("__proto__") { LEVELS_OF_ENTRIES } else { 1 };
            levels >= own && object.values().all(|value| fits(value, levels - own))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => true,
    }
}

/// Writes JSON as JavaScript does. `sorted`: with the keys in the order of their UTF-16 units, as RFC 8785 does.
pub(super) fn write(json: &Json, sorted: bool, to: &mut String) {
    match json {
        Json::Number(number) => to.push_str(&number.as_f64().map_or_else(|| number.to_string(), number_text)),
        Json::Array(items) => {
            to.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    to.push(',');
                }
                write(item, sorted, to);
            }
            to.push(']');
        }
        Json::Object(object) => {
            let by_key = |a: &str, b: &str| a.encode_utf16().cmp(b.encode_utf16());
            let mut members: Vec<(&String, &Json)> = object.iter().collect();
            let mut entries = None;
            if sorted {
                members.sort_by(|(a, _), (b, _)| by_key(a, b));
                entries = (object.get("$") == Some(&json!("object"))).then(|| object.get("v").cloned()).flatten();
                if let Some(Json::Array(list)) = &mut entries {
                    let key = |entry: &Json| entry[0].as_str().unwrap_or_default().to_owned();
                    list.sort_by(|a, b| by_key(&key(a), &key(b)));
                }
            }
            to.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                if at > 0 {
                    to.push(',');
                }
                to.push_str(&Json::String(name.clone()).to_string());
                to.push(':');
                write(entries.as_ref().filter(|_| name == "v").unwrap_or(value), sorted, to);
            }
            to.push('}');
        }
        plain => to.push_str(&plain.to_string()),
    }
}

/// A number as JavaScript writes it: ECMAScript, `Number::toString`.
fn number_text(number: f64) -> String {
    // Rust's shortest form with an exponent has the same digits.
    let shortest = format!("{number:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(|char| *char != '.').collect();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    // The position of the decimal point in the digits.
    let point = exponent + 1;
    let text = if (count..=21).contains(&point) {
        format!("{digits}{}", zeros(point - count))
    } else if (1..=21).contains(&point) {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{whole}.{fraction}")
    } else if (-5..=0).contains(&point) {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, rest) = digits.split_at(1);
        let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        format!("{first}{fraction}e{}{}", if exponent < 0 { "-" } else { "+" }, exponent.abs())
    };
    if number == 0.0 { "0".to_owned() } else { format!("{sign}{text}") }
}
