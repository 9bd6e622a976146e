//! A checksum of plain JSON that detects accidental damage: the same one as `src/ts/json/checksum.ts`. It does not
//! protect against forgery.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::canonical::write;
use serde_json::Value as Json;

const P: u32 = 0x9e37_79b1;
const Q: u32 = 0x85eb_ca77;

// The start values of the first hash. The second one starts from the seed plus one.
const TEXT: u32 = 11;
const LIST: u32 = 13;
const OBJECT: u32 = 17;

/// The checksum of a value: 16 hex digits.
pub(super) fn checksum(json: &Json) -> String {
    let (first, second) = read(json);
    format!("{first:08x}{second:08x}")
}

type Hashes = (u32, u32);

fn read(json: &Json) -> Hashes {
    match json {
        Json::String(text) => read_text(text),
        // An item of a list is an entry with its index.
        Json::Array(items) => {
            read_entries(LIST, items.iter().enumerate().map(|(at, item)| (Cow::Owned(format!("{at}")), item)))
        }
        Json::Object(object) => {
            read_entries(OBJECT, object.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), value)))
        }
        // Any other value counts as its text.
        Json::Null | Json::Bool(_) | Json::Number(_) => {
            let mut text = String::from("\0");
            write(json, false, &mut text);
            read_text(&text)
        }
    }
}

fn read_entries<'a>(seed: u32, entries: impl Iterator<Item = (Cow<'a, str>, &'a Json)>) -> Hashes {
    let (mut a, mut b) = (seed, seed + 1);
    for (key, value) in entries {
        let ((x, y), (first, second)) = (read_text(&key), read(value));
        let first = (first ^ x.wrapping_mul(Q)).wrapping_mul(P);
        let second = (second ^ y.wrapping_mul(P)).wrapping_mul(Q);
        let (first, second) = end((first, second));
        (a, b) = (a.wrapping_add(first), b.wrapping_add(second));
    }
    end((a, b))
}

fn end((first, second): Hashes) -> Hashes {
    let signed = |hash: u32, by: u32| hash ^ hash >> by;
    let (first, second) = (signed(first, 15).wrapping_mul(Q), signed(second, 13).wrapping_mul(P));
    (signed(first, 16), signed(second, 16))
}

fn read_text(text: &str) -> Hashes {
    let units: Vec<u32> = text.encode_utf16().map(u32::from).collect();
    let (mut a, mut b) = (TEXT.wrapping_mul(P), (TEXT + 1).wrapping_mul(Q));
    let pairs = units.chunks_exact(2);
    if let [unit] = pairs.remainder() {
        a = (a ^ unit).wrapping_mul(P);
        b = (b ^ unit).wrapping_mul(Q);
    }
    for pair in pairs {
        let units = pair[0] | pair[1] << 16;
        a = (a ^ units).wrapping_mul(P);
        b = (b.rotate_left(5) ^ units).wrapping_mul(Q);
    }
    end((a ^ length(units.len()), b))
}

/// A length, as far as it counts.
fn length(count: usize) -> u32 {
    count as u32
}
