/**
 * Every client bug of the table, in chats without and with `guard`. Each scenario must give the expected facts.
 * docs/bugs.md must contain the table of these facts, and the README its worst rows. `BLESS=1` writes both.
 */
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { expectSection } from '../lib/markdown-section';
import type { Facts } from './bug';
import { bugs } from './cases';
import { sides } from './harness';
import { markdown, worst, type Row } from './table';

const rows: Row[] = [];

describe.each(bugs)('$id', (bug) => {
  const facts: Facts[] = [];
  rows.push({ id: bug.id, facts });
  test.each(sides.map((side, index) => ({ side, index })))('$side.name', async ({ side, index }) => {
    const found = await bug.run(side);
    facts[index] = found;
    const { ai6, ai7, toolgate, ai7Queue = ai7 } = bug.expected;
    expect(found).toEqual(side.guarded ? toolgate : side.queues ? ai7Queue : side.version === 6 ? ai6 : ai7);
    // The bug museum judges a side by the same facts: right means that the table says the same as of Toolgate.
    expect(bug.isRight(found)).toBe(bug.say(found) === bug.say(toolgate));
  });
});

test('docs/bugs.md contains the table, and the README its worst rows', () => {
  expect(rows.every(({ facts }) => facts.filter(Boolean).length === sides.length)).toBe(true);
  expectSection('docs/bugs.md', 'bug-table', markdown(rows));
  expectSection('README.md', 'bug-table', worst(rows));
});

test('the pinned versions are those that the table names', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(manifest.devDependencies).toMatchObject({ ai: '7.0.173', ai6: 'npm:ai@6.0.326' });
});
