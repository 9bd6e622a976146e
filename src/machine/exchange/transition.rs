//! The table of the exchange: what each input does in each state.
//!
//! [`exchange_transition`] is total and has no catch-all arm. `tests/host/tables/exchange.md` is this function,
//! printed.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// The states of the exchange.
    pub enum ExchangeState {
        /// No submission is in flight and no reply is open.
        Idle,
        /// A submission was sent, and its reply has not begun.
        InFlight,
        /// The reply to a submission is open.
        Replying,
        /// A reply is open that no request opened, or that broke off and continued without a reconnect.
        Unrequested,
        /// The host is reconnecting to a lost stream.
        Reconnecting,
    }
}

enumerated! {
    /// What can happen to the exchange.
    pub enum ExchangeInput {
        /// The host claims a submission.
        Claim,
        /// An event with content that does not name its request.
        Content,
        /// An event that does not name its request, and that settles a call in the submission in flight or requests its
        /// approval again.
        Settlement,
        /// A file, a source or app data in an event that does not name its request. It is content, but cannot open an
        /// unrequested reply.
        Attachment,
        /// An event that does not name its request, and that is about a known call.
        Report,
        /// An event that does not name its request, and is neither content nor about a call, such as metadata or
        /// transient data.
        Housekeeping,
        /// An event that does not name its request, and that announces how the reply ends.
        Terminal,
        /// An event that names its request: that of the submission in flight, of the open reply, or of a reply that may
        /// begin now.
        Labelled,
        /// An event that names another request, or an earlier attempt.
        Foreign,
        /// An event of a stream that the host reconnected to.
        Reconnected,
        /// The stream was read to its end.
        StreamFinishes,
        /// The stream ended in any other way.
        StreamBreaks,
        /// The submission could not be sent, or its connection was lost.
        SendFails,
        /// The user stops.
        Stop,
        /// The user cancels.
        Cancel,
        /// The host starts to reconnect.
        Reconnect,
        /// The user writes or edits, and so does not wait for a lost stream.
        MoveOn,
        /// The time limit for reconnecting has passed.
        TimeIsUp,
        /// The page was closed, and restored from a snapshot.
        Reload,
    }
}

/// What an input does to the exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExchangeTransition {
    /// The claimed submission is now in flight.
    Send,
    /// Ends the unrequested reply. The claimed submission is now in flight.
    EndAndSend,
    /// Opens the reply to the submission that the event answers.
    Open,
    /// Opens a reply without a request.
    OpenUnrequested,
    /// Ends the unrequested reply, and opens another one.
    EndAndOpen,
    /// The event belongs to the open reply.
    Continue,
    /// The event may settle known calls or contain approval requests for them. It opens nothing and adds nothing.
    Outside,
    /// The event may only settle calls that its own request contained.
    Late,
    /// Stores the announced ending. The reply ends when its stream does.
    NoteEnding,
    /// Ends the reply.
    End,
    /// The submission in flight becomes unconfirmed.
    Lose,
    /// The submission in flight has failed.
    Fail,
    /// Marks the reply as stopped by the user.
    MarkStopped,
    /// Marks the reply as cancelled: its further approval requests are cancelled.
    MarkCancelled,
    /// Waits for the host to reconnect.
    Wait,
    /// Ends the reply as disconnected, and waits for the host to reconnect.
    EndAndWait,
    /// The submission in flight becomes unconfirmed. Waits for the host to reconnect.
    LoseAndWait,
    /// Stops waiting for the host to reconnect, and applies the input again in the idle state.
    Return,
    /// Changes nothing. The printed table shows it as a dot.
    Ignore,
}

/// What `input` does in `state`.
#[must_use]
pub const fn exchange_transition(state: ExchangeState, input: ExchangeInput) -> ExchangeTransition {
    use ExchangeInput::{
        Attachment, Cancel, Claim, Content, Foreign, Housekeeping, Labelled, MoveOn, Reconnect, Reconnected, Reload,
        Report, SendFails, Settlement, Stop, StreamBreaks, StreamFinishes, Terminal, TimeIsUp,
    };
    use ExchangeTransition::{
        Continue, End, EndAndOpen, EndAndSend, EndAndWait, Fail, Ignore, Late, Lose, LoseAndWait, MarkCancelled,
        MarkStopped, NoteEnding, Open, OpenUnrequested, Outside, Return, Send, Wait,
    };
    match state {
        ExchangeState::Idle => match input {
            Claim => Send,
            Content => OpenUnrequested,
            Settlement | Attachment | Report => Outside,
            Housekeeping | Terminal => Ignore,
            Labelled | Reconnected => Open,
            Foreign => Late,
            StreamFinishes | StreamBreaks | SendFails => Ignore,
            Stop | Cancel | TimeIsUp | Reload => Ignore,
            Reconnect => Wait,
            MoveOn => Ignore,
        },
        ExchangeState::InFlight => match input {
            Claim => Ignore,
            Content | Settlement | Attachment | Labelled => Open,
            Report => Outside,
            Housekeeping => Ignore,
            Terminal => NoteEnding,
            Foreign | Reconnected => Late,
            StreamFinishes => Open,
            StreamBreaks | Reload => Lose,
            SendFails => Fail,
            Stop => MarkStopped,
            Cancel | MoveOn | TimeIsUp => Ignore,
            Reconnect => LoseAndWait,
        },
        ExchangeState::Replying => match input {
            Claim => Ignore,
            Content | Settlement | Attachment | Report | Housekeeping | Labelled | Reconnected => Continue,
            Terminal => NoteEnding,
            Foreign => Late,
            StreamFinishes | StreamBreaks | SendFails | Reload => End,
            Stop => MarkStopped,
            Cancel => MarkCancelled,
            Reconnect => EndAndWait,
            MoveOn | TimeIsUp => Ignore,
        },
        ExchangeState::Unrequested => match input {
            Claim => EndAndSend,
            Content | Settlement | Attachment | Report | Housekeeping | Reconnected => Continue,
            Labelled => EndAndOpen,
            Foreign => Late,
            Terminal | StreamFinishes | StreamBreaks | Stop | Cancel | Reload => End,
            SendFails | MoveOn | TimeIsUp => Ignore,
            Reconnect => EndAndWait,
        },
        ExchangeState::Reconnecting => match input {
            Claim => Ignore,
            Content | Settlement | Attachment | Report | Housekeeping | Terminal => Return,
            Labelled | Reconnected => Open,
            Foreign => Late,
            StreamFinishes | StreamBreaks | Stop | Cancel | TimeIsUp | Reload => Return,
            MoveOn => Return,
            SendFails => Ignore,
            Reconnect => Wait,
        },
    }
}
