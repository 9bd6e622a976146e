/**
 * Measures the size of the package. Sizes are those of the published files: minified JavaScript and optimised wasm,
 * each compressed separately with gzip level 9, as a static server sends them. 1 KB is 1,000 bytes.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { entryPoints } from './package.mjs';
import { at, kb } from './shell.mjs';

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
      if (chunk.includes('/')) continue;
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

/** The entry points that each guarded page imports. */
const PAGES = {
  'guard alone': ['toolgate/ai-sdk'],
  'guard and the hooks': ['toolgate/ai-sdk', 'toolgate/react'],
  'guard, the hooks and the card': ['toolgate/ai-sdk', 'toolgate/react', 'toolgate/element'],
  'guard, the hooks and persist': ['toolgate/ai-sdk', 'toolgate/react', 'toolgate/persist'],
};

/** For each guarded page: the bytes that it waits for, the bytes that load later (with the wasm file), and the sum. */
export function pageTable() {
  const wasm = weigh(dist('toolgate.wasm'));
  const files = new Map(entryPoints().map(({ name, file }) => [name, `${file}.js`]));
  return Object.entries(PAGES).map(([name, entries]) => {
    const { first, later } = loadedLaterBy(entries.map((entry) => files.get(entry)));
    const parts = { first: weighAll(first), later: sum([weighAll(later), wasm]) };
    return { name, ...parts, sum: sum([parts.first, parts.later]) };
  });
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
 * Measures pkg/. `loads` has one row for each entry point except the protocols: the size of its JavaScript, including
 * chunks that load later, and `total`, which includes the wasm if the entry point uses it in a page. `text` is the same
 * data as a table.
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
