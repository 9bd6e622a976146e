//! The gate of the page, and the signals that show it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use toolgate::json::{Gate, GateError, GateOptions, GateView};

use crate::{line, request};

/// The time in ms since 1970.
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// A chat. It can be copied into handlers.
#[derive(Clone, Copy)]
pub struct Chat {
    gate: StoredValue<Gate, LocalStorage>,
    /// The chat, as it is shown.
    pub view: RwSignal<GateView>,
    /// Why the last action was refused; empty if it was not.
    pub error: RwSignal<String>,
}

impl Chat {
    /// A new chat.
    pub fn new(id: &str) -> Self {
        let gate = Gate::new(id, &GateOptions::default(), now_ms());
        let view = RwSignal::new(gate.view());
        Self { gate: StoredValue::new_local(gate), view, error: RwSignal::default() }
    }

    /// The texts and the calls of all messages.
    pub fn lines(self) -> Vec<String> {
        let messages = self.view.get().messages;
        messages.iter().flat_map(|message| message["parts"].as_array().into_iter().flatten()).filter_map(line).collect()
    }

    /// An action of the user: changes the gate, shows it with the refusal if there is one, and sends what follows.
    /// Returns whether the gate accepted the action.
    pub fn user_acts<T>(self, act: impl FnOnce(&mut Gate) -> Result<T, GateError>) -> bool {
        let Some(done) = self.with(act) else { return false };
        self.error.set(done.as_ref().err().map(ToString::to_string).unwrap_or_default());
        self.send();
        done.is_ok()
    }

    /// Sends what is ready. `claim` returns true once for each item, so each is sent once.
    pub fn send(self) {
        while let Some(Some(item)) = self.with(|gate| gate.outgoing().into_iter().find(|item| gate.claim(item.id))) {
            spawn_local(request::send(self, item));
        }
    }

    /// Reads or changes the gate, and shows it. `None` if the page is gone.
    pub fn with<T>(self, change: impl FnOnce(&mut Gate) -> T) -> Option<T> {
        self.gate.try_update_value(|gate| {
            gate.tick(now_ms());
            let done = change(gate);
            gate.take_events(); // A page with a log would show them there.
            self.view.set(gate.view());
            done
        })
    }
}
