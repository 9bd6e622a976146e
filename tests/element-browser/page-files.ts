/** The files of a test page as a server sends them: its script, the scripts that it loads later, and the core. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { appOf } from '../docs/support/blocks.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `docs:inbox/src/notify.ts` is the block of docs/inbox.md with this file name. */
const blocks: Plugin = {
  name: 'docs-blocks',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^docs:/ }, ({ path }) => ({ path: path.slice('docs:'.length), namespace: 'docs' }));
    onLoad({ filter: /./, namespace: 'docs' }, ({ path }) => {
      const [page, ...file] = path.split('/');
      return { contents: appOf(`docs/${page}.md`)[file.join('/')] ?? '', loader: 'tsx', resolveDir: at('.') };
    });
  },
};

/** Bundles page/`name`.ts. Returns the type and the content of each file, by its path in an address. */
export async function pageFiles(name: string): Promise<Map<string, [type: string, content: string | Uint8Array]>> {
  const { outputFiles } = await build({
    entryPoints: [at(`./page/${name}`)],
    bundle: true,
    splitting: true,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
    plugins: [blocks],
  });
  const files = new Map<string, [string, string | Uint8Array]>();
  for (const { path, contents } of outputFiles) files.set(path, ['text/javascript', contents]);
  return files.set('/toolgate.wasm', ['application/wasm', readFileSync(at('../../pkg/dist/toolgate.wasm'))]);
}
