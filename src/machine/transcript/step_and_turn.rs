//! The calls of the current step and of the turn, and how many of them wait for whom.

use super::{PartPos, Transcript};
use crate::machine::{CallKey, Id, ToolPart};
use crate::prelude::*;

impl Transcript {
    /// Whether the position is in the current step. With an answering backend, which waits for an answer to each
    /// request, the step is the whole turn.
    #[must_use]
    pub fn is_in_step(&self, at: PartPos) -> bool {
        self.step.contains(at)
    }

    /// The calls of the current step, in call order.
    pub fn step_calls(&self) -> impl Iterator<Item = (PartPos, &ToolPart)> {
        let start = self.step.start.unwrap_or(PartPos { message: usize::MAX, part: 0 });
        self.calls.from(start).filter_map(|at| Some((at, self.tool(at)?)))
    }

    /// The position of the first part of the current step; `None` if the last message is not the assistant's.
    #[must_use]
    pub fn step_start(&self) -> Option<PartPos> {
        self.step.start
    }

    /// The positions of all calls, in call order.
    #[must_use]
    pub fn all_calls(&self) -> Vec<PartPos> {
        self.calls.from(PartPos { message: 0, part: 0 }).listed()
    }

    /// The positions of the open calls from this message on, in call order. A call is open while it may settle or its
    /// denial is not final.
    #[must_use]
    pub fn open_calls_from(&self, message: usize) -> Vec<PartPos> {
        let newest_first = self.open.as_slice().iter().rev().filter_map(|&key| self.place(CallKey(key)));
        let mut places: Vec<PartPos> = newest_first.take_while(|at| at.message >= message).listed();
        places.reverse();
        places
    }

    /// The positions of the turn's open calls. The turn is everything after the last user message.
    #[must_use]
    pub fn open_turn_calls(&self) -> Vec<PartPos> {
        self.open_calls_from(self.turn_start)
    }

    /// Whether this message belongs to the turn: no user message follows it.
    #[must_use]
    pub fn is_in_turn(&self, message: usize) -> bool {
        message >= self.turn_start
    }

    /// The user message that began the turn.
    #[must_use]
    pub fn turn_message(&self) -> Option<Id> {
        Some(self.messages.get(self.turn_start.checked_sub(1)?)?.id)
    }

    /// How many calls of the step wait for the user.
    #[must_use]
    pub fn waiting_for_user(&self) -> u32 {
        self.step.user
    }

    /// How many of these expire.
    #[must_use]
    pub fn expiring(&self) -> u32 {
        self.step.expiring
    }

    /// How many calls of the step the page must run.
    #[must_use]
    pub fn waiting_for_page(&self) -> u32 {
        self.step.page
    }

    /// How many calls of the step the server must run.
    #[must_use]
    pub fn waiting_for_server(&self) -> u32 {
        self.step.server
    }

    /// How many calls of the step wait for the rest of their stream.
    #[must_use]
    pub fn waiting_for_stream(&self) -> u32 {
        self.step.stream
    }

    /// How many results the host has yet to rewrite.
    #[must_use]
    pub fn awaiting_rewrite(&self) -> u32 {
        self.awaiting_rewrite
    }

    /// Whether a decision or an output of the page in this turn is in no request to the server yet.
    #[must_use]
    pub fn has_unsent(&self) -> bool {
        self.unsent_calls().next().is_some()
    }

    /// The turn's calls with a decision or an output of the page that is in no request to the server yet, in
    /// call order.
    pub fn unsent_calls(&self) -> impl Iterator<Item = (PartPos, &ToolPart)> {
        let places = self.unsent.as_slice().iter().filter_map(|&key| self.place(CallKey(key)));
        places.filter(|at| self.is_in_turn(at.message)).filter_map(|at| Some((at, self.tool(at)?)))
    }
}
