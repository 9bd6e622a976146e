//! Where every path begins: an empty chat, and the names of everything in it.
//!
//! Ids and values are plain numbers. They are the numbers that a virtual chat of tests/host gives to
//! texts, so that the codecs can be asked about any state as it is.

use crate::chat::Chat;
use crate::profile::{CALLS, Place, Profile, Protocol};
use crate::values::Store;
use serde_json::json;
use toolgate::machine::{Id, Machine, Payload};

/// How many messages the user and the backend can write.
pub const MESSAGES: u32 = 14;

/// What a virtual chat knows by number, in this order.
const KINDS: [(&str, u32); 5] =
    [("c", CALLS as u32), ("a", CALLS as u32), ("b", CALLS as u32), ("m", MESSAGES), ("r", MESSAGES)];

fn id(kind: usize, number: usize) -> Id {
    assert!(number < KINDS[kind].1 as usize, "ids run out");
    let before: u32 = KINDS[..kind].iter().map(|(_, count)| count).sum();
    Id::at(before + u32::try_from(number).unwrap())
}

/// A call.
pub fn call(number: usize) -> Id {
    id(0, number)
}

/// The approval of a call.
pub fn approval(number: usize) -> Id {
    id(1, number)
}

/// A second approval of a call.
pub fn second_approval(number: usize) -> Id {
    id(2, number)
}

/// A message of the user.
pub fn message(number: usize) -> Id {
    id(3, number)
}

/// A message of the backend.
pub fn reply(number: usize) -> Id {
    id(4, number)
}

/// The number of a call; none for an id that is no call's.
pub fn number_of(id: Id) -> Option<usize> {
    usize::try_from(id.place()).ok().filter(|&number| number < CALLS)
}

/// Where a path begins, and what stands for values.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What is explored.
    pub profile: Profile,
    /// The empty machine.
    pub machine: Machine,
    /// Tools by the place where they run.
    pub tools: [Id; 3],
    /// A message that the backend does not name.
    pub unnamed: Id,
    /// An approval that nobody asked for.
    pub unknown: Id,
    /// The input of every call.
    pub input: Payload,
    /// Another one.
    pub other_input: Payload,
    /// An input that is still being written.
    pub partial: Payload,
    /// What the wire says about a call that a provider runs.
    pub provided: Payload,
    /// The output of every call.
    pub output: Payload,
    /// Another one.
    pub other_output: Payload,
    /// The text of an error.
    pub error: Payload,
    /// Text.
    pub text: Payload,
    /// The reason of every denial.
    pub reason: Payload,
    /// What an item's body is frozen as.
    pub body: Payload,
}

impl Scene {
    /// The beginning, and a virtual chat that knows its numbers.
    pub fn new(profile: Profile) -> (Scene, Chat) {
        // Ids first: what is an index into the machine's tables should be small.
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
            options.answering = profile.protocol == Protocol::Answering;
            options.answers_first = profile.protocol == Protocol::AnswersFirst;
            options.cancel_answers = profile.protocol != Protocol::Resubmitting;
            options.approval_timeout = profile.extras.deadlines.then_some(1);
        });
        let text = |text: &str| chat.kept(json!(text));
        let scene = Scene {
            profile,
            machine: chat.machine.clone(),
            tools,
            unnamed,
            unknown,
            input: chat.kept(json!({ "do": "this" })),
            other_input: chat.kept(json!({ "do": "that" })),
            partial: chat.keep(crate::value::Value::Partial(Default::default(), false)),
            provided: chat.kept(json!({ "providerExecuted": true })),
            output: chat.kept(json!({ "done": "this" })),
            other_output: chat.kept(json!({ "done": "that" })),
            error: text("It failed."),
            text: chat.kept(json!({ "type": "text", "text": "Well." })),
            reason: text("Rather not."),
            body: chat.kept(json!({ "messages": [] })),
        };
        (scene, chat)
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
