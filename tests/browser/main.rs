//! Tests in a browser: the real codec and machine read and write real JavaScript values.
//!
//! The tests use the `HandleTable` that the package ships, bundled from `src/ts/wasm/handle-table.ts` and
//! `src/ts/wasm/host-functions.ts` into `target/host.js`. Everything that needs no JavaScript value is tested in
//! `tests/host`.

#![cfg(target_family = "wasm")]

mod host;
mod page;
mod values;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
