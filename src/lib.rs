//! Toolgate decides what happens to the tool calls of an AI chat.
//!
//! The crate is three floors, and a floor imports only lower ones:
//!
//! - [`machine`]: the state machine. It owns every tool call's approval state, what must be sent
//!   to the backend, and the transcript. No I/O, no clock, no randomness, no JSON, no JS.
//! - [`wire`]: one codec per backend protocol. A codec reads a backend's events into the machine
//!   and writes the machine's transcript in the backend's own words.
//! - `wasm`: the boundary to JavaScript, compiled for the wasm target only.
//!
//! TypeScript users meet none of this: they use the npm package `toolgate`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![no_std]

extern crate alloc;
#[cfg(not(toolgate_artifact))]
extern crate std;

pub mod machine;
pub mod wire;

#[cfg(target_family = "wasm")]
mod wasm;

/// What the standard prelude brings and `core`'s does not.
mod prelude {
    pub use alloc::boxed::Box;
    pub use alloc::vec::Vec;
}

/// The published file has no standard library: a panic there has nobody to print to, and the code to
/// format its message would be a tenth of the download. The page sees a trap, and fails closed.
#[cfg(toolgate_artifact)]
mod artifact {
    #[global_allocator]
    static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        core::arch::wasm32::unreachable()
    }
}
