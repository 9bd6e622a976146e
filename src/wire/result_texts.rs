//! Handles to the texts that Toolgate writes for calls without a result. The host passes the texts; the English ones
//! are in `src/ts/protocols/shared/result-texts.ts`.

use crate::machine::Payload;
use crate::machine::enumerated::enumerated;

enumerated! {
    /// The texts that the host passes, in order. `textsOf` in `src/ts/gate/create-core.ts` has a line for each.
    pub enum Text {
        /// For a call that was cancelled before it could run.
        Cancelled,
        /// For a call that was closed before it could run.
        Interrupted,
        /// For a call that was closed after it may have started.
        MayHaveRun,
        /// For a call whose input was never complete.
        Incomplete,
        /// For a denied call of the page, about which only this client asked.
        Denied,
        /// The reason of a denial because the user sent a message instead of a decision.
        MovedOn,
        /// The reason of a call whose approval was superseded.
        Superseded,
        /// The reason of an approved call that was held when the user wrote a message.
        Unsent,
        /// The reason of a call that the policy skipped.
        Skipped,
        /// The reason of a call whose approval expired.
        Expired,
    }
}

/// The texts that the model reads for calls without a result. The reasons of other denials are in
/// [`Options`](crate::machine::Options).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Texts {
    /// For a call that was cancelled before it could run.
    pub cancelled: Payload,
    /// For a call that was closed before it could run.
    pub interrupted: Payload,
    /// For a call that was closed after it may have started.
    pub may_have_run: Payload,
    /// For a call whose input was never complete.
    pub incomplete: Payload,
    /// For a denied call of the page, about which only this client asked.
    pub denied: Payload,
}

impl Texts {
    /// All texts, for the list of values in use.
    #[must_use]
    pub fn all(self) -> [Payload; 5] {
        [self.cancelled, self.interrupted, self.may_have_run, self.incomplete, self.denied]
    }
}
