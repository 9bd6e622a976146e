//! Toolgate decides what happens to the tool calls of an AI chat.
//!
//! The crate has three layers, and a layer imports only lower ones:
//!
//! - [`machine`]: the state machine. It owns every tool call's approval state, what must be sent
//!   to the backend, and the transcript. No I/O, no clock, no randomness, no JSON, no JS.
//! - [`wire`]: reads AI SDK events and stored histories into the machine, writes its transcript as messages, and saves
//!   its state.
//! - `wasm`: the boundary to JavaScript, compiled for the wasm target only.
//!
//! TypeScript users don't see this crate: they use the npm package `toolgate`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "json")]
pub mod json;
pub mod machine;
pub mod wire;

#[cfg(all(feature = "js", target_family = "wasm"))]
mod wasm;

mod prelude;

/// The published file has no standard library: nothing could print a panic's message there, and the code that formats
/// it would be a large part of the download. JavaScript sees a trap, and the gate then sends nothing more.
#[cfg(all(feature = "js", not(feature = "std"), target_family = "wasm"))]
mod artifact {
    #[global_allocator]
    static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        core::arch::wasm32::unreachable()
    }
}
