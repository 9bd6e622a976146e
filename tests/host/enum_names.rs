//! The names of enums in messages: reading a written name returns the same variant, and the name equals the text that
//! the machine uses.

use toolgate::machine::{DeliveryState, OutcomeKind, Phase};
use toolgate::wire::{Name, enum_names};

#[test]
fn every_stored_outcome_can_be_read() {
    for &kind in OutcomeKind::ALL {
        assert_eq!(enum_names::outcome_named(enum_names::outcome(kind)), Some(kind), "{kind:?}");
    }
    assert_eq!(enum_names::outcome_named(Name::Type), None);
}

#[test]
fn every_outcome_is_from_the_tool_or_a_denial_or_closes_the_call() {
    for &kind in OutcomeKind::ALL {
        let is = [kind.is_from_tool(), kind.is_denial(), kind.is_closed()];
        assert_eq!(
            is.into_iter().filter(|&is| is).count(),
            1,
            "{kind:?} must be exactly one of the three kinds of outcomes"
        );
    }
}

#[test]
fn the_names_in_messages_are_the_texts_of_the_machine() {
    for &phase in Phase::ALL {
        assert_eq!(enum_names::state(phase).text(), phase.state(), "{phase:?}");
    }
    for &kind in OutcomeKind::ALL {
        assert_eq!(enum_names::outcome(kind).text(), kind.as_str(), "{kind:?}");
    }
    for &state in DeliveryState::ALL {
        assert_eq!(enum_names::delivery(state).text(), state.as_str(), "{state:?}");
    }
}
