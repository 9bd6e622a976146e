//! A checksum of plain JSON that detects accidental damage: the same one as `src/ts/json/checksum.ts`. It does not
//! protect against forgery.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value as Json;

const P: u32 = 0x9e37_79b1;
const Q: u32 = 0x85eb_ca77;

// The start value for each kind of JSON value. The second hash starts from the seed plus one.
const NULL: u32 = 1;
const FALSE: u32 = 2;
const TRUE: u32 = 3;
const INTEGER: u32 = 5;
const FRACTION: u32 = 7;
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
        Json::Null => begin(NULL),
        Json::Bool(false) => begin(FALSE),
        Json::Bool(true) => begin(TRUE),
        Json::Number(number) => read_number(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => read_text(text),
        Json::Array(items) => read_list(items),
        Json::Object(object) => {
            let (mut a, mut b) = (OBJECT, OBJECT + 1);
            for (key, value) in object {
                let ((x, y), (first, second)) = (read_text(key), read(value));
                let first = (first ^ x.wrapping_mul(Q)).wrapping_mul(P);
                let second = (second ^ y.wrapping_mul(P)).wrapping_mul(Q);
                let (first, second) = end((first, second));
                (a, b) = (a.wrapping_add(first), b.wrapping_add(second));
            }
            end((a, b))
        }
    }
}

fn begin(seed: u32) -> Hashes {
    (seed.wrapping_mul(P), (seed + 1).wrapping_mul(Q))
}

fn end((first, second): Hashes) -> Hashes {
    let signed = |hash: u32, by: u32| hash ^ hash >> by;
    let (first, second) = (signed(first, 15).wrapping_mul(Q), signed(second, 13).wrapping_mul(P));
    (signed(first, 16), signed(second, 16))
}

fn read_number(number: f64) -> Hashes {
    let whole = number as i32;
    if f64::from(whole) == number {
        let (first, second) = begin(INTEGER);
        return end(((first ^ whole as u32).wrapping_mul(P), (second ^ whole as u32).wrapping_mul(Q)));
    }
    let bits = number.to_bits();
    let (low, high) = (bits as u32, (bits >> 32) as u32);
    let (first, second) = begin(FRACTION);
    let first = ((first ^ low).wrapping_mul(P) ^ high).wrapping_mul(Q);
    let second = ((second ^ high).wrapping_mul(Q) ^ low).wrapping_mul(P);
    end((first, second))
}

fn read_text(text: &str) -> Hashes {
    let units: Vec<u32> = text.encode_utf16().map(u32::from).collect();
    let (mut a, mut b) = begin(TEXT);
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

fn read_list(items: &[Json]) -> Hashes {
    let (mut a, mut b) = (LIST, LIST + 1);
    for (at, item) in items.iter().enumerate() {
        let (first, second) = read(item);
        a = (a ^ first).wrapping_mul(P).wrapping_add(length(at));
        b = (b ^ second).wrapping_mul(Q) ^ length(at);
    }
    end((a ^ length(items.len()), b))
}

/// A length, as far as it counts.
fn length(count: usize) -> u32 {
    count as u32
}
