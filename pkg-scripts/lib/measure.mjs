/**
 * Measures the size of the package. Sizes are those of the published files: minified JavaScript and optimised wasm,
 * each compressed separately with gzip level 9, as a static server sends them. 1 KB is 1,000 bytes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { entryPoints } from './package.mjs';
import { at, kb, root } from './shell.mjs';

const dist = (path) => readFileSync(at('pkg/dist', path));
const weigh = (bytes) => ({
  raw: bytes.length,
  gzip: gzipSync(bytes, { level: 9 }).length,
  brotli: brotliCompressSync(bytes).length,
});
const NOTHING = { raw: 0, gzip: 0, brotli: 0 };
const sum = (sizes) =>
  sizes.reduce((a, b) => ({ raw: a.raw + b.raw, gzip: a.gzip + b.gzip, brotli: a.brotli + b.brotli }), NOTHING);
const weighAll = (paths) => sum([...paths].map((path) => weigh(dist(path))));

/** The files that load together with `entry`: the entry itself and the chunks that it imports statically. */
function loadedBy(entry) {
  const files = new Set();
  const visit = (path) => {
    if (files.has(path)) return;
    files.add(path);
    for (const [, specifier] of dist(path)
      .toString()
      .matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+\.js)"/g)) {
      visit(posix.join(posix.dirname(path), specifier));
    }
  };
  visit(entry);
  return files;
}

/** What only `<tool-approvals view="review">` loads. It has a row of its own. */
const REVIEW = /^review-view-/;

/**
 * Returns `first`, the files that load with `entries`, and `later`, the chunks that these load by `import()`. Other
 * entry points are not counted: only the inspector loads some (protocols), if its user wants to see them.
 */
function loadedLaterBy(entries) {
  const first = new Set(entries.flatMap((entry) => [...loadedBy(entry)]));
  const later = new Set();
  const visit = (path) => {
    for (const [, specifier] of dist(path)
      .toString()
      .matchAll(/\bimport\("(\.[^"]+\.js)"\)/g)) {
      const chunk = posix.join(posix.dirname(path), specifier);
      if (chunk.includes('/') || REVIEW.test(chunk)) continue;
      for (const file of loadedBy(chunk)) {
        if (first.has(file) || later.has(file)) continue;
        later.add(file);
        visit(file);
      }
    }
  };
  first.forEach(visit);
  return { first, later };
}

/** What each guarded page imports. */
const GUARD = { 'toolgate/ai-sdk': ['guard'] };
const HOOKS = [
  'GateProvider',
  'useApproval',
  'useApprovals',
  'useGate',
  'useGateActions',
  'useGateView',
  'useMessages',
  'useRemembered',
  'useToolPart',
  'useUndelivered',
];
const PAGES = {
  'guard alone': GUARD,
  'guard and the hooks': { ...GUARD, 'toolgate/react': HOOKS },
  'guard, the hooks and the card': {
    ...GUARD,
    'toolgate/react': HOOKS,
    'toolgate/element': ['defineToolApproval'],
  },
  'guard, the hooks and persist': { ...GUARD, 'toolgate/react': HOOKS, 'toolgate/persist': ['persist'] },
  'useGuardedChat, the hooks and the card': {
    'toolgate/react': [...HOOKS, 'useGuardedChat', 'ToolApproval', 'ToolApprovals'],
  },
  'the hooks alone': { 'toolgate/react': HOOKS },
};

/**
 * For each guarded page: the bytes that it waits for, the bytes that load later (with the wasm file), and the sum. The
 * pages are bundled, so that code which a page does not use is not counted.
 */
export async function pageTable() {
  const wasm = weigh(dist('toolgate.wasm'));
  const rows = [];
  for (const [name, imports] of Object.entries(PAGES)) {
    const { first, later } = await bundledPage(imports);
    const loadsCore = later.raw > 0;
    const parts = { first, later: loadsCore ? sum([later, wasm]) : later };
    rows.push({ name, ...parts, sum: sum([parts.first, parts.later]) });
  }
  return rows;
}

/** The bytes of a page with these imports, and of the chunks that it loads later. */
async function bundledPage(imports) {
  // Not imported at the top of the file, because in a new clone the set-up has not installed it yet.
  const { build } = await import('esbuild');
  const lines = Object.entries(imports).map(([from, names]) => `export { ${names.join(', ')} } from '${from}';`);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: lines.join('\n'), resolveDir: root, sourcefile: 'page.js' },
    outdir: at('target/pages'),
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    conditions: ['browser', 'production'],
    external: ['node:*', 'react', '*.wasm'],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const contents = new Map(outputFiles.map((file) => [posix.basename(file.path.replaceAll('\\', '/')), file.contents]));
  const { outputs } = metafile;
  const reached = (start, kinds) => {
    const found = new Set(start);
    for (const path of found) {
      for (const { kind, path: to, external } of outputs[path].imports)
        if (!external && kinds.includes(kind) && !REVIEW.test(posix.basename(to))) found.add(to);
    }
    return found;
  };
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === 'page.js');
  const first = reached([entry], ['import-statement']);
  const all = reached([entry], ['import-statement', 'dynamic-import']);
  const weighed = (paths) => sum([...paths].map((path) => weigh(contents.get(posix.basename(path)))));
  return { first: weighed(first), later: weighed([...all].filter((path) => !first.has(path))) };
}

/** Whether this is a protocol's entry point. A protocol's size is the number of bytes that it adds to `toolgate`. */
const isProtocol = ({ name }) => name.startsWith('toolgate/protocols/');

/**
 * The bytes that each protocol adds to `toolgate`: `own` is its entry point; `total` also counts code that it shares
 * with other protocols. `all` is the sum for all protocols together.
 */
export function protocolTable() {
  const main = loadedBy('index.js');
  const all = new Set();
  const rows = entryPoints()
    .filter(isProtocol)
    .map(({ name, file }) => {
      const more = [...loadedBy(`${file}.js`)].filter((path) => !main.has(path));
      more.forEach((path) => all.add(path));
      const protocol = name.slice('toolgate/protocols/'.length);
      return { name: protocol, own: weigh(dist(`${file}.js`)), total: weighAll(more) };
    });
  return {
    rows: rows.sort((a, b) => b.total.gzip - a.total.gzip),
    all: weighAll(all),
  };
}

/**
 * Measures pkg/. `loads` has one row for each entry point except the protocols, and one for the review of the cards:
 * the size of its JavaScript, including chunks that load later, and `total`, which includes the wasm if the entry point
 * uses it in a page. `text` is the same data as a table.
 */
export function sizeTable() {
  const wasm = weigh(dist('toolgate.wasm'));
  const loads = entryPoints()
    .filter((entry) => !isProtocol(entry))
    .map(({ name, file }) => {
      const { first, later } = loadedLaterBy([`${file}.js`]);
      const files = [...first, ...later];
      const js = weighAll(files);
      const loadsCore = files.some((path) => dist(path).includes('WebAssembly.instantiate'));
      return { name, js, total: loadsCore ? sum([js, wasm]) : js };
    });
  const review = weighAll(readdirSync(at('pkg/dist')).filter((file) => REVIEW.test(file) && file.endsWith('.js')));
  loads.push({ name: 'toolgate/element view=review', js: review, total: review });
  const rows = [
    ['', 'raw', 'gzip', 'gzip with the wasm'],
    ['toolgate.wasm', kb(wasm.raw), kb(wasm.gzip), ''],
    ...loads.map(({ name, js, total }) => [name, kb(js.raw), kb(js.gzip), kb(total.gzip)]),
  ];
  return { wasm, loads, text: table(rows) };
}

/** Lays rows out in columns: the first left-aligned, the others right-aligned. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i] + 2)))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
