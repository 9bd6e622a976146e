//! Writing `UIMessage`s: what the view shows, and what a request's body carries.

use super::Kind;
use super::Writer;
use crate::machine::{DecidedBy, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, ToolPart};
use crate::wire::{Name, Values, Without, enum_names};

/// Whom a message is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The app: tool parts also carry `outcome` and `delivery`.
    View,
    /// The backend: nothing but what its schema knows, and no call whose input never was complete.
    Body,
}

/// The whole message.
pub fn ui_message<V: Values>(w: &Writer<V>, message: &Message, shape: Shape) -> Payload {
    if shape == Shape::Body && message.source.is_some() {
        return message.source;
    }
    let parts = w.values.array();
    for part in &message.parts {
        if shape == Shape::Body && part.tool().is_some_and(|tool| is_left_out(w.machine, tool)) {
            continue;
        }
        w.values.push(parts, ui_part(w, part, shape));
    }
    let head = message_head(w, message);
    w.values.set(head, Name::Parts, parts);
    head
}

/// The message without its parts.
pub fn message_head<V: Values>(w: &Writer<V>, message: &Message) -> Payload {
    let head = w.values.object();
    w.values.set_id(head, Name::Id, message.id);
    w.values.set_name(head, Name::Role, enum_names::role(message.role));
    w.values.extend(head, message.fields);
    head
}

/// One part.
pub fn ui_part<V: Values>(w: &Writer<V>, part: &Part, shape: Shape) -> Payload {
    match part {
        Part::StepStart => {
            let boundary = w.values.object();
            w.values.set_name(boundary, Name::Type, Name::StepStart);
            boundary
        }
        Part::Content { value, .. } => *value,
        Part::Tool(tool) => {
            let sent = || left_over(w.machine, tool).or_else(|| as_answered(w.machine, tool));
            match (shape == Shape::Body).then(sent).flatten() {
                Some(sent) => tool_part(w, &sent, shape),
                None => tool_part(w, tool, shape),
            }
        }
    }
}

/// A call that the request which is about to be sent goes without, as it will be when that is claimed: closed.
pub(super) fn left_over(machine: &Machine, part: &ToolPart) -> Option<ToolPart> {
    if !machine.is_left_over(part.key()) {
        return None;
    }
    let may_have_run = part.phase().may_have_started();
    Some(closed(part, may_have_run))
}

/// A call whose approval is about to be sent (again), as it was answered: half a result that came meanwhile is none, and a
/// request that ends with one is refused.
fn as_answered(machine: &Machine, part: &ToolPart) -> Option<ToolPart> {
    let carried = machine.outbox().ready_submission().and_then(|item| item.carries(part.key()));
    carried.filter(|carried| carried.approved && part.phase() == Phase::Preliminary)?;
    let mut answered = part.clone();
    answered.read_as(Phase::Submitted, None);
    Some(answered)
}

/// A call as it is once it is closed as interrupted.
pub(super) fn closed(part: &ToolPart, may_have_run: bool) -> ToolPart {
    let mut closed = part.clone();
    let outcome = Outcome { may_have_run, ..Outcome::new(OutcomeKind::Interrupted) };
    closed.read_as(Phase::OutputError, Some(outcome));
    closed
}

/// Whether a request leaves the call out: it never was one, or its step has another call in its place. Providers refuse a step
/// in which an id comes twice.
pub(super) fn is_left_out(machine: &Machine, part: &ToolPart) -> bool {
    let replaced = || part.is_closed() && !may_have_run(part) && machine.transcript().is_replaced(part.key());
    never_called(part) || (!part.input_complete && machine.is_left_over(part.key())) || replaced()
}

fn may_have_run(part: &ToolPart) -> bool {
    part.outcome().is_some_and(|outcome| outcome.may_have_run)
}

/// A call whose input never was complete, and never will be.
pub(super) fn never_called(part: &ToolPart) -> bool {
    !part.input_complete && part.phase() == Phase::OutputError
}

fn tool_part<V: Values>(w: &Writer<V>, part: &ToolPart, shape: Shape) -> Payload {
    let ui = w.values.object();
    if part.dynamic {
        w.values.set_name(ui, Name::Type, Name::DynamicTool);
        w.values.set_id(ui, Name::ToolName, part.name);
    } else {
        w.values.set_tool(ui, part.name);
    }
    w.values.set_id(ui, Name::ToolCallId, part.call);
    w.values.set_name(ui, Name::State, enum_names::state(part.phase()));
    w.values.extend(ui, part.fields);
    let input = part.input;
    // JSON loses `undefined`, and a server wants a value there.
    let lost = |value| shape == Shape::Body && !w.values.is_some(value);
    let sent = |value| if lost(value) { w.values.json(value) } else { value };
    if part.input_complete {
        w.values.set(ui, Name::Input, if part.phase() == Phase::OutputError { input } else { sent(input) });
    } else {
        w.values.set(ui, Name::Input, w.values.partial_value(input));
        w.values.set(ui, Name::RawInput, w.values.partial_text(input));
    }
    match part.phase() {
        Phase::OutputAvailable => w.values.set(ui, Name::Output, sent(part.output)),
        Phase::Preliminary => {
            w.values.set(ui, Name::Output, sent(part.output));
            w.values.set_flag(ui, Name::Preliminary, true);
        }
        Phase::OutputError => {
            let text = error_text(w, part);
            if w.values.is_text(text) {
                w.values.set(ui, Name::ErrorText, text);
            } else {
                w.values.set_name(ui, Name::ErrorText, Name::UnknownError);
            }
        }
        Phase::InputStreaming
        | Phase::InputAvailable
        | Phase::ApprovalRequested
        | Phase::AutomaticRequest
        | Phase::Approved
        | Phase::Submitted
        | Phase::Denied
        | Phase::OutputDenied => {}
    }
    if let Some(metadata) = outcome_metadata(w, part) {
        w.values.set(ui, Name::CallProviderMetadata, metadata);
    }
    if let Some(approval) = approval(w, part) {
        w.values.set(ui, Name::Approval, approval);
    }
    if shape == Shape::View {
        if let Some(outcome) = part.outcome() {
            let shown = w.values.object();
            w.values.set_name(shown, Name::Kind, enum_names::outcome(outcome.kind));
            w.values.set(shown, Name::Reason, outcome.reason);
            if outcome.may_have_run {
                w.values.set_flag(shown, Name::MayHaveRun, true);
            }
            w.values.set(ui, Name::Outcome, shown);
        }
        if let Some(by) =
            part.decision().map(|d| d.by).filter(|by| matches!(by, DecidedBy::Policy | DecidedBy::Remembered))
        {
            w.values.set_name(ui, Name::DecidedBy, enum_names::decided_by(by));
        }
        if let Some(delivery) = w.machine.delivery(part) {
            w.values.set_name(ui, Name::Delivery, enum_names::delivery(delivery));
        }
    }
    ui
}

/// The approval, in the one shape that its state allows: a denied call's is not granted, a result's
/// is granted or absent, and a call closed without a result has none.
/// Source: the state table of `UIToolInvocation` in `ui/ui-messages.ts`.
pub(super) fn approval<V: Values>(w: &Writer<V>, part: &ToolPart) -> Option<Payload> {
    let approval = part.approval.as_ref()?;
    let decision = match part.phase() {
        Phase::ApprovalRequested | Phase::AutomaticRequest => None,
        Phase::Approved | Phase::Submitted | Phase::Denied | Phase::OutputDenied => approval.decision.as_ref(),
        Phase::Preliminary | Phase::OutputAvailable => Some(approval.decision.as_ref().filter(|d| d.approved)?),
        Phase::OutputError => {
            part.outcome().filter(|outcome| outcome.kind == OutcomeKind::Failed)?;
            Some(approval.decision.as_ref().filter(|d| d.approved)?)
        }
        Phase::InputStreaming | Phase::InputAvailable => return None,
    };
    let shape = w.values.object();
    w.values.set_id(shape, Name::Id, approval.id);
    w.values.extend(shape, approval.envelope);
    if approval.automatic {
        w.values.set_flag(shape, Name::IsAutomatic, true);
    }
    if let Some(decision) = decision {
        w.values.set_flag(shape, Name::Approved, decision.approved);
        w.values.set(shape, Name::Reason, sent_reason(part));
    }
    Some(shape)
}

/// The reason that is sent: what the host made of it, else that of the decision.
pub fn sent_reason(part: &ToolPart) -> Payload {
    match part.decision() {
        Some(decision) if !decision.approved && part.written.is_some() => part.written,
        Some(decision) => decision.reason,
        None => Payload::NONE,
    }
}

/// What the model reads about a call that gave no output.
pub(super) fn error_text<V: Values>(w: &Writer<V>, part: &ToolPart) -> Payload {
    let Some(outcome) = part.outcome() else { return part.output };
    if part.written.is_some() {
        return part.written;
    }
    let text = match outcome.kind {
        OutcomeKind::Executed
        | OutcomeKind::Failed
        | OutcomeKind::Denied
        | OutcomeKind::Skipped
        | OutcomeKind::Expired => return part.output,
        _ if !part.input_complete => w.texts.incomplete,
        _ if outcome.may_have_run => w.texts.may_have_run,
        OutcomeKind::Cancelled => w.texts.cancelled,
        OutcomeKind::Interrupted => w.texts.interrupted,
    };
    w.values.join(text, outcome.reason)
}

/// The call's provider metadata with the outcome in it, for outcomes that do not follow from the state.
///
/// It is a field that every schema of the protocol knows, so it survives where a key of our own
/// would be stripped or refused.
pub(super) fn outcome_metadata<V: Values>(w: &Writer<V>, part: &ToolPart) -> Option<Payload> {
    let outcome = part.outcome()?;
    // A denial follows from its state; only what the host made of its reason hides the reason that was given.
    let in_state = outcome.kind == OutcomeKind::Denied && !part.written.is_some();
    if outcome.kind.is_from_tool() || in_state {
        return None;
    }
    let own = w.values.object();
    w.values.set_name(own, Name::Outcome, enum_names::outcome(outcome.kind));
    w.values.set(own, Name::Reason, outcome.reason);
    if outcome.may_have_run {
        w.values.set_flag(own, Name::MayHaveRun, true);
    }
    if !part.input_complete {
        w.values.set_name(own, Name::State, Name::InputStreaming);
    }
    let metadata = w.values.rest(w.values.get(part.fields, Name::CallProviderMetadata), Without::Toolgate);
    w.values.set(metadata, Name::Toolgate, own);
    Some(metadata)
}

/// The value of a content part, with its kind.
pub(super) fn content<V: Values>(_w: &Writer<V>, kind: u8, value: Payload) -> (Kind, Payload) {
    (Kind::from_number(kind), value)
}
