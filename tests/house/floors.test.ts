/**
 * The layers of the TypeScript sources: a layer (a "floor") imports only lower layers. The test reads the sources,
 * because a bundler accepts any import. The layers of the crate are tested in tests/host/floors.rs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Import {
  /** The importing file, relative to the repository. */
  readonly from: string;
  /** The imported file, relative to the repository, or the name of the imported package. */
  readonly to: string;
  /** Whether the import consists of types only. */
  readonly isType: boolean;
}

/** The sources below a folder, without build output. */
function sources(folder: string): string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
    posix.join(folder, path.replaceAll('\\', '/')),
  );
  const found = all.filter(
    (path) => /\.(ts|tsx|js|mjs|svelte|vue)$/.test(path) && !/\.d\.ts$|node_modules|\/dist\//.test(path),
  );
  expect(found.length, `sources in ${folder}`).toBeGreaterThan(5);
  return found;
}

/**
 * The imports of a file, by `import`, `export … from` and `import()`, which can also name a type. Comments are skipped,
 * because they contain samples.
 */
function importsOf(from: string): Import[] {
  const code = readFileSync(join(root, from), 'utf8').replaceAll(/^\s*(?:\/\*[^]*?\*\/|\/\/.*)$/gm, '');
  const found = code.matchAll(
    /(?:^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s*)?|\bimport\()\s*['"]([^'"]+)['"](\)\.[A-Z])?/gm,
  );
  return [...found].map(([, type, to = '', named]) => ({
    from,
    to: resolve(from, to),
    isType: (type ?? named) !== undefined,
  }));
}

function resolve(from: string, to: string): string {
  if (!to.startsWith('.')) return to;
  const path = posix.join(posix.dirname(from), to);
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(join(root, source)) ? source : path;
}

const all = sources('src/ts').flatMap(importsOf);

/**
 * The floor of a file: its folder below src/ts. '' for an entry point. The folders of single protocols are one floor,
 * and so are those of `ai-sdk`, `gate`, `persist` and `server`.
 */
const floorOf = (path: string): string =>
  posix
    .dirname(path)
    .slice('src/ts/'.length)
    .replace(/^protocols\/(?!shared$).*/, 'protocols')
    .replace(/^(server|persist|ai-sdk|gate)\/.*/, '$1');

const say = ({ from, to }: Import): string => `${from} imports ${to}`;

/**
 * The floors, from the lowest, each with the floors, files and packages that its code may import. Every floor may
 * import the types of `types`.
 */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  types: [],
  json: ['types'],
  'protocols/shared': ['types', 'json/digest', 'json/grouped-list', 'json/safe-reading'],
  protocols: ['types', 'json/own-property', 'protocols/shared'],
  describe: ['types'],
  wasm: ['types', 'json', 'target/bindgen'],
  // Registered by files of the package; no floor imports it.
  sentences: ['types', 'target/bindgen'],
  gate: ['types', 'json', 'protocols/shared', 'wasm', 'target/bindgen'],
  evidence: [
    'types/option-checks',
    'types/report-uncaught',
    'types/say',
    'types/tool-part',
    'json/base64url',
    'json/canonical-text',
    'json/omit-undefined',
    'json/quoted',
    'json/sha256',
    'json/web-digest',
    'gate/gate-source',
    'gate/internals',
  ],
  tools: [
    'types/option-checks',
    'types/report-uncaught',
    'types/say',
    'types/tool-part',
    'json/own-property',
    'gate/gate-source',
    'gate/internals',
  ],
  rules: [
    'types/approval-descriptor',
    'types/option-checks',
    'types/report-uncaught',
    'types/say',
    'types/tool-part',
    'gate/gate-source',
    'gate/internals',
  ],
  server: [
    'evidence',
    'types/option-checks',
    'types/tool-part',
    'json/base64url',
    'json/canonical-text',
    'json/own-property',
    'json/quoted',
    'json/web-digest',
    'tools/call-tool',
    'tools/error-results',
    'tools/standard-schema',
  ],
  'ai-sdk': [
    'types',
    'json/digest',
    'json/random-id',
    'wasm',
    'gate/commands',
    'gate/gate-options',
    'gate/gate-source',
    'gate/internals',
    'gate/pending-chat',
    'gate/tool-gate',
  ],
  persist: ['types', 'json', 'gate/commands', 'gate/gate-source', 'gate/internals', 'gate/tool-gate'],
  inbox: ['types/option-checks', 'types/report-uncaught', 'gate/gate-source', 'gate/internals', 'types/say'],
  approval: [
    'types/approval-descriptor',
    'types/report-uncaught',
    'types/say',
    'types/tool-part',
    'describe',
    'gate/gate-source',
    'gate/internals',
    'gate/respond-shown',
  ],
  element: [
    'types/approval-descriptor',
    'types/say',
    'types/secret-field',
    'types/tool-part',
    'describe',
    'approval',
    'gate/gate-source',
    'gate/internals',
    'gate/respond-shown',
  ],
  'element/texts': ['approval'],
  bindings: [
    'types/empty-list',
    'types/say',
    'describe',
    'element/define',
    'element/question-element',
    'gate/gate-source',
    'gate/respond-shown',
  ],
  'bindings/react': [
    'bindings',
    'ai-sdk/waiting/chat-methods',
    'ai-sdk/own-chat/chat-users',
    'describe',
    'element/define',
    'gate/gate-source',
    'react',
    'types/say',
  ],
  'bindings/svelte': [
    'bindings',
    'ai-sdk/waiting/chat-methods',
    'ai-sdk/own-chat/chat-users',
    'describe',
    'element/define',
    'gate/gate-source',
    'svelte',
    'svelte/reactivity',
    'svelte/store',
    'types/say',
  ],
  'bindings/vue': [
    'bindings',
    'ai-sdk/waiting/chat-methods',
    'ai-sdk/own-chat/chat-users',
    'describe',
    'element/define',
    'gate/gate-source',
    'vue',
    'types/say',
  ],
  inspector: [
    'types',
    'json',
    'protocols',
    'protocols/shared/protocol-value',
    'gate/commands',
    'gate/gate-source',
    'gate/internals',
  ],
};

/** The additional floors from which each floor may import types. */
const MAY_NAME: Readonly<Record<string, readonly string[]>> = {
  // The types of the vendors' packages, which are gone after the build.
  protocols: [
    '@a2a-js/sdk',
    '@ag-ui/core',
    '@agentclientprotocol/sdk',
    '@anthropic-ai/sdk',
    '@google/genai',
    '@langchain/langgraph',
    '@langchain/langgraph-sdk',
    '@mastra/core',
    '@openai/agents',
    '@opencode-ai/sdk',
    '@tanstack/ai',
    'agents',
    'ai',
    'effect',
    'genkit',
    'openai/resources',
    'vscode',
  ],
  evidence: ['types', 'gate/commands', 'gate/tool-gate'],
  inbox: ['gate/tool-gate'],
  approval: ['gate/commands', 'gate/tool-gate'],
  element: ['gate/tool-gate'],
  bindings: ['ai', 'ai-sdk/guard-options', 'ai-sdk/own-chat/own-chat', 'element/question-types', 'gate/tool-gate'],
  tools: ['gate/pending-chat', 'gate/tool-gate'],
  'bindings/react': [
    'ai-sdk/own-chat/latest-options',
    'ai-sdk/waiting/view-store',
    'element/card-events',
    'element/question-types',
    'gate/tool-gate',
    'inbox',
  ],
  'bindings/svelte': [
    'ai-sdk/own-chat/latest-options',
    'ai-sdk/waiting/view-store',
    'element/card-events',
    'element/question-types',
    'gate/tool-gate',
    'svelte/elements',
    'inbox',
  ],
  'bindings/vue': [
    'ai-sdk/own-chat/latest-options',
    'element/card-events',
    'element/question-types',
    'gate/tool-gate',
    'inbox',
  ],
  inspector: ['gate/tool-gate'],
  rules: ['gate/tool-gate'],
};

const ENTRIES = ['index', 'slim', 'workerd', 'edge-light'].map((name) => `src/ts/${name}.ts`);

test('the imports in src/ts, including those of types, contain no cycle', () => {
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

test('each floor imports only lower floors', () => {
  const floors = new Set(all.map(({ from }) => floorOf(from)).filter(Boolean));
  expect([...floors].sort()).toEqual(Object.keys(FLOORS).sort());
  const wrong = all.filter(({ from, to, isType }) => {
    const floor = floorOf(from);
    if (!floor || (to.startsWith('src/ts/') && floorOf(to) === floor)) return false;
    const what = to.replace(/^src\/ts\/|\.[jt]s$/g, '');
    const allowed = [...FLOORS[floor]!, ...(isType ? ['types', ...(MAY_NAME[floor] ?? [])] : [])];
    // A folder of src, or for types also what is in a package.
    const isIn = (name: string): boolean =>
      to === what ? isType && what.startsWith(`${name}/`) : posix.dirname(what) === name;
    return !allowed.some((name) => what === name || isIn(name));
  });
  expect(wrong.map(say)).toEqual([]);
});

test('the list of floors is in ascending order', () => {
  const order = Object.keys(FLOORS);
  const wrong = order.flatMap((floor, place) =>
    [...FLOORS[floor]!, ...(MAY_NAME[floor] ?? [])]
      .map((what) => (order.includes(what) ? what : floorOf(`src/ts/${what}.ts`)))
      .filter((what) => order.indexOf(what) >= place)
      .map((what) => `${floor} imports ${what}`),
  );
  expect(wrong).toEqual([]);
});

test('only entry points are directly in src/ts', () => {
  const files = readdirSync(join(root, 'src/ts'), { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => `src/ts/${name}`).sort()).toEqual([...ENTRIES, 'src/ts/toolgate.wasm.d.ts'].sort());
});

test('no two files of src/ts have the same name, except index.ts and the files of different protocols', () => {
  const names = sources('src/ts')
    .map((path) => (/^src\/ts\/protocols\/(?!shared\/)./.test(path) ? path : posix.basename(path)))
    .filter((name) => name !== 'index.ts');
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test('only one file starts the core, one calls it, and one reads its memory', () => {
  const callers = all
    .filter(({ to, isType }) => to === 'target/bindgen/toolgate.js' && !isType)
    .map(({ from }) => from);
  expect(callers.sort()).toEqual(['src/ts/gate/create-core.ts', 'src/ts/wasm/init.ts', 'src/ts/wasm/records.ts']);
});

test('no file imports an entry point', () => {
  const wrong = all.filter(
    ({ from, to }) =>
      (ENTRIES.includes(to) && !ENTRIES.includes(from)) || (to.endsWith('/index.ts') && to !== 'src/ts/types/index.ts'),
  );
  expect(wrong.map(say)).toEqual([]);
});

test('the demo imports the published package by its name', () => {
  const wrong = sources('www')
    .flatMap(importsOf)
    .filter(({ to }) => /^(\.\.|src|target|pkg)\//.test(to));
  expect(wrong.map(say)).toEqual([]);
});
