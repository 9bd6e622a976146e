/** The digest of explored code: it changes with what the code does, and not with where it is. */
import { expect, test } from 'vitest';
import { rustDigest } from '../../pkg-scripts/lib/rust-digest.mjs';

const STATE = `//! A state.

use super::Id;

/// Two fields.
#[derive(Clone)]
pub struct State {
    pub(super) first: u32,
    second: Option<Id>,
}
`;
const RULES = `use super::{Id, State};
use crate::prelude::*;

impl Machine {
    /// Counts.
    pub(super) fn count(&mut self) -> u32 {
        // Why.
        let first = self.first();
        self.note(first, super::Id::NONE);
        first
    }

    /// The first one.
    fn first(&self) -> u32 {
        if self.state.first > 1 { 1 } else { 0 }
    }
}
`;
/** The same rules, in two files of a folder. */
const MOVED = [
  `//! Counts.

use crate::machine::{Id, Machine};

impl Machine {
    /// Counts, and notes it.
    pub(in crate::machine) fn count(
        &mut self,
    ) -> u32 {
        let first = self.first();
        self.note(first, Id::NONE);
        first
    }
}
`,
  `mod count;

impl Machine {
    pub(crate) fn first(&self) -> u32 {
        if self.state.first > 1 { 1 } else { 0 }
    }
}
`,
];
const known = rustDigest([STATE, RULES]);

test('a comment, a visibility, an import, a line break and a moved method or item make no difference', () => {
  expect(rustDigest([...MOVED, STATE])).toBe(known);
  expect(rustDigest([RULES + STATE.replace('//! A state.\n', '')])).toBe(known);
  expect(known).toMatch(/^[0-9a-f]{8}$/);
});

test.each([
  ['an operator', 'first > 1', 'first >= 1'],
  ['the order of statements', /( +let first.*\n)( +self\.note.*\n)/, '$2$1'],
  ['a value', '{ 1 } else', '{ 2 } else'],
  ['a name', 'fn first', 'fn last'],
  ['an attribute', '    fn first', '    #[inline(never)]\n    fn first'],
  ['a removed method', /\n {4}\/\/\/ The first one[^]*?\n {4}\}\n/, ''],
])('%s makes one', (_, what, by) => {
  const changed = RULES.replace(what, by);
  expect(changed).not.toBe(RULES);
  expect(rustDigest([STATE, changed])).not.toBe(known);
});

test.each([
  ['the order of fields', /( +pub.*\n)( +second.*\n)/, '$2$1'],
  ['a type', 'u32', 'u64'],
  ['what is derived', 'derive(Clone)', 'derive(Clone, Copy)'],
])('of a type, %s makes one', (_, what, by) => {
  const changed = STATE.replace(what, by);
  expect(changed).not.toBe(STATE);
  expect(rustDigest([changed, RULES])).not.toBe(known);
});
