/**
 * The floors of the house, for what is written in TypeScript: a floor imports only lower floors. Read from the sources,
 * because a bundler takes any import. The floors of the crate are in tests/host/floors.rs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Import {
  /** The importing file and what it imports, below the repository; names of packages as they are. */
  readonly from: string;
  readonly to: string;
  /** Whether nothing of it is left when types are taken away. */
  readonly isType: boolean;
}

/** The sources below a folder, without what was built there. */
function sources(folder: string): string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => posix.join(folder, path.replaceAll('\\', '/')));
  const found = all.filter((path) => /\.(ts|tsx|js|mjs|svelte|vue)$/.test(path) && !/\.d\.ts$|node_modules|\/dist\//.test(path));
  expect(found.length, `sources in ${folder}`).toBeGreaterThan(5);
  return found;
}

/** What a file imports, by `import`, `export … from` and `import()`, which names a type where one stands behind it. Comments are left out: samples stand there. */
function importsOf(from: string): Import[] {
  const code = readFileSync(join(root, from), 'utf8').replaceAll(/^\s*(?:\/\*[^]*?\*\/|\/\/.*)$/gm, '');
  const found = code.matchAll(/(?:^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s*)?|\bimport\()\s*['"]([^'"]+)['"](\)\.[A-Z])?/gm);
  return [...found].map(([, type, to = '', named]) => ({ from, to: resolve(from, to), isType: (type ?? named) !== undefined }));
}

function resolve(from: string, to: string): string {
  if (!to.startsWith('../unit')) return to;
  const path = posix.join(posix.dirname(from), to);
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(join(root, source)) ? source : path;
}

const all = sources('src/ts').flatMap(importsOf);

/** The folder below src/ts that a file is in; '' for the store and what it is made of. */
const floorOf = (path: string): string => /^src\/ts\/([\w-]+)\//.exec(path)?.[1] ?? '';

const say = ({ from, to }: Import): string => `${from} imports ${to}`;

/** What belongs to each folder's code: files of src/ts, other folders, packages. Types may come from any floor below. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  codecs: ['digest', 'errors', 'texts'],
  bindings: [],
  react: ['bindings', 'gate-source', 'react'],
  svelte: ['bindings', 'gate-source', 'svelte', 'svelte/reactivity'],
  vue: ['bindings', 'gate-source', 'vue'],
  element: ['gate-source', 'keeping'],
  resolve: ['keeping', 'known-options'],
  'ai-sdk': ['clock', 'commands', 'errors', 'gate-source', 'keeping', 'known-options', 'store'],
  keeper: ['commands', 'encode', 'errors', 'gate-source', 'keeping', 'random-id', 'safe-reading', 'store'],
  inspector: ['capabilities', 'codecs', 'commands', 'encode', 'errors', 'gate-source', 'keeping', 'listeners', 'random-id'],
};

/** Whose types each folder may name, beside `types.ts` and what its code imports. */
const MAY_NAME: Readonly<Record<string, readonly string[]>> = {
  bindings: ['store'],
  react: ['element', 'store'],
  svelte: ['element', 'store', 'svelte/elements'],
  vue: ['store'],
  element: ['store'],
  inspector: ['store'],
};

const ENTRIES = ['index', 'slim', 'own-wasm', 'workerd', 'edge-light'].map((name) => `src/ts/${name}.ts`);

test('no file of src/ts imports one that leads back to it, not even for its types', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of all) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    expect(way, [...way, file].join(' → ')).not.toContain(file);
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
});

test('each folder imports only what is below it', () => {
  const folders = new Set(all.map(({ from }) => floorOf(from)).filter(Boolean));
  expect([...folders].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  const wrong = all.filter(({ from, to, isType }) => {
    const floor = floorOf(from);
    if (!floor || floorOf(to) === floor) return false;
    const what = to.startsWith('src/ts/') ? floorOf(to) || posix.basename(to, '.ts') : to;
    const allowed = [...(MAY_IMPORT[floor] ?? []), ...(isType ? ['types', ...(MAY_NAME[floor] ?? [])] : [])];
    return !allowed.includes(what);
  });
  expect(wrong.map(say)).toEqual([]);
});

test('the store knows no framework, no keeper and no chat of the AI SDK', () => {
  const wrong = all.filter(({ from, to }) => {
    if (floorOf(from) || to.startsWith('node:')) return false;
    if (to.startsWith('src/ts/')) return !['', 'codecs'].includes(floorOf(to)) || (floorOf(to) === 'codecs' && !/\/(codec|registry|translator)\.ts$/.test(to));
    return !to.startsWith('target/bindgen/') && to !== 'src/ts/toolgate.wasm';
  });
  expect(wrong.map(say)).toEqual([]);
});

test('the core is started in one place and called from one other', () => {
  const callers = all.filter(({ to, isType }) => to.startsWith('target/bindgen/') && !isType).map(({ from }) => from);
  expect(callers.sort()).toEqual(['src/ts/gate/gate-core.ts', 'src/ts/wasm/init.ts']);
});

test('nothing imports an entry point', () => {
  const wrong = all.filter(({ from, to }) => (ENTRIES.includes(to) && !ENTRIES.includes(from)) || (to.endsWith('/index.ts') && from !== to));
  expect(wrong.map(say)).toEqual([]);
});

test('the demo imports what is published, by its name', () => {
  const wrong = sources('www')
    .flatMap(importsOf)
    .filter(({ to }) => /^(\.\.|src|target|pkg)\//.test(to));
  expect(wrong.map(say)).toEqual([]);
});
