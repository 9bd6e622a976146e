//! Sends a request with `fetch`, and reads the server-sent events of its reply.

use js_sys::{Reflect, Uint8Array};
use leptos::prelude::window;
use serde_json::Value;
use toolgate::json::{Outgoing, ReplyTo};
use toolgate::machine::StreamEnd;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, ReadableStreamDefaultReader, RequestInit, Response};

use crate::chat::{Chat, now_ms};

/// Sends an item. It is not repeated by itself: what failed is in the view.
pub async fn send(chat: Chat, item: Outgoing) {
    let about = ReplyTo { request: Some(item.id), ..ReplyTo::default() };
    match fetch(&item).await {
        Err(error) => {
            let error =
                Reflect::get(&error, &"message".into()).ok().and_then(|text| text.as_string()).unwrap_or_default();
            chat.with(|gate| gate.mark_failed(item.id, &error).ok());
        }
        Ok(response) => {
            let read = read_events(&response, |event| {
                chat.with(|gate| gate.receive(&event, about, now_ms()));
            })
            .await;
            let end = if read.is_ok() { StreamEnd::Finished } else { StreamEnd::Disconnected };
            chat.with(|gate| gate.stream_ended(end, about));
        }
    }
    chat.send();
}

async fn fetch(item: &Outgoing) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    headers.set("content-type", "application/json")?;
    headers.set("idempotency-key", &item.key)?;
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_headers(&headers);
    init.set_body(&item.body.to_string().into());
    let response: Response = JsFuture::from(window().fetch_with_str_and_init("/api/chat", &init)).await?.dyn_into()?;
    if !response.ok() {
        return Err(js_sys::Error::new(&format!("The server answered with status {}.", response.status())).into());
    }
    Ok(response)
}

/// Calls `receive` with each event. An error means that the connection was cut.
async fn read_events(response: &Response, receive: impl Fn(Value)) -> Result<(), JsValue> {
    let Some(body) = response.body() else { return Ok(()) };
    let reader: ReadableStreamDefaultReader = body.get_reader().dyn_into()?;
    let mut unread = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read()).await?;
        if Reflect::get(&chunk, &"done".into())?.is_truthy() {
            return Ok(());
        }
        let bytes: Uint8Array = Reflect::get(&chunk, &"value".into())?.dyn_into()?;
        unread.extend(bytes.to_vec());
        while let Some(end) = unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = unread.drain(..=end).collect();
            let event = line.strip_prefix(b"data: ").and_then(|data| serde_json::from_slice(data).ok());
            event.into_iter().for_each(&receive);
        }
    }
}
