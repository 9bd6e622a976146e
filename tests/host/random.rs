//! Random sequences of all inputs, checked against the invariants.
//!
//! A failure is shrunk to a short sequence and printed, as the basis for a test of its own.

use crate::chat::Chat;
use crate::operations::{Chunk, Operation, is_at_rest, perform};
use crate::way_out::{assert_someone_can_act, assert_way_out};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestCaseError};
use std::cell::Cell;
use std::panic::{self, UnwindSafe};
use std::sync::Once;
use toolgate::machine::{OnDeny, OnUserMessage, StreamEnd};

/// The seed, which is fixed so that a new failure is caused by a change of the code. `PROPTEST_SEED` sets another
/// number, or a random one (`random`).
fn seed() -> RngSeed {
    match std::env::var("PROPTEST_SEED").ok().map(|seed| seed.parse()) {
        None => RngSeed::Fixed(20_261_121),
        Some(Ok(seed)) => RngSeed::Fixed(seed),
        Some(Err(_)) => RngSeed::Random,
    }
}

pub fn cases(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    // Past failures are not stored in a file, because each becomes a test of its own.
    Config {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        rng_seed: seed(),
        ..Config::default()
    }
}

/// Runs a case. A panic becomes a failure of the case, which is reported for the shortest sequence only.
pub fn case(run: impl FnOnce() -> Result<(), TestCaseError> + UnwindSafe) -> Result<(), TestCaseError> {
    static HOOK: Once = Once::new();
    thread_local! { static QUIET: Cell<bool> = const { Cell::new(false) } }
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    let result = panic::catch_unwind(run);
    QUIET.set(false);
    result.unwrap_or_else(|broken| {
        let text = broken.downcast_ref::<String>().cloned();
        let text = text.or_else(|| broken.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(TestCaseError::fail(text.unwrap_or_default()))
    })
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let call = || 1..=3u8;
    prop_oneof![
        4 => call().prop_map(Chunk::Ask),
        3 => call().prop_map(Chunk::Output),
        2 => call().prop_map(Chunk::Call),
        1 => call().prop_map(Chunk::Error),
        1 => call().prop_map(Chunk::Denied),
        1 => call().prop_map(Chunk::Preliminary),
        2 => call().prop_map(Chunk::AskTwin),
        1 => call().prop_map(Chunk::AskBrowser),
        1 => call().prop_map(Chunk::AskShortly),
        1 => call().prop_map(Chunk::Request),
        1 => call().prop_map(Chunk::RequestAgain),
        1 => call().prop_map(Chunk::Automatic),
        1 => (call(), any::<bool>()).prop_map(|(call, approved)| Chunk::Response(call, approved)),
        1 => call().prop_map(Chunk::InputStart),
        1 => call().prop_map(Chunk::InputDelta),
        1 => call().prop_map(Chunk::OtherInput),
        2 => call().prop_map(Chunk::Update),
        1 => call().prop_map(Chunk::AskEarly),
        1 => call().prop_map(Chunk::Question),
        1 => call().prop_map(Chunk::ProviderCall),
        1 => call().prop_map(Chunk::InputError),
        4 => select(vec![Chunk::Start, Chunk::Step, Chunk::Text, Chunk::StepDone]),
        2 => select(vec![Chunk::StartOther, Chunk::Reset, Chunk::Finish, Chunk::Failure]),
        1 => select(vec![Chunk::Malformed, Chunk::Unknown]),
    ]
}

fn ending() -> impl Strategy<Value = StreamEnd> {
    prop_oneof![
        4 => Just(StreamEnd::Finished),
        4 => select(vec![StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected, StreamEnd::StepLimit]),
    ]
}

pub fn operation() -> impl Strategy<Value = Operation> {
    let call = || 1..=3u8;
    prop_oneof![
        12 => chunk().prop_map(Operation::Chunk),
        1 => chunk().prop_map(Operation::Late),
        1 => (chunk(), any::<bool>()).prop_map(|(chunk, start)| Operation::Reconnected(chunk, start)),
        1 => Just(Operation::Reconnecting),
        5 => ending().prop_map(Operation::End),
        1 => ending().prop_map(Operation::LateEnd),
        7 => (call(), any::<bool>()).prop_map(|(call, approved)| Operation::Respond(call, approved)),
        1 => (call(), any::<bool>()).prop_map(|(call, approved)| Operation::RespondAgain(call, approved)),
        1 => any::<bool>().prop_map(Operation::RespondAll),
        1 => (call(), any::<bool>()).prop_map(|(call, failed)| Operation::BrowserOutput(call, failed)),
        7 => Just(Operation::Claim),
        3 => Just(Operation::Message),
        6 => select(vec![
            Operation::MarkFailed,
            Operation::MarkSent,
            Operation::Retry,
            Operation::Cancel,
            Operation::Stop,
            Operation::Resume,
        ]),
        1 => call().prop_map(Operation::DenyWithReason),
        2 => Just(Operation::Tick),
        2 => (call(), any::<bool>()).prop_map(|(call, this_input)| Operation::Remember(call, this_input)),
        1 => Just(Operation::Forget),
        3 => call().prop_map(Operation::Rewrite),
        3 => select(vec![Operation::Restore, Operation::Reload, Operation::Replace, Operation::Regenerate]),
    ]
}

/// Commands of the user.
fn act() -> impl Strategy<Value = Operation> {
    let call = || 1..=3u8;
    prop_oneof![
        4 => (call(), any::<bool>()).prop_map(|(call, approved)| Operation::Respond(call, approved)),
        1 => any::<bool>().prop_map(Operation::RespondAll),
        1 => (call(), any::<bool>()).prop_map(|(call, failed)| Operation::BrowserOutput(call, failed)),
        6 => select(vec![
            Operation::Message,
            Operation::Replace,
            Operation::Regenerate,
            Operation::Cancel,
            Operation::Stop,
            Operation::Resume,
            Operation::Retry,
        ]),
    ]
}

/// Options of a chat. Half of the chats have no deadlines, and two thirds of the hosts do not rewrite.
fn policy() -> impl Strategy<Value = Policy> {
    // The default is listed twice, so that it is chosen more often.
    let on_user_message = select([&[OnUserMessage::default()], OnUserMessage::ALL].concat());
    let on_deny = select([&[OnDeny::default()], OnDeny::ALL].concat());
    let timeout = select(vec![None, Some(100)]);
    let rewrites = select(vec![false, false, true]);
    // Sums of the bits of `ProtocolTrait`.
    let protocol = select(vec![0, 128, 128, 256, 384, 2, 4, 6, 5, 133, 7, 13, 19, 34, 51, 130]);
    (on_user_message, on_deny, timeout, rewrites, protocol).prop_map(
        |(on_user_message, on_deny, timeout, rewrites, protocol)| Policy {
            on_user_message,
            on_deny,
            timeout,
            rewrites,
            protocol,
        },
    )
}

/// The options that differ between chats.
#[derive(Clone, Copy, Debug)]
struct Policy {
    on_user_message: OnUserMessage,
    on_deny: OnDeny,
    timeout: Option<u64>,
    rewrites: bool,
    protocol: u32,
}

impl Policy {
    fn chat(self) -> Chat {
        let mut chat = Chat::with(self.on_user_message, &["locate"]);
        chat.set_options(|options| {
            options.on_deny = self.on_deny;
            options.approval_timeout = self.timeout;
            options.rewrites = self.rewrites;
            options.set_traits(self.protocol);
        });
        chat
    }
}

/// The start of a sequence: an empty chat, or one with a reply or request in progress, so that most sequences have
/// effects.
pub fn scene() -> impl Strategy<Value = Vec<Operation>> {
    use Operation::{Chunk as C, Claim, End, Message};
    let reply = |calls: u8| {
        let mut scene = vec![Message, Claim, C(Chunk::Start), C(Chunk::Step)];
        scene.extend((1..=calls).map(|call| C(Chunk::Ask(call))));
        scene
    };
    let finished = |calls: u8| {
        let mut scene = reply(calls);
        scene.extend([C(Chunk::StepDone), C(Chunk::Finish), End(StreamEnd::Finished)]);
        scene
    };
    select(vec![vec![], reply(1), reply(2), finished(1), finished(2), finished(3)])
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn no_sequence_breaks_an_invariant(
        policy in policy(),
        scene in scene(),
        operations in prop::collection::vec(operation(), 1..24),
    ) {
        case(|| {
            let mut chat = policy.chat();
            for operation in scene.into_iter().chain(operations) {
                perform(&mut chat, operation);
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_follower_of_the_changes_has_the_same_state(
        policy in policy(),
        scene in scene(),
        operations in prop::collection::vec((operation(), any::<bool>()), 1..24),
    ) {
        case(|| {
            let mut chat = policy.chat();
            for operation in scene {
                perform(&mut chat, operation);
            }
            let (mut follower, mut clock) = (chat.followed(), chat.machine.change_clock());
            for (operation, is_saved) in operations {
                perform(&mut chat, operation);
                if operation == Operation::Restore {
                    (follower, clock) = (chat.followed(), chat.machine.change_clock());
                } else if is_saved {
                    let changes = chat.changes_since(clock);
                    clock = chat.machine.change_clock();
                    prop_assert!(follower.follow_changes(&changes), "the changes were refused");
                    prop_assert_eq!(follower.saved(), chat.saved(), "the follower has another state");
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn from_every_state_the_next_message_can_be_sent(
        policy in policy(),
        scene in scene(),
        operations in prop::collection::vec(operation(), 1..16),
    ) {
        case(|| {
            let mut chat = policy.chat();
            for operation in scene.into_iter().chain(operations) {
                perform(&mut chat, operation);
                assert_someone_can_act(&chat);
                assert_way_out(&chat);
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_chat_and_its_follower_show_the_same_before_and_after_a_command(
        policy in policy(),
        scene in scene(),
        before in prop::collection::vec(operation(), 0..12),
        act in act(),
    ) {
        case(|| {
            let mut first = policy.chat();
            for operation in scene.into_iter().chain(before) {
                perform(&mut first, operation);
            }
            let mut second = first.followed();
            prop_assert_eq!(first.facts(), second.facts(), "the follower shows another chat");
            perform(&mut first, act);
            perform(&mut second, act);
            prop_assert_eq!(first.facts(), second.facts(), "after {:?}", act);
            Ok(())
        })?;
    }
}

proptest! {
    // Fewer cases, because they are long.
    #![proptest_config(cases(128))]

    #[test]
    fn a_chat_that_is_restored_repeatedly_continues_like_the_original(
        policy in policy(),
        scene in scene(),
        operations in prop::collection::vec((operation(), prop::bool::weighted(0.3)), 1..64),
    ) {
        case(|| {
            let mut first = policy.chat();
            for operation in scene {
                perform(&mut first, operation);
            }
            let mut second = first.clone();
            for (operation, restore) in operations {
                // Items in flight are unconfirmed after a restore, so the two chats may differ.
                if restore && is_at_rest(&first) {
                    second = second.restored();
                }
                perform(&mut first, operation);
                perform(&mut second, operation);
                prop_assert_eq!(first.facts(), second.facts(), "invariant 10: after {:?}", operation);
            }
            Ok(())
        })?;
    }
}
