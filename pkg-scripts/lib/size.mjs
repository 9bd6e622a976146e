/**
 * `./pkg-scripts/size`: prints the size of what a page loads and of each part. Fails when an entry point exceeds its
 * budget in size-budget.json (bytes after gzip, its JavaScript together with the wasm), or when a guarded page waits
 * for more bytes or loads more than `pages` there allows (gzip and brotli).
 * The budgets leave room for some 100 bytes: a changed sentence must not fail the build, a new function must.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './make.mjs';
import { pageTable, protocolTable, sizeTable, table } from './measure.mjs';
import { bundle } from './package.mjs';
import { at, Failure, kb, main } from './shell.mjs';
import { bindgenDir } from './wasm.mjs';
import { wasmParts } from './wasm-parts.mjs';

/** The parts of a guarded page, and their names in the table. */
const PARTS = { first: 'the page waits for', later: 'loads later', sum: 'sum' };

/** The parts that have a budget. What loads later is their difference. */
const BUDGETED = ['first', 'sum'];

await main(async () => {
  await build();
  const sizes = sizeTable();
  const guarded = await pageTable();
  console.log(`\nSize of what a page loads\n${sizes.text}`);
  console.log(`\nSize of what guarded pages load (gzip / brotli)\n${pages(guarded)}`);
  console.log(`\nThe JavaScript, by source file (raw)\n${costs(await javaScriptParts())}`);
  console.log(`\nWhat each protocol adds to \`toolgate\` (gzip)\n${protocols(sizes)}`);
  console.log(
    `\nThe wasm, by module (raw)\n${costs(wasmParts(readFileSync(join(bindgenDir, 'toolgate.names.wasm'))))}`,
  );
  checkBudget(sizes, guarded);
});

function pages(guarded) {
  const cell = ({ gzip, brotli }) => `${kb(gzip)} / ${kb(brotli)}`;
  return table([
    ['', ...Object.values(PARTS)],
    ...guarded.map((page) => [page.name, ...Object.keys(PARTS).map((part) => cell(page[part]))]),
  ]);
}

/** Compares the guarded pages with their budget. Returns the rows that exceed their budget. */
function pagesOver(measured, budget) {
  const names = measured.map(({ name }) => name);
  if (String(names) !== String(Object.keys(budget)))
    throw new Failure(`\`pages\` of size-budget.json must have: ${names.join(', ')}.`);
  return measured.flatMap((page) =>
    BUDGETED.flatMap((part) =>
      ['gzip', 'brotli'].flatMap((kind) => {
        const [size, allowed] = [page[part][kind], budget[page.name][part]?.[kind]];
        if (allowed === undefined)
          throw new Failure(`\`pages\` of size-budget.json has no ${kind} for ${page.name}, ${part}.`);
        console.log(
          `${size <= allowed ? 'ok  ' : 'OVER'} ${page.name}, ${PARTS[part]}: ${kb(size)} of ${kb(allowed)} ${kind}`,
        );
        return size > allowed
          ? [`${page.name}, ${PARTS[part]}: ${size - allowed} bytes (${kind}) over ${allowed}`]
          : [];
      }),
    ),
  );
}

/** The bytes of every source file in the bundle, all entry points together; the generated glue counts as one. */
async function javaScriptParts() {
  const { metafile } = await bundle();
  const parts = new Map();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = path.startsWith('target/bindgen/') ? 'glue (wasm-bindgen)' : path;
      parts.set(name, (parts.get(name) ?? 0) + bytesInOutput);
    }
  }
  return parts;
}

/** A table of the bytes that each protocol adds to a page that imports it. */
function protocols({ loads }) {
  const { rows, all } = protocolTable();
  const main = loads.find(({ name }) => name === 'toolgate').total.gzip;
  return table([
    ['', 'its own file', 'with shared protocol files', 'the whole page'],
    ...rows.map(({ name, own, total }) => [name, kb(own.gzip), kb(total.gzip), kb(main + total.gzip)]),
    ['all protocols', '', kb(all.gzip), kb(main + all.gzip)],
  ]);
}

function costs(parts) {
  const total = [...parts.values()].reduce((a, b) => a + b, 0);
  const rows = [...parts].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a);
  return table(rows.map(([name, bytes]) => [name, kb(bytes), `${((100 * bytes) / total).toFixed(1)} %`]));
}

function checkBudget({ loads }, guarded) {
  const { pages: pageBudget, ...budget } = JSON.parse(readFileSync(at('pkg-scripts/size-budget.json'), 'utf8'));
  console.log();
  const free = loads.filter(({ name }) => !(name in budget)).map(({ name }) => name);
  if (free.length)
    throw new Failure(`size-budget.json has no limit for ${free.join(', ')}. Each entry point needs one.`);
  const over = pagesOver(guarded, pageBudget);
  const { 'toolgate/protocols/*': most, ...loadBudget } = budget;
  for (const { name, total } of protocolTable().rows) {
    if (total.gzip > most)
      over.push(`toolgate/protocols/${name} exceeds its limit of ${most} bytes by ${total.gzip - most}`);
  }
  for (const [name, allowed] of Object.entries(loadBudget)) {
    const entry = loads.find((load) => load.name === name);
    if (!entry) throw new Failure(`size-budget.json names \`${name}\`, which package.json does not export.`);
    const { gzip } = entry.total;
    console.log(`${gzip <= allowed ? 'ok  ' : 'OVER'} ${name}: ${kb(gzip)} of ${kb(allowed)} gzip`);
    if (gzip > allowed) over.push(`${name} exceeds its budget of ${allowed} bytes by ${gzip - allowed}`);
  }
  if (over.length) throw new Failure(`${over.join('; ')}. The tables above show the size of each part.`);
}
