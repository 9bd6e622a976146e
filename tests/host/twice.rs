//! A chat whose reply arrives twice, with the user's decisions in between: see damaged_replies.rs. Every step checks
//! that no decision is taken back, made again or changed.

use crate::chat::Chat;
use crate::damaged_replies::Verdict::{Approve, Deny, Edit};
use crate::damaged_replies::{Case, Damage, Delivery, Kind, Verdict, Way, cases, damaged};
use crate::stored_histories::{asked, text, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{About, Event, Phase, Reconnect, RespondOutcome, StreamEnd};

/// A chat, and what its user and its backend know.
struct World {
    chat: Chat,
    case: Case,
    /// The approvals that the user has decided, with the decisions.
    decided: Vec<(&'static str, Verdict)>,
    /// The approvals in requests that were sent, with what they said.
    sent: Vec<(String, bool)>,
}

impl World {
    fn new(case: Case) -> Self {
        let mut chat = Chat { closely: false, ..Chat::default() };
        chat.set_options(|options| {
            options.answering = case.kind == Kind::Answering;
            options.answers_first = case.kind == Kind::AnswersFirst;
        });
        Self { chat, case, decided: Vec::new(), sent: Vec::new() }
    }

    /// The first copy arrives, and the user decides.
    fn begin(&mut self) {
        if self.case.way == Way::Stored {
            let [one, two] = self.case.approvals();
            let parts = [text("I look."), asked("c1", one), asked("c2", two)];
            self.chat.load(json!([user("m1"), { "id": "r1", "role": "assistant", "parts": parts }]));
            if self.case.delivery == Delivery::Held {
                self.chat.reconnecting();
            }
            return self.decide();
        }
        self.chat.user("m1");
        self.chat.claim();
        let mut first = damaged(self.case.reply(), self.case.first);
        if !self.case.whole {
            first.truncate(first.len() - 2);
        }
        for event in first {
            self.chat.receive_about(event, About::default());
        }
        let same = self.case.way == Way::SameStream;
        let early = same || (self.case.kind == Kind::Resubmitting && self.case.delivery == Delivery::Held);
        if early {
            self.decide();
        }
        if !same {
            self.chat.end(self.case.ending);
        }
        if !early {
            if self.case.delivery == Delivery::Held {
                self.chat.reconnecting();
            }
            self.decide();
        }
    }

    /// The user decides what is pending.
    fn decide(&mut self) {
        for (approval, verdict) in self.case.approvals().into_iter().zip(self.case.verdicts) {
            let is_decided = self.decided.iter().any(|&(decided, _)| decided == approval);
            if is_decided || !self.chat.pending().split(' ').any(|pending| pending == approval) {
                continue;
            }
            let outcome = match verdict {
                Approve => self.chat.respond(approval, true, ""),
                Edit => self.chat.approve_with(approval, json!({ "of": "edited" })),
                Deny => self.chat.respond(approval, false, "no"),
            };
            assert_eq!(outcome, Ok(RespondOutcome::Accepted), "{:?}", self.case);
            self.decided.push((approval, verdict));
        }
        if self.case.remembers && self.decided.len() == 2 {
            self.chat.remember(self.case.approvals()[1], false);
        }
    }

    /// The decisions are sent as far as the case says.
    fn deliver(&mut self) {
        if matches!(self.case.delivery, Delivery::Held | Delivery::Ready) {
            return;
        }
        for item in self.send() {
            match self.case.delivery {
                Delivery::Failed => self.chat.mark_failed(item).unwrap(),
                Delivery::Arrived => self.chat.mark_sent(item).unwrap(),
                Delivery::Held | Delivery::Ready | Delivery::InFlight | Delivery::Unconfirmed => {}
            }
        }
        if self.case.delivery == Delivery::Unconfirmed {
            self.chat = self.chat.restored();
        }
    }

    /// Claims everything that may be sent now. Returns the items.
    fn send(&mut self) -> Vec<u32> {
        let listed = self.chat.listed();
        for &item in &listed {
            self.look_at_body(item);
            assert!(self.chat.claim_item(item), "{:?}", self.case);
            let carried = self.chat.item(item).carried.clone();
            let said = carried.iter().filter_map(|one| Some((self.chat.text(one.approval?).to_string(), one.approved)));
            self.sent.extend(said);
        }
        listed
    }

    /// A resubmitting backend runs the approved calls of the last step, and no others.
    fn look_at_body(&self, item: u32) {
        if self.case.kind == Kind::Answering {
            return;
        }
        let body = self.chat.body(self.chat.item(item));
        let messages = body["messages"].as_array().expect("a body has messages");
        let parts = messages.iter().flat_map(|message| message["parts"].as_array().expect("a message has parts"));
        let parts: Vec<&Json> = parts.collect();
        let step = parts.iter().rposition(|part| part["type"] == "step-start").unwrap_or(0);
        for (place, part) in parts.iter().enumerate().filter(|(_, part)| part["state"] == "approval-responded") {
            assert!(place > step, "a decision is sent for an earlier step: {body:#} {:?}", self.case);
            let approval = part["approval"]["id"].as_str().unwrap();
            let approved = part["approval"]["approved"] == true;
            assert!(self.made(approval, approved), "{approval} is sent as {approved}: {:?}", self.case);
        }
        for &(approval, verdict) in &self.decided {
            let carries = self.chat.approvals(item).split(' ').any(|carried| carried == approval);
            let states = parts.iter().filter(|part| part["approval"]["id"] == approval).map(|part| &part["state"]);
            let states: Vec<&Json> = states.collect();
            let times = states.iter().filter(|state| **state == "approval-responded").count();
            // The denial of a call that the second copy lacks is final.
            let is_final = verdict == Deny && states.iter().any(|state| **state == "output-denied");
            assert!(!carries || times == 1 || is_final, "{approval} is in the body {times} times: {:?}", self.case);
        }
    }

    fn made(&self, approval: &str, approved: bool) -> bool {
        self.decided.iter().any(|&(id, verdict)| id == approval && (verdict != Deny) == approved)
    }

    /// The second copy arrives. Its damage cannot be seen in it.
    fn again(&mut self) {
        let reconnect = match self.case.way {
            Way::SameStream | Way::Unlabelled => None,
            Way::Labelled | Way::WithRequest | Way::Stored => Some(Reconnect::Start),
        };
        let request = (self.case.way == Way::WithRequest).then_some(1);
        for event in damaged(self.case.reply(), self.case.second) {
            self.chat.receive_about(event, About { request, attempt: None, reconnect });
            self.look();
        }
        self.chat.end(StreamEnd::Finished);
        self.look();
    }

    /// Whether the backend may ask the same again, because it has no approval ids of its own and knows the decisions:
    /// they have arrived, or the second copy looks like the reply to them.
    fn may_ask_again(&self) -> bool {
        let Case { way, delivery, first, second, .. } = self.case;
        let unlabelled = matches!(way, Way::SameStream | Way::Unlabelled);
        let looks_new = unlabelled || [first, second].contains(&Damage::Lost(0));
        let knows = matches!(delivery, Delivery::Arrived | Delivery::Unconfirmed);
        !self.case.own_ids && knows && looks_new
    }

    /// No decision is taken back, made again or changed.
    fn look(&mut self) {
        let case = &self.case;
        let pending = self.chat.pending();
        for &(approval, verdict) in &self.decided {
            let is_asked = pending.split(' ').any(|id| id == approval);
            assert!(!is_asked || self.may_ask_again(), "{approval} is requested again: {case:?}");
            let id = self.chat.store.find(approval).unwrap();
            let made = |event: &&Event| matches!(event, Event::Decision { approval, .. } if *approval == id);
            assert!(self.chat.events.iter().filter(made).count() <= 1, "{approval} is decided twice: {case:?}");
            for part in self.chat.machine.transcript().messages().iter().flat_map(|message| message.calls()) {
                if part.approval_id() != Some(id) {
                    continue;
                }
                let runs = matches!(part.phase(), Phase::Approved | Phase::Submitted);
                assert!(!runs || verdict != Deny, "the denied call of {approval} runs: {case:?}");
                assert!(
                    part.decision().is_none_or(|decision| decision.approved == (verdict != Deny)),
                    "the decision on {approval} changed: {case:?}"
                );
            }
        }
    }

    /// Whether a call may be missing in the last step: the second copy has a new one even without its damage, and lacks
    /// an event about a call.
    fn may_lose(&self) -> bool {
        let place = match self.case.second {
            Damage::None | Damage::Doubled(_) => return false,
            Damage::Lost(place) | Damage::Swapped(place) => place,
        };
        matches!(self.case.way, Way::SameStream | Way::Stored) && (6..=10).contains(&place)
    }

    /// What was not sent is sent now, once and as it was decided; what was sent before is not.
    fn finish(&mut self) {
        let before = self.sent.len();
        // What the first copy lacked is decided now, and what is held is released.
        self.decide();
        if self.chat.listed().is_empty() {
            self.chat.resume();
        }
        while !self.send().is_empty() && self.case.kind == Kind::Answering {}
        let again = &self.sent[before..];
        for (approval, approved) in again {
            assert!(self.made(approval, *approved), "{approval} is sent as {approved}: {:?}", self.case);
        }
        for &(approval, verdict) in &self.decided {
            let times = self.sent.iter().filter(|(id, _)| id == approval).count();
            let waits = !self.chat.undelivered().is_empty() || self.may_ask_again();
            assert!(
                times == 1 || (times == 0 && (waits || self.may_lose())),
                "{approval} ({verdict:?}) is sent {times} times: {:?}",
                self.case
            );
        }
        self.chat.look_closely();
    }
}

/// Checks all cases of this kind. Each approval that was decided stays decided, and is sent once.
pub fn check(kind: Kind, ways: &[Way]) {
    let cases: Vec<Case> = ways.iter().flat_map(|&way| cases(kind, way)).collect();
    assert!(cases.len() > 1_000, "only {} cases", cases.len());
    for (nth, case) in cases.into_iter().enumerate() {
        let mut world = World::new(case);
        // The complete checks take ten times as long.
        world.chat.closely = nth % 64 == 0;
        world.begin();
        world.deliver();
        world.again();
        world.finish();
    }
}
