//! One tool call: its phase, what can happen to it, and what follows from that.
//!
//! A call's phase, outcome and delivery change in one way only: by an [`Input`] that the table in [`transition`] lets in
//! ([`ToolPart::apply`]). Where the call is in the conversation, and what is sent about it, is not known here.

mod approval;
mod effect;
mod input;
mod outcome;
mod part;
mod phase;
mod saving;
mod transition;

pub use approval::{Approval, DecidedBy, Decision};
pub use effect::Effect;
pub use input::Input;
pub use outcome::{Outcome, OutcomeKind};
pub use part::{Delivery, ToolPart, WaitsFor};
pub use phase::Phase;
pub use transition::{Transition, transition};
