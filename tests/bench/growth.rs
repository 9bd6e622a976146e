//! The mean time of an operation of the native machine, for chats with few and many operations: see `lib/growth.rs`.

#[cfg(not(target_family = "wasm"))]
#[path = "lib/growth.rs"]
mod growth;
#[cfg(not(target_family = "wasm"))]
#[path = "../host/value.rs"]
#[allow(dead_code)]
mod value;
#[cfg(not(target_family = "wasm"))]
#[path = "../host/values.rs"]
#[allow(dead_code)]
mod values;

fn main() {
    #[cfg(not(target_family = "wasm"))]
    growth::measure();
}
