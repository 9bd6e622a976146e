//! The table of all phases and causes, as `verdict` has it, and what must hold in all of it.
//!
//! `transitions.md` is the table to read. It is written from the code: `BLESS=1 cargo test` rewrites it,
//! and without that a difference is a failure.

use crate::committed::same_as_committed;
use std::fmt::Write as _;
use toolgate::machine::{Cause, Phase, Verdict, verdict};

/// Every cell of the table.
pub fn cells() -> impl Iterator<Item = (Phase, Cause, Verdict)> {
    let pairs = Phase::ALL.into_iter().flat_map(|phase| Cause::ALL.into_iter().map(move |cause| (phase, cause)));
    pairs.map(|(phase, cause)| (phase, cause, verdict(phase, cause)))
}

/// A name of Rust as words: `InputStreaming` is `input streaming`.
pub fn words(name: impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for (place, letter) in format!("{name:?}").char_indices() {
        if letter.is_uppercase() && place > 0 {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

fn cell(verdict: Verdict) -> String {
    match verdict {
        Verdict::Go(phase) => format!("**{}**", words(phase)),
        Verdict::GoAmiss(phase, code) => format!("**{}** ! {}", words(phase), code.as_str()),
        Verdict::Keep => "taken".to_owned(),
        Verdict::Ignore => "·".to_owned(),
        Verdict::Anomaly(code) => format!("! {}", code.as_str()),
        Verdict::Recorded => "compared".to_owned(),
        Verdict::Refuse(code) => format!("✗ {}", code.as_str()),
    }
}

const LEGEND: &str = "\
# What can happen to a tool call

Written by `BLESS=1 cargo test` from `verdict` in `src/machine/table.rs`; a test fails when the two differ.

One row for each cause, one column for each phase. The backend's causes come first, then those of the user and
the host, then those of the turn.

| in a cell | means |
|---|---|
| **phase** | the call goes into this phase |
| **phase** ! code | the same, and an `anomaly` event says that it should not have come to this |
| taken | the phase stays, and what came is taken in |
| · | nothing changes, and nothing is wrong with that |
| ! code | nothing changes, and an `anomaly` event says so |
| compared | the answer is compared with the one on record: `duplicate`, or refused as `already-decided` |
| ✗ code | nothing changes, and the caller gets this error |

";

fn table() -> String {
    let mut text = LEGEND.to_owned();
    text.push_str("The phases of a call, and the state that each has on the wire:\n\n| phase | state | settled |\n|---|---|---|\n");
    for phase in Phase::ALL {
        let settled = if phase.is_settled() { "yes" } else { "" };
        writeln!(text, "| {} | `{}` | {settled} |", words(phase), phase.state()).unwrap();
    }
    let halves = Phase::ALL.split_at(6);
    for half in [halves.0, halves.1] {
        let heads: Vec<String> = half.iter().map(words).collect();
        writeln!(text, "\n| cause | {} |\n|---|{}", heads.join(" | "), "---|".repeat(half.len())).unwrap();
        for cause in Cause::ALL {
            let row: Vec<String> = half.iter().map(|&phase| cell(verdict(phase, cause))).collect();
            writeln!(text, "| {} | {} |", words(cause), row.join(" | ")).unwrap();
        }
    }
    text
}

#[test]
fn the_committed_table_is_the_code() {
    same_as_committed("tests/host/transitions.md", &table());
}

#[test]
fn the_states_on_the_wire_are_those_of_the_ai_sdk() {
    let mut states: Vec<&str> = Phase::ALL.into_iter().map(Phase::state).collect();
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
fn every_phase_and_cause_is_listed_once() {
    for (place, phase) in Phase::ALL.into_iter().enumerate() {
        assert_eq!(Phase::ALL.into_iter().position(|other| other == phase), Some(place));
    }
    for (place, cause) in Cause::ALL.into_iter().enumerate() {
        assert_eq!(Cause::ALL.into_iter().position(|other| other == cause), Some(place));
    }
}

#[test]
fn settled_phases_absorb_everything() {
    for (phase, cause, verdict) in cells() {
        if !matches!(phase, Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied) {
            continue;
        }
        let stays = !matches!(verdict, Verdict::Go(_) | Verdict::GoAmiss(..) | Verdict::Keep);
        assert!(stays, "{phase:?} × {cause:?} is {verdict:?}");
    }
}

#[test]
fn a_denial_goes_nowhere_but_on_record() {
    for (phase, cause, verdict) in cells().filter(|(phase, ..)| *phase == Phase::Denied) {
        match verdict {
            Verdict::Go(to) => assert_eq!(to, Phase::OutputDenied, "{phase:?} × {cause:?}"),
            Verdict::GoAmiss(..) | Verdict::Keep => panic!("{phase:?} × {cause:?} is {verdict:?}"),
            Verdict::Ignore | Verdict::Anomaly(_) | Verdict::Recorded | Verdict::Refuse(_) => {}
        }
    }
}

#[test]
fn an_output_never_comes_to_a_denied_call() {
    let outputs =
        [Cause::Preliminary, Cause::Output, Cause::Error, Cause::InputError, Cause::ClientOutput, Cause::ClientError];
    for phase in [Phase::Denied, Phase::OutputDenied] {
        for cause in outputs {
            let said = matches!(verdict(phase, cause), Verdict::Anomaly(_) | Verdict::Refuse(_));
            assert!(said, "{phase:?} × {cause:?} is {:?}", verdict(phase, cause));
        }
    }
}

#[test]
fn a_repeated_request_or_announcement_takes_nothing_back() {
    for (phase, cause, verdict) in cells() {
        let announced = !matches!(phase, Phase::InputStreaming | Phase::InputAvailable);
        let repeats = match cause {
            Cause::RequestAgain => true,
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => announced,
            _ => false,
        };
        if repeats {
            let stays = matches!(verdict, Verdict::Ignore | Verdict::Anomaly(_));
            assert!(stays, "{phase:?} × {cause:?} is {verdict:?}");
        }
    }
}

#[test]
fn a_request_never_takes_back_a_decision_that_has_not_left() {
    for phase in [Phase::Approved, Phase::Denied] {
        for cause in [Cause::Request, Cause::RequestAgain, Cause::AutomaticRequest] {
            let stays = matches!(verdict(phase, cause), Verdict::Ignore | Verdict::Anomaly(_));
            assert!(stays, "{phase:?} × {cause:?} is {:?}", verdict(phase, cause));
        }
    }
}

#[test]
fn only_an_answer_to_a_pending_request_is_a_decision() {
    for (phase, cause, verdict) in cells().filter(|(_, cause, _)| matches!(cause, Cause::Approve | Cause::Deny)) {
        let decides = matches!(verdict, Verdict::Go(_) | Verdict::GoAmiss(..) | Verdict::Keep);
        assert_eq!(decides, phase == Phase::ApprovalRequested, "{phase:?} × {cause:?} is {verdict:?}");
    }
}

#[test]
fn an_approval_leaves_once() {
    for (phase, _, verdict) in cells().filter(|(_, cause, _)| *cause == Cause::Sent) {
        let expected = if phase == Phase::Approved { Verdict::Go(Phase::Submitted) } else { Verdict::Ignore };
        assert_eq!(verdict, expected, "{phase:?}");
    }
}

#[test]
fn what_users_and_hosts_do_is_never_an_anomaly() {
    use Cause::{Approve, Cancel, ClientError, ClientOutput, ConfirmDenial, Deny, Interrupt, Sent};
    for (phase, cause, verdict) in cells() {
        if [Approve, Deny, ClientOutput, ClientError, Cancel, Sent, Interrupt, ConfirmDenial].contains(&cause) {
            let told = matches!(verdict, Verdict::Anomaly(_) | Verdict::GoAmiss(..));
            assert!(!told, "{phase:?} × {cause:?} is {verdict:?}");
        }
    }
}

#[test]
fn what_the_backend_does_is_never_refused() {
    use Cause::{Approve, Cancel, ClientError, ClientOutput, ConfirmDenial, Deny, Interrupt, Sent};
    for (phase, cause, verdict) in cells() {
        if ![Approve, Deny, ClientOutput, ClientError, Cancel, Sent, Interrupt, ConfirmDenial].contains(&cause) {
            let refused = matches!(verdict, Verdict::Refuse(_) | Verdict::Recorded);
            assert!(!refused, "{phase:?} × {cause:?} is {verdict:?}");
        }
    }
}

#[test]
fn every_open_call_can_be_closed() {
    for phase in Phase::ALL {
        let closed = verdict(phase, Cause::Interrupt) == Verdict::Go(Phase::OutputError);
        assert_eq!(closed, !phase.is_settled(), "{phase:?}");
    }
}
