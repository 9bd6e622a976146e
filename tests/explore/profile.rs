//! The settings of an exploration: its calls, its policy, and how many faults it has.
//!
//! The exploration of a profile ends: inputs that could repeat without limit (failures, reloads, stray events, user
//! messages) have a budget for each path, and all other inputs are possible only a limited number of times.

use std::fmt::{Display, Formatter, Result};
use toolgate::machine::{OnDeny, OnUserMessage};

/// The largest number of calls, in all steps together.
pub const CALLS: usize = 6;

/// The policies of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// What a user message does to pending approvals.
    pub on_user_message: OnUserMessage,
    /// What a denial does to the other calls of its step.
    pub on_deny: OnDeny,
}

impl Policy {
    /// The default policies.
    pub const DEFAULT: Policy = Policy { on_user_message: OnUserMessage::DenyPending, on_deny: OnDeny::Continue };
}

impl Display for Policy {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:?}, {:?}", self.on_user_message, self.on_deny)
    }
}

/// Policies for user messages, besides the default. `Pass` acts as `Queue` if the backend takes no messages.
fn on_user_message(protocol: Protocol) -> impl Iterator<Item = OnUserMessage> {
    let explored = move |policy| policy != OnUserMessage::Pass || protocol == Protocol::Answering;
    let policies = OnUserMessage::ALL.iter().copied();
    policies.filter(move |&policy| policy != Policy::DEFAULT.on_user_message && explored(policy))
}

/// Policies for denials, besides the default. `ByReason` acts as one of these, depending on the reason.
fn on_deny() -> impl Iterator<Item = OnDeny> {
    let explored = |policy| policy != Policy::DEFAULT.on_deny && policy != OnDeny::ByReason;
    OnDeny::ALL.iter().copied().filter(move |&policy| explored(policy))
}

/// Where a call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the backend's server.
    Server,
    /// In the page.
    Browser,
    /// At the model's provider.
    Provider,
}

/// The budget of a path, or the part of it that the path has used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Requests that could not be sent, and replies that end badly.
    pub failures: u8,
    /// Restores from a snapshot.
    pub reloads: u8,
    /// Events that a correct backend does not send: doubled, contradictory, late, or out of order.
    pub strays: u8,
    /// User messages, including the first.
    pub messages: u8,
    /// Edits of the conversation: a replaced message, or a regeneration.
    pub edits: u8,
    /// Reconnects of the host.
    pub reconnects: u8,
    /// Events of a reply that one of its two copies lost, doubled or swapped.
    pub damages: u8,
    /// Histories that the app loads.
    pub loads: u8,
}

impl Budget {
    fn all(self) -> [u8; 8] {
        let Budget { failures, reloads, strays, messages, edits, reconnects, damages, loads } = self;
        [failures, reloads, strays, messages, edits, reconnects, damages, loads]
    }

    /// The sum of two budgets.
    pub fn plus(self, other: Budget) -> Budget {
        Budget {
            failures: self.failures + other.failures,
            reloads: self.reloads + other.reloads,
            strays: self.strays + other.strays,
            messages: self.messages + other.messages,
            edits: self.edits + other.edits,
            reconnects: self.reconnects + other.reconnects,
            damages: self.damages + other.damages,
            loads: self.loads + other.loads,
        }
    }

    /// Whether no part of this budget exceeds the same part of `other`.
    pub fn within(self, other: Budget) -> bool {
        self.all().into_iter().zip(other.all()).all(|(mine, most)| mine <= most)
    }

    /// The budget as one number. No part is above 15.
    pub fn packed(self) -> u32 {
        self.all().into_iter().fold(0, |packed, one| packed << 4 | u32::from(one))
    }

    /// The budget with this number.
    pub fn unpacked(packed: u32) -> Budget {
        let one = |place: u32| (packed >> (4 * place) & 15) as u8;
        let (failures, reloads, strays, messages) = (one(7), one(6), one(5), one(4));
        Budget {
            failures,
            reloads,
            strays,
            messages,
            edits: one(3),
            reconnects: one(2),
            damages: one(1),
            loads: one(0),
        }
    }
}

/// The kind of protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// A step's decisions are sent together.
    Resubmitting,
    /// A step's decisions are sent together, before a message. Cancellations are sent too.
    AnswersFirst,
    /// Like `AnswersFirst`, and a repeated answer could decide a newer request.
    FirstUnsafe,
    /// Each decision is sent in a request of its own, while the stream is open. Messages may be sent, too.
    Answering,
    /// Like `Answering`, but answers are sent before a message, and the backend continues in a new reply.
    AnsweringFirst,
    /// Each decision is sent in a request of its own, and an output of the page implies the approval.
    OutputsApprove,
}

impl Protocol {
    /// Whether each decision is sent in a request of its own.
    pub fn is_answering(self) -> bool {
        matches!(self, Protocol::Answering | Protocol::AnsweringFirst | Protocol::OutputsApprove)
    }

    /// Whether the backend accepts no message while it waits for an answer.
    pub fn is_first(self) -> bool {
        use Protocol::{AnsweringFirst, AnswersFirst, FirstUnsafe};
        matches!(self, AnswersFirst | FirstUnsafe | AnsweringFirst)
    }
}

/// How the ids of calls and approvals are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// All ids are unique.
    Distinct,
    /// The n-th call of each step has the n-th id; approvals have unique ids.
    Repeated,
    /// Like `Repeated`, and approval ids are reused like call ids.
    RepeatedApprovals,
    /// Like `Repeated`, and an approval has the id of its call.
    CallIds,
    /// All calls of all steps have the same id; the calls of a step have different inputs, and approvals unique ids.
    Twins,
}

/// The inputs to try in addition to the basic ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extras {
    /// Inputs of calls stream in before they are complete, and approvals may be requested before that.
    pub streamed_inputs: bool,
    /// The backend updates inputs of calls.
    pub updates: bool,
    /// The page runs the tools that it lists, and the server all others. Otherwise a call without a result belongs to
    /// the page when its reply is over.
    pub only_listed: bool,
    /// Calls may fail.
    pub errors: bool,
    /// Approvals expire.
    pub deadlines: bool,
    /// The user edits inputs, and lets decisions be remembered.
    pub acts: bool,
    /// The host rewrites the results that the machine writes, such as those of denied calls.
    pub rewrites: bool,
}

/// The settings of one exploration.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The profile's name, for the command line.
    pub name: &'static str,
    /// The parallel calls of each step.
    pub steps: &'static [&'static [Place]],
    /// The host's policies.
    pub policy: Policy,
    /// The budget of a path.
    pub budget: Budget,
    /// The additional inputs.
    pub extras: Extras,
    /// The kind of protocol.
    pub protocol: Protocol,
    /// How the ids of calls and approvals are assigned.
    pub names: Names,
    /// Whether events name the request that they answer.
    pub labels: bool,
    /// The largest number of states to explore.
    pub states: usize,
}

impl Profile {
    /// The profile with each policy. A policy for user messages needs a second message, and one for denials needs a
    /// step with several calls.
    pub fn under_each_policy(self) -> impl Iterator<Item = Profile> {
        let mut policies = vec![Policy::DEFAULT];
        if self.budget.messages > 1 {
            policies.extend(
                on_user_message(self.protocol).map(|on_user_message| Policy { on_user_message, ..Policy::DEFAULT }),
            );
        }
        if self.steps.iter().any(|step| step.len() > 1) {
            policies.extend(on_deny().map(|on_deny| Policy { on_deny, ..Policy::DEFAULT }));
        }
        policies.into_iter().map(move |policy| Profile { policy, ..self })
    }

    /// Where each call runs, in call order.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        self.steps.iter().flat_map(|step| step.iter().copied())
    }

    /// The numbers of a step's calls.
    pub fn calls_of(&self, step: usize) -> std::ops::Range<usize> {
        let before: usize = self.steps[..step].iter().map(|step| step.len()).sum();
        before..before + self.steps[step].len()
    }

    /// The number of calls.
    pub fn calls(&self) -> usize {
        self.steps.iter().map(|step| step.len()).sum()
    }

    /// The index of a call in its step.
    pub fn place_in_step(&self, call: usize) -> usize {
        call.saturating_sub(self.calls_of(self.step_of(call)).start)
    }

    /// The index of a call's id. `Scene::approval` says when the approval uses it, too.
    pub fn letter(&self, call: usize) -> usize {
        let place = self.place_in_step(call);
        match self.names {
            Names::Distinct => call,
            Names::Repeated | Names::RepeatedApprovals | Names::CallIds => place,
            Names::Twins => 0,
        }
    }

    /// The index of the step that a call belongs to.
    pub fn step_of(&self, call: usize) -> usize {
        (0..self.steps.len()).find(|&step| self.calls_of(step).contains(&call)).unwrap_or_default()
    }
}

impl Display for Profile {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let steps: Vec<String> = self.steps.iter().map(|step| step.len().to_string()).collect();
        let Budget { failures, reloads, strays, messages, edits, reconnects, damages, loads } = self.budget;
        write!(f, "{} (calls by step {}, {}, {:?}; ", self.name, steps.join("+"), self.policy, self.protocol)?;
        write!(f, "failures {failures}, reloads {reloads}, strays {strays}, messages {messages}, edits {edits}, ")?;
        write!(f, "reconnects {reconnects}, damages {damages}, loads {loads})")
    }
}
