//! Compares committed files with text that is generated from the code.

use std::{env, fs};

/// Fails if the committed file differs from `text`. With `BLESS=1` it rewrites the file instead.
pub fn same_as_committed(path: &str, text: &str) {
    let file = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("BLESS").is_some() {
        fs::write(&file, text).unwrap_or_else(|error| panic!("cannot write {path}: {error}"));
        return;
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == text,
        "{path} differs from the code. Rewrite it with `BLESS=1 cargo test`, and review the difference"
    );
}
