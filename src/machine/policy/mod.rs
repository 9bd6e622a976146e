//! How the host wants the machine to behave.

mod options;

pub use options::{OnDeny, OnUserMessage, Options};
