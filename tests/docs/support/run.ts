/**
 * Runs blocks of a page as modules. They are written below target/, inside the package, so that their imports resolve
 * as in a reader's app. The page's named files are in the same folder.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import { appOf } from './blocks.js';
import { withSqliteOf } from './sqlite.js';

const given: Record<string, object> = ((globalThis as { docsGiven?: Record<string, object> }).docsGiven ??= {});
let runs = 0;

/** The exports of a sample, without types: another test compiles the sample with its types. */
// oxlint-disable-next-line typescript/no-explicit-any
type Exports = Record<string, any>;

/**
 * Runs a block of a page as a module, and resolves to its exports. `names` are the values of the declared names that
 * the block uses. `exporting` are names that are exported in addition to the block's own exports. `modules` are the
 * exports of packages that the block finds instead of the installed ones.
 */
export async function run(
  name: string,
  code: string,
  names: object = {},
  exporting: readonly string[] = [],
  modules: Readonly<Record<string, object>> = {},
): Promise<Exports> {
  const id = `${name}-${process.pid}-${runs++}`;
  const folder = at('target/docs-run', id);
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), withSqliteOf('better-sqlite3', text));
  };
  for (const [path, text] of Object.entries(appOf(`docs/${name}.md`))) write(path, text);
  given[id] = names;
  for (const [packageName, exported] of Object.entries(modules)) {
    const values = `globalThis.docsGiven['${id}/${packageName}']`;
    given[`${id}/${packageName}`] = exported;
    write(`node_modules/${packageName}/package.json`, '{ "type": "module", "exports": "./index.js" }');
    const lines = Object.keys(exported).map((key) => `export const ${key} = ${values}.${key};\n`);
    write(`node_modules/${packageName}/index.js`, lines.join(''));
  }
  const header = Object.keys(names).length
    ? `const { ${Object.keys(names).join(', ')} } = globalThis.docsGiven['${id}'];\n`
    : '';
  const footer = exporting.length ? `export { ${exporting.join(', ')} };\n` : '';
  write('src/block.ts', header + code + footer);
  try {
    return (await import(join(folder, 'src/block.ts'))) as Exports;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
