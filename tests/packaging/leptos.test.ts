/**
 * The example tests/crate/leptos: a page in Rust that has the gate in its own WebAssembly, in a browser. Its server is
 * a real one of the AI SDK with a scripted model.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { at, run } from '../../pkg-scripts/lib/shell.mjs';
import { aiSdkServer, type AiSdkServer } from '../interop/ai-sdk.server';
import type { Reply } from '../interop/rig';
import { serve } from '../interop/support';
import { inBrowser } from './support/browser';

const TARGET = at('target/examples');
const BUILT = join(TARGET, 'leptos');
const HTML =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Chat</title>' +
  '<script type="module">import init from "/toolgate-leptos.js"; await init({ module_or_path: "/toolgate-leptos_bg.wasm" })</script>';

beforeAll(async () => {
  const manifest = at('tests/crate/leptos/Cargo.toml');
  const wasm = ['--target', 'wasm32-unknown-unknown'];
  await run('cargo', ['build', '--quiet', '--locked', '--manifest-path', manifest, ...wasm], {
    env: { CARGO_TARGET_DIR: TARGET },
  });
  const built = join(TARGET, 'wasm32-unknown-unknown/debug/toolgate-leptos.wasm');
  await run('wasm-bindgen', [built, '--target', 'web', '--no-typescript', '--out-dir', BUILT]);
});

const ASKS: Reply = { calls: [{ id: 'c1', tool: 'remove', path: '/logs' }] };

/** Opens the page with a server whose model gives these replies, and asks it to tidy up. */
async function asked(
  replies: readonly Reply[],
  use: (page: Page, server: AiSdkServer) => Promise<void>,
  expected?: RegExp,
): Promise<void> {
  const server = await aiSdkServer(7, replies);
  const { url, ran, close } = server;
  const page = await serve(async (body, request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/chat') {
      const headers = { 'content-type': 'application/json' };
      return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    }
    if (pathname === '/') return new Response(HTML, { headers: { 'content-type': 'text/html' } });
    const type = pathname.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
    return new Response(readFileSync(join(BUILT, pathname)), { headers: { 'content-type': type } });
  });
  onTestFinished(close);
  onTestFinished(page.close);
  await inBrowser(async (tab) => {
    await tab.goto(page.url);
    await tab.getByLabel('Message').fill('tidy up');
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByRole('heading', { name: 'Run remove?' }).waitFor();
    expect(await tab.locator('pre').textContent()).toBe('{"path":"/logs"}');
    expect(ran).toEqual([]);
    await use(tab, server);
  }, expected);
}

it('does not export the boundary of the npm package', async () => {
  const names = async (path: string): Promise<string[]> =>
    WebAssembly.Module.exports(await WebAssembly.compile(readFileSync(path))).map(({ name }) => name);
  const ours = (await names(at('pkg/dist/toolgate.wasm'))).filter((name) => !/^(memory$|__)/.test(name));
  expect(ours.length).toBeGreaterThan(0);
  const page = await names(join(BUILT, 'toolgate-leptos_bg.wasm'));
  expect(ours.filter((name) => page.includes(name))).toEqual([]);
});

it('asks before a tool runs; a double click runs it once', async () => {
  await asked([ASKS, { text: 'Done.' }], async (page, { ran }) => {
    await page.getByRole('button', { name: 'Approve' }).dblclick();
    await page.getByText('Done.').waitFor();
    expect(ran).toEqual(['remove /logs']);
    expect(await page.getByText('[remove: executed]').count()).toBe(1);
    expect(await page.getByRole('heading', { name: 'Run remove?' }).count()).toBe(0);
  });
});

it('tells the model why a call was denied', async () => {
  await asked([ASKS, { text: 'I kept them.' }], async (page, { ran, prompts }) => {
    await page.getByLabel('Reason').fill('still needed');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('I kept them.').waitFor();
    expect(ran).toEqual([]);
    expect(prompts.at(-1)!.filter(({ kind }) => kind === 'result')).toEqual([
      { kind: 'result', call: 'remove /logs', text: 'denied: still needed' },
    ]);
  });
});

it('sends a failed request again only when the user wants it', async () => {
  await asked(
    [ASKS, { text: 'Done.' }],
    async (page, { ran }) => {
      await page.route('**/api/chat', (route) => route.abort(), { times: 1 });
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('button', { name: 'Send again' }).waitFor();
      expect(ran).toEqual([]);
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('Done.').waitFor();
      expect(ran).toEqual(['remove /logs']);
    },
    /Failed to load resource/,
  );
});
