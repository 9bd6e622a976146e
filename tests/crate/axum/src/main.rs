//! A server that holds chats. Any client (a page, a bot, a phone) reads a chat and resolves its approvals over HTTP,
//! from several places at once. The backend of the chats is a server of the AI SDK.
//!
//! `cargo run -- http://127.0.0.1:3000/api/chat 127.0.0.1:8080 ./chats`
//!
//! - `GET /chats/ID`: the chat, with its pending approvals.
//! - `POST /chats/ID/messages` with `{"text": "…"}`: the user's message.
//! - `POST /chats/ID/approvals/APPROVAL` with `{"approved": false, "reason": "…", "inputDigest": "…"}`: a decision.
//! - `POST /chats/ID/retry/ITEM` and `POST /chats/ID/cancel`: what to do about an item of `undelivered`.

mod chats;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use chats::{Chats, Failure};
use serde_json::{Value, json};
use toolgate::json::{Decision, GateView};
use toolgate::machine::RespondOutcome;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [upstream, address, folder] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "usage: URL ADDRESS FOLDER")?;
    let app = Router::new()
        .route("/chats/{chat}", get(view))
        .route("/chats/{chat}/messages", post(message))
        .route("/chats/{chat}/approvals/{approval}", post(decide))
        .route("/chats/{chat}/retry/{item}", post(retry))
        .route("/chats/{chat}/cancel", post(cancel))
        .with_state(Arc::new(Chats::new(upstream, folder)));
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

type Shared = State<Arc<Chats>>;

async fn view(State(chats): Shared, Path(chat): Path<String>) -> Result<Json<GateView>, Failure> {
    Ok(Json(chats.read(&chat, |gate| gate.view())?))
}

async fn message(
    State(chats): Shared,
    Path(chat): Path<String>,
    Json(body): Json<Value>,
) -> Result<StatusCode, Failure> {
    chats.act(&chat, |gate| gate.send_user_message(&body, None))?;
    Ok(StatusCode::ACCEPTED)
}

/// The same decision again changes nothing: it is answered with `duplicate`. Another one is refused.
async fn decide(
    State(chats): Shared,
    Path((chat, approval)): Path<(String, String)>,
    Json(decision): Json<Decision>,
) -> Result<Json<Value>, Failure> {
    // Several clients show the chat, and one of them may show an earlier input.
    if decision.approved && decision.input_digest.is_none() {
        return Err(Failure::NotShown);
    }
    let outcome = match chats.act(&chat, |gate| gate.respond(&approval, &decision))? {
        RespondOutcome::Accepted => "accepted",
        RespondOutcome::Duplicate => "duplicate",
    };
    Ok(Json(json!({ "outcome": outcome })))
}

async fn retry(State(chats): Shared, Path((chat, item)): Path<(String, u32)>) -> Result<StatusCode, Failure> {
    chats.act(&chat, |gate| gate.retry(item))?;
    Ok(StatusCode::ACCEPTED)
}

async fn cancel(State(chats): Shared, Path(chat): Path<String>) -> Result<StatusCode, Failure> {
    chats.act(&chat, |gate| {
        gate.cancel(None);
        Ok(())
    })?;
    Ok(StatusCode::ACCEPTED)
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Failure::Refused(error) => {
                let status = match error.code.as_str() {
                    code if code.starts_with("unknown-") => StatusCode::NOT_FOUND,
                    "invalid-argument" => StatusCode::BAD_REQUEST,
                    _ => StatusCode::CONFLICT,
                };
                (status, Json(json!(error))).into_response()
            }
            Failure::NoChatId => {
                (StatusCode::BAD_REQUEST, "a chat's id has 1 to 64 letters, digits and hyphens").into_response()
            }
            Failure::NotShown => {
                (StatusCode::BAD_REQUEST, "an approval needs the inputDigest that was shown").into_response()
            }
            Failure::NotStored(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    }
}
