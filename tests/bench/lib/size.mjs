/**
 * Row 1: what a page has to load, minified and gzip-compressed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const gzip = data => gzipSync(data, { level: 9 }).length;

/** Bundles `source` (a module's text) for browsers and returns its gzip size in bytes. */
async function bundled(source) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return gzip(outputFiles[0].contents);
}

/** The AI SDK's chat client: the class behind `useChat`, its transport, and the predicate that approvals need. */
export const peerSize = () =>
  bundled(
    `export { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';`,
  );

/** Toolgate: the wasm file, and glue and store as a bundler leaves them. */
export async function ourSize() {
  const wasm = gzip(readFileSync(fileURLToPath(import.meta.resolve('toolgate/toolgate.wasm'))));
  const script = await bundled(`export { init, ToolGate, ToolGateError, capabilities } from 'toolgate';`);
  return { wasm, script, total: wasm + script };
}
