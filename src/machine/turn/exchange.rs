//! What is under way with the backend, for submissions. Answers may be under way beside it.

use super::{Ending, ExchangeState, Reply};
use crate::machine::Id;
use crate::machine::ledger::{Ledger, flag, option, variant};
use crate::prelude::*;

/// What is under way with the backend.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Exchange {
    /// Nothing.
    #[default]
    Idle,
    /// This item was sent, and no reply has begun.
    InFlight {
        /// The item.
        item: u32,
        /// How its reply ends, if an event has said so before any content came.
        ending: Option<Ending>,
        /// The user stopped it.
        stopping: bool,
    },
    /// A reply is arriving.
    Replying(Box<Reply>),
    /// The host tries to get hold of a stream again.
    Reconnecting {
        /// Until when decisions are held for it, in the host's milliseconds.
        until: u64,
    },
}

impl Exchange {
    /// Its state, for the table.
    #[must_use]
    pub fn state(&self) -> ExchangeState {
        match self {
            Exchange::Idle => ExchangeState::Idle,
            Exchange::InFlight { .. } => ExchangeState::InFlight,
            // Whoever reconnected has the stream, and ends it.
            Exchange::Replying(reply) if reply.reconnected => ExchangeState::Replying,
            Exchange::Replying(reply) if reply.item.is_some() && !reply.unasked => ExchangeState::Replying,
            Exchange::Replying(_) => ExchangeState::Unrequested,
            Exchange::Reconnecting { .. } => ExchangeState::Reconnecting,
        }
    }

    /// The reply that is arriving.
    #[must_use]
    pub fn reply(&self) -> Option<&Reply> {
        match self {
            Exchange::Replying(reply) => Some(reply),
            Exchange::Idle | Exchange::InFlight { .. } | Exchange::Reconnecting { .. } => None,
        }
    }

    /// The reply that is arriving, to be changed.
    pub(in crate::machine) fn reply_mut(&mut self) -> Option<&mut Reply> {
        match self {
            Exchange::Replying(reply) => Some(reply),
            Exchange::Idle | Exchange::InFlight { .. } | Exchange::Reconnecting { .. } => None,
        }
    }

    /// The item that was sent and is not answered to the end.
    #[must_use]
    pub fn item(&self) -> Option<u32> {
        match self {
            Exchange::InFlight { item, .. } => Some(*item),
            Exchange::Replying(reply) => reply.item,
            Exchange::Idle | Exchange::Reconnecting { .. } => None,
        }
    }

    /// Every id that it holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        if let Some(replay) = self.reply().and_then(|reply| reply.replay.as_ref()) {
            replay.opened.iter().for_each(|opened| each(opened.id));
        }
    }

    /// Its fields, for saving and restoring.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let mut state = match self {
            Exchange::Idle => 0,
            Exchange::InFlight { .. } => 1,
            Exchange::Replying(_) => 2,
            Exchange::Reconnecting { .. } => 3,
        };
        ledger.number(&mut state);
        if ledger.is_reading() {
            *self = match state {
                0 => Exchange::Idle,
                1 => Exchange::InFlight { item: 0, ending: None, stopping: false },
                2 => Exchange::Replying(Box::default()),
                _ => Exchange::Reconnecting { until: 0 },
            };
        }
        match self {
            Exchange::Idle => {}
            Exchange::InFlight { item, ending, stopping } => {
                ledger.number(item);
                option(ledger, ending, || Ending::Finished, |ledger, ending| variant(ledger, ending, Ending::ALL));
                flag(ledger, stopping);
            }
            Exchange::Replying(reply) => reply.ledger(ledger),
            Exchange::Reconnecting { until } => ledger.time(until),
        }
    }
}
