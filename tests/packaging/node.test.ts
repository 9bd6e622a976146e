/**
 * The installed package in Node (the one that runs the tests and a newer one), Deno and Bun: `import`, without a flag
 * or a loader; with no framework installed, and with all of them.
 */
import { beforeAll, expect, test } from 'vitest';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { PROTOCOL_NAMES } from '../protocols/all.js';
import { openProject, type Project } from './support/project.js';
import { rigProject } from './support/rig.js';

/** A record in the SQLite of a runtime. */
const SQLITE = `
  import { recordSchema, sqliteStore, StoredRecord } from 'toolgate/server';
  const { DatabaseSync, Database } = await import(globalThis.Bun ? 'bun:sqlite' : 'node:sqlite');
  const database = new (DatabaseSync ?? Database)(':memory:');
  database.exec(recordSchema);
  const store = sqliteStore(database);
  const record = new StoredRecord(store, { user: 'ann', chat: 'chat' });
  await record.request({ approvalId: 'a', toolCallId: 'c', toolName: 't', input: 1 });
  const claims = [await record.begin('k'), await record.begin('k')];
  await record.finish('k', { toolCallId: 'c', toolName: 't', approvalId: 'a', outcome: 'executed', output: 2 });
  const { input } = await record.requested('a');
  console.log(JSON.stringify([input, ...claims, (await record.result('k')).output, await store.deleteExpired()]));
`;

const FILES = {
  'main.js': `
    import { askedTwice, leaving } from './chat.js';
    const gate = await askedTwice();
    gate.respond('approval-a', { approved: true });
    const early = leaving(gate);
    gate.respond('approval-b', { approved: false, reason: 'keep it' });
    console.log(JSON.stringify({ early, sent: leaving(gate) }));
  `,
  'entries.js': `
    import { readFileSync } from 'node:fs';
    const manifest = JSON.parse(readFileSync('node_modules/toolgate/package.json', 'utf8'));
    const found = {};
    for (const [path, target] of Object.entries(manifest.exports)) {
      if (!target.default?.endsWith('.js')) continue;
      found[path] = await import(path.replace('.', 'toolgate')).then(Object.keys, ({ code, message }) => code + ': ' + message);
    }
    console.log(JSON.stringify(found));
  `,
  'sqlite.js': SQLITE,
  'by-hand.js': `
    import { readFileSync } from 'node:fs';
    import { fileURLToPath } from 'node:url';
    import { askedTwice } from './chat.js';
    const wasm = readFileSync(fileURLToPath(import.meta.resolve('toolgate/toolgate.wasm')));
    console.log((await askedTwice(wasm)).pending().length);
  `,
};

/** The languages of the cards. */
const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'ja', 'ko', 'pt', 'zh'];

/** One exported name of each entry point. */
const NAMES = {
  '.': 'init',
  './slim': 'init',
  './ai-sdk': 'guard',
  './protocols': 'defineProtocol',
  ...Object.fromEntries(
    PROTOCOL_NAMES.slice(1).map((name) => [
      `./protocols/${name}`,
      name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ]),
  ),
  './react': 'useApprovals',
  './svelte': 'useGate',
  './vue': 'useApprovals',
  './approval': 'guardPresses',
  './element': 'defineToolApproval',
  ...Object.fromEntries(LANGUAGES.map((code) => [`./element/texts/${code}`, code])),
  './element/texts/pt-br': 'ptBR',
  './evidence': 'recordEvidence',
  './inbox': 'Inbox',
  './persist': 'persist',
  './inspector': 'inspect',
  './rules': 'applyRules',
  './server': 'resolveApprovals',
  './tools': 'registerTools',
};

let project: Project;

beforeAll(async () => {
  const opened = await openProject(FILES);
  project = opened;
  return opened.remove;
});

const runtimes = [
  { name: 'Node', command: () => 'node', args: [] },
  { name: 'a newer Node', command: () => runtime('node'), args: [] },
  {
    name: 'Deno',
    command: () => runtime('deno'),
    args: ['run', '--quiet', '--cached-only', '--no-prompt', '--allow-read'],
  },
  { name: 'Bun', command: () => runtime('bun'), args: ['run'] },
];

test.each(runtimes)(
  'a script in $name receives approvals, decides them, and gets one complete request',
  async ({ command, args }) => {
    expect(JSON.parse(await project.run(command(), ...args, 'main.js'))).toMatchObject({
      early: [],
      sent: [
        {
          approvalIds: ['approval-a', 'approval-b'],
          parts: [
            { approval: { approved: true } },
            { state: 'approval-responded', approval: { approved: false, reason: 'keep it' } },
          ],
        },
      ],
    });
  },
);

test.each(runtimes.slice(1))('a record in the SQLite that $name contains', async ({ command, args }) => {
  const said = await project.run(command(), ...args, 'sqlite.js');
  expect(JSON.parse(said.trim().split('\n').at(-1)!)).toEqual([1, true, false, 2, 0]);
});

const entries = async ({ run }: Project) =>
  JSON.parse(await run('node', '--no-warnings', 'entries.js')) as Record<string, string | string[]>;

test('without a framework, all entry points except the three for frameworks can be imported; for these, Node’s error names the missing package', async () => {
  const expected: Record<string, unknown> = Object.fromEntries(
    Object.entries(NAMES).map(([path, name]) => [path, expect.arrayContaining([name])]),
  );
  for (const name of ['react', 'svelte', 'vue']) {
    expected[`./${name}`] = expect.stringMatching(
      `^ERR_MODULE_NOT_FOUND: Cannot find package '${name}' imported from .+/node_modules/toolgate/dist/bindings/${name}/index\\.js$`,
    );
  }
  expect(await entries(project)).toEqual(expected);
});

test('with the frameworks installed every entry point can be imported', async () => {
  const found = await entries(await rigProject('vite', FILES));
  expect(found).toEqual(
    Object.fromEntries(Object.entries(NAMES).map(([path, name]) => [path, expect.arrayContaining([name])])),
  );
});

test('the wasm file can be passed explicitly', async () => {
  expect(await project.run('node', '--no-warnings', 'by-hand.js')).toBe('2\n');
});
