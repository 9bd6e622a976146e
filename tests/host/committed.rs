//! Committed files that are written from the code.

use std::{env, fs};

/// Compares a text with a committed file; with `BLESS=1` it rewrites the file instead.
pub fn same_as_committed(path: &str, text: &str) {
    let file = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("BLESS").is_some() {
        fs::write(&file, text).unwrap_or_else(|error| panic!("{path} could not be written: {error}"));
        return;
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == text,
        "{path} is not what the code says. `BLESS=1 cargo test` rewrites it; read the difference"
    );
}
