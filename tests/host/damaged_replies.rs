//! Replies that arrive twice, with the user's decisions in between. One event of one of the two copies is lost, doubled
//! or out of order.

use crate::stream::Stream;
use serde_json::Value as Json;
use toolgate::machine::StreamEnd;

/// A decision of the user.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    Approve,
    Edit,
    Deny,
}

use Verdict::{Approve, Deny, Edit};

/// How decisions are sent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Resubmitting,
    AnswersFirst,
    Answering,
}

/// How far the decisions were sent before the second copy arrives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Delivery {
    Held,
    Ready,
    InFlight,
    Failed,
    Unconfirmed,
    Arrived,
}

/// What happens to the event at this place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Damage {
    None,
    Lost(usize),
    Doubled(usize),
    Swapped(usize),
}

/// How the second copy arrives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Way {
    /// In the same response.
    SameStream,
    /// In another response that says nothing about itself.
    Unlabelled,
    /// In a response that the host reads again from its start.
    Labelled,
    /// The same, and the host says to which request.
    WithRequest,
    /// As `Labelled`. The first copy is not a response, but what the app has stored of one: a message without steps.
    Stored,
}

/// How the first copy ends, and whether all of it has arrived.
const ENDINGS: [(StreamEnd, bool); 5] = [
    (StreamEnd::Finished, true),
    (StreamEnd::Disconnected, false),
    (StreamEnd::Disconnected, true),
    (StreamEnd::Aborted, false),
    (StreamEnd::Error, false),
];
const DELIVERIES: [Delivery; 6] =
    [Delivery::Held, Delivery::Ready, Delivery::InFlight, Delivery::Failed, Delivery::Unconfirmed, Delivery::Arrived];
/// The decisions, and whether the second one applies to the whole tool from then on.
const VERDICTS: [([Verdict; 2], bool); 4] =
    [([Deny, Approve], true), ([Approve, Deny], true), ([Edit, Deny], false), ([Approve, Approve], false)];

/// One way in which a reply arrives twice.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub kind: Kind,
    pub way: Way,
    pub ending: StreamEnd,
    pub delivery: Delivery,
    /// The decisions on `c1` and `c2`.
    pub verdicts: [Verdict; 2],
    /// Whether the user lets the second decision apply to the whole tool.
    pub remembers: bool,
    /// Whether the backend has approval ids of its own. Otherwise it uses the ids of the calls.
    pub own_ids: bool,
    /// Whether the first copy has arrived completely.
    pub whole: bool,
    pub first: Damage,
    pub second: Damage,
}

impl Case {
    pub fn approvals(&self) -> [&'static str; 2] {
        if self.own_ids { ["a1", "a2"] } else { ["c1", "c2"] }
    }

    /// The undamaged events of the reply: a step with a text, and a step with two calls.
    pub fn reply(&self) -> Vec<Json> {
        let [one, two] = self.approvals();
        let said = Stream::new().start("r1").step().text("I look.").step_done();
        said.step().ask("c1", one).ask("c2", two).step_done().finish().chunks()
    }

    /// Whether these decisions can have come this far.
    fn is_possible(&self) -> bool {
        let sends_in_stream = self.kind == Kind::Answering;
        let has_an_ending = !matches!(self.way, Way::SameStream | Way::Stored);
        if !has_an_ending && (self.ending, self.whole) != ENDINGS[0] {
            return false;
        }
        match (self.way, self.delivery) {
            (Way::SameStream, Delivery::Held) => !sends_in_stream,
            (Way::SameStream, Delivery::Unconfirmed) => false,
            (Way::SameStream, _) => sends_in_stream,
            (Way::Stored, Delivery::Held) => true,
            // The decisions of a reply that ended well are sent at once.
            (_, Delivery::Held) => sends_in_stream || self.ending != StreamEnd::Finished,
            (_, Delivery::InFlight | Delivery::Arrived) => sends_in_stream,
            (_, Delivery::Ready | Delivery::Failed | Delivery::Unconfirmed) => true,
        }
    }
}

pub fn damaged(mut events: Vec<Json>, damage: Damage) -> Vec<Json> {
    match damage {
        Damage::None => {}
        Damage::Lost(place) => _ = events.remove(place),
        Damage::Doubled(place) => events.insert(place, events[place].clone()),
        Damage::Swapped(place) => events.swap(place, place + 1),
    }
    events
}

/// Every damage to one event of a list of this length. `swaps`: also two events in the wrong order.
pub fn damages(length: usize, swaps: bool) -> Vec<Damage> {
    let each = (0..length).flat_map(|place| [Damage::Lost(place), Damage::Doubled(place)]);
    each.chain((1..length - 1).filter(|_| swaps).map(Damage::Swapped)).collect()
}

/// The cases of this kind and way, without damages. Only the first decisions are combined with everything.
fn undamaged(kind: Kind, way: Way) -> Vec<Case> {
    let mut cases = Vec::new();
    for (nth, (verdicts, remembers)) in VERDICTS.into_iter().enumerate() {
        let endings = if nth == 0 { &ENDINGS[..] } else { &ENDINGS[..2] };
        let ids = if remembers { &[true, false][..] } else { &[true] };
        let is_similar = nth > 1 && matches!(way, Way::Unlabelled | Way::WithRequest);
        for &(ending, whole) in endings.iter().filter(|_| !is_similar) {
            for (delivery, &own_ids) in
                DELIVERIES.into_iter().flat_map(|delivery| ids.iter().map(move |id| (delivery, id)))
            {
                let (first, second) = (Damage::None, Damage::None);
                cases.push(Case { kind, way, ending, delivery, verdicts, remembers, own_ids, whole, first, second });
            }
        }
    }
    cases.retain(Case::is_possible);
    cases
}

/// Every case of this kind and way, with every damage to one of the copies, and with none.
pub fn cases(kind: Kind, way: Way) -> Vec<Case> {
    let damaged = |case: Case| {
        let damages = damages(case.reply().len(), case.verdicts == VERDICTS[0].0);
        let first = damages.clone().into_iter().filter(move |_| way != Way::Stored);
        let first = first.map(move |first| Case { first, ..case });
        first.chain(damages.into_iter().map(move |second| Case { second, ..case })).chain([case])
    };
    undamaged(kind, way).into_iter().flat_map(damaged).collect()
}
