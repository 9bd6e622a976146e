/**
 * The list of tests of the AI SDK that fail on purpose. Whether they fail is checked by `./pkg-scripts/ai-sdk-suite`,
 * which needs a clone of the AI SDK.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { chatDifferences, type ChatDifference } from '../interop/ai-sdk/chat-differences';

const text = readFileSync(new URL('differences.json', import.meta.url), 'utf8');
const list = JSON.parse(text) as Record<string, { because: string; failure: string }>;
const reasons: Readonly<Record<string, ChatDifference>> = chatDifferences;

test('each listed test is named once, and has the digest of its failure and a reason that the tests see', () => {
  const keys = [...text.matchAll(/^ {2}"((?:[^"\\]|\\.)*)": \{$/gm)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(Object.keys(list).length);
  for (const [key, { because, failure }] of Object.entries(list)) {
    expect(key).toMatch(/^[67] (guard|own) (ai|react|svelte|vue) > ./);
    expect(failure).toMatch(/^[\da-f]{12}$/);
    expect(reasons[because], `${key}: ${because}`).toBeDefined();
    expect(reasons[because]!.isHidden).toBeUndefined();
    expect(reasons[because]!.versions).toContain(Number(key[0]));
  }
});

test('each reason has a text, and is shown by a test or hidden from all', () => {
  const shown = new Set(Object.values(list).map(({ because }) => because));
  for (const [id, { when, theirs, ours, reason, isHidden }] of Object.entries(reasons)) {
    for (const words of [when, theirs, ours, reason]) expect(words.length).toBeGreaterThan(5);
    expect(shown.has(id), id).toBe(isHidden === undefined);
  }
});
