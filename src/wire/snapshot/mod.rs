//! Snapshots: the machine's state as numbers and values, and back.
//!
//! The numbers stand one after the other, in the order in which they are read; nobody but the files
//! of this module reads them: `write` and `read` say the same things in the same order, each in its
//! direction. Ids are among them as they are: the host keeps their texts. Values of the host stand in a
//! list of their own, as they are: whoever stores it encodes them. Reading believes nothing: what was
//! not written here is refused, whole.

mod places;
mod read;
mod write;

pub use read::{restore, take_over};
pub use write::save;

use crate::machine::Payload;

/// The version that [`save`] writes. [`restore`] reads it and all before it.
pub const VERSION: u32 = 3;

/// The lists of a snapshot, as values of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lists {
    /// Counts, places and flags.
    pub numbers: Payload,
    /// The values that the machine holds. A number 0 stands for none, 1 for the first of these.
    pub values: Payload,
}
