//! The texts that Toolgate itself writes into a conversation.

/// What the model reads about calls that have no result of their own. All are options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texts {
    /// A call that was cancelled before it could run.
    pub cancelled: String,
    /// A call that was closed before it could run.
    pub interrupted: String,
    /// A call that was closed after it may have started.
    pub unknown_outcome: String,
    /// A call whose input never was complete.
    pub incomplete: String,
    /// The reason of a denial by the user's next message.
    pub moved_on: String,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            cancelled: "Error: Tool execution was cancelled by user. It did not run.".into(),
            interrupted: "Error: Tool execution was interrupted. It did not run.".into(),
            unknown_outcome: "Error: Tool execution was interrupted. It may have run; its outcome is unknown.".into(),
            incomplete: "Error: Tool call was interrupted before its input was complete. It did not run.".into(),
            moved_on: "The user sent a new message instead of answering.".into(),
        }
    }
}
