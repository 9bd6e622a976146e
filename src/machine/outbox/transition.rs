//! The table of outgoing items: what each input does in each state.
//!
//! [`item_transition`] is total and has no catch-all arm. `tests/host/tables/item.md` is this function, printed.

use super::ItemState;
use crate::machine::enumerated::enumerated;

enumerated! {
    /// What can happen to an outgoing item.
    pub enum ItemInput {
        /// The host claims it, to send it.
        Claim,
        /// Its reply begins, or begins again.
        ReplyBegins,
        /// The backend has received it, and no reply to it is expected or its reply has begun.
        Arrives,
        /// The backend has received it, and will continue in a new reply.
        ArrivesBeforeReply,
        /// The backend continued in a reply, or no reply is expected any more.
        NoReplyExpected,
        /// Its reply ended, well or badly.
        ReplyEnds,
        /// Its reply ended, but was empty, or lacks results for approved calls in the item.
        ReplyIsIncomplete,
        /// It could not be sent.
        SendFails,
        /// Its stream ended without an event, or the event that acknowledged it is in doubt.
        IsLost,
        /// The page was closed, and restored from a snapshot.
        Reload,
        /// The user retries it.
        Retry,
        /// It is withdrawn before it was sent.
        TakeBack,
        /// Its retry is withdrawn before it was sent. The previous attempt had failed.
        BackToFailed,
        /// Its retry is withdrawn before it was sent. The previous attempt may have arrived.
        BackToUnconfirmed,
        /// Events or a loaded history settled its calls, or replied to it.
        CallsSettle,
        /// It is given up, and will not be sent again.
        GiveUp,
    }
}

impl ItemInput {
    /// Whether the reply to the item is over.
    pub(super) const fn ends_reply(self) -> bool {
        matches!(self, Self::ReplyEnds | Self::ReplyIsIncomplete | Self::IsLost | Self::Reload)
    }
}

/// What an input does to an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemTransition {
    /// Changes the state.
    To(ItemState),
    /// Removes the item.
    Remove,
    /// Changes nothing.
    Ignore,
}

/// What `input` does to an item in `state`.
#[must_use]
pub const fn item_transition(state: ItemState, input: ItemInput) -> ItemTransition {
    use ItemState::{Done, Failed, InFlight, Ready, Replying, Stalled, Unconfirmed};
    use ItemTransition::{Ignore, Remove, To};
    match state {
        Ready => match input {
            ItemInput::Claim => To(InFlight),
            // An event with its id shows that it was sent, although no caller claimed it.
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::SendFails => To(Failed),
            ItemInput::TakeBack | ItemInput::GiveUp => Remove,
            ItemInput::BackToFailed => To(Failed),
            ItemInput::BackToUnconfirmed => To(Unconfirmed),
            // The first attempt has arrived after all.
            ItemInput::CallsSettle => To(Done),
            ItemInput::Arrives | ItemInput::ArrivesBeforeReply | ItemInput::NoReplyExpected => Ignore,
            ItemInput::ReplyEnds | ItemInput::ReplyIsIncomplete | ItemInput::IsLost => Ignore,
            ItemInput::Reload | ItemInput::Retry => Ignore,
        },
        InFlight => match input {
            ItemInput::ReplyBegins | ItemInput::ArrivesBeforeReply => To(Replying),
            ItemInput::Arrives | ItemInput::CallsSettle => To(Done),
            ItemInput::ReplyEnds => To(Done),
            ItemInput::ReplyIsIncomplete => To(Stalled),
            ItemInput::SendFails => To(Failed),
            ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::NoReplyExpected | ItemInput::Retry => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Replying => match input {
            ItemInput::NoReplyExpected | ItemInput::ReplyEnds => To(Done),
            ItemInput::ReplyIsIncomplete => To(Stalled),
            ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::ReplyBegins => Ignore,
            ItemInput::Arrives | ItemInput::ArrivesBeforeReply | ItemInput::CallsSettle => Ignore,
            ItemInput::SendFails | ItemInput::Retry => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Done => match input {
            // The same reply is replayed, or continues after it was cut.
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::Arrives | ItemInput::ArrivesBeforeReply => Ignore,
            ItemInput::NoReplyExpected | ItemInput::ReplyEnds | ItemInput::ReplyIsIncomplete => Ignore,
            ItemInput::SendFails | ItemInput::IsLost | ItemInput::Reload | ItemInput::Retry => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
            ItemInput::CallsSettle => Ignore,
        },
        Failed => match input {
            ItemInput::Retry => To(Ready),
            // The host reported a failure, but its reply has begun.
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::ArrivesBeforeReply => To(Replying),
            ItemInput::Arrives | ItemInput::CallsSettle => To(Done),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::NoReplyExpected | ItemInput::ReplyEnds => Ignore,
            ItemInput::ReplyIsIncomplete | ItemInput::SendFails | ItemInput::IsLost => Ignore,
            ItemInput::Reload => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Unconfirmed => match input {
            ItemInput::Retry => To(Ready),
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::ArrivesBeforeReply => To(Replying),
            ItemInput::Arrives | ItemInput::CallsSettle => To(Done),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::NoReplyExpected | ItemInput::ReplyEnds => Ignore,
            ItemInput::ReplyIsIncomplete | ItemInput::SendFails | ItemInput::IsLost => Ignore,
            ItemInput::Reload => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Stalled => match input {
            ItemInput::Retry => To(Ready),
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::CallsSettle => To(Done),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::Arrives | ItemInput::ArrivesBeforeReply => Ignore,
            ItemInput::NoReplyExpected | ItemInput::ReplyEnds | ItemInput::ReplyIsIncomplete => Ignore,
            ItemInput::SendFails | ItemInput::IsLost | ItemInput::Reload => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
    }
}
