//! What is the same when a reply is read a second time: which call an id means, what a second reading repeats, and
//! which reply a reconnected stream repeats.

mod earlier_reply;
mod reconcile;
mod which_call;

pub use which_call::Opening;
pub(in crate::machine) use which_call::{Meant, agrees};
