//! Chats in the states in which tests begin.

use crate::chat::Chat;
use toolgate::machine::{OnUserMessage, Options};

impl Chat {
    /// A chat in which the reply to the user's `m1` requested approval of `c1` (`a1`), `c2` (`a2`) and so on.
    pub fn asking(calls: usize) -> Self {
        Self::default().that_asks(calls)
    }

    /// Like [`Chat::asking`], for a chat with options.
    pub fn that_asks(mut self, calls: usize) -> Self {
        self.user("m1");
        self.claim();
        self.reply(|reply| (1..=calls).fold(reply, |reply, call| reply.ask(&format!("c{call}"), &format!("a{call}"))));
        self
    }

    /// A chat whose reply is still streaming, and has requested approvals.
    pub fn asking_in_a_stream(calls: usize) -> Self {
        let mut chat = Self::default();
        chat.user("m1");
        chat.claim();
        chat.stream(|reply| (1..=calls).fold(reply, |reply, call| reply.ask(&format!("c{call}"), &format!("a{call}"))));
        chat
    }

    /// A chat with an answering protocol whose reply waits for answers.
    pub fn answering(calls: usize) -> Self {
        Self::answering_with(calls, |_| {})
    }

    /// Like [`Chat::answering`], with these options.
    pub fn answering_with(calls: usize, change: impl FnOnce(&mut Options)) -> Self {
        let mut chat = Self::with(OnUserMessage::default(), &["locate"]);
        chat.set_options(|options| {
            (options.answering, options.cancel_answers) = (true, true);
            change(options);
        });
        chat.user("m1");
        chat.claim();
        chat.stream(|reply| (1..=calls).fold(reply, |reply, call| reply.ask(&format!("c{call}"), &format!("a{call}"))));
        chat
    }

    /// A chat in which a message was sent.
    pub fn waiting() -> (Self, u32) {
        let mut chat = Self::default();
        chat.user("m1");
        let item = chat.claim();
        (chat, item)
    }

    /// A chat whose step is decided: one item is listed.
    pub fn decided() -> Self {
        let mut chat = Self::asking(2);
        chat.approve("a1");
        chat.deny("a2");
        chat
    }

    /// A chat whose submission received a reply without the expected result.
    pub fn stalled() -> (Self, u32) {
        let mut chat = Self::decided();
        let item = chat.claim();
        chat.reply(|reply| reply);
        (chat, item)
    }

    /// A chat whose submission of `c1` (approved) and `c2` (denied) has failed.
    pub fn failed() -> (Self, u32) {
        let mut chat = Self::asking(2);
        chat.approve("a1");
        chat.deny("a2");
        let item = chat.claim();
        chat.mark_failed(item).unwrap();
        (chat, item)
    }
}
