/**
 * Hot reloads in Vite's development server, with the plugin of each framework: a changed component keeps the chat of its
 * id with the pending approval, and nothing is sent twice.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { createServer, type Plugin } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { inBrowser } from '../packaging/support/browser.js';

interface Framework {
  readonly name: string;
  readonly file: string;
  readonly plugin: () => unknown;
  /** The module of the page that shows the component. */
  readonly main: string;
  /** A change of the component that does not only concern its template: text to replace, and its replacement. */
  readonly change: readonly [before: string, after: string];
}

const frameworks: readonly Framework[] = [
  {
    name: 'React',
    file: 'App.jsx',
    plugin: () => react(),
    main: `import { createElement, StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { App } from './App.jsx';
      createRoot(document.querySelector('#app')).render(createElement(StrictMode, null, createElement(App)));`,
    // Fast Refresh mounts a component again if its hooks have changed.
    change: ['  const { chat,', '  useEffect(() => {});\n  const { chat,'],
  },
  {
    name: 'Svelte',
    file: 'App.svelte',
    plugin: () => svelte({ configFile: false }),
    main: `import { mount } from 'svelte';
      import App from './App.svelte';
      mount(App, { target: document.querySelector('#app') });`,
    change: ['  const gate =', '  const more = 1;\n  const gate ='],
  },
  {
    name: 'Vue',
    file: 'App.vue',
    plugin: () => vue(),
    main: `import { createApp } from 'vue';
      import App from './App.vue';
      createApp(App).mount('#app');`,
    change: ['const approvals =', 'const more = 1;\nconst approvals ='],
  },
];

/** What the page has seen. */
interface Seen {
  readonly chats: Set<unknown>;
  readonly mounts: number;
  readonly transport: { readonly requests: readonly unknown[] };
}

test.each(frameworks)(
  '$name: the chat and its approval survive hot reloads',
  { timeout: 120_000 },
  async (framework) => {
    const folder = at('target/hot-reload', framework.name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(join(import.meta.dirname, 'hot-reload', framework.file), join(folder, framework.file));
    const backend = readFileSync(join(import.meta.dirname, 'hot-reload/backend.js'), 'utf8');
    writeFileSync(join(folder, 'backend.js'), backend.replace('../../ai-sdk', `/@fs${at('tests/ai-sdk')}`));
    writeFileSync(join(folder, 'main.js'), framework.main);
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><title>Hot</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.js"></script>',
    );
    const server = await createServer({
      root: folder,
      configFile: false,
      logLevel: 'error',
      cacheDir: join(folder, 'cache'),
      plugins: [framework.plugin() as Plugin],
      server: { host: '127.0.0.1', port: 0, fs: { allow: [at()] } },
    });
    onTestFinished(() => server.close());
    await server.listen();

    const edit = (before: string, after: string): void => {
      const path = join(folder, framework.file);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(before);
      writeFileSync(path, text.replace(before, after));
    };

    await inBrowser(async (page) => {
      const seen = () =>
        page.evaluate(() => {
          const { chats, mounts, transport } = globalThis as never as Seen;
          return { chats: chats.size, mounts, requests: transport.requests.length };
        });
      await page.goto(server.resolvedUrls?.local[0] ?? '');
      // A full reload would remove this.
      await page.evaluate(() => Object.assign(globalThis, { isFirst: true }));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('#pending', { hasText: 'c1' }).waitFor();
      const before = await seen();
      expect(before).toMatchObject({ chats: 1, requests: 1 });

      edit('version 1', 'version 2');
      await page.getByText('version 2').waitFor();
      expect(await page.locator('#pending').textContent()).toBe('c1');

      edit('version 2', 'version 3');
      edit(...framework.change);
      await page.getByText('version 3').waitFor();
      await page.waitForFunction((mounts) => (globalThis as never as Seen).mounts > mounts, before.mounts);
      // Longer than the task after which a chat without components is disposed.
      await page.waitForTimeout(100);
      expect(await page.locator('#pending').textContent()).toBe('c1');
      expect(await seen()).toMatchObject({ chats: 1, requests: 1 });

      await page.getByRole('button', { name: /^Approve/ }).click();
      await page.locator('#states', { hasText: 'output-available' }).waitFor();
      expect(await seen()).toMatchObject({ chats: 1, requests: 2 });
      expect(await page.evaluate(() => 'isFirst' in globalThis)).toBe(true);
    });
  },
);
