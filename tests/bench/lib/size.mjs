/**
 * The row “download” of docs/benchmarks.md: the size of the code that a page loads, minified and gzip-compressed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const gzip = (data) => gzipSync(data, { level: 9 }).length;

/**
 * Bundles `source` (a module's text) for browsers and returns the gzip size, in bytes, of the code that a page loads at
 * once: the entry and the chunks that it imports statically. Parts that are loaded on demand are separate chunks, as in
 * bundlers.
 */
async function bundled(source) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: 'bundled',
    absWorkingDir: root,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const loaded = new Set();
  const visit = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: chunk, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') visit(chunk);
  };
  visit(Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === '<stdin>'));
  const sizes = outputFiles
    .filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
    .map(({ contents }) => gzip(contents));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The AI SDK's chat client: the class behind `useChat`, its transport, and the predicate that approvals need. */
export const peerSize = () =>
  bundled(
    `export { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';`,
  );

/** Toolgate: the wasm file, and the bundled JavaScript. */
export async function ourSize() {
  const wasm = gzip(readFileSync(fileURLToPath(import.meta.resolve('toolgate/toolgate.wasm'))));
  const script = await bundled(`export { init, ToolGate, ToolGateError } from 'toolgate';`);
  return { wasm, script, total: wasm + script };
}
