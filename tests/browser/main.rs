//! The boundary, in a browser: the real codec and machine over real JavaScript values.
//!
//! `src/wasm/host.rs` is compiled into this binary as it is, and speaks to the very `Host` that the
//! package ships, bundled from `src/ts/host.ts`. What needs no JavaScript value is tested in `tests/host`.

#![cfg(target_family = "wasm")]

// What `src/wasm/host.rs` finds in its own crate.
pub use toolgate::{machine, wire};

#[allow(dead_code)]
#[path = "../../src/wasm/host.rs"]
mod host;
mod page;
mod values;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
