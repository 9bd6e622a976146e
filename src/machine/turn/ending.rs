//! How streams and turns end.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// How a stream ended, according to its reader. The text is the status in `streamEnded`.
    pub enum StreamEnd {
        /// It was read to its end.
        Finished = "finished",
        /// The API or the stream reported an error.
        Error = "error",
        /// The user or the host stopped it.
        Aborted = "aborted",
        /// The connection was lost.
        Disconnected = "disconnected",
        /// The backend stopped at its limit of steps.
        StepLimit = "step-limit",
    }
}

enumerated! {
    /// How a turn ended.
    pub enum Ending {
        /// The model finished.
        Finished = "finished",
        /// The API or the stream reported an error.
        Failed = "failed",
        /// The reply had no content.
        Empty = "empty",
        /// The backend reached its limit of steps.
        StepLimit = "step-limit",
        /// The user stopped the reply.
        Interrupted = "interrupted",
        /// The connection was lost.
        Disconnected = "disconnected",
    }
}

impl Ending {
    /// Whether the last step is complete, so that its decisions may be sent. Any other ending means that the reply
    /// broke off.
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
    /// The status of the turn.
    pub enum TurnStatus {
        /// It is not finished.
        Open = "open",
        /// It finished normally.
        Done = "done",
        /// It ended badly, but after completed steps or calls.
        Incomplete = "incomplete",
        /// It ended badly, without a completed step or call.
        Error = "error",
        /// Its reply ended empty, or without results for approved calls in its request. Nothing is sent automatically.
        Stalled = "stalled",
    }
}
