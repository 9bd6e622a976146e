/**
 * What the package weighs. Sizes are those of the published files: minified JavaScript and optimised wasm, each
 * compressed by itself with gzip level 9, as a static server sends them. 1 KB is 1,000 bytes.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { entryPoints } from './package.mjs';
import { at, kb } from './shell.mjs';

const dist = (path) => readFileSync(at('pkg/dist', path));
const weigh = (bytes) => ({ raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length });
const sum = (sizes) => sizes.reduce((a, b) => ({ raw: a.raw + b.raw, gzip: a.gzip + b.gzip }), { raw: 0, gzip: 0 });

/** The files that loading `entry` loads at once: itself and the chunks it imports statically. */
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
 * What each protocol costs on top of `toolgate`: `own`, the codec's own chunk, and `shared`, what it needs that others need too.
 * `all` is everything that `init()` without names loads besides.
 */
export function protocolTable() {
  const main = loadedBy('index.js');
  const chunks = [...main].flatMap((path) => [
    ...dist(path)
      .toString()
      .matchAll(/\bimport\("\.\/(([a-z-]+)-[A-Z0-9]{8}\.js)"\)/g),
  ]);
  const all = new Set();
  // What all of them share, the translator, is loaded in the same way.
  const codecs = chunks.filter(([, , name]) => name !== 'translator');
  const rows = codecs.map(([, file, name]) => {
    const more = [...loadedBy(file)].filter((path) => !main.has(path));
    more.forEach((path) => all.add(path));
    return { name, own: weigh(dist(file)), total: sum(more.map((path) => weigh(dist(path)))) };
  });
  return { rows: rows.sort((a, b) => b.own.gzip - a.own.gzip), all: sum([...all].map((path) => weigh(dist(path)))) };
}

/**
 * Measures pkg/. `loads` has one row for each entry point: its JavaScript, and `total`, what a page that imports it loads
 * with the wasm, if it is of any use there. `text` is the same as a table.
 */
export function sizeTable() {
  const wasm = weigh(dist('toolgate.wasm'));
  const loads = entryPoints().map(({ name, file }) => {
    const files = [...loadedBy(`${file}.js`)];
    const js = sum(files.map((path) => weigh(dist(path))));
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
