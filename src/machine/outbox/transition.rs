//! What each input does to an outgoing item in each state.
//!
//! [`item_transition`] is total and has no catch-all arm. `tests/host/tables/item.md` is this function, printed.

use super::ItemState;
use crate::machine::enumerated::enumerated;

enumerated! {
    /// What can happen to an outgoing item.
    pub enum ItemInput {
        /// The host takes it off the list, to send it.
        Claim,
        /// Its reply begins, or begins again.
        ReplyBegins,
        /// The backend has it, and no reply to it is expected, or it has begun already.
        Arrives,
        /// The backend has it, and the reply in which it goes on is still to come.
        ArrivesAndGoesOn,
        /// The backend went on in a reply, or is not waited for any longer.
        ReplyIsDue,
        /// Its reply ended, well or not.
        ReplyEnds,
        /// Its reply ended without what it owed.
        ReplyOwes,
        /// It could not be sent.
        SendFails,
        /// Its stream ended before anything came of it, or what acknowledged it is in doubt.
        IsLost,
        /// The page was closed, and opened again from its snapshot.
        Reload,
        /// The user sends it again.
        Retry,
        /// It is taken back before it was sent.
        TakeBack,
        /// A retry of it is taken back before it was sent: the attempt before had failed.
        BackToFailed,
        /// A retry of it is taken back before it was sent: the attempt before may have arrived.
        BackToUnconfirmed,
        /// Events or a loaded history settled what it was waited for, or answered it.
        Settles,
        /// It will never be tried again.
        GiveUp,
    }
}

/// What to do about an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemTransition {
    /// The item goes into this state.
    To(ItemState),
    /// The item is forgotten.
    Remove,
    /// Nothing changes.
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
            // An event with its id: it was sent, though nobody claimed it.
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::SendFails => To(Failed),
            ItemInput::TakeBack | ItemInput::GiveUp => Remove,
            ItemInput::BackToFailed => To(Failed),
            ItemInput::BackToUnconfirmed => To(Unconfirmed),
            // A retry whose first attempt turns out to have arrived.
            ItemInput::Settles => To(Done),
            ItemInput::Arrives | ItemInput::ArrivesAndGoesOn | ItemInput::ReplyIsDue => Ignore,
            ItemInput::ReplyEnds | ItemInput::ReplyOwes | ItemInput::IsLost => Ignore,
            ItemInput::Reload | ItemInput::Retry => Ignore,
        },
        InFlight => match input {
            ItemInput::ReplyBegins | ItemInput::ArrivesAndGoesOn => To(Replying),
            ItemInput::Arrives | ItemInput::Settles => To(Done),
            ItemInput::ReplyEnds => To(Done),
            ItemInput::ReplyOwes => To(Stalled),
            ItemInput::SendFails => To(Failed),
            ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::ReplyIsDue | ItemInput::Retry => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Replying => match input {
            ItemInput::ReplyIsDue | ItemInput::ReplyEnds => To(Done),
            ItemInput::ReplyOwes => To(Stalled),
            ItemInput::IsLost | ItemInput::Reload => To(Unconfirmed),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::ReplyBegins => Ignore,
            ItemInput::Arrives | ItemInput::ArrivesAndGoesOn | ItemInput::Settles => Ignore,
            ItemInput::SendFails | ItemInput::Retry => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Done => match input {
            // The same reply once more: replayed, or continued after it was cut.
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::Arrives | ItemInput::ArrivesAndGoesOn => Ignore,
            ItemInput::ReplyIsDue | ItemInput::ReplyEnds | ItemInput::ReplyOwes => Ignore,
            ItemInput::SendFails | ItemInput::IsLost | ItemInput::Reload | ItemInput::Retry => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
            ItemInput::Settles => Ignore,
        },
        Failed => match input {
            ItemInput::Retry => To(Ready),
            // The host was wrong: here is its reply.
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::ArrivesAndGoesOn => To(Replying),
            ItemInput::Arrives | ItemInput::Settles => To(Done),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::ReplyIsDue | ItemInput::ReplyEnds => Ignore,
            ItemInput::ReplyOwes | ItemInput::SendFails | ItemInput::IsLost => Ignore,
            ItemInput::Reload => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Unconfirmed => match input {
            ItemInput::Retry => To(Ready),
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::ArrivesAndGoesOn => To(Replying),
            ItemInput::Arrives | ItemInput::Settles => To(Done),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::ReplyIsDue | ItemInput::ReplyEnds => Ignore,
            ItemInput::ReplyOwes | ItemInput::SendFails | ItemInput::IsLost => Ignore,
            ItemInput::Reload => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
        Stalled => match input {
            ItemInput::Retry => To(Ready),
            ItemInput::ReplyBegins => To(Replying),
            ItemInput::Settles => To(Done),
            ItemInput::GiveUp => Remove,
            ItemInput::Claim | ItemInput::Arrives | ItemInput::ArrivesAndGoesOn => Ignore,
            ItemInput::ReplyIsDue | ItemInput::ReplyEnds | ItemInput::ReplyOwes => Ignore,
            ItemInput::SendFails | ItemInput::IsLost | ItemInput::Reload => Ignore,
            ItemInput::TakeBack | ItemInput::BackToFailed | ItemInput::BackToUnconfirmed => Ignore,
        },
    }
}
