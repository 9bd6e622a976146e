/**
 * The quick starts of docs/, as a reader builds them: the files of the pages, built and served by Vite, with the server
 * of the pages. A user approves and denies in a browser. The server's output shows which tools ran.
 */
import { transform } from 'esbuild';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { appOf } from '../docs/support/blocks.js';
import { block } from '../docs/support/pages.js';
import { withSqliteOf } from '../docs/support/sqlite.js';
import { withoutTimings } from './support/project.js';
import { startServer } from './support/rig.js';
import { develop, startProject, type Start } from './support/start.js';
import { reply, say, startPages } from './support/start-page.js';

const pages = startPages();

/** The server's output when the tool has run for a file, and the model's reply to that run and to a denial. */
interface Words {
  readonly ran: (path: string) => string;
  readonly told: string;
  readonly denied: string;
}
const HTTP: Words = {
  ran: (path) => `deleted ${path}`,
  told: '"notes.txt is deleted"',
  denied: '"error-text","value":"I need it"',
};

/** Approves one call, with a double click, and denies another one with a reason. */
async function playUser(url: string, printed: () => string[], { ran, told, denied }: Words = HTTP): Promise<string[]> {
  const { page, errors, keys } = await pages.open(url);
  try {
    const before = printed().length;
    await say(page, 'Delete notes.txt');
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    expect(printed().slice(before)).toEqual([]);
    await page.getByRole('button', { name: /^Approve/ }).dblclick();
    await reply(page, told);
    expect(printed().slice(before)).toEqual([ran('notes.txt')]);

    await say(page, 'Delete taxes.pdf');
    await page.getByRole('button', { name: /^Deny/ }).waitFor();
    // The page's own card has no field for a reason.
    if ((await page.locator('tool-approval').count()) > 0) {
      // A press of the pointer counts once its target has been at its place for half a second.
      await sleep(700);
      await page.getByRole('button', { name: /^Reason/ }).click();
      await page.getByRole('textbox', { name: 'Why not?' }).fill('I need it');
    }
    await page.getByRole('button', { name: /^Deny/ }).click();
    await reply(page, denied);
    expect(printed().slice(before)).toEqual([ran('notes.txt')]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(errors).toEqual([]);
    return keys;
  } catch (error) {
    throw new Error(
      `${String(error)}\nthe page ${page.url()}: ${errors.join('\n')}\nthe server: ${printed().join('\n')}\n${await page.content()}`,
    );
  } finally {
    await page.close();
  }
}

/** Sends a message as soon as the page allows it. The WebAssembly file arrives a second late. */
async function playSlowStart(url: string): Promise<void> {
  const page = await pages.empty();
  await page.route(/\.wasm/, async (route) => {
    await sleep(1000);
    await route.continue();
  });
  await page.goto(url);
  await say(page, 'Hello');
  await reply(page, 'Nothing to delete.');
  expect(page.url()).toBe(url);
  await page.close();
}

/** Sends a message while the server is stopped, and again after its restart; then the model fails. */
async function playRetry(url: string, { start, stop }: Start): Promise<void> {
  const { page, keys } = await pages.open(url);
  await stop();
  await say(page, 'Hello');
  const again = page.getByRole('button', { name: 'Send again' });
  await again.waitFor();
  await start();
  await again.click();
  await reply(page, 'Nothing to delete.');
  expect(new Set(keys).size).toBe(1);
  expect(await page.getByLabel('user').count()).toBe(1);
  const alert = page.getByRole('alert');
  await expect.poll(async () => (await alert.allTextContents()).join('')).toBe('');
  await say(page, 'Fail');
  await alert.getByText(/An error occurred|ended badly/).waitFor();
  await page.close();
}

/** Stops a reply that never ends by itself, and sends another message. */
async function playStop(url: string): Promise<void> {
  const { page, errors } = await pages.open(url);
  await say(page, 'Wait');
  await reply(page, 'I am thinking');
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.click();
  await stop.waitFor({ state: 'detached' });
  await say(page, 'Hello');
  await reply(page, 'Nothing to delete.');
  expect(errors).toEqual([]);
  await page.close();
}

describe.each(['react', 'svelte', 'vue', 'plain'])('the quick start %s', (name) => {
  test('runs in development, and as a build', async () => {
    const server = appOf('docs/start-react.md')['server.js'] as string;
    const project = await startProject(name, { 'server.js': server });
    const dev = await develop(project);
    expect(await playUser(dev, project.printed)).toHaveLength(4);
    await playSlowStart(dev);
    await playRetry(dev, project);
    if (name !== 'plain') await playStop(dev);
    const said = await project.run('vite', 'build', '--logLevel', 'warn');
    expect(withoutTimings(said)).toBe('');
    const built = await startServer(project, 'vite', (port) => [
      'preview',
      '--host',
      '127.0.0.1',
      '--port',
      port,
      '--strictPort',
    ]);
    expect(await playUser(built.url, project.printed)).toHaveLength(4);
  });
});

/** The card that each page of docs/ shows as the app's own. It replaces `<ToolApproval>`. */
const OWN_CARDS = [
  {
    name: 'react',
    file: 'src/App.tsx',
    attributes: 'chat={chat} part={part} />',
    card: "import { Approval } from './Approval';",
  },
  {
    name: 'svelte',
    file: 'src/App.svelte',
    attributes: '{chat} {part} />',
    card: "import Approval from './Approval.svelte';",
  },
  {
    name: 'vue',
    file: 'src/App.vue',
    attributes: ':chat="chat" :part="part" />',
    card: "import Approval from './Approval.vue';",
  },
];

test.each(OWN_CARDS)(
  'the quick start $name with its own card, and what its page names for Node 20: version 6 of the AI SDK, and libsql',
  async ({ name, file, attributes, card }) => {
    const { [file]: app = '', 'server.js': server = '' } = appOf(`docs/start-${name}.md`);
    const [before, after, ...more] = app.split(attributes) as [string, string];
    expect([before.split('<ToolApproval ').length, after, more.length]).toEqual([2, expect.any(String), 0]);
    const anchor = 'import { isToolUIPart }';
    const files = {
      'server.js': withSqliteOf('libsql', server),
      [file]: `${before.replace('<ToolApproval ', '<Approval ')}${attributes}${after}`.replace(
        anchor,
        `${card}\n${anchor}`,
      ),
    };
    const project = await startProject(name, files, { ai: 'ai6', [`@ai-sdk/${name}`]: `ai-sdk-${name}6` });
    expect(await playUser(await develop(project), project.printed, { ...HTTP, denied: 'Not now' })).toHaveLength(4);
  },
);

test('the page over a WebSocket, and the server for it in docs/security.md', async () => {
  const app = appOf('docs/start-plain.md');
  const project = await startProject('plain', {
    'server.js': await socketServer(),
    'src/gate.ts': app['src/socket-gate.ts'] as string,
  });
  const words = { ran: (path: string) => `removed ${path}`, told: '"removed notes.txt"', denied: 'I need it' };
  expect(await playUser(await develop(project), project.printed, words)).toEqual([]);
});

/** The WebSocket server of docs/security.md, with the parts that the app provides. */
async function socketServer(): Promise<string> {
  // The page's port is known only later.
  const code = block('security', 'new WebSocketServer').replace(
    'request.headers.origin !== ORIGIN',
    "!request.headers.origin?.startsWith('http://127.0.0.1:')",
  );
  const own = [
    "import Database from 'better-sqlite3';",
    "import { recordSchema, sqliteStore } from 'toolgate/server';",
    "const database = new Database('toolgate.db');",
    'database.exec(recordSchema);',
    'const store = sqliteStore(database);',
    "import { model } from './model.js';",
    'const userOf = async () => "ann";',
    'const removeFile = (path) => (console.log(`removed ${path}`), `removed ${path}`);',
  ];
  const { code: js } = await transform([...own, code, "server.listen(3001, '127.0.0.1');"].join('\n'), {
    loader: 'ts',
  });
  return js;
}

test('the quick starts with a framework have the same server, and the same model for readers without a key', () => {
  const [react, ...others] = ['react', 'svelte', 'vue'].map((name) => [
    appOf(`docs/start-${name}.md`)['server.js'],
    block(`start-${name}`, "'ai/test'"),
  ]);
  expect(react?.[0]).toContain('createServer');
  for (const other of others) expect(other).toEqual(react);
});
