//! Rules that hold in all of the machine's tables.

use crate::tables::cells;
use toolgate::machine::{
    Effect, ExchangeInput, ExchangeState, ExchangeTransition, Input, ItemInput, ItemState, ItemTransition, OutcomeKind,
    Phase, Transition, exchange_transition, item_transition, transition,
};

#[test]
fn the_states_of_calls_in_messages_are_those_of_the_ai_sdk() {
    let mut states: Vec<&str> = Phase::ALL.iter().map(|phase| phase.state()).collect();
    states.sort_unstable();
    states.dedup();
    assert_eq!(
        states,
        [
            "approval-requested",
            "approval-responded",
            "input-available",
            "input-streaming",
            "output-available",
            "output-denied",
            "output-error"
        ]
    );
}

#[test]
fn no_input_changes_a_settled_phase() {
    for (phase, input, does) in cells() {
        if !matches!(phase, Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied) {
            continue;
        }
        let stays = !matches!(does, Transition::To(..) | Transition::ToWithAnomaly(..) | Transition::Update);
        assert!(stays, "{phase:?} × {input:?} is {does:?}");
    }
}

#[test]
fn a_denial_can_only_become_final() {
    for (phase, input, does) in cells().filter(|(phase, ..)| *phase == Phase::Denied) {
        match does {
            // A denial that was not sent does not apply to another input.
            Transition::To(Phase::ApprovalRequested, _) => assert_eq!(input, Input::DecisionVoid),
            Transition::To(to, _) => assert_eq!(to, Phase::OutputDenied, "{phase:?} × {input:?}"),
            Transition::ToWithAnomaly(..) | Transition::Update => panic!("{phase:?} × {input:?} is {does:?}"),
            Transition::Ignore | Transition::Anomaly(_) | Transition::CompareWithDecision | Transition::Refuse(_) => {}
        }
    }
}

#[test]
fn a_denied_call_never_accepts_an_output() {
    let outputs =
        [Input::Preliminary, Input::Output, Input::Error, Input::InputError, Input::PageOutput, Input::PageError];
    for phase in [Phase::Denied, Phase::OutputDenied] {
        for input in outputs {
            let said = matches!(transition(phase, input), Transition::Anomaly(_) | Transition::Refuse(_));
            assert!(said, "{phase:?} × {input:?} is {:?}", transition(phase, input));
        }
    }
}

#[test]
fn a_repeated_request_or_input_never_reverts_a_phase() {
    for (phase, input, does) in cells() {
        let announced = !phase.is_streaming() && phase != Phase::InputAvailable;
        let repeats = match input {
            Input::RequestAgain => true,
            Input::InputStart | Input::InputDelta | Input::InputAvailable => announced,
            _ => false,
        };
        if repeats {
            let stays = matches!(does, Transition::Ignore | Transition::Anomaly(_));
            assert!(stays, "{phase:?} × {input:?} is {does:?}");
        }
    }
}

#[test]
fn a_request_never_reverts_an_unsent_decision() {
    for phase in [Phase::Approved, Phase::Denied] {
        for input in [Input::Request, Input::RequestAgain, Input::AutomaticRequest] {
            let stays = matches!(transition(phase, input), Transition::Ignore | Transition::Anomaly(_));
            assert!(stays, "{phase:?} × {input:?} is {:?}", transition(phase, input));
        }
    }
}

#[test]
fn only_a_response_to_a_pending_request_is_a_decision() {
    for (phase, input, does) in cells().filter(|(_, input, _)| matches!(input, Input::Approve | Input::Deny)) {
        let decides = matches!(does, Transition::To(..) | Transition::ToWithAnomaly(..) | Transition::Update);
        assert_eq!(decides, phase == Phase::ApprovalRequested, "{phase:?} × {input:?} is {does:?}");
    }
}

#[test]
fn an_approval_is_sent_once() {
    for (phase, _, does) in cells().filter(|(_, input, _)| *input == Input::Sent) {
        let expected = if phase == Phase::Approved {
            Transition::To(Phase::Submitted, Effect::Nothing)
        } else {
            Transition::Ignore
        };
        assert_eq!(does, expected, "{phase:?}");
    }
}

#[test]
fn commands_are_never_anomalies() {
    use Input::{Approve, Cancel, ConfirmDenial, Deny, Interrupt, PageError, PageOutput, Sent};
    for (phase, input, does) in cells() {
        if [Approve, Deny, PageOutput, PageError, Cancel, Sent, Interrupt, ConfirmDenial].contains(&input) {
            let told = matches!(does, Transition::Anomaly(_) | Transition::ToWithAnomaly(..));
            assert!(!told, "{phase:?} × {input:?} is {does:?}");
        }
    }
}

#[test]
fn events_of_the_backend_are_never_refused() {
    use Input::{Approve, Cancel, ConfirmDenial, Deny, Interrupt, PageError, PageOutput, Sent};
    for (phase, input, does) in cells() {
        if ![Approve, Deny, PageOutput, PageError, Cancel, Sent, Interrupt, ConfirmDenial].contains(&input) {
            let refused = matches!(does, Transition::Refuse(_) | Transition::CompareWithDecision);
            assert!(!refused, "{phase:?} × {input:?} is {does:?}");
        }
    }
}

#[test]
fn every_open_call_can_be_closed() {
    for &phase in Phase::ALL {
        let closed = Transition::To(Phase::OutputError, Effect::Close(OutcomeKind::Interrupted));
        assert_eq!(transition(phase, Input::Interrupt) == closed, !phase.is_settled(), "{phase:?}");
    }
}

#[test]
fn a_call_gets_an_outcome_exactly_when_it_settles() {
    for (phase, input, does) in cells() {
        let (Transition::To(to, effect) | Transition::ToWithAnomaly(to, effect, _)) = does else { continue };
        let gives = match effect {
            Effect::DenyByClient(_) | Effect::DenyByBackend | Effect::RecordDenial => true,
            Effect::Settle(_) | Effect::SettleByPage(_) | Effect::Close(_) => true,
            // The denial has already set the outcome.
            Effect::ConfirmDenial => phase == Phase::Denied,
            Effect::Nothing | Effect::CompleteInput | Effect::Ask => false,
            Effect::HoldDecision | Effect::Proceed => false,
        };
        assert_eq!(gives, to.is_settled(), "{phase:?} × {input:?} is {does:?}");
    }
}

#[test]
fn only_the_end_of_a_stream_or_the_host_makes_an_item_undelivered() {
    for &state in ItemState::ALL {
        for &input in ItemInput::ALL {
            let ItemTransition::To(to) = item_transition(state, input) else { continue };
            let by = match to {
                ItemState::Failed => matches!(input, ItemInput::SendFails | ItemInput::BackToFailed),
                ItemState::Unconfirmed => {
                    matches!(input, ItemInput::IsLost | ItemInput::Reload | ItemInput::BackToUnconfirmed)
                }
                ItemState::Stalled => input == ItemInput::ReplyIsIncomplete,
                _ => true,
            };
            assert!(by, "{state:?} × {input:?} is {to:?}");
        }
    }
}

#[test]
fn an_undelivered_item_can_be_retried_given_up_and_settled() {
    for &state in ItemState::ALL.iter().filter(|state| state.is_undelivered()) {
        assert_eq!(item_transition(state, ItemInput::Retry), ItemTransition::To(ItemState::Ready), "{state:?}");
        assert_eq!(item_transition(state, ItemInput::GiveUp), ItemTransition::Remove, "{state:?}");
        assert_eq!(item_transition(state, ItemInput::CallsSettle), ItemTransition::To(ItemState::Done), "{state:?}");
    }
}

#[test]
fn only_a_retry_makes_an_item_ready_again() {
    for &state in ItemState::ALL {
        for &input in ItemInput::ALL {
            let is_ready = item_transition(state, input) == ItemTransition::To(ItemState::Ready);
            assert!(!is_ready || (input == ItemInput::Retry && state.is_undelivered()), "{state:?} × {input:?}");
        }
    }
}

#[test]
fn every_exchange_can_end() {
    let ends = [ExchangeTransition::End, ExchangeTransition::Lose, ExchangeTransition::Return];
    for &state in ExchangeState::ALL.iter().filter(|&&state| state != ExchangeState::Idle) {
        let does = exchange_transition(state, ExchangeInput::StreamBreaks);
        assert!(ends.contains(&does), "{state:?} is {does:?} when its stream breaks");
    }
    // A host does not end a stream that no request opened: the stream's last event, stop or cancel ends it.
    for input in [ExchangeInput::Terminal, ExchangeInput::Stop, ExchangeInput::Cancel] {
        assert_eq!(exchange_transition(ExchangeState::Unrequested, input), ExchangeTransition::End, "{input:?}");
    }
    // A host may never report that it failed to reconnect.
    for input in [ExchangeInput::TimeIsUp, ExchangeInput::Stop, ExchangeInput::Cancel, ExchangeInput::MoveOn] {
        assert_eq!(exchange_transition(ExchangeState::Reconnecting, input), ExchangeTransition::Return, "{input:?}");
    }
}

#[test]
fn an_event_without_a_request_ends_no_request() {
    for state in [ExchangeState::InFlight, ExchangeState::Replying] {
        assert_eq!(exchange_transition(state, ExchangeInput::Terminal), ExchangeTransition::NoteEnding, "{state:?}");
    }
}

#[test]
fn an_event_of_another_request_opens_nothing() {
    for &state in ExchangeState::ALL {
        assert_eq!(exchange_transition(state, ExchangeInput::Foreign), ExchangeTransition::Late, "{state:?}");
    }
}
