//! Policies: options that change how the machine behaves.

mod options;

pub use options::{OnDeny, OnUserMessage, Options};
