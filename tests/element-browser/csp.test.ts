/**
 * docs/csp.md in a real browser: the policy of that page is enough, and what happens without a part of it.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { block } from '../docs/support/pages.js';
import { loadingStage, state, violationsIn } from './loading-stage.js';

const open = loadingStage();

/** The policy of the page. */
const [, POLICY = ''] = /content="([^"]+)"/.exec(block('csp', '<meta')) ?? [];

const under = (policy: string, name = 'content-security-policy') => ({ headers: { [name]: policy } });

/** The policy with another value of a directive. */
function changed(directive: string, value: string): string {
  const parts = POLICY.split('; ');
  const at = parts.findIndex((part) => part.startsWith(`${directive} `));
  expect(at, directive).toBeGreaterThan(-1);
  return parts.with(at, `${directive} ${value}`).join('; ');
}

/** Approves with the card. */
async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Approve/ }).click();
  await expect.poll(async () => (await state(page)).requests.length).toBe(1);
}

test('the policy of the page is enough, and the card has its styles', async () => {
  const page = await open(under(POLICY));
  const button = page.getByRole('button', { name: /^Approve/ });
  await button.waitFor();
  const radius = await button.evaluate((element) => getComputedStyle(element).borderRadius);
  expect(radius).not.toBe('0px');
  await approve(page);
  expect(await violationsIn(page)).toEqual([]);
  // Nothing else of the page is allowed: an HTML text is refused.
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<p>';
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toBe(true);
});

test.each([
  ["'unsafe-eval' allows WebAssembly too", changed('script-src', "'self' 'unsafe-eval'")],
  ['no styles are needed', changed('style-src', "'none'")],
])('%s', async (_what, policy) => {
  const page = await open(under(policy));
  const button = page.getByRole('button', { name: /^Approve/ });
  await button.waitFor();
  expect(await button.evaluate((element) => getComputedStyle(element).borderRadius)).not.toBe('0px');
  await approve(page);
  expect(await violationsIn(page)).toEqual([]);
});

test.each(["'nonce-abc' 'strict-dynamic'", "'nonce-abc'"])(
  "with %s, only the page's script needs the nonce",
  async (trusted) => {
    const page = await open({
      ...under(changed('script-src', `${trusted} 'wasm-unsafe-eval'`)),
      script: 'nonce="abc"',
    });
    await approve(page);
    expect(await violationsIn(page)).toEqual([]);
  },
);

test('in report-only mode the page works, and the missing part is reported as wasm-eval', async () => {
  const page = await open(under(changed('script-src', "'self'"), 'content-security-policy-report-only'));
  await approve(page);
  expect(new Set(await violationsIn(page))).toEqual(new Set(['script-src wasm-eval']));
});

test.each([
  {
    lacks: "'wasm-unsafe-eval'",
    policy: changed('script-src', "'self'"),
    says: /add 'wasm-unsafe-eval' to its `script-src`/,
    refused: 'script-src wasm-eval',
  },
  {
    lacks: 'the address of the file in connect-src',
    policy: changed('connect-src', 'https://api.example'),
    says: /toolgate\.wasm could not be read/,
    refused: /^connect-src http.*toolgate\.wasm$/,
  },
])(
  'without $lacks the messages are shown, nothing is sent, and the error says so',
  async ({ policy, says, refused }) => {
    const page = await open(under(policy));
    void page.evaluate(() => window.loading.chat.sendMessage({ text: 'hello' }).catch(() => {}));
    await expect.poll(async () => (await state(page)).code).toBe('load-failed');
    const { message, ...shown } = await state(page);
    expect(message).toMatch(says);
    expect(shown).toMatchObject({ status: 'error', shown: ['u0', 'a0', 'm0'], requests: [], cards: 0 });
    for (const violation of new Set(await violationsIn(page))) expect(violation).toMatch(refused);
  },
);
