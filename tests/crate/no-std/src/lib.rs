//! A crate without the standard library that uses the gate. tests/crate/no-std.test.ts compiles it: it fails if the
//! gate needs more than `alloc`, or a panic handler of its own.

#![no_std]

extern crate alloc;

use alloc::vec::Vec;
use toolgate::json::{Gate, GateOptions, PendingApproval};

/// The pending approvals of a chat.
#[must_use]
pub fn pending(history: &serde_json::Value, now_ms: u64) -> Vec<PendingApproval> {
    let mut gate = Gate::new("chat", &GateOptions::default(), now_ms);
    match gate.load(history, now_ms) {
        Ok(_) => gate.pending(),
        Err(_) => Vec::new(),
    }
}
