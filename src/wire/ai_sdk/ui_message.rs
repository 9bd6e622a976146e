//! Writes `UIMessage`s, for the view and for request bodies.

use super::Kind;
use super::Writer;
use crate::machine::{DecidedBy, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, ToolPart};
use crate::wire::{Name, OmitKeys, Values, enum_names};

/// Who reads the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The app: tool parts also carry `outcome` and `delivery`.
    View,
    /// The backend: only properties that its schema has, and no calls whose input was never complete.
    Body,
}

/// Writes a message with its parts.
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

/// Writes a message without its parts.
pub fn message_head<V: Values>(w: &Writer<V>, message: &Message) -> Payload {
    let head = w.values.object();
    w.values.set_id(head, Name::Id, message.id);
    w.values.set_name(head, Name::Role, enum_names::role(message.role));
    w.values.extend(head, message.fields);
    head
}

/// Writes one part of a message.
pub fn ui_part<V: Values>(w: &Writer<V>, part: &Part, shape: Shape) -> Payload {
    match part {
        Part::StepStart => {
            let boundary = w.values.object();
            w.values.set_name(boundary, Name::Type, Name::StepStart);
            boundary
        }
        Part::Content { value, .. } => *value,
        Part::Tool(tool) => {
            let sent = || closed_by_request(w.machine, tool).or_else(|| as_decided(w.machine, tool));
            match (shape == Shape::Body).then(sent).flatten() {
                Some(sent) => tool_part(w, &sent, shape),
                None => tool_part(w, tool, shape),
            }
        }
    }
}

/// The closed copy of a call that the next request to the server does not wait for. Claiming that request closes the
/// call itself.
pub(super) fn closed_by_request(machine: &Machine, part: &ToolPart) -> Option<ToolPart> {
    if !machine.is_abandoned(part.key()) {
        return None;
    }
    let may_have_run = part.phase().may_have_started();
    Some(closed(part, may_have_run))
}

/// A call whose approval is about to be sent (again), in the state right after the decision. A preliminary result is
/// dropped, because servers refuse a request that ends with one.
fn as_decided(machine: &Machine, part: &ToolPart) -> Option<ToolPart> {
    let carried = machine.outbox().ready_submission().and_then(|item| item.carries(part.key()));
    carried.filter(|carried| carried.approved && part.phase() == Phase::Preliminary)?;
    let mut decided = part.clone();
    decided.read_as(Phase::Submitted, None);
    Some(decided)
}

/// A copy of the call, closed as interrupted.
pub(super) fn closed(part: &ToolPart, may_have_run: bool) -> ToolPart {
    let mut closed = part.clone();
    let outcome = Outcome { may_have_run, ..Outcome::new(OutcomeKind::Interrupted) };
    closed.read_as(Phase::OutputError, Some(outcome));
    closed
}

/// Whether a request to the server omits the call: its input was never complete, or another call with its id replaced
/// it in its step. Providers refuse a step in which an id occurs twice.
pub(super) fn is_left_out(machine: &Machine, part: &ToolPart) -> bool {
    let replaced = || part.is_closed() && !may_have_run(part) && machine.transcript().is_replaced(part.key());
    is_incomplete_call(part) || (!part.input_complete && machine.is_abandoned(part.key())) || replaced()
}

fn may_have_run(part: &ToolPart) -> bool {
    part.outcome().is_some_and(|outcome| outcome.may_have_run)
}

/// Whether the call was closed before its input was complete.
pub(super) fn is_incomplete_call(part: &ToolPart) -> bool {
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
    // JSON drops `undefined`, but servers require a value here.
    let dropped_by_json = |value| shape == Shape::Body && !w.values.is_some(value);
    let sent = |value| if dropped_by_json(value) { w.values.as_json(value) } else { value };
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

/// The approval, in the shape that the call's state allows. The approval of a denied call has `approved: false`; that
/// of a call with a result is approved or omitted; a call that was closed without a result has none. Source: the state
/// table of `UIToolInvocation` in `ui/ui-messages.ts`.
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

/// The reason to send: the host's rewrite of it, or else the reason of the decision.
pub fn sent_reason(part: &ToolPart) -> Payload {
    match part.decision() {
        Some(decision) if !decision.approved && part.written.is_some() => part.written,
        Some(decision) => decision.reason,
        None => Payload::NONE,
    }
}

/// The text that the model reads about a call without an output.
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

/// The call's provider metadata including the outcome, if the outcome does not follow from the state.
///
/// Every schema of the protocol has this field, so it survives; servers would strip or refuse a property of our own.
pub(super) fn outcome_metadata<V: Values>(w: &Writer<V>, part: &ToolPart) -> Option<Payload> {
    let outcome = part.outcome()?;
    // A denial follows from the state. It is stored only if the host's rewrite replaced the user's reason.
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
    let metadata = w.values.omit(w.values.get(part.fields, Name::CallProviderMetadata), OmitKeys::Toolgate);
    w.values.set(metadata, Name::Toolgate, own);
    Some(metadata)
}

/// The value of a content part, with its kind.
pub(super) fn content(kind: u8, value: Payload) -> (Kind, Payload) {
    (Kind::from_number(kind), value)
}
