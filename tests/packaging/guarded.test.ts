/**
 * A guarded chat in frameworks that render on a server: server and page run the same code, which does not load the core
 * itself. The page keeps the server's HTML, although the gate's first view differs from it. The apps are the starters
 * of www/starters, with one more page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { block, page } from '../docs/support/pages.js';
import { inBrowser } from './support/browser.js';
import { startServer, starterProject, type Server } from './support/rig.js';
import { playStarter } from './support/starter.js';

const file = (name: string): string => readFileSync(join(import.meta.dirname, 'guarded', name), 'utf8');

const starter = (path: string): string => readFileSync(at('www/starters', path), 'utf8');

/** Frameworks and starters require a newer Node than Toolgate. */
const node = runtime('node');

/** The AI SDK in one file, because the frameworks' projects do not contain it. */
async function bundled(code: string, external: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: at('.') },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    external,
    platform: 'browser',
    // Other hooks of the package import `swr`, which requires React as CommonJS. That does not work in a bundle.
    plugins: [
      {
        name: 'no-swr',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^swr$/ }, () => ({ path: 'swr', namespace: 'none' }));
          onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default () => {}' }));
        },
      },
    ],
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
}

/** Checks the server's HTML, then approves in a browser. */
async function playUser(server: Server, path = ''): Promise<void> {
  const url = new URL(path, server.url).href;
  const html = (await (await fetch(url)).text()).replaceAll(/<!--.*?-->/g, '');
  expect(html).toMatch(/<p id="status">ready<\/p>/);
  expect([...html.matchAll(/class="message">([^<]*)</g)].map(([, line]) => line)).toEqual([
    'first',
    'approval-requested',
    'second',
    'approval-requested',
  ]);
  expect(server.hasCore()).toBe(false);

  await inBrowser(async (page) => {
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        const element = document.querySelector('#status');
        if (!element) return;
        Object.assign(element, { isOfServer: true });
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(url);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.locator('.message', { hasText: 'output-available' }).waitFor();
    expect(await page.locator('.message').nth(1).textContent()).not.toBe('approval-requested');
    expect(await page.evaluate(() => (globalThis as { sent?: unknown }).sent)).toEqual(['approval-responded']);
    expect(await page.evaluate(() => Object.hasOwn(document.querySelector('#status')!, 'isOfServer'))).toBe(true);
  });
}

test('Next.js, with the App Router and with the Pages Router; the starter, with the policy of docs/csp.md', async () => {
  const layout = readFileSync(at('www/starters/next/app/layout.tsx'), 'utf8');
  const project = await starterProject('next', 'next', {
    'guarded/ai-sdk.js': await bundled(`export { Chat, useChat } from '@ai-sdk/react'`, [
      'react',
      'react/*',
      'react-dom',
    ]),
    'guarded/chat.js': file('chat.js'),
    'guarded/Page.jsx': file('Page.jsx'),
    'app/guarded/page.jsx': `export { default } from '../../guarded/Page.jsx';`,
    'pages/old.jsx': `import Head from 'next/head';
      import Page from '../guarded/Page.jsx';
      const icon = <link rel="icon" href="data:," />;
      export default () => <><Head>{icon}</Head><Page /></>;`,
    'app/page.tsx': `export { Page as default } from './starter';`,
    'app/starter.tsx': starter('next/app/page.tsx').replace('export default function Page', 'export function Page'),
    'app/layout.tsx': `${layout}\nexport const dynamic = 'force-dynamic';`,
    'proxy.ts': `${block('csp', 'NextResponse')}\nexport const config = { matcher: '/' };`,
  });
  const next = 'node_modules/next/dist/bin/next';
  expect(await project.run(node, next, 'build')).not.toMatch(/warning|failed/i);
  const server = await startServer(project, node, (port) => [next, 'start', '-H', '127.0.0.1', '-p', port]);
  await playUser(server, 'guarded');
  await playUser(server, 'old');
  const { headers } = await fetch(server.url);
  expect(headers.get('content-security-policy')).toMatch(/'nonce-.*'wasm-unsafe-eval'/);
  await playStarter(server, 'next');
});

test('Nuxt, and the starter', async () => {
  const project = await starterProject('nuxt', 'vue', {
    'app/guarded/ai-sdk.js': await bundled(`export { Chat } from '@ai-sdk/vue'`, ['vue']),
    'app/guarded/chat.js': file('chat.js'),
    'app/guarded/Page.vue': file('Page.vue'),
    'app/starter.vue': starter('vue/app/app.vue'),
    'app/app.vue': `<script setup>
      import Page from './guarded/Page.vue';
      import Starter from './starter.vue';
      const isGuarded = useRequestURL().pathname === '/guarded';
      </script>
      <template><Page v-if="isGuarded" /><Starter v-else /></template>`,
    'starter.config.js': starter('vue/nuxt.config.ts'),
    'nuxt.config.ts': `import starter from './starter.config.js';
      export default { ...starter, vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tool-') } } };`,
  });
  await project.run(node, 'node_modules/nuxt/bin/nuxt.mjs', 'build', '--logLevel', 'silent');
  const server = await startServer(project, node, () => ['.output/server/index.mjs']);
  await playUser(server, 'guarded');
  await playStarter(server, 'vue');
});

/** The option of docs/csp.md. */
const CSP = /`(csp: .*)` of SvelteKit/.exec(page('csp'))?.[1];

test('SvelteKit, and the starter, with the policy of docs/csp.md', async () => {
  const chat = readFileSync(at('node_modules/@ai-sdk/svelte/dist/chat.svelte.js'), 'utf8');
  const project = await starterProject('sveltekit', 'svelte', {
    'vite.config.ts': starter('svelte/vite.config.ts').replace('adapter: adapter()', `adapter: adapter(), ${CSP}`),
    'src/guarded/ai.js': await bundled(`export * from 'ai'`, []),
    'src/guarded/chat-class.svelte.js': chat.replace(/from ['"]ai['"]/, `from './ai.js'`),
    'src/guarded/ai-sdk.js': `export { Chat } from './chat-class.svelte.js';`,
    'src/guarded/chat.js': file('chat.js'),
    'src/guarded/Page.svelte': file('Page.svelte'),
    'src/routes/guarded/+page.svelte': `<script>import Page from '../../guarded/Page.svelte';</script>\n<Page />`,
  });
  await project.run(node, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn');
  const server = await startServer(project, node, () => ['build']);
  await playUser(server, 'guarded');
  const { headers } = await fetch(server.url);
  expect(headers.get('content-security-policy')).toMatch(/^script-src 'self' 'wasm-unsafe-eval' 'nonce-/);
  await playStarter(server, 'svelte');
});
