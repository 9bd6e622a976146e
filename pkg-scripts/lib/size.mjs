/**
 * `./pkg-scripts/size`: prints what a page loads and what each part of it costs, and fails when an entry point weighs more
 * than size-budget.json allows (bytes, gzip, its JavaScript together with the wasm).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from './make.mjs';
import { sizeTable, table } from './measure.mjs';
import { bundle } from './package.mjs';
import { at, Failure, kb, main } from './shell.mjs';
import { bindgenDir } from './wasm.mjs';
import { wasmParts } from './wasm-parts.mjs';

await main(async () => {
  await build();
  const sizes = sizeTable();
  console.log(`\nWhat a page loads\n${sizes.text}`);
  console.log(`\nThe JavaScript, by source file (raw)\n${costs(await javaScriptParts())}`);
  console.log(`\nWhat each codec adds to \`toolgate\` (gzip)\n${costs(await codecParts())}`);
  console.log(`\nThe wasm, by module (raw)\n${costs(wasmParts(readFileSync(join(bindgenDir, 'toolgate.names.wasm'))))}`);
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

/**
 * What the download loses when a codec is taken out, for each; and `shared`, what all of them stand on: the rest of what
 * goes when they are all taken out. What two codecs say in the same words counts for neither.
 */
async function codecParts() {
  const files = readdirSync(at('src/ts/codecs')).filter((file) => /^export const \w+: Codec = /m.test(readFileSync(at('src/ts/codecs', file), 'utf8')));
  const all = await weighWithout([]);
  const parts = new Map();
  for (const file of files) parts.set(file.replace(/\.ts$/, ''), all - (await weighWithout([file])));
  const single = [...parts.values()].reduce((a, b) => a + b, 0);
  parts.set('shared', all - (await weighWithout([...files, 'history.ts', 'flow.ts', 'translator.ts', 'ids.ts'])) - single);
  return parts;
}

/** The gzip size of the main entry point's JavaScript with some files of src/ts/codecs emptied. */
async function weighWithout(files) {
  const plugin = {
    name: 'without',
    setup({ onLoad }) {
      onLoad({ filter: /src.ts.codecs.[\w-]+\.ts$/ }, ({ path }) => {
        const file = path.split(/[\\/]/).at(-1);
        if (!files.includes(file)) return undefined;
        const names = [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm)];
        return { contents: names.map(([, name]) => `export const ${name} = 0;`).join('\n'), loader: 'js' };
      });
    },
  };
  const { outputFiles } = await bundle({ only: 'index', plugins: [plugin] });
  const js = outputFiles.filter(({ path }) => path.endsWith('.js'));
  return js.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

function costs(parts) {
  const total = [...parts.values()].reduce((a, b) => a + b, 0);
  const rows = [...parts].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a);
  return table(rows.map(([name, bytes]) => [name, kb(bytes), `${((100 * bytes) / total).toFixed(1)} %`]));
}

function checkBudget({ loads }) {
  const budget = JSON.parse(readFileSync(at('pkg-scripts/size-budget.json'), 'utf8'));
  console.log();
  const over = [];
  for (const [name, allowed] of Object.entries(budget)) {
    const entry = loads.find((load) => load.name === name);
    if (!entry) throw new Failure(`size-budget.json names \`${name}\`, which package.json does not export.`);
    const { gzip } = entry.total;
    console.log(`${gzip <= allowed ? 'ok  ' : 'OVER'} ${name}: ${kb(gzip)} of ${kb(allowed)} gzip`);
    if (gzip > allowed) over.push(`${name} is ${gzip - allowed} bytes past its budget of ${allowed}`);
  }
  if (over.length) throw new Failure(`${over.join('; ')}. The tables above say what each part costs.`);
}
