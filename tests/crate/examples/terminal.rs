//! A chat in a terminal that asks before a tool runs. The server is one of the AI SDK, as for a page with `useChat`.
//!
//! `cargo run --example terminal --features json -- http://127.0.0.1:3000/api/chat`

use std::error::Error;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use toolgate::json::{Decision, Gate, GateEvent, GateOptions, Outgoing, ReplyTo, WaitingFor};
use toolgate::machine::StreamEnd;

fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: terminal URL")?;
    let mut gate = Gate::new("terminal", &GateOptions::default(), now_ms());
    while let Some(text) = ask("you> ")? {
        if text.is_empty() {
            continue;
        }
        gate.send_user_message(&json!({ "text": text }), None)?;
        follow(&mut gate, &url)?;
    }
    Ok(())
}

/// Does what the chat waits for, until it waits for the user's next message.
fn follow(gate: &mut Gate, url: &str) -> Result<(), Box<dyn Error>> {
    loop {
        gate.tick(now_ms());
        match gate.waiting_for().first() {
            Some(WaitingFor::Host { .. }) => {
                let item = gate.outgoing().remove(0);
                send(gate, &item, url);
            }
            Some(WaitingFor::User { .. }) => decide(gate)?,
            Some(WaitingFor::Retry { ids })
                if ask("The request failed. Send it again? [y/N] ")?.as_deref() == Some("y") =>
            {
                gate.retry(ids[0])?;
            }
            Some(WaitingFor::Resume) => gate.resume(),
            Some(_) => gate.cancel(None),
            None => return Ok(()),
        }
        for event in gate.take_events() {
            match event {
                GateEvent::ToolResult { tool_name, outcome, .. } => println!("[{tool_name}: {}]", outcome.as_str()),
                GateEvent::Anomaly { error } => eprintln!("[{error}]"),
                _ => {}
            }
        }
    }
}

/// Asks the user about each pending approval.
fn decide(gate: &mut Gate) -> Result<(), Box<dyn Error>> {
    for approval in gate.pending() {
        let question = format!("Run {} with {}? [y/N, or why not] ", approval.tool_name, approval.input);
        let decision = match ask(&question)?.as_deref() {
            Some("y") => Decision::approve(),
            None | Some("" | "n" | "N") => Decision::default(),
            Some(reason) => Decision::deny(reason),
        };
        // The decision is bound to the input that was shown.
        gate.respond(&approval.approval_id, &decision.shown(&approval))?;
    }
    Ok(())
}

/// Sends one request, and reads the server-sent events of its reply.
fn send(gate: &mut Gate, item: &Outgoing, url: &str) {
    if !gate.claim(item.id) {
        return;
    }
    let request = ureq::post(url).header("content-type", "application/json").header("idempotency-key", &item.key);
    let response = match request.send(item.body.to_string()) {
        Ok(response) => response,
        Err(error) => {
            // Nothing more is sent until the user chooses `retry` or `cancel`.
            gate.mark_failed(item.id, &error.to_string()).ok();
            return;
        }
    };
    let about = ReplyTo { request: Some(item.id), ..ReplyTo::default() };
    let mut end = StreamEnd::Finished;
    for line in BufReader::new(response.into_body().into_reader()).lines() {
        let Ok(line) = line else {
            end = StreamEnd::Disconnected;
            break;
        };
        let event = line.strip_prefix("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok());
        if let Some(event) = event {
            if let Some(text) = event["delta"].as_str().filter(|_| event["type"] == "text-delta") {
                print!("{text}");
            }
            gate.receive(&event, about, now_ms());
        }
    }
    println!();
    gate.stream_ended(end, about);
}

/// The time in ms since 1970.
fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// Reads a line; `None` at the end of the input.
fn ask(question: &str) -> std::io::Result<Option<String>> {
    print!("{question}");
    stdout().flush()?;
    let mut line = String::new();
    Ok((stdin().read_line(&mut line)? > 0).then(|| line.trim().to_owned()))
}
