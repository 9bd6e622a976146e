//! The exchange of submissions and replies with the backend. Answers are sent independently of it.

use super::{ExchangeState, Reply};
use crate::machine::Ending;
use crate::machine::ledger::{Ledger, flag, option, variant};
use crate::prelude::*;

/// The exchange with the backend.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Exchange {
    /// No submission is in flight and no reply is open.
    #[default]
    Idle,
    /// A submission was sent, and its reply has not begun.
    InFlight {
        /// The submission's number.
        item: u32,
        /// The ending that an event announced before any content arrived.
        ending: Option<Ending>,
        /// Whether the user stopped it.
        stopping: bool,
    },
    /// A reply is open.
    Replying(Box<Reply>),
    /// The host is reconnecting to a lost stream.
    Reconnecting {
        /// Until when decisions are held, in ms since 1970.
        until: u64,
    },
}

impl Exchange {
    /// The state that the table uses.
    #[must_use]
    pub fn state(&self) -> ExchangeState {
        match self {
            Exchange::Idle => ExchangeState::Idle,
            Exchange::InFlight { .. } => ExchangeState::InFlight,
            // The caller that reconnected has the stream, and will end it.
            Exchange::Replying(reply) if reply.reconnected => ExchangeState::Replying,
            Exchange::Replying(reply) if reply.item.is_some() && !reply.reopened => ExchangeState::Replying,
            Exchange::Replying(_) => ExchangeState::Unrequested,
            Exchange::Reconnecting { .. } => ExchangeState::Reconnecting,
        }
    }

    /// The open reply.
    #[must_use]
    pub fn reply(&self) -> Option<&Reply> {
        match self {
            Exchange::Replying(reply) => Some(reply),
            Exchange::Idle | Exchange::InFlight { .. } | Exchange::Reconnecting { .. } => None,
        }
    }

    /// The open reply, mutable.
    pub(in crate::machine) fn reply_mut(&mut self) -> Option<&mut Reply> {
        match self {
            Exchange::Replying(reply) => Some(reply),
            Exchange::Idle | Exchange::InFlight { .. } | Exchange::Reconnecting { .. } => None,
        }
    }

    /// Whether the user has stopped the request in flight or its open reply.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        match self {
            Exchange::InFlight { stopping, .. } => *stopping,
            Exchange::Replying(reply) => reply.stopping,
            Exchange::Idle | Exchange::Reconnecting { .. } => false,
        }
    }

    /// The submission in flight, or the one that the open reply answers.
    #[must_use]
    pub fn item(&self) -> Option<u32> {
        match self {
            Exchange::InFlight { item, .. } => Some(*item),
            Exchange::Replying(reply) => reply.item,
            Exchange::Idle | Exchange::Reconnecting { .. } => None,
        }
    }

    /// Visits the fields, to save or restore them.
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
