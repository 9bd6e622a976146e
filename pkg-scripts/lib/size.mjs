/**
 * `./pkg-scripts/size`: prints what a page loads and what each part of it costs, and fails when an entry point weighs more
 * than size-budget.json allows (bytes, gzip, its JavaScript together with the wasm).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './make.mjs';
import { protocolTable, sizeTable, table } from './measure.mjs';
import { bundle } from './package.mjs';
import { at, Failure, kb, main } from './shell.mjs';
import { bindgenDir } from './wasm.mjs';
import { wasmParts } from './wasm-parts.mjs';

await main(async () => {
  await build();
  const sizes = sizeTable();
  console.log(`\nSize of what a page loads\n${sizes.text}`);
  console.log(`\nThe JavaScript, by source file (raw)\n${costs(await javaScriptParts())}`);
  console.log(`\nWhat each protocol adds to \`toolgate\` (gzip)\n${protocols(sizes)}`);
  console.log(
    `\nThe wasm, by module (raw)\n${costs(wasmParts(readFileSync(join(bindgenDir, 'toolgate.names.wasm'))))}`,
  );
  checkBudget(sizes);
});

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

/** What each protocol adds to a page that imports it. */
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

function checkBudget({ loads }) {
  const budget = JSON.parse(readFileSync(at('pkg-scripts/size-budget.json'), 'utf8'));
  console.log();
  const free = loads.filter(({ name }) => !(name in budget)).map(({ name }) => name);
  if (free.length)
    throw new Failure(`size-budget.json has no limit for ${free.join(', ')}. Each entry point needs one.`);
  const over = [];
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
