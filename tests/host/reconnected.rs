//! Streams that the host reconnected to: their events are labelled, and nothing is doubled or lost.

use crate::chat::{Chat, NONE};
use toolgate::machine::{Code, Reconnect, StreamEnd};

#[test]
fn a_reconnected_stream_withdraws_a_step_that_would_be_sent_without_its_rest() {
    let mut chat = Chat::default();
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1"));
    chat.end(StreamEnd::Disconnected);
    chat.approve("a1");
    assert_eq!(chat.waits_for(), "host 1");
    chat.reconnected(Reconnect::Offset, |reply| reply.call("c2"));
    assert_eq!((chat.listed(), chat.waits_for().as_str()), (NONE.to_vec(), "reply"));
    chat.reconnected(Reconnect::Offset, |reply| reply.output("c2"));
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn a_reconnected_stream_of_an_unknown_reply_changes_no_ready_item() {
    let mut chat = Chat::asking(1);
    chat.regenerate(None).unwrap();
    let ready = chat.listed();
    chat.reconnected(Reconnect::Start, |reply| reply.start("r9").text("Late."));
    assert_eq!(chat.anomalies().first(), Some(&Code::Superseded));
    assert_eq!((chat.listed(), chat.said()), (ready, vec!["m1".to_owned()]));
}
