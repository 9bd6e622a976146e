//! Writes the counts of finished runs to the table of `README.md`.

use crate::case::{Counts, Target};
use std::fs;
use std::time::Duration;

/// The line above the first row.
const HEAD: &str = "|---|---:|---:|---:|---:|---:|---:|";

/// Writes the row of a finished run to the table of a file. It replaces the row of an earlier run with the same target
/// and seed.
pub fn write(file: &str, target: Target, counts: Counts, (seed, threads): (u64, u64), took: Duration) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
    let Some((before, rows)) = text.split_once(HEAD) else { panic!("{file} has no table of counts") };
    let (name, what) = (target.name(), target.inputs());
    let minutes = took.as_secs_f64() / 60.0;
    let Counts { inputs, whole, cases } = counts;
    let row = format!("| `{name}` | {inputs} {what} | {whole} | {cases} | {seed} | {threads} | {minutes:.1} |");
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let is_same = |other: &str| {
        let other = cells(other);
        let known = |place: usize, is: &str| other.get(place).is_some_and(|cell| cell == is);
        known(1, &format!("`{name}`")) && known(5, &seed.to_string())
    };
    let mut rows: Vec<&str> = rows.lines().filter(|other| !other.is_empty() && !is_same(other)).collect();
    rows.push(&row);
    rows.sort_by_key(|row| cells(row)[1].clone());
    fs::write(file, format!("{before}{HEAD}\n{}\n", rows.join("\n"))).expect("cannot write the counts");
}
