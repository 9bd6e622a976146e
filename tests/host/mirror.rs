//! The view, updated as the host does it: only the parts that the machine reports as changed are read again.
//!
//! If a change were not reported, the page would show an outdated part. Therefore the mirror works like
//! `src/ts/gate/view/projection.ts`, and is compared with the whole transcript after every input.

use crate::chat::Chat;
use serde_json::Value as Json;
use toolgate::machine::{Change, PartPos};
use toolgate::wire::ai_sdk::{Shape, message_head, ui_message, ui_part};

/// The messages of one chat, each as its head and its parts.
#[derive(Clone, Default)]
pub struct Mirror {
    messages: Vec<(Json, Vec<Json>)>,
}

impl Mirror {
    /// Reads the changes, and compares the mirror with the transcript.
    pub fn update(&mut self, chat: &Chat, changes: &[Change]) {
        let messages = chat.machine.transcript().messages();
        let writer = chat.writer();
        let part_of =
            |at: PartPos| chat.store.to_json(ui_part(&writer, &messages[at.message].parts[at.part], Shape::View));
        self.messages.truncate(messages.len());
        for change in changes {
            let (Change::Message(message) | Change::New(message) | Change::Part(PartPos { message, .. })) = *change;
            let Some(now) = messages.get(message) else { continue };
            match (*change, self.messages.get_mut(message)) {
                (Change::Part(at), Some((_, parts))) => {
                    if let Some(part) = parts.get_mut(at.part).filter(|_| at.part < now.parts.len()) {
                        *part = part_of(at);
                    } else if at.part == parts.len() && at.part < now.parts.len() {
                        parts.push(part_of(at));
                    }
                }
                (change, old) => {
                    let kept =
                        if matches!(change, Change::New(_)) { 0 } else { old.as_ref().map_or(0, |(_, p)| p.len()) };
                    let mut parts = old.map(|(_, parts)| std::mem::take(parts)).unwrap_or_default();
                    parts.truncate(kept.min(now.parts.len()));
                    parts.extend((parts.len()..now.parts.len()).map(|part| part_of(PartPos { message, part })));
                    let head = chat.store.to_json(message_head(&writer, now));
                    self.messages.truncate(message.max(self.messages.len()));
                    if message < self.messages.len() {
                        self.messages[message] = (head, parts);
                    } else {
                        self.messages.push((head, parts));
                    }
                }
            }
        }
        let whole = messages.iter().map(|message| chat.store.to_json(ui_message(&writer, message, Shape::View)));
        for (index, whole) in whole.enumerate() {
            let Some((head, parts)) = self.messages.get(index) else {
                panic!("the machine did not report that message {index} is new")
            };
            let mut mirrored = head.clone();
            mirrored["parts"] = parts.iter().cloned().collect();
            assert_eq!(mirrored, whole, "the machine did not report a change of message {index}");
        }
        assert_eq!(self.messages.len(), messages.len(), "the view has a different number of messages");
    }
}
