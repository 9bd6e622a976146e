/**
 * `./pkg-scripts/demo`: builds the package, the page and the documentation, serves them with the page's backend
 * (www/server), and prints the address. With `--node` a real model answers, if the environment has a key for one; with
 * `--static` the backend is a part of the page, which then consists of static files only. `--build` writes these files
 * to www/dist, and serves nothing. `--no-docs` omits the documentation.
 */
import { demoDir, buildDemo } from './demo-build.mjs';
import { buildDocs, leaveDocsOut } from './docs.mjs';
import { build } from './make.mjs';
import { serve } from './serve.mjs';
import { Failure, main } from './shell.mjs';

const DEFAULT_PORT = 4173;
const OPTIONS = ['--node', '--static', '--build', '--no-docs'];

await main(async () => {
  const options = process.argv.slice(2);
  const unknown = options.filter((option) => !OPTIONS.includes(option));
  if (unknown.length) throw new Failure(`unknown option ${unknown.join(' ')}. Expected: ${OPTIONS.join(', ')}.`);
  const port = Number(process.env.PORT ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Failure(`PORT is \`${process.env.PORT}\`, which is not a port number.`);
  await build();
  await buildDemo();
  const hasDocs = !options.includes('--no-docs');
  if (hasDocs) await buildDocs();
  else leaveDocsOut();
  if (options.includes('--build')) {
    console.log(`\nThe site is ${demoDir}: static files for any path of any server.`);
    return;
  }
  const env = options.includes('--node') ? process.env : {};
  const { url, model } = options.includes('--static') ? await serve(demoDir, port) : await serveWithBackend(port, env);
  console.log(
    `\nThe demo is at ${url}${hasDocs ? `, the documentation at ${url}docs/` : ''} (${model ? `model: ${model}; ` : ''}Ctrl+C ends it)`,
  );
});

/** The Node server of www/server, on a free port if the wanted one is taken. */
async function serveWithBackend(port, env) {
  const { startDemoServer } = await import('../../www/server/start.mjs');
  return startDemoServer({ dist: demoDir, port, env }).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return startDemoServer({ dist: demoDir, port: 0, env });
  });
}
