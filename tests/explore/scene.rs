//! The start of every path: an empty chat, and the ids and values that a path uses.
//!
//! Ids and values are numbers here. A virtual chat of tests/host gives the same numbers to its texts, so the codecs can
//! read any state unchanged.

use crate::chat::Chat;
use crate::profile::{CALLS, Names, Place, Profile, Protocol};
use serde_json::json;
use toolgate::json::Store;
use toolgate::machine::{Id, Machine, Payload};

/// The largest number of messages of the user and of the backend.
pub const MESSAGES: u32 = 14;

/// The texts and values to which a virtual chat gives numbers, in this order.
const KINDS: [(&str, u32); 5] =
    [("c", CALLS as u32), ("a", CALLS as u32), ("b", CALLS as u32), ("m", MESSAGES), ("r", MESSAGES)];

fn id(kind: usize, number: usize) -> Id {
    assert!(number < KINDS[kind].1 as usize, "too few ids");
    let before: u32 = KINDS[..kind].iter().map(|(_, count)| count).sum();
    Id::at(before + u32::try_from(number).unwrap())
}

/// The id of this call.
pub fn call(number: usize) -> Id {
    id(0, number)
}

/// The approval id of this call.
pub fn approval(number: usize) -> Id {
    id(1, number)
}

/// The second approval id of this call.
pub fn second_approval(number: usize) -> Id {
    id(2, number)
}

/// Whether this is the id of a second approval.
pub fn is_second_approval(id: Id) -> bool {
    (0..CALLS).any(|number| second_approval(number) == id)
}

/// The id of this user message.
pub fn message(number: usize) -> Id {
    id(3, number)
}

/// The id of this message of the backend.
pub fn reply(number: usize) -> Id {
    id(4, number)
}

/// The number of the call with this id; `None` if the id is not a call's.
pub fn number_of(id: Id) -> Option<usize> {
    usize::try_from(id.place()).ok().filter(|&number| number < CALLS)
}

/// The start of a path, and the values in it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The profile that is explored.
    pub profile: Profile,
    /// A machine with an empty transcript.
    pub machine: Machine,
    /// The tools, by the place where they run.
    pub tools: [Id; 3],
    /// The id of a message for which the backend sends no id.
    pub unnamed: Id,
    /// An approval that was never requested.
    pub unknown: Id,
    /// The inputs of calls. All calls have the first one, except for calls of one step with the same id.
    pub inputs: [Payload; 3],
    /// A second input.
    pub other_input: Payload,
    /// An unfinished input.
    pub partial: Payload,
    /// The fields of a provider's call.
    pub provided: Payload,
    /// The output of every call.
    pub output: Payload,
    /// A second output.
    pub other_output: Payload,
    /// The text of an error.
    pub error: Payload,
    /// A text part.
    pub text: Payload,
    /// A data part.
    pub data: Payload,
    /// The reason of every denial.
    pub reason: Payload,
    /// The body of every item.
    pub body: Payload,
}

impl Scene {
    /// Returns the scene, and a virtual chat with the same numbers.
    pub fn new(profile: Profile) -> (Scene, Chat) {
        // Ids first, because the machine's tables are indexed by them and should stay small.
        let store = Store::default();
        for (kind, count) in KINDS {
            for number in 1..=count {
                store.make(&format!("{kind}{number}"));
            }
        }
        let tools = ["edit", "locate", "search"].map(|name| store.make(name));
        let (unnamed, unknown) = (store.make("unnamed"), store.make("a0"));
        let mut chat = Chat::over(store, profile.policy.on_user_message, &["locate"]);
        chat.set_options(|options| {
            options.on_deny = profile.policy.on_deny;
            options.answering = profile.protocol.is_answering();
            options.answers_first = profile.protocol.is_first();
            options.cancel_answers = profile.protocol != Protocol::Resubmitting;
            options.replies_to_denials = profile.protocol == Protocol::AnsweringFirst;
            options.outputs_approve = profile.protocol == Protocol::OutputsApprove;
            options.takes_messages = profile.protocol == Protocol::Answering;
            options.rewrites = profile.extras.rewrites;
            options.approval_timeout = profile.extras.deadlines.then_some(1);
            options.page_tools.rest = !profile.extras.only_listed;
        });
        let text = |text: &str| chat.kept(json!(text));
        let scene = Scene {
            profile,
            machine: chat.machine.clone(),
            tools,
            unnamed,
            unknown,
            inputs: ["this", "these", "those"].map(|what| chat.kept(json!({ "do": what }))),
            other_input: chat.kept(json!({ "do": "that" })),
            partial: chat.keep(toolgate::json::Value::Partial(Default::default())),
            provided: chat.kept(json!({ "providerExecuted": true })),
            output: chat.kept(json!({ "done": "this" })),
            other_output: chat.kept(json!({ "done": "that" })),
            error: text("It failed."),
            text: chat.kept(json!({ "type": "text", "text": "Well." })),
            data: chat.kept(json!({ "type": "data-note", "data": 1 })),
            reason: text("Rather not."),
            body: chat.kept(json!({ "messages": [] })),
        };
        (scene, chat)
    }

    /// The id of a call.
    pub fn call(&self, call: usize) -> Id {
        self::call(self.profile.letter(call))
    }

    /// The id of a call's approval.
    pub fn approval(&self, call: usize) -> Id {
        match self.profile.names {
            Names::Distinct | Names::Repeated | Names::Twins => approval(call),
            Names::RepeatedApprovals => approval(self.profile.letter(call)),
            Names::CallIds => self.call(call),
        }
    }

    /// The id of a call's second approval.
    pub fn second_approval(&self, call: usize) -> Id {
        second_approval(call)
    }

    /// The input of a call.
    pub fn input(&self, call: usize) -> Payload {
        let place = self.profile.place_in_step(call);
        self.inputs[if self.profile.names == Names::Twins { place.min(2) } else { 0 }]
    }

    /// Where a call runs.
    pub fn place(&self, call: usize) -> Place {
        self.profile.places().nth(call).unwrap_or(Place::Server)
    }

    /// The tool of a call.
    pub fn tool(&self, call: usize) -> Id {
        self.tools[self.place(call) as usize]
    }
}
