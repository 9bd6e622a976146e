//! What an exploration covers: which calls, which policy, and how much of what goes wrong.
//!
//! A profile is finite: whatever could go on for ever (failures, reloads, strays, the user's messages)
//! has a budget for each path, and everything else comes to an end by itself.

use std::fmt::{Display, Formatter, Result};
use toolgate::machine::{OnDeny, OnUserMessage};

/// How many calls there are at most, in all steps together.
pub const CALLS: usize = 6;

/// What the host has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// What a user's message does to pending approvals.
    pub on_user_message: OnUserMessage,
    /// What a denial means for the other calls of its step.
    pub on_deny: OnDeny,
}

impl Policy {
    /// Nothing chosen.
    pub const DEFAULT: Policy = Policy { on_user_message: OnUserMessage::DenyPending, on_deny: OnDeny::Continue };
}

impl Display for Policy {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{:?}, {:?}", self.on_user_message, self.on_deny)
    }
}

/// Policies about the user's messages, beside the default.
const ON_USER_MESSAGE: [OnUserMessage; 3] = [OnUserMessage::CancelPending, OnUserMessage::Queue, OnUserMessage::Block];
/// Policies about denials, beside the default. `ByReason` is one of these, by the reason.
const ON_DENY: [OnDeny; 2] = [OnDeny::SkipRest, OnDeny::EndTurn];

/// Where a call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the backend.
    Server,
    /// In the browser.
    Browser,
    /// At the model's provider.
    Provider,
}

/// What a path may spend, or has spent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Sends that fail, and replies that end otherwise than they should.
    pub failures: u8,
    /// Saves that are restored.
    pub reloads: u8,
    /// Events that a backend should not send: doubled, contradictory, late, out of order.
    pub strays: u8,
    /// Messages of the user, the first one included.
    pub messages: u8,
    /// Edits of the conversation: a message replaced, an answer wanted once more.
    pub edits: u8,
    /// Streams that the host tries to get hold of again.
    pub reconnects: u8,
}

impl Budget {
    fn all(self) -> [u8; 6] {
        [self.failures, self.reloads, self.strays, self.messages, self.edits, self.reconnects]
    }

    /// Both together.
    pub fn plus(self, other: Budget) -> Budget {
        Budget {
            failures: self.failures + other.failures,
            reloads: self.reloads + other.reloads,
            strays: self.strays + other.strays,
            messages: self.messages + other.messages,
            edits: self.edits + other.edits,
            reconnects: self.reconnects + other.reconnects,
        }
    }

    /// Whether it is no more than `other`, in everything.
    pub fn within(self, other: Budget) -> bool {
        self.all().into_iter().zip(other.all()).all(|(mine, most)| mine <= most)
    }

    /// As one number; no budget is above 15.
    pub fn packed(self) -> u32 {
        self.all().into_iter().fold(0, |packed, one| packed << 4 | u32::from(one))
    }

    /// The budget of a number.
    pub fn unpacked(packed: u32) -> Budget {
        let one = |place: u32| (packed >> (4 * place) & 15) as u8;
        let (failures, reloads, strays) = (one(5), one(4), one(3));
        Budget { failures, reloads, strays, messages: one(2), edits: one(1), reconnects: one(0) }
    }
}

/// What the protocol does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// A step's decisions are sent together.
    Resubmitting,
    /// Answers are sent ahead of a message, and the backend is told what is cancelled.
    AnswersFirst,
    /// The same, and an answer that was sent before is ignored there.
    FirstIgnored,
    /// The same, and a second answer could be taken for one to a newer request.
    FirstUnsafe,
    /// Each decision is sent on its own, while the stream runs.
    Answering,
    /// The same, ahead of a message; the backend goes on in a reply of its own.
    AnsweringFirst,
    /// Each decision is sent on its own; the page's output says that it was approved.
    OutputsApprove,
}

impl Protocol {
    /// Whether each decision is sent on its own.
    pub fn is_answering(self) -> bool {
        matches!(self, Protocol::Answering | Protocol::AnsweringFirst | Protocol::OutputsApprove)
    }

    /// Whether the backend takes no message while it waits for an answer.
    pub fn is_first(self) -> bool {
        use Protocol::{AnsweringFirst, AnswersFirst, FirstIgnored, FirstUnsafe};
        matches!(self, AnswersFirst | FirstIgnored | FirstUnsafe | AnsweringFirst)
    }
}

/// What calls and approvals are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// Each has an id of its own.
    Distinct,
    /// The n-th call of each step has the n-th id; approvals have ids of their own.
    Repeated,
    /// The same, and approval ids come again with them.
    RepeatedApprovals,
    /// The same, and the approval's id is the call's.
    CallIds,
    /// All calls of a step have one id, and other inputs.
    Twins,
}

/// Which inputs there are beside the plain ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extras {
    /// Inputs of calls stream in before they are complete.
    pub streamed_inputs: bool,
    /// Calls fail as well as run.
    pub errors: bool,
    /// Approvals expire.
    pub deadlines: bool,
    /// The host rewrites the results that this client writes.
    pub rewrites: bool,
}

/// One exploration.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// What it is called.
    pub name: &'static str,
    /// The parallel calls of each step.
    pub steps: &'static [&'static [Place]],
    /// What the host has chosen.
    pub policy: Policy,
    /// What a path may spend.
    pub budget: Budget,
    /// Which further inputs there are.
    pub extras: Extras,
    /// What the protocol does.
    pub protocol: Protocol,
    /// What calls and approvals are called.
    pub names: Names,
    /// Events say which request they answer.
    pub labels: bool,
    /// At most this many states are looked at.
    pub states: usize,
}

impl Profile {
    /// The same under each policy. One about the user's messages acts only when a second one can come, one
    /// about denials only where a step has several calls.
    pub fn under_each_policy(self) -> impl Iterator<Item = Profile> {
        let mut policies = vec![Policy::DEFAULT];
        if self.budget.messages > 1 {
            policies.extend(ON_USER_MESSAGE.map(|on_user_message| Policy { on_user_message, ..Policy::DEFAULT }));
        }
        if self.steps.iter().any(|step| step.len() > 1) {
            policies.extend(ON_DENY.map(|on_deny| Policy { on_deny, ..Policy::DEFAULT }));
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

    /// How many calls there are.
    pub fn calls(&self) -> usize {
        self.steps.iter().map(|step| step.len()).sum()
    }

    /// Which call of its step it is.
    pub fn place_in_step(&self, call: usize) -> usize {
        call.saturating_sub(self.calls_of(self.step_of(call)).start)
    }

    /// The number by which a call's id is known, and that of its approval.
    pub fn letter(&self, call: usize) -> usize {
        let place = self.place_in_step(call);
        match self.names {
            Names::Distinct => call,
            Names::Repeated | Names::RepeatedApprovals | Names::CallIds => place,
            Names::Twins => 0,
        }
    }

    /// The step to which a call belongs.
    pub fn step_of(&self, call: usize) -> usize {
        (0..self.steps.len()).find(|&step| self.calls_of(step).contains(&call)).unwrap_or_default()
    }
}

impl Display for Profile {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let steps: Vec<String> = self.steps.iter().map(|step| step.len().to_string()).collect();
        let Budget { failures, reloads, strays, messages, edits, reconnects } = self.budget;
        write!(f, "{} (calls by step {}, {}, {:?}; ", self.name, steps.join("+"), self.policy, self.protocol)?;
        write!(f, "failures {failures}, reloads {reloads}, strays {strays}, messages {messages}, edits {edits}, ")?;
        write!(f, "reconnects {reconnects})")
    }
}
