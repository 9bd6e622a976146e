//! A chat in Leptos: the page has the gate in its own WebAssembly, and asks before a tool runs. The server at
//! `/api/chat` is one of the AI SDK.
//!
//! `cargo build --target wasm32-unknown-unknown` and `wasm-bindgen --target web`, or `trunk serve`.

mod chat;
mod request;

use chat::Chat;
use leptos::prelude::*;
use serde_json::{Value, json};
use toolgate::json::{Decision, PendingApproval, Undelivered};

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(Page);
}

#[component]
fn Page() -> impl IntoView {
    // The page stores nothing: each load is a chat of its own.
    let chat = Chat::new(&format!("leptos-{}", js_sys::Date::now()));
    let text = RwSignal::new(String::new());
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if chat.user_acts(|gate| gate.send_user_message(&json!({ "text": text.get_untracked() }), None)) {
            text.set(String::new());
        }
    };
    view! {
        <main>
            <h1>"Chat"</h1>
            {move || chat.lines().into_iter().map(|line| view! { <p>{line}</p> }).collect_view()}
            // If the input changes, the user sees the new one and decides about that.
            <For
                each=move || chat.view.get().pending
                key=|approval| (approval.approval_id.clone(), approval.input_digest.clone())
                let(approval)
            >
                <Approval chat approval />
            </For>
            <For each=move || chat.view.get().undelivered key=|item| (item.id, item.attempt) let(item)>
                <Failed chat item />
            </For>
            <p role="alert">{move || chat.error.get()}</p>
            <form on:submit=send>
                <input aria-label="Message" prop:value=text on:input=move |event| text.set(event_target_value(&event)) />
                <button>"Send"</button>
            </form>
        </main>
    }
}

/// One pending approval: the tool, its input, and the decision. The decision is bound to the input that is shown.
#[component]
fn Approval(chat: Chat, approval: PendingApproval) -> impl IntoView {
    let reason = RwSignal::new(String::new());
    let title = format!("Run {}?", approval.tool_name);
    let label = title.clone();
    let input = approval.input.to_string();
    let approval = StoredValue::new(approval);
    let decide = move |decision: Decision| {
        approval.with_value(|shown| chat.user_acts(|gate| gate.respond(&shown.approval_id, &decision.shown(shown))));
    };
    let deny = move |_| {
        let reason = reason.get_untracked();
        decide(if reason.is_empty() { Decision::default() } else { Decision::deny(reason) });
    };
    view! {
        <section aria-label=label>
            <h2>{title}</h2>
            <pre>{input}</pre>
            <button on:click=move |_| decide(Decision::approve())>"Approve"</button>
            <input aria-label="Reason" prop:value=reason on:input=move |event| reason.set(event_target_value(&event)) />
            <button on:click=deny>"Deny"</button>
        </section>
    }
}

/// A request that failed, or may not have arrived. Only the user sends it again.
#[component]
fn Failed(chat: Chat, item: Undelivered) -> impl IntoView {
    let id = item.id;
    let retry = move |_| {
        chat.user_acts(|gate| gate.retry(id));
    };
    let cancel = move |_| {
        chat.user_acts(|gate| {
            gate.cancel(None);
            Ok(())
        });
    };
    view! {
        <section aria-label="Not delivered">
            <p>{item.error.unwrap_or_else(|| "It is not known whether the request arrived.".into())}</p>
            <button on:click=retry>"Send again"</button>
            <button on:click=cancel>"Cancel"</button>
        </section>
    }
}

/// A part of a message as a line of text; `None` for parts that are not shown.
fn line(part: &Value) -> Option<String> {
    if let Some(text) = part["text"].as_str() {
        return Some(text.into());
    }
    part["toolCallId"].as_str()?;
    let tool = part["type"].as_str()?.trim_start_matches("tool-");
    let what = part["outcome"]["kind"].as_str().or(part["state"].as_str())?;
    Some(format!("[{tool}: {what}]"))
}
