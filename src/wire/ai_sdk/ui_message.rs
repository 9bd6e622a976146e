//! Writes `UIMessage`s, for the view and for request bodies.

use super::Kind;
use super::Writer;
use super::sent_parts::sent_parts;
use crate::machine::{
    Approval, DecidedBy, DeliveryState, Id, Machine, Message, Outcome, OutcomeKind, Part, Payload, Phase, ToolPart,
};
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
    if shape == Shape::Body {
        for part in sent_parts(w.machine, message) {
            w.values.push(parts, ui_part(w, &part, shape));
        }
    } else {
        for part in &message.parts {
            w.values.push(parts, ui_part(w, part, shape));
        }
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
        Part::Tool(tool) => write_call(w.values, &ui_call(w, tool, shape)),
    }
}

/// The contents of a tool part.
pub fn ui_call<V: Values>(w: &Writer<V>, part: &ToolPart, shape: Shape) -> UiCall {
    let sent = || closed_by_request(w.machine, part).or_else(|| as_decided(w.machine, part));
    match (shape == Shape::Body).then(sent).flatten() {
        Some(sent) => contents(w, &sent, shape),
        None => contents(w, part, shape),
    }
}

/// A closed copy of the call, for the body, if the next request to the server does not wait for the call. The call
/// itself is closed when that request is claimed.
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
    let mut decided = *part;
    decided.read_as(Phase::Submitted, None);
    Some(decided)
}

/// A copy of the call, closed as interrupted.
pub(super) fn closed(part: &ToolPart, may_have_run: bool) -> ToolPart {
    let mut closed = *part;
    let outcome = Outcome { may_have_run, ..Outcome::new(OutcomeKind::Interrupted) };
    closed.read_as(Phase::OutputError, Some(outcome));
    closed
}

/// Whether the call was closed before its input was complete.
pub(super) fn is_incomplete_call(part: &ToolPart) -> bool {
    !part.input_complete && part.phase() == Phase::OutputError
}

/// The result of a call, as its part has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UiResult {
    /// It has none.
    None,
    /// Its final output.
    Output(Payload),
    /// An output that a later one replaces.
    Preliminary(Payload),
    /// The text of its error.
    Error(Payload),
    /// An error without a text.
    UnknownError,
}

/// The approval of a call, as its part has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UiApproval {
    /// The approval's id.
    pub id: Id,
    /// Everything else that the backend sent with the request.
    pub envelope: Payload,
    /// Whether the backend decides it.
    pub automatic: bool,
    /// Whether it is approved, and the reason; `None` while it is undecided.
    pub decision: Option<(bool, Payload)>,
}

/// The contents of a tool part: only properties that the call's state allows. `write_call` and `src/ts/wasm/records.ts`
/// copy them without further checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UiCall {
    /// Whether the type is `dynamic-tool`.
    pub dynamic: bool,
    /// The tool's name.
    pub name: Id,
    /// The call's id.
    pub call: Id,
    /// The state.
    pub state: Name,
    /// All other properties.
    pub fields: Payload,
    /// The input, as far as it is known.
    pub input: Payload,
    /// The text of an unfinished input.
    pub raw_input: Payload,
    /// The result.
    pub result: UiResult,
    /// The call's provider metadata, if they are not those of `fields`.
    pub metadata: Payload,
    /// The approval.
    pub approval: Option<UiApproval>,
    /// How the call settled. Like the next two, only in the view.
    pub outcome: Option<Outcome>,
    /// Who decided, if it was not the user.
    pub decided_by: Option<DecidedBy>,
    /// The delivery of the decision.
    pub delivery: Option<DeliveryState>,
}

fn contents<V: Values>(w: &Writer<V>, part: &ToolPart, shape: Shape) -> UiCall {
    let in_view = shape == Shape::View;
    let phase = if in_view { part.phase() } else { part.known_phase() };
    // JSON drops `undefined`, but servers require a value here.
    let dropped_by_json = |value| shape == Shape::Body && !w.values.is_some(value);
    let sent = |value| if dropped_by_json(value) { w.values.as_json(value) } else { value };
    let (input, raw_input) = if !part.input_complete {
        (w.values.partial_value(part.input), w.values.partial_text(part.input))
    } else if phase == Phase::OutputError {
        (part.input, Payload::NONE)
    } else {
        (sent(part.input), Payload::NONE)
    };
    let result = match phase {
        Phase::OutputAvailable => UiResult::Output(sent(part.output)),
        Phase::Preliminary => UiResult::Preliminary(sent(part.output)),
        Phase::OutputError => {
            let text = error_text(w, part);
            if w.values.is_text(text) { UiResult::Error(text) } else { UiResult::UnknownError }
        }
        Phase::InputStreaming
        | Phase::RequestWaits
        | Phase::InputAvailable
        | Phase::ApprovalRequested
        | Phase::AutomaticRequest
        | Phase::Approved
        | Phase::Submitted
        | Phase::Denied
        | Phase::OutputDenied => UiResult::None,
    };
    let by = part.decision().map(|decision| decision.by);
    UiCall {
        dynamic: part.dynamic,
        name: part.name,
        call: part.call,
        state: enum_names::state(phase),
        fields: part.fields,
        input,
        raw_input,
        result,
        metadata: outcome_metadata(w, part).unwrap_or(Payload::NONE),
        approval: ui_approval(part, shape),
        outcome: part.outcome().filter(|_| in_view).cloned(),
        decided_by: by.filter(|by| in_view && matches!(by, DecidedBy::Policy | DecidedBy::Remembered)),
        delivery: if in_view { w.machine.delivery(part) } else { None },
    }
}

/// Builds a tool part. `src/ts/wasm/records.ts` does the same in a page.
fn write_call<V: Values>(values: &V, call: &UiCall) -> Payload {
    let ui = values.object();
    if call.dynamic {
        values.set_name(ui, Name::Type, Name::DynamicTool);
        values.set_id(ui, Name::ToolName, call.name);
    } else {
        values.set_tool(ui, call.name);
    }
    values.set_id(ui, Name::ToolCallId, call.call);
    values.set_name(ui, Name::State, call.state);
    values.extend(ui, call.fields);
    values.set(ui, Name::Input, call.input);
    values.set(ui, Name::RawInput, call.raw_input);
    match call.result {
        UiResult::None => {}
        UiResult::Output(output) => values.set(ui, Name::Output, output),
        UiResult::Preliminary(output) => {
            values.set(ui, Name::Output, output);
            values.set_flag(ui, Name::Preliminary, true);
        }
        UiResult::Error(text) => values.set(ui, Name::ErrorText, text),
        UiResult::UnknownError => values.set_name(ui, Name::ErrorText, Name::UnknownError),
    }
    values.set(ui, Name::CallProviderMetadata, call.metadata);
    if let Some(approval) = call.approval {
        values.set(ui, Name::Approval, write_approval(values, approval));
    }
    if let Some(outcome) = &call.outcome {
        let shown = values.object();
        values.set_name(shown, Name::Kind, enum_names::outcome(outcome.kind));
        values.set(shown, Name::Reason, outcome.reason);
        if outcome.may_have_run {
            values.set_flag(shown, Name::MayHaveRun, true);
        }
        values.set(ui, Name::Outcome, shown);
    }
    if let Some(by) = call.decided_by {
        values.set_name(ui, Name::DecidedBy, enum_names::decided_by(by));
    }
    if let Some(delivery) = call.delivery {
        values.set_name(ui, Name::Delivery, enum_names::delivery(delivery));
    }
    ui
}

/// The approval, in the shape that the call's state allows. The approval of a denied call has `approved: false`; that
/// of a call with a result is approved or omitted; a call that was closed without a result has none. Source: the state
/// table of `UIToolInvocation` in `ui/ui-messages.ts`.
pub(super) fn ui_approval(part: &ToolPart, shape: Shape) -> Option<UiApproval> {
    let approval = part.approval.as_ref().filter(|approval| shape == Shape::View || !approval.is_local)?;
    let decision = match part.phase() {
        Phase::ApprovalRequested | Phase::AutomaticRequest => None,
        Phase::Approved | Phase::Submitted | Phase::Denied | Phase::OutputDenied => approval.decision.as_ref(),
        Phase::Preliminary | Phase::OutputAvailable => Some(approval.decision.as_ref().filter(|d| d.approved)?),
        Phase::OutputError => {
            part.outcome().filter(|outcome| outcome.kind == OutcomeKind::Failed)?;
            Some(approval.decision.as_ref().filter(|d| d.approved)?)
        }
        Phase::InputStreaming | Phase::RequestWaits | Phase::InputAvailable => return None,
    };
    let Approval { id, envelope, automatic, .. } = *approval;
    Some(UiApproval { id, envelope, automatic, decision: decision.map(|given| (given.approved, sent_reason(part))) })
}

fn write_approval<V: Values>(values: &V, approval: UiApproval) -> Payload {
    let shape = values.object();
    values.set_id(shape, Name::Id, approval.id);
    values.extend(shape, approval.envelope);
    if approval.automatic {
        values.set_flag(shape, Name::IsAutomatic, true);
    }
    if let Some((approved, reason)) = approval.decision {
        values.set_flag(shape, Name::Approved, approved);
        values.set(shape, Name::Reason, reason);
    }
    shape
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
pub fn error_text<V: Values>(w: &Writer<V>, part: &ToolPart) -> Payload {
    let Some(outcome) = part.outcome() else { return part.output };
    if part.written.is_some() {
        return part.written;
    }
    let text = match outcome.kind {
        OutcomeKind::Executed | OutcomeKind::Failed => return part.output,
        OutcomeKind::Skipped | OutcomeKind::Expired => return sent_reason(part),
        OutcomeKind::Denied => w.texts.denied,
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
    // A denial that the backend knows follows from the state. It is stored only if the host's rewrite replaced the
    // user's reason.
    let in_state = outcome.kind == OutcomeKind::Denied && !part.written.is_some() && !part.is_asked_locally();
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
    if part.in_page {
        w.values.set_flag(own, Name::RunsInPage, true);
    }
    let metadata = w.values.omit(w.values.get(part.fields, Name::CallProviderMetadata), OmitKeys::Toolgate);
    w.values.set(metadata, Name::Toolgate, own);
    Some(metadata)
}

/// The value of a content part, with its kind.
pub(super) fn content(kind: u8, value: Payload) -> (Kind, Payload) {
    (Kind::from_number(kind), value)
}
