/**
 * The sizes in README.md, docs/faq.md and docs/when-not.md agree with the budgets of `./pkg-scripts/size`. A size is at
 * most its budget, rounded up to a KB. It is at least 90 % of the budget, or 70 % if the budget is at most 10 KB. If a
 * budget changes, the texts must change too.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';

/** What a guarded page loads: at first, and in all. */
type Page = Record<'first' | 'sum', { readonly gzip: number }>;

const { pages, ...entries } = JSON.parse(readFileSync(at('pkg-scripts/size-budget.json'), 'utf8')) as {
  readonly pages: Record<'guard alone' | 'guard, the hooks and the card', Page>;
};
const budget = entries as Readonly<Record<string, number>>;
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** The entry points and the figure of each row of the table in docs/faq.md. */
function rows(): { names: string[]; kb: number }[] {
  const [, table = ''] = /<!-- sizes:start -->([^]*?)<!-- sizes:end -->/.exec(read('docs/faq.md')) ?? [];
  return [...table.matchAll(/^\| (`.*?`) \| .* \| (\d+) KB/gm)].map(([, names, kb]) => ({
    names: [...(names as string).matchAll(/`([^`]+)`/g)].map(([, name]) =>
      (name as string).replace(/^\//, 'toolgate/'),
    ),
    kb: Number(kb),
  }));
}

function expectWithin(kb: number, bytes: number, what: string): void {
  expect(kb * 1000, what).toBeLessThanOrEqual(Math.ceil(bytes / 1000) * 1000);
  expect(kb * 1000, what).toBeGreaterThanOrEqual(bytes * 0.7);
  if (bytes > 10_000) expect(kb * 1000, what).toBeGreaterThanOrEqual(bytes * 0.9);
}

test('docs/faq.md names the size of every entry point that has a budget, except toolgate/slim', () => {
  const named = rows().flatMap(({ names }) => names);
  expect([...named, 'toolgate/slim'].sort()).toEqual(Object.keys(budget).sort());
  for (const { names, kb } of rows()) for (const name of names) expectWithin(kb, budget[name] as number, name);
});

test('README.md names what a guarded page loads', () => {
  const [, sum, wasm, first, allSum, allFirst] =
    /`guard` adds (\d+) KB \(gzip\) to a page, (\d+) of them WebAssembly; the page waits for (\d+) KB\. With the hooks and the approval\s+card it is (\d+) KB, and the page waits for (\d+) KB\./.exec(
      read('README.md'),
    ) ?? [];
  const { 'guard alone': alone, 'guard, the hooks and the card': all } = pages;
  expectWithin(Number(sum), alone.sum.gzip, 'guard');
  expectWithin(Number(first), alone.first.gzip, 'what a guarded page waits for');
  expectWithin(Number(allSum), all.sum.gzip, 'guard, hooks and card');
  expectWithin(Number(allFirst), all.first.gzip, 'what a page with the card waits for');
  expect(read('docs/faq.md')).toContain(`| ${sum} KB, ${wasm} of them WebAssembly |`);
});

test('docs/when-not.md names the size of `guard`', () => {
  const [, kb] = /cannot spend \[(\d+) KB\]/.exec(read('docs/when-not.md')) ?? [];
  expectWithin(Number(kb), budget['toolgate/ai-sdk'] as number, 'guard');
});
