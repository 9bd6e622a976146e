//! One tool call: its phase, its inputs, and their effects.
//!
//! While a chat runs, a call's phase and outcome change only by an [`Input`] that the table in [`transition`] accepts
//! ([`ToolPart::apply`]). Loading sets them without the table: [`ToolPart::read_as`] and `set_sent`. The table is also
//! not used for the copies that are written into a request to the server. Other parts of the machine set two fields
//! themselves: the reason of a call that was just closed (`set_reason`), and the delivery, which the outbox changes
//! (`set_delivery`). The transcript knows a call's position, and the outbox knows the requests to the server that
//! contain it.

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
pub(super) use input::ReportKind;
pub use outcome::{Outcome, OutcomeKind};
pub use part::{Delivery, Reread, ToolPart, WaitsFor};
pub use phase::Phase;
pub use transition::{Transition, transition};
