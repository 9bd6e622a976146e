//! The chats of the server: one gate each, stored after every change.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use toolgate::json::{Gate, GateError, GateOptions, Outgoing, ReplyTo};
use toolgate::machine::StreamEnd;

/// Why a request of a client had no effect.
pub enum Failure {
    /// The gate refused it.
    Refused(GateError),
    /// The chat's id cannot be a file's name.
    NoChatId,
    /// An approval does not say which input was shown.
    NotShown,
    /// The chat could not be read or stored.
    NotStored(io::Error),
}

/// The chats, in a folder.
pub struct Chats {
    upstream: String,
    folder: PathBuf,
    open: Mutex<HashMap<String, Arc<Chat>>>,
}

/// An open chat.
struct Chat {
    gate: Mutex<Gate>,
    id: String,
    file: PathBuf,
}

impl Chats {
    /// `upstream`: the URL of the server that has the model and the tools. `folder`: where chats are stored.
    pub fn new(upstream: String, folder: String) -> Self {
        Self { upstream, folder: folder.into(), open: Mutex::default() }
    }

    /// Reads a chat.
    pub fn read<T>(&self, id: &str, read: impl FnOnce(&mut Gate) -> T) -> Result<T, Failure> {
        Ok(read(&mut self.chat(id)?.now()))
    }

    /// Acts on a chat, stores it, and sends what follows from it.
    pub fn act<T>(&self, id: &str, act: impl FnOnce(&mut Gate) -> Result<T, GateError>) -> Result<T, Failure> {
        let chat = self.chat(id)?;
        let done = {
            let mut gate = chat.now();
            let done = act(&mut gate).map_err(Failure::Refused)?;
            if let Err(error) = chat.store(&mut gate) {
                // The client is told that nothing happened, so nothing must have.
                *gate = chat.stored()?;
                return Err(Failure::NotStored(error));
            }
            done
        };
        let upstream = self.upstream.clone();
        tokio::task::spawn_blocking(move || {
            while let Some(item) = chat.claim() {
                chat.send(&item, &upstream);
            }
        });
        Ok(done)
    }

    fn chat(&self, id: &str) -> Result<Arc<Chat>, Failure> {
        let is_plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if id.is_empty() || id.len() > 64 || !is_plain {
            return Err(Failure::NoChatId);
        }
        let mut open = lock(&self.open);
        if let Some(chat) = open.get(id) {
            return Ok(Arc::clone(chat));
        }
        let chat = Arc::new(Chat::open(id, self.folder.join(format!("{id}.json")))?);
        open.insert(id.into(), Arc::clone(&chat));
        Ok(chat)
    }
}

impl Chat {
    /// A stored chat, or a new one. Requests that were in flight when the server stopped are not repeated: the view
    /// lists them in `undelivered`.
    fn open(id: &str, file: PathBuf) -> Result<Self, Failure> {
        let gate = Mutex::new(Gate::new(id, &GateOptions::default(), now_ms()));
        let chat = Self { gate, id: id.into(), file };
        *lock(&chat.gate) = chat.stored()?;
        Ok(chat)
    }

    fn stored(&self) -> Result<Gate, Failure> {
        let options = GateOptions::default();
        match std::fs::read_to_string(&self.file) {
            Ok(text) => {
                let saved = serde_json::from_str(&text).map_err(|error| Failure::NotStored(error.into()))?;
                Gate::restore(&saved, &options, now_ms()).map_err(Failure::Refused)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Gate::new(self.id.as_str(), &options, now_ms()))
            }
            Err(error) => Err(Failure::NotStored(error)),
        }
    }

    /// The gate, with the present time.
    fn now(&self) -> MutexGuard<'_, Gate> {
        let mut gate = lock(&self.gate);
        gate.tick(now_ms());
        gate
    }

    /// Replaces the file as a whole, so that a crash cannot leave half of it.
    fn store(&self, gate: &mut Gate) -> io::Result<()> {
        gate.take_events(); // A server with a log would write them there.
        let new = self.file.with_extension("new");
        let mut file = File::create(&new)?;
        file.write_all(serde_json::to_string(&gate.save())?.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(new, &self.file)
    }

    /// Stores what the backend has changed. The chat continues if this fails: the backend does not repeat it.
    fn keep(&self, gate: &mut Gate) {
        if let Err(error) = self.store(gate) {
            eprintln!("{} could not be stored: {error}", self.file.display());
        }
    }

    /// Claims the next item. The claim is stored before the request is sent: a server that starts again must not
    /// repeat it.
    fn claim(&self) -> Option<Outgoing> {
        let mut gate = self.now();
        let item = gate.outgoing().into_iter().next()?;
        if !gate.claim(item.id) {
            return None;
        }
        if let Err(error) = self.store(&mut gate) {
            gate.mark_failed(item.id, &format!("the claim could not be stored: {error}")).ok()?;
            return None;
        }
        Some(item)
    }

    /// Sends an item, and reads the server-sent events of its reply.
    fn send(&self, item: &Outgoing, upstream: &str) {
        let request = ureq::post(upstream)
            .config()
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(Duration::from_secs(120)))
            .build()
            .header("content-type", "application/json")
            .header("idempotency-key", &item.key);
        match request.send(item.body.to_string()) {
            Err(error) => drop(self.now().mark_failed(item.id, &error.to_string())),
            Ok(response) => {
                let about = ReplyTo { request: Some(item.id), ..ReplyTo::default() };
                let mut end = StreamEnd::Finished;
                for line in BufReader::new(response.into_body().into_reader()).lines() {
                    let Ok(line) = line else {
                        end = StreamEnd::Disconnected;
                        break;
                    };
                    let event = line.strip_prefix("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok());
                    if let Some(event) = event {
                        let mut gate = self.now();
                        gate.receive(&event, about, now_ms());
                        // A request of approval is stored before a client can see it.
                        if !gate.take_events().is_empty() {
                            self.keep(&mut gate);
                        }
                    }
                }
                self.now().stream_ended(end, about);
            }
        }
        self.keep(&mut self.now());
    }
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics while it holds a lock")
}
