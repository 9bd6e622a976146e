/**
 * The sizes in README.md and docs/faq.md agree with the budgets of `./pkg-scripts/size`: between nine tenths of the
 * budget and the budget. If a budget changes, the texts must change too.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';

const { pages: _pages, ...budget } = JSON.parse(readFileSync(at('pkg-scripts/size-budget.json'), 'utf8')) as Record<
  string,
  number
>;
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

test('docs/faq.md names the size of every entry point that has a budget', () => {
  const named = rows().flatMap(({ names }) => names);
  expect([...named, 'toolgate/slim'].sort()).toEqual(Object.keys(budget).sort());
  for (const { names, kb } of rows()) for (const name of names) expectWithin(kb, budget[name] as number, name);
});

test('README.md names the additional size of a guarded page', () => {
  const [, alone, all] =
    /`guard` adds (\d+) KB \(gzip\) to a page, and with the hooks and the approval card (\d+) KB\./.exec(
      read('README.md'),
    ) ?? [];
  const guard = budget['toolgate/ai-sdk'] as number;
  expectWithin(Number(alone), guard, 'guard');
  expectWithin(
    Number(all),
    guard + (budget['toolgate/react'] as number) + (budget['toolgate/element'] as number),
    'guard, hooks and card',
  );
});
