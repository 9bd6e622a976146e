//! The layout of a snapshot, printed from the source: which fields are saved in which order, and which number each
//! variant of an enum has. A snapshot contains no names of fields or variants. If one were inserted or moved, the
//! numbers of an older snapshot would be read as other fields or variants.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const FILE: &str = "tests/host/tables/snapshot.md";

const HEAD: &str = "\
# What a snapshot contains, in order

Written by `BLESS=1 cargo test` from the functions that visit the fields of the state, and from the enums whose variants
they save by number. If this file changes, older snapshots would be read wrongly: increase `VERSION`
in `src/ts/gate/saved/snapshot.ts` first.
";

/// The advice for a layout that differs from the committed one.
const HOW: &str = "the layout of snapshots differs from tests/host/tables/snapshot.md, so a snapshot of an earlier \
    release would be read wrongly. Increase VERSION in src/ts/gate/saved/snapshot.ts, then rewrite the file with \
    `BLESS=1 cargo test`. If only names changed, and no field or variant was added, removed or moved: \
    `BLESS=renamed cargo test`";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file of the machine, in order, without comments.
fn sources() -> Vec<(String, String)> {
    let mut folders = vec![root().join("src/machine")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("src/machine is a folder") {
            let path = entry.expect("an entry of src/machine").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files.push(root().join("src/wire/snapshot.rs"));
    let read = |path: &std::path::PathBuf| {
        let name = path.strip_prefix(root()).expect("a path in the crate").display().to_string();
        (name, without_comments(&fs::read_to_string(path).expect("a source file")))
    };
    files.iter().map(read).collect()
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The text from its first `{` to the matching `}`.
fn block(text: &str) -> &str {
    let mut depth = 0;
    let from = text.find('{').expect("a block has a brace");
    for (place, letter) in text[from..].char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 {
            return &text[from..=from + place];
        }
    }
    panic!("a block without an end: {text}");
}

/// The functions that visit fields, by their first lines.
fn visitors(source: &str) -> impl Iterator<Item = (&str, &str)> {
    source.match_indices("fn ").filter_map(|(place, _)| {
        let rest = &source[place..];
        let head = &rest[..rest.find(['{', ';'])?];
        let visits = head.contains("dyn Ledger") && rest[head.len()..].starts_with('{');
        visits.then(|| (head.split(['(', '<']).next().unwrap_or_default().trim(), block(rest)))
    })
}

/// The variants of an enum, in order.
fn variants(source: &str, name: &str) -> Option<String> {
    let start = source.find(&format!("pub enum {name} {{"))?;
    let block = block(&source[start..]);
    let names = block.trim_matches(['{', '}', ' ']).split(',').filter_map(|variant| variant.split_whitespace().next());
    Some(names.enumerate().map(|(number, name)| format!("{number} {name}")).collect::<Vec<_>>().join(", "))
}

fn layout() -> String {
    let sources = sources();
    let mut text = "\n## Fields\n".to_owned();
    let mut enums = Vec::new();
    for (file, source) in &sources {
        for (name, body) in visitors(source) {
            // Methods are indented by one level.
            let shown = if body.ends_with("\n    }") { body.replace("\n    ", "\n") } else { body.to_owned() };
            write!(text, "\n`{file}`:\n\n```rust\n{name} {shown}\n```\n").unwrap();
            let named = body.match_indices("::ALL").map(|(end, _)| {
                let is_name = |letter: char| letter.is_alphanumeric();
                body[..end].rsplit(|letter| !is_name(letter)).next().unwrap_or_default().to_owned()
            });
            enums.extend(named);
        }
    }
    enums.sort();
    enums.dedup();
    text += "\n## Variants\n\n";
    for name in enums {
        let found: Vec<String> = sources.iter().filter_map(|(_, source)| variants(source, &name)).collect();
        assert_eq!(
            found.len(),
            1,
            "the enum {name}, which snapshots contain, must be declared exactly once in src/machine"
        );
        writeln!(text, "- `{name}`: {}", found[0]).unwrap();
    }
    // The machine stores the kind of a content part as the number that the reader gave it.
    let kind = fs::read_to_string(root().join("src/wire/ai_sdk/kind.rs")).expect("src/wire/ai_sdk/kind.rs");
    let kinds = variants(&without_comments(&kind), "Kind").expect("the kinds of content parts");
    writeln!(text, "- `Kind` of a content part: {kinds}").unwrap();
    text
}

fn version() -> String {
    let source =
        fs::read_to_string(root().join("src/ts/gate/saved/snapshot.ts")).expect("src/ts/gate/saved/snapshot.ts");
    let line = source.lines().find(|line| line.starts_with("const VERSION = "));
    line.expect("src/ts/gate/saved/snapshot.ts declares VERSION").to_owned()
}

#[test]
fn the_committed_layout_of_snapshots_has_its_version() {
    let wanted = format!("{HEAD}\n`{}`\n{}", version(), layout());
    let file = root().join(FILE);
    let committed = fs::read_to_string(&file).unwrap_or_default();
    if committed == wanted {
        return;
    }
    let has_version = committed.contains(&format!("`{}`", version()));
    let may_write = match env::var("BLESS").as_deref() {
        Ok("renamed") => true,
        Ok(_) => !has_version,
        Err(_) => false,
    };
    assert!(may_write, "{HOW}");
    fs::write(&file, wanted).unwrap_or_else(|error| panic!("cannot write {FILE}: {error}"));
}
