//! The native tests: the machine and its codecs, without a browser, with `serde_json` values.
//!
//! A test's name is the rule that it checks. `chat` is the virtual chat that all tests use; it checks the invariants
//! after every input.

#![cfg(not(target_family = "wasm"))]

mod chat;
mod committed;
mod history;
mod invariants;
mod keys;
mod mirror;
mod operations;
mod scenes;
mod seen;
mod stored_histories;
mod storing;
mod stream;
mod tables;
mod watch;
mod way_out;

mod ahead;
mod answering;
mod answering_messages;
mod answering_outputs;
mod barrier;
mod browser_tools;
mod content;
mod counterexamples;
mod deadlines;
mod decisions;
mod delivery;
mod diagram;
mod edited;
mod effects;
mod ended_turns;
mod enum_names;
mod exchange;
mod floors;
mod forged_snapshots;
mod given_up;
mod json_gate;
mod json_like_npm;
mod json_serde;
mod load;
mod load_doubles;
mod load_entries;
mod load_models;
mod load_shapes;
mod load_stale;
mod loaded_outputs;
mod loaded_replays;
mod local_requests;
mod messages;
mod messages_after_failures;
mod older_replies;
mod on_deny;
mod on_deny_limits;
mod outcomes;
mod part;
mod passing;
mod random;
mod random_streams;
mod reconnected;
mod remembered;
mod remembered_limits;
mod repeated_ids;
mod replays;
mod replays_after_requests;
mod replies;
mod reply_content;
mod rewrites;
mod rewritten;
mod sent_items;
mod snapshot_details;
mod snapshot_layout;
mod snapshots;
mod stalled;
mod stop_cancel;
mod transitions;
mod unrequested;
mod waits;
mod withdrawn;
