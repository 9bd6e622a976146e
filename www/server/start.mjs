/**
 * Starts the demo's Node server: bundles www/server into target/, and serves the built page with it.
 *   node www/server/start.mjs           after ./pkg-scripts/build and `vite build www`
 *   PORT=8080 node www/server/start.mjs
 */
import { build } from 'esbuild';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Starts the server. Resolves to `{ url, model, close }`. `port` 0 means any free port. `env` may contain a key for a
 * model. It is empty by default, so that the scripted model answers.
 */
export async function startDemoServer({ dist = at('www/dist'), port = 4173, env = {} } = {}) {
  // A separate file for each process, because several may start at once.
  const outfile = at(`target/demo-server/server-${randomUUID()}.mjs`);
  await build({
    entryPoints: [at('www/server/server.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  const { serveDemo } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return serveDemo({ dist, port, env });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url, model } = await startDemoServer({ port: Number(process.env.PORT ?? 4173), env: process.env });
  console.log(`The demo is at ${url} (model: ${model}; Ctrl+C ends it)`);
}
