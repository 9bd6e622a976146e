//! How streams and turns end.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// How a stream ended, as its reader saw it.
    pub enum StreamEnd {
        /// It came to its end.
        Finished,
        /// The API or the stream failed.
        Error,
        /// The user or the host stopped it.
        Aborted,
        /// The connection was lost.
        Disconnected,
        /// The backend stopped at its limit of steps.
        StepLimit,
    }
}

enumerated! {
    /// How a turn ended.
    pub enum Ending {
        /// Normally.
        Finished = "finished",
        /// With an API or stream error.
        Failed = "failed",
        /// With a reply that had no content.
        Empty = "empty",
        /// At the backend's limit of steps.
        StepLimit = "step-limit",
        /// By the user.
        Interrupted = "interrupted",
        /// With the connection lost.
        Disconnected = "disconnected",
    }
}

impl Ending {
    /// Whether the step it ended is complete, so that its decisions may be sent. After any other ending the reply broke off.
    #[must_use]
    pub const fn completes_step(self) -> bool {
        match self {
            Ending::Finished | Ending::Empty | Ending::StepLimit => true,
            Ending::Failed | Ending::Interrupted | Ending::Disconnected => false,
        }
    }
}

impl From<StreamEnd> for Ending {
    fn from(end: StreamEnd) -> Self {
        match end {
            StreamEnd::Finished => Ending::Finished,
            StreamEnd::Error => Ending::Failed,
            StreamEnd::Aborted => Ending::Interrupted,
            StreamEnd::Disconnected => Ending::Disconnected,
            StreamEnd::StepLimit => Ending::StepLimit,
        }
    }
}

enumerated! {
    /// The state of the turn.
    pub enum TurnStatus {
        /// Something is still to come.
        Open = "open",
        /// It ended well.
        Done = "done",
        /// It ended badly, after work that is kept.
        Incomplete = "incomplete",
        /// It ended badly, and nothing was done.
        Error = "error",
        /// Its reply owes results; nothing is sent automatically.
        Stalled = "stalled",
    }
}
