//! One tool call: its phase, its inputs, and their effects.
//!
//! A call's phase, outcome and delivery change only by an [`Input`] that the table in [`transition`] accepts
//! ([`ToolPart::apply`]). The transcript knows a call's position, and the outbox knows the requests that contain it.

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
