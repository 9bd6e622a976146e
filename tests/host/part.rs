//! A tool part.
use crate::chat::Chat;
#[test]
fn smoke() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.deny("a2");
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("ok"));
    assert_eq!(chat.state("c1"), "output-available");
    assert_eq!(chat.state("c2"), "output-denied");
    println!("{:#}", chat.history());
}
