/**
 * The file of the package that each kind of runtime and bundler selects. The file for Cloudflare's workers is tested in
 * workerd.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, test } from 'vitest';
import { freshProject } from './support/project.js';

test('edge runtimes get a separate file, and production bundles one without sentences', async () => {
  const project = await freshProject({ 'main.js': `console.log(import.meta.resolve('toolgate').split('/').at(-1));` });
  const found: Record<string, string> = {};
  const plain = ['node', 'browser', 'worker', 'deno', 'bun', 'react-server', 'netlify', 'development'];
  for (const kind of [...plain, 'workerd', 'edge-light', 'production']) {
    found[kind] = (await project.run('node', `--conditions=${kind}`, 'main.js')).trim();
  }
  expect(found).toEqual({
    ...Object.fromEntries(plain.map((kind) => [kind, 'index.sentences.js'])),
    ...{ workerd: 'workerd.sentences.js', 'edge-light': 'edge-light.sentences.js', production: 'index.js' },
  });
});

test('a Cloudflare worker loads the core by itself, and sends both decisions in one request', async () => {
  const project = await freshProject({
    'worker.js': `
      import { askedTwice, leaving } from './chat.js';
      export default {
        async fetch() {
          const gate = await askedTwice();
          gate.respond('approval-a', { approved: true });
          const early = leaving(gate);
          gate.respond('approval-b', { approved: false, reason: 'keep it' });
          return Response.json({ early, sent: leaving(gate) });
        },
      };`,
  });
  const worker = new Miniflare({
    compatibilityDate: '2026-01-01',
    host: '127.0.0.1',
    modules: await asWranglerDoes(project.folder),
  });
  try {
    const answer = await worker.dispatchFetch('http://localhost/');
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ early: [], sent: [{ approvalIds: ['approval-a', 'approval-b'] }] });
  } finally {
    await worker.dispose();
  }
});

/** Bundles worker.js as wrangler does: with Cloudflare's conditions, and with the WebAssembly as a compiled module. */
async function asWranglerDoes(folder: string) {
  const wasm = new Set<string>();
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['worker.js'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
    plugins: [
      {
        name: 'wasm',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
            wasm.add(join(resolveDir, path));
            return { path: './toolgate.wasm', external: true };
          }),
      },
    ],
  });
  const [file = ''] = wasm;
  return [
    { type: 'ESModule' as const, path: 'worker.js', contents: outputFiles[0]?.text ?? '' },
    { type: 'CompiledWasm' as const, path: 'toolgate.wasm', contents: new Uint8Array(readFileSync(file)) },
  ];
}
