//! The backend's events about tool calls: what the model calls, and what the backend requests, decides and withdraws.
//! They never fail, in any order. An event that cannot be used becomes an anomaly.

mod calls;
mod decisions;
mod input_update;
mod open_requests;
mod repeated_requests;
mod requests;

pub use calls::CallReport;
pub use input_update::InputUpdate;
pub use requests::Request;
