/**
 * docs/element.md names every text, custom property, part and attribute of the card, and no others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ToolApprovalElement, ToolApprovalsElement } from 'toolgate/element';
import { expect, it } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { CALL_TEXTS } from '../../src/ts/describe/call-texts.js';
import { ENGLISH } from '../../src/ts/approval/texts.js';
import { LOAD_TEXTS } from '../../src/ts/approval/load-texts.js';
import { expectSection } from '../lib/markdown-section.js';
import { page } from './support/pages.js';

const files = readdirSync(at('src/ts/element'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(at('src/ts/element', file), 'utf8'));

/** The code spans in the paragraph that begins with this text. */
function codes(beginning: string): string[] {
  const paragraph = page('element')
    .split(/\n\n/)
    .find((text) => text.startsWith(beginning));
  if (paragraph === undefined) throw new Error(`docs/element.md has no paragraph "${beginning}…"`);
  return [...paragraph.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

it('the page lists every text with its English default', () => {
  const rows = Object.entries({ ...ENGLISH, ...CALL_TEXTS, ...LOAD_TEXTS }).map(
    ([key, text]) => `| \`${key}\` | ${typeof text === 'string' ? text : text.other} |\n`,
  );
  const table = `| key | English |\n|---|---|\n${rows.join('')}`;
  expectSection('docs/element.md', 'texts', table);
});

it('the page lists every custom property', () => {
  const [, variables = ''] =
    /const VARIABLES[^{]*\{([^]*?)\n\};/.exec(readFileSync(at('src/ts/element/card-styles.ts'), 'utf8')) ?? [];
  const names = [...variables.matchAll(/^ +'?([\w-]+)'?:/gm)].map(([, name]) => name as string);
  const named = codes('Colours, corners and fonts').filter((code) => !/^(--tool|<tone>)/.test(code));
  const tones = named.filter((name) => names.includes(`${name}-surface`));
  expect([...named, ...tones.map((tone) => `${tone}-surface`)].toSorted()).toEqual(names.toSorted());
});

it('the page lists every part', () => {
  const written = files.flatMap((text) => [
    ...text.matchAll(/\bpart'?: '([^']+)'/g),
    ...text.matchAll(/`(diff-line) [^`]*'(added)' : '(removed)'/g),
    ...text.matchAll(/\bactButton\('([a-z-]+)'/g),
    ...text.matchAll(/\bbutton\(\s*'([a-z-]+)'/g),
    ...text.matchAll(/isWaiting \? '([a-z-]+)'/g),
  ]);
  // The buttons are named after their acts, and the fields after their ids, except for one.
  const ofActs = [
    ['describe/call-facts', /type CallAct = (.*);/],
    ['approval/form-types', /type FormAct = (.*);/],
    ['approval/approve-all', /type AllAct = (.*);/],
    ['approval/form-types', /type FieldId = 'edited' (.*);/],
    ['element/drawn-form', /'edited' \? ('editor')/],
  ].flatMap(([file, pattern]) => {
    const [, names = ''] = new RegExp(pattern as RegExp).exec(readFileSync(at(`src/ts/${file}.ts`), 'utf8')) ?? [];
    return [...names.matchAll(/'(\w+)'/g)].map(([, act]) => (act as string).replace(/[A-Z]/g, '-$&').toLowerCase());
  });
  const ofElements = written.flatMap(([, ...found]) => found.flatMap((part) => part.split(' ')));
  const parts = new Set([...ofElements, ...ofActs]);
  const named = codes('Parts:').filter((code) => code !== 'card-<status>');
  expect([...new Set(named)].toSorted()).toEqual([...parts].toSorted());
});

it('the page lists every attribute', () => {
  const observed = [ToolApprovalElement, ToolApprovalsElement].flatMap((element) => [...element.observedAttributes]);
  const rows = [...page('element').matchAll(/^\|[^|]*\| `([\w-]+)` \|/gm)].map(([, name]) => name as string);
  // This attribute is not observed, but read at each announcement.
  expect(rows.toSorted()).toEqual([...new Set([...observed, 'announce'])].toSorted());
});
