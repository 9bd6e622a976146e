//! The step barrier: a step's decisions leave together, and only when the step is complete.

use super::machine::Machine;
use super::on_deny::Rule;
use super::{At, DeliveryState, Id, Message, Part, Phase, Role, ToolPart, Trigger};
use crate::prelude::*;

impl Machine {
    /// Lets leave what may leave: the user's queued messages, else the decisions of a complete step.
    pub(super) fn advance(&mut self) {
        if self.options.answering {
            self.push_answers();
        }
        if self.reply.is_some() || self.active().is_some() {
            return;
        }
        if !self.queue.is_empty() {
            self.release_queue();
            return;
        }
        if self.options.answering {
            return;
        }
        if self.hold || self.left || self.rule == Some(Rule::End) || self.is_stalled() || !self.step_is_complete() {
            return;
        }
        let unsent = self.unsent();
        if !unsent.is_empty() {
            let mut ready = self.held_denials();
            self.close_earlier_steps();
            self.confirm_answered();
            ready.extend(unsent);
            let message_id = self.transcript.last().map(|message| message.id);
            self.push_item(Trigger::Submit, &ready, Vec::new(), message_id);
        }
    }

    /// Who answers what a reply asked has its request confirmed: the chat goes on from there, and a retry
    /// would ask for the reply anew.
    fn confirm_answered(&mut self) {
        for id in self.items_that(&|item| item.state == DeliveryState::Unconfirmed) {
            self.move_item(id, DeliveryState::Acknowledged);
        }
    }

    /// The last step of the conversation: the calls that a request can still answer.
    pub(super) fn step(&self) -> impl Iterator<Item = At> + use<> {
        let messages = self.transcript.messages();
        let (message, parts) = match messages.last() {
            Some(last) if last.role == Role::Assistant => (messages.len() - 1, last.last_step()..last.parts.len()),
            Some(_) | None => (0, 0..0),
        };
        parts.map(move |part| At { message, part })
    }

    /// The calls of the step that are meant, taken first: what becomes of one may change the step.
    pub(super) fn step_calls(&self, are_meant: &dyn Fn(&ToolPart) -> bool) -> Vec<At> {
        self.step().filter(|&at| self.transcript.tool(at).is_some_and(are_meant)).collect()
    }

    /// The calls of all messages from this one on.
    pub(super) fn calls_from(&self, message: usize) -> Vec<At> {
        let mut calls = Vec::new();
        for (index, message) in self.transcript.messages().iter().enumerate().skip(message) {
            calls.append(&mut calls_of(index, message));
        }
        calls
    }

    /// The calls of the turn: of all messages behind the user's last one.
    pub(super) fn turn_calls(&self) -> Vec<At> {
        let messages = self.transcript.messages();
        let from = messages.iter().rposition(|message| message.role == Role::User).map_or(0, |user| user + 1);
        self.calls_from(from)
    }

    /// Whether a message of the user stands behind the call.
    pub(super) fn is_past_turn(&self, at: At) -> bool {
        self.transcript.messages()[at.message..].iter().any(|message| message.role == Role::User)
    }

    /// Whether the call stands in the last step: servers execute only what stands there.
    pub(super) fn is_in_step(&self, at: At) -> bool {
        let messages = self.transcript.messages();
        at.message + 1 == messages.len() && messages.last().is_some_and(|last| at.part >= last.last_step())
    }

    /// Denials of earlier steps that no request has carried: the next one does.
    pub(super) fn held_denials(&self) -> Vec<At> {
        let mut places = self.turn_calls();
        // Found once: with each answer of a step of a thousand calls, they are all looked at.
        let step = self.step().next();
        places.retain(|&at| {
            step.is_none_or(|first| at < first)
                && self.transcript.tool(at).is_some_and(|part| {
                    let told = matches!(part.phase, Phase::Denied | Phase::OutputDenied) || part.is_closed();
                    part.is_undelivered() && told
                })
        });
        places
    }

    /// Closes what the turn's earlier steps left open: servers execute only the last one.
    pub(super) fn close_earlier_steps(&mut self) {
        for at in self.turn_calls() {
            let Some(part) = self.transcript.tool(at).filter(|_| !self.is_in_step(at)) else { continue };
            if part.phase == Phase::Denied {
                self.apply(at, super::Cause::ConfirmDenial);
            } else if !part.is_with_provider() {
                self.apply(at, super::Cause::Interrupt);
            }
        }
    }

    /// Whether no call of the step is neither settled nor decided.
    pub(super) fn step_is_complete(&mut self) -> bool {
        let messages = self.transcript.messages();
        let Some((message, last)) = messages.iter().enumerate().next_back() else { return true };
        let end = last.parts.len();
        // Answers mostly come one after the other: what blocked last time blocks still, or the next one does.
        let known = self.blocker.filter(|at| at.message == message).map_or(end, |at| at.part);
        let mut ahead = (known..end).map(|part| At { message, part });
        self.blocker = ahead.find(|&at| self.blocks(at)).or_else(|| self.step().find(|&at| self.blocks(at)));
        self.blocker.is_none()
    }

    fn blocks(&self, at: At) -> bool {
        let Some(part) = self.transcript.tool(at) else { return false };
        match part.phase {
            Phase::InputAvailable => !part.provider_executed,
            // Approved for the browser: its output is still to come.
            Phase::Approved => self.options.is_browser_tool(part),
            Phase::InputStreaming | Phase::ApprovalRequested | Phase::AutomaticRequest => true,
            Phase::Preliminary => !part.provider_executed,
            Phase::Submitted | Phase::Denied | Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => {
                false
            }
        }
    }

    /// The calls of the step with something that has not left: a decision, or the browser's output.
    pub(super) fn unsent(&self) -> Vec<At> {
        self.step_calls(&|part| part.unsent_output || part.is_undelivered())
    }

    /// Whether the step has something unsent or unanswered (without looking at what holds it).
    pub(super) fn step_waits(&self) -> bool {
        self.step().any(|at| {
            self.transcript.tool(at).is_some_and(|part| {
                part.unsent_output
                    || part.is_undelivered()
                    || (part.phase == Phase::InputAvailable && !part.provider_executed)
            })
        })
    }

    /// Whether a failed submission stands that carries approved calls without results.
    pub(super) fn failed_with_approvals(&self) -> Option<u32> {
        self.items.iter().find(|item| item.state == DeliveryState::Failed && self.owes(item)).map(|item| item.id)
    }

    /// Closes what a later step or message leaves behind: servers execute only what stands last.
    pub(super) fn close_behind(&mut self, places: Vec<At>) {
        for at in places {
            let Some(part) = self.transcript.tool(at) else { continue };
            let approval: Option<Id> = part.approval.as_ref().map(|approval| approval.id);
            if matches!(part.phase, Phase::ApprovalRequested | Phase::Approved) {
                if let Some(approval) = approval {
                    self.transcript.supersede(approval);
                }
                self.close(at, super::Cause::Interrupt, self.options.superseded);
            }
        }
    }

    /// Settles a call without a result, and says why.
    pub(super) fn close(&mut self, at: At, cause: super::Cause, reason: super::Payload) -> super::Verdict {
        self.apply_because(at, cause, reason, &mut |_| {})
    }
}

/// The places of a message's calls.
pub(super) fn calls_of(index: usize, message: &Message) -> Vec<At> {
    message
        .parts
        .iter()
        .enumerate()
        .filter(|(_, part)| matches!(part, Part::Tool(_)))
        .map(|(part, _)| At { message: index, part })
        .collect()
}
