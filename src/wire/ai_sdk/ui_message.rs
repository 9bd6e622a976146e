//! Writing `UIMessage`s: what the view shows, and what a request's body carries.

use super::Kind;
use crate::machine::{Message, OutcomeKind, Part, Payload, Phase, ToolPart};
use crate::wire::{Name, Texts, Values};

/// Whom a message is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The app: tool parts also carry `outcome` and `delivery`.
    View,
    /// The backend: nothing but what its schema knows, and no call whose input never was complete.
    Body,
}

/// The whole message.
pub fn ui_message<V: Values>(values: &V, texts: &Texts, message: &Message, shape: Shape) -> V::Value {
    let mut parts = values.array();
    for part in &message.parts {
        if shape == Shape::Body && part.tool().is_some_and(never_called) {
            continue;
        }
        values.push(&mut parts, &ui_part(values, texts, part, shape));
    }
    let mut head = message_head(values, message);
    values.set(&mut head, Name::Parts, &parts);
    head
}

/// The message without its parts.
pub fn message_head<V: Values>(values: &V, message: &Message) -> V::Value {
    let mut head = values.object();
    values.set_text(&mut head, Name::Id, &message.id);
    values.set_text(&mut head, Name::Role, message.role.as_str());
    values.extend(&mut head, &values.load(message.fields));
    head
}

/// One part.
pub fn ui_part<V: Values>(values: &V, texts: &Texts, part: &Part, shape: Shape) -> V::Value {
    match part {
        Part::StepStart => {
            let mut boundary = values.object();
            values.set_name(&mut boundary, Name::Type, Name::StepStart);
            boundary
        }
        Part::Content { value, .. } => values.load(*value),
        Part::Tool(tool) => tool_part(values, texts, tool, shape),
    }
}

/// A call whose input never was complete, and never will be.
pub(super) fn never_called(part: &ToolPart) -> bool {
    !part.input_complete && part.phase == Phase::OutputError
}

fn tool_part<V: Values>(values: &V, texts: &Texts, part: &ToolPart, shape: Shape) -> V::Value {
    let mut ui = values.object();
    if part.dynamic {
        values.set_name(&mut ui, Name::Type, Name::DynamicTool);
        values.set_text(&mut ui, Name::ToolName, &part.name);
    } else {
        values.set_text(&mut ui, Name::Type, &format!("tool-{}", part.name));
    }
    values.set_text(&mut ui, Name::ToolCallId, &part.call);
    values.set_text(&mut ui, Name::State, part.phase.state());
    values.extend(&mut ui, &values.load(part.fields));
    let input = values.load(part.input);
    if part.input_complete {
        values.set(&mut ui, Name::Input, &input);
    } else {
        values.set(&mut ui, Name::Input, &values.partial_value(&input));
        values.set(&mut ui, Name::RawInput, &values.partial_text(&input));
    }
    match part.phase {
        Phase::OutputAvailable => values.set(&mut ui, Name::Output, &values.load(part.output)),
        Phase::Preliminary => {
            values.set(&mut ui, Name::Output, &values.load(part.output));
            values.set_flag(&mut ui, Name::Preliminary, true);
        }
        Phase::OutputError => {
            values.set(&mut ui, Name::ErrorText, &error_text(values, texts, part));
            if let Some(metadata) = outcome_metadata(values, part) {
                values.set(&mut ui, Name::CallProviderMetadata, &metadata);
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
    if let Some(approval) = approval(values, part) {
        values.set(&mut ui, Name::Approval, &approval);
    }
    if shape == Shape::View {
        if let Some(outcome) = &part.outcome {
            let mut shown = values.object();
            values.set_text(&mut shown, Name::Kind, outcome.kind.as_str());
            values.set(&mut shown, Name::Reason, &values.load(outcome.reason));
            if outcome.may_have_run {
                values.set_flag(&mut shown, Name::MayHaveRun, true);
            }
            values.set(&mut ui, Name::Outcome, &shown);
        }
        if let Some(delivery) = part.delivery {
            values.set_text(&mut ui, Name::Delivery, delivery.as_str());
        }
    }
    ui
}

/// The approval, in the one shape that its state allows: a denied call's is not granted, a result's
/// is granted or absent, and a call closed without a result has none.
/// Source: the state table of `UIToolInvocation` in `ui/ui-messages.ts`.
pub(super) fn approval<V: Values>(values: &V, part: &ToolPart) -> Option<V::Value> {
    let approval = part.approval.as_ref()?;
    let decision = match part.phase {
        Phase::ApprovalRequested | Phase::AutomaticRequest => None,
        Phase::Approved | Phase::Submitted | Phase::Denied | Phase::OutputDenied => approval.decision.as_ref(),
        Phase::Preliminary | Phase::OutputAvailable => Some(approval.decision.as_ref().filter(|d| d.approved)?),
        Phase::OutputError => {
            part.outcome.as_ref().filter(|outcome| outcome.kind == OutcomeKind::Failed)?;
            Some(approval.decision.as_ref().filter(|d| d.approved)?)
        }
        Phase::InputStreaming | Phase::InputAvailable => return None,
    };
    let mut shape = values.object();
    values.set_text(&mut shape, Name::Id, &approval.id);
    values.extend(&mut shape, &values.load(approval.envelope));
    if approval.automatic {
        values.set_flag(&mut shape, Name::IsAutomatic, true);
    }
    if let Some(decision) = decision {
        values.set_flag(&mut shape, Name::Approved, decision.approved);
        values.set(&mut shape, Name::Reason, &values.load(decision.reason));
    }
    Some(shape)
}

/// What the model reads about a call that gave no output.
pub(super) fn error_text<V: Values>(values: &V, texts: &Texts, part: &ToolPart) -> V::Value {
    let Some(outcome) = &part.outcome else { return values.load(part.output) };
    let text = match outcome.kind {
        OutcomeKind::Executed | OutcomeKind::Failed | OutcomeKind::Denied => return values.load(part.output),
        _ if !part.input_complete => &texts.incomplete,
        _ if outcome.may_have_run => &texts.unknown_outcome,
        OutcomeKind::Cancelled => &texts.cancelled,
        OutcomeKind::Interrupted => &texts.interrupted,
    };
    match values.as_text(&values.load(outcome.reason)) {
        Some(reason) => values.string(&format!("{text} {reason}")),
        None => values.string(text),
    }
}

/// The call's provider metadata with the outcome in it, for outcomes that the state does not tell.
///
/// It is a field that every schema of the protocol knows, so it survives where a key of our own
/// would be stripped or refused.
pub(super) fn outcome_metadata<V: Values>(values: &V, part: &ToolPart) -> Option<V::Value> {
    let outcome = part.outcome.as_ref()?;
    let told = match outcome.kind {
        OutcomeKind::Executed | OutcomeKind::Failed | OutcomeKind::Denied => return None,
        OutcomeKind::Cancelled | OutcomeKind::Interrupted => outcome.kind.as_str(),
    };
    let mut own = values.object();
    values.set_text(&mut own, Name::Outcome, told);
    values.set(&mut own, Name::Reason, &values.load(outcome.reason));
    if outcome.may_have_run {
        values.set_flag(&mut own, Name::MayHaveRun, true);
    }
    let mut metadata =
        values.rest(&values.get(&values.load(part.fields), Name::CallProviderMetadata), &[Name::Toolgate]);
    values.set(&mut metadata, Name::Toolgate, &own);
    Some(metadata)
}

/// The value of a content part, with its kind.
pub(super) fn content<V: Values>(values: &V, kind: u8, value: Payload) -> (Kind, V::Value) {
    (Kind::from_number(kind), values.load(value))
}
