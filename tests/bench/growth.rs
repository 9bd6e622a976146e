//! The mean time of an operation of the native machine, for chats with few and many operations: see `lib/growth.rs`.

#[cfg(not(target_family = "wasm"))]
#[path = "lib/growth.rs"]
mod growth;

fn main() {
    #[cfg(not(target_family = "wasm"))]
    growth::measure();
}
