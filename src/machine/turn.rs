//! The turn: everything between one user message and the next, and how it ended.

/// How a stream ended, as its reader saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Normally.
    Finished,
    /// With an API or stream error.
    Failed,
    /// With a reply that had no content.
    Empty,
    /// At the backend's limit of steps.
    StepLimit,
    /// By the user.
    Interrupted,
    /// With the connection lost.
    Disconnected,
}

impl Ending {
    /// The ending as the view shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Ending::Finished => "finished",
            Ending::Failed => "failed",
            Ending::Empty => "empty",
            Ending::StepLimit => "step-limit",
            Ending::Interrupted => "interrupted",
            Ending::Disconnected => "disconnected",
        }
    }

    /// Whether the step it ended is complete, so that its decisions may leave.
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

/// Where the turn stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnStatus {
    /// Something is still to come.
    Open,
    /// It ended well.
    Done,
    /// It ended badly, after work that is kept.
    Incomplete,
    /// It ended badly, and nothing was done.
    Error,
    /// Its reply owes results; nothing leaves by itself.
    Stalled,
}

impl TurnStatus {
    /// The status as the view shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TurnStatus::Open => "open",
            TurnStatus::Done => "done",
            TurnStatus::Incomplete => "incomplete",
            TurnStatus::Error => "error",
            TurnStatus::Stalled => "stalled",
        }
    }
}

/// What is known of the turn beside its messages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Turn {
    /// How its last reply ended; none while one is awaited.
    pub ending: Option<Ending>,
    /// A step was completed or a call settled.
    pub work: bool,
}

impl Turn {
    /// A request is about to leave: the turn goes on.
    pub(super) fn reopen(&mut self) {
        self.ending = None;
    }
}
