//! What each input does to the exchange with the backend in each state.
//!
//! [`exchange_transition`] is total and has no catch-all arm. `tests/host/tables/exchange.md` is this function, printed.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// The states of the exchange.
    pub enum ExchangeState {
        /// Nothing is under way.
        Idle,
        /// A submission was sent, and no reply to it has begun.
        InFlight,
        /// The reply to a submission is arriving.
        Replying,
        /// A reply is arriving that no request asked for, or one that broke off and that nobody reconnected to.
        Unrequested,
        /// The host tries to get hold of a stream again.
        Reconnecting,
    }
}

enumerated! {
    /// What can happen to the exchange.
    pub enum ExchangeInput {
        /// The host claims a submission.
        Claim,
        /// An event that brings content, and does not say which request it answers.
        Content,
        /// An event, without a request, that settles a call which the submission in flight carries, or asks about it anew.
        Settlement,
        /// A file, a source or an app's data, without a request: content, but not enough to begin a reply that nobody asked for.
        Attachment,
        /// An event about a known call, without a request.
        Report,
        /// An event, without a request, that is neither content nor about a call: metadata, transient data.
        Housekeeping,
        /// An event that says how the reply ends, without a request.
        Terminal,
        /// An event of the request in flight or of the reply that is arriving; or of one whose reply may begin (again).
        Labelled,
        /// An event of another request, or of an earlier attempt.
        Foreign,
        /// An event of a stream that the host reconnected to.
        Reconnected,
        /// The stream came to its end.
        StreamFinishes,
        /// The stream ended in any other way.
        StreamBreaks,
        /// The submission could not be sent, or its connection was lost.
        SendFails,
        /// The user stops.
        Stop,
        /// The user cancels.
        Cancel,
        /// The host begins to reconnect.
        Reconnect,
        /// Reconnecting takes too long.
        TimeIsUp,
        /// The page was closed, and opened again from its snapshot.
        Reload,
    }
}

/// What to do about an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExchangeTransition {
    /// The claimed submission is in flight.
    Send,
    /// The reply that nobody asked for ends; the claimed submission is in flight.
    EndAndSend,
    /// A reply opens: to the submission that the event answers.
    Open,
    /// A reply opens that no request asked for.
    OpenUnrequested,
    /// The reply that nobody asked for ends; another one opens.
    EndAndOpen,
    /// The event belongs to the reply that is arriving.
    Continue,
    /// The event may settle or ask about known calls; it opens nothing and adds nothing.
    Outside,
    /// The event may settle calls which its own request carried, and nothing else.
    Late,
    /// How the reply ends is noted; it ends when its stream does.
    NoteEnding,
    /// The reply ends.
    End,
    /// The submission in flight may or may not have arrived.
    Lose,
    /// The submission in flight could not be sent.
    Fail,
    /// The reply will end because the user stopped it.
    MarkStopped,
    /// What the reply still asks is cancelled as it comes.
    MarkCancelled,
    /// The host is given time to reconnect.
    Wait,
    /// The reply ends as disconnected; the host is given time to reconnect.
    EndAndWait,
    /// The submission in flight may or may not have arrived; the host is given time to reconnect.
    LoseAndWait,
    /// Reconnecting is over; the input is looked at again with nothing under way.
    Return,
    /// Nothing changes.
    Ignore,
}

/// What `input` does in `state`.
#[must_use]
pub const fn exchange_transition(state: ExchangeState, input: ExchangeInput) -> ExchangeTransition {
    use ExchangeInput::{
        Attachment, Cancel, Claim, Content, Foreign, Housekeeping, Labelled, Reconnect, Reconnected, Reload, Report,
        SendFails, Settlement, Stop, StreamBreaks, StreamFinishes, Terminal, TimeIsUp,
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
            Cancel | TimeIsUp => Ignore,
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
            TimeIsUp => Ignore,
        },
        ExchangeState::Unrequested => match input {
            Claim => EndAndSend,
            Content | Settlement | Attachment | Report | Housekeeping | Reconnected => Continue,
            Labelled => EndAndOpen,
            Foreign => Late,
            Terminal | StreamFinishes | StreamBreaks | Stop | Cancel | Reload => End,
            SendFails | TimeIsUp => Ignore,
            Reconnect => EndAndWait,
        },
        ExchangeState::Reconnecting => match input {
            Claim => Ignore,
            Content | Settlement | Attachment | Report | Housekeeping | Terminal => Return,
            Labelled | Reconnected => Open,
            Foreign => Late,
            StreamFinishes | StreamBreaks | Stop | Cancel | TimeIsUp | Reload => Return,
            SendFails => Ignore,
            Reconnect => Wait,
        },
    }
}
