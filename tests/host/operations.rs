//! All inputs to a chat, as values, for tests with random sequences.
//!
//! There are three calls, each with its approval and the id of a second approval. An operation that is not possible
//! in a state must change nothing, so every operation may be performed at any time.

use crate::chat::Chat;
use crate::stream::Stream;
use serde_json::json;
use toolgate::machine::{About, Code, Exchange, Reconnect, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// One of the calls `c1`, `c2` and `c3`.
pub type Call = u8;

/// One input to a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The backend sends a chunk of the reply that is awaited or open.
    Chunk(Chunk),
    /// The backend sends a chunk of the reply to the request before the last one.
    Late(Chunk),
    /// The backend sends a chunk of a stream that the host reconnected to: from its start (`true`), or from where it
    /// was cut.
    Reconnected(Chunk, bool),
    /// The host starts to reconnect.
    Reconnecting,
    /// The stream ended.
    End(StreamEnd),
    /// The stream of the request before the last one ended.
    LateEnd(StreamEnd),
    /// The user decides the approval of a call.
    Respond(Call, bool),
    /// The user decides the second approval of a call.
    RespondAgain(Call, bool),
    /// The user decides `a1`, `a2`, `a3` and `b1` at once.
    RespondAll(bool),
    /// The user sends a message.
    Message,
    /// The user replaces the first message.
    Replace,
    /// The user regenerates the last reply.
    Regenerate,
    /// The user cancels.
    Cancel,
    /// The user stops.
    Stop,
    /// The user resumes.
    Resume,
    /// The page gives a call's output (`false`), or reports that the call failed (`true`).
    BrowserOutput(Call, bool),
    /// The host claims every listed item.
    Claim,
    /// The host reports the last item as sent.
    MarkSent,
    /// The host reports the last item as failed.
    MarkFailed,
    /// The user retries every undelivered item.
    Retry,
    /// Some time passes.
    Tick,
    /// The user asks to remember the decision on a call: for its input, or for its tool.
    Remember(Call, bool),
    /// The user removes the remembered decision with the id 1.
    Forget,
    /// The host rewrites a call's result.
    Rewrite(Call),
    /// The user denies with a reason, which matters for `OnDeny::ByReason`.
    DenyWithReason(Call),
    /// The page is closed and opened again.
    Restore,
    /// The app loads the messages that it shows.
    Reload,
}

/// A chunk of a stream, or a few that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// The message begins or continues.
    Start,
    /// Another message begins.
    StartOther,
    /// A step begins.
    Step,
    /// A step is finished.
    StepDone,
    /// The step is reset.
    Reset,
    /// Some text.
    Text,
    /// A call's input begins.
    InputStart(Call),
    /// A piece of a call's input.
    InputDelta(Call),
    /// A call with its complete input.
    Call(Call),
    /// A call with another complete input.
    OtherInput(Call),
    /// An update of a call's input.
    Update(Call),
    /// A call that the provider runs.
    ProviderCall(Call),
    /// A call with an invalid input.
    InputError(Call),
    /// A call and the request for its approval.
    Ask(Call),
    /// A call's input begins, and its approval is requested.
    AskEarly(Call),
    /// A question of the backend, which the page answers.
    Question(Call),
    /// Like `Ask`, with an input that all these calls share.
    AskTwin(Call),
    /// Like `Ask`, for a tool of the page.
    AskBrowser(Call),
    /// Like `Ask`, with a deadline that passes at the next tick.
    AskShortly(Call),
    /// The request for approval alone.
    Request(Call),
    /// A request with a second approval id.
    RequestAgain(Call),
    /// A request that the backend decides itself.
    Automatic(Call),
    /// The backend's decision.
    Response(Call, bool),
    /// A preliminary output.
    Preliminary(Call),
    /// The final output.
    Output(Call),
    /// An error.
    Error(Call),
    /// A denial by the backend.
    Denied(Call),
    /// The reply is complete.
    Finish,
    /// The reply failed.
    Failure,
    /// A value that is not a chunk.
    Malformed,
    /// A chunk of an unknown type.
    Unknown,
}

impl Chunk {
    fn add_to(self, stream: Stream, chat: &Chat) -> Stream {
        let call = |call: Call| format!("c{call}");
        let approval = |call: Call| format!("a{call}");
        match self {
            Chunk::Start => stream.start(&chat.next_message()),
            Chunk::StartOther => stream.start(&format!("other{}", chat.machine.transcript().messages().len())),
            Chunk::Step => stream.step(),
            Chunk::StepDone => stream.step_done(),
            Chunk::Reset => stream.reset(),
            Chunk::Text => stream.text("text"),
            Chunk::InputStart(c) => stream.input_start(&call(c)),
            Chunk::InputDelta(c) => stream.input_delta(&call(c), "{}"),
            Chunk::Call(c) => stream.call(&call(c)),
            Chunk::OtherInput(c) => stream.call_with("edit", &call(c), json!({ "of": "another" })),
            Chunk::Update(c) => stream.update(&call(c), json!({ "of": chat.clock })),
            Chunk::ProviderCall(c) => stream.provider_call(&call(c)),
            Chunk::InputError(c) => stream.input_error(&call(c)),
            Chunk::Ask(c) => stream.ask(&call(c), &approval(c)),
            Chunk::AskEarly(c) => stream.input_start(&call(c)).request(&call(c), &approval(c)),
            Chunk::Question(c) => stream.raw(json!({
                "type": "tool-input-available", "toolCallId": call(c), "toolName": "ask", "input": {},
                "providerMetadata": { "toolgate": { "runsInPage": true } },
            })),
            Chunk::AskTwin(c) => {
                stream.call_with("edit", &call(c), json!({ "of": "all" })).request(&call(c), &approval(c))
            }
            Chunk::AskBrowser(c) => stream.call_of("locate", &call(c)).request(&call(c), &approval(c)),
            Chunk::AskShortly(c) => stream.call(&call(c)).raw(json!({
                "type": "tool-approval-request", "toolCallId": call(c), "approvalId": approval(c),
                "expiresAt": chat.clock + 30,
            })),
            Chunk::Request(c) => stream.request(&call(c), &approval(c)),
            Chunk::RequestAgain(c) => stream.request(&call(c), &format!("b{c}")),
            Chunk::Automatic(c) => stream.automatic(&call(c), &approval(c)),
            Chunk::Response(c, approved) => stream.response(&approval(c), approved),
            Chunk::Preliminary(c) => stream.preliminary(&call(c)),
            Chunk::Output(c) => stream.output(&call(c)),
            Chunk::Error(c) => stream.error(&call(c)),
            Chunk::Denied(c) => stream.denied(&call(c)),
            Chunk::Finish => stream.finish(),
            Chunk::Failure => stream.failure(),
            Chunk::Malformed => stream.raw(json!({ "type": "tool-output-available" })),
            Chunk::Unknown => stream.raw(json!({ "type": "of-tomorrow", "toolCallId": "c1" })),
        }
    }
}

/// Ignores whether an operation was accepted or refused.
fn either<T>(_: Result<T, Code>) {}

/// Performs the operation. It may be refused.
pub fn perform(chat: &mut Chat, operation: Operation) {
    let last = chat.machine.outbox().items().last().map_or(0, |item| item.id);
    let old = About { request: Some(last.saturating_sub(1)), ..About::default() };
    match operation {
        Operation::Chunk(chunk) => {
            for chunk in chunk.add_to(Stream::new(), chat).chunks() {
                chat.receive_about(chunk, About::default());
            }
        }
        Operation::Late(chunk) => {
            for chunk in chunk.add_to(Stream::new(), chat).chunks() {
                chat.receive_about(chunk, old);
            }
        }
        Operation::Reconnected(chunk, start) => {
            let reconnect = Some(if start { Reconnect::Start } else { Reconnect::Offset });
            for chunk in chunk.add_to(Stream::new(), chat).chunks() {
                chat.receive_about(chunk, About { reconnect, ..About::default() });
            }
        }
        Operation::Reconnecting => chat.reconnecting(),
        Operation::End(how) => chat.end(how),
        Operation::LateEnd(how) => chat.end_of(last.saturating_sub(1), None, how),
        Operation::Respond(call, approved) => either(chat.respond(&format!("a{call}"), approved, "")),
        Operation::RespondAgain(call, approved) => either(chat.respond(&format!("b{call}"), approved, "")),
        Operation::RespondAll(approved) => {
            chat.respond_all(&["a1", "a2", "a3", "b1"], approved);
        }
        Operation::Message => either(chat.try_user(&chat.new_message(), None)),
        Operation::Replace => {
            let first = chat.machine.transcript().messages().first().map(|message| chat.text(message.id));
            either(chat.try_user(&chat.new_message(), first.as_deref()));
        }
        Operation::Regenerate => either(chat.regenerate(None)),
        Operation::Cancel => chat.cancel(),
        Operation::Stop => chat.stop(),
        Operation::Resume => chat.resume(),
        Operation::BrowserOutput(call, failed) => either(chat.page_output(&format!("c{call}"), failed)),
        Operation::Claim => {
            for item in chat.listed() {
                chat.claim_item(item);
            }
        }
        Operation::MarkSent => either(chat.mark_sent(last)),
        Operation::MarkFailed => either(chat.mark_failed(last)),
        Operation::Retry => {
            for item in chat.undelivered() {
                either(chat.retry(item));
            }
        }
        Operation::Tick => chat.tick(chat.clock + 60),
        Operation::Remember(call, this_input) => chat.remember(&format!("a{call}"), this_input),
        Operation::Forget => chat.forget(1),
        Operation::Rewrite(call) => {
            chat.rewrite(&format!("c{call}"), "rewritten");
        }
        Operation::DenyWithReason(call) => either(chat.respond(&format!("a{call}"), false, "no")),
        Operation::Restore => *chat = chat.restored(),
        Operation::Reload => drop(chat.load(chat.ui_messages(Shape::View))),
    }
}

/// Whether two chats may be compared: nothing is in flight that a restore would change.
pub fn is_at_rest(chat: &Chat) -> bool {
    *chat.machine.exchange() == Exchange::Idle
        && !chat.machine.outbox().items().iter().any(|item| item.state().is_under_way())
}
