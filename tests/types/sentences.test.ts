/**
 * The sentences of errors: production bundles have none of them, and their errors have the code, the ids and a link
 * instead. Everywhere else an error has its sentence, without a bundler too. docs/messages.md has all of them:
 * `BLESS=1` writes it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

import { entryPoints, manifest } from '../../pkg-scripts/lib/package.mjs';
import { collectSentences, docsOf, messagesPage } from '../../pkg-scripts/lib/sentences.mjs';
import { at, root } from '../../pkg-scripts/lib/shell.mjs';
import { page } from '../docs/support/pages.js';

const DOCS = docsOf(manifest()) as string;

/** What errors a script catches: their messages and their other properties. */
const SCRIPT = `
  import { ToolGate, init } from 'toolgate';
  import { gateOf } from 'toolgate/ai-sdk';
  const caught = async (act) => {
    try { await act(); } catch (error) { return { ...error, name: error.name, message: error.message }; }
  };
  const early = await caught(() => new ToolGate());
  await init();
  const gate = new ToolGate();
  const anomalies = [];
  gate.onEvent((event) => { if (event.type === 'anomaly') anomalies.push(event.error.message); });
  gate.receive({ type: 'tool-output-available' });
  console.log(JSON.stringify({
    early,
    id: await caught(() => gate.respond('a1', { approved: true })),
    option: await caught(() => new ToolGate({ onDeny: 'no' })),
    decision: await caught(() => gate.respond('a1', {})),
    chat: await caught(() => gateOf({})),
    repair: gate.load([{ id: 'm', role: 'assistant', parts: [{ type: 'tool-x', toolCallId: 'c1' }] }]).repairs[0],
    anomalies,
  }));
`;

/** The errors of the script in Node, without a bundler. */
function errorsIn(...flags: string[]): Record<string, Record<string, string>> {
  const args = ['--no-warnings', '--input-type=module', ...flags, '--eval', SCRIPT];
  const { stdout, stderr } = spawnSync('node', args, { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, Record<string, string>>;
}

/** The entry points with a file for production. */
const IN_BOTH = (entryPoints() as { name: string; file: string }[]).filter(
  ({ name }) => 'production' in manifest().exports[name.replace(/^toolgate/, '.')],
);

/** The bundled code of a page that imports these entry points, with everything that loads later. */
async function bundled(names: readonly string[], conditions: string[]): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: names.map((name) => `export * as ${name.replaceAll(/\W/g, '_')} from '${name}';`).join('\n'),
      resolveDir: root,
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: at('target/pages'),
    conditions: ['browser', ...conditions],
    external: ['node:*', 'react', 'vue', 'svelte', 'svelte/*', '*.wasm'],
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

/** The texts of dist/sentences/index.js that are long enough to be found nowhere else. */
function sentences(): string[] {
  const path = at('pkg/dist/sentences/index.js');
  const found: string[] = [];
  JSON.stringify(parseSync(path, readFileSync(path, 'utf8')).program, (key, value: unknown) => {
    if ((key === 'cooked' || key === 'value') && typeof value === 'string' && value.trim().length > 30)
      found.push(value);
    return value;
  });
  return found;
}

describe('a production bundle', () => {
  it('contains no sentence, and any other bundle contains all', async () => {
    const names = IN_BOTH.map(({ name }) => name);
    const [production, other] = await Promise.all([bundled(names, ['production']), bundled(names, [])]);
    const all = sentences();
    expect(all.length).toBeGreaterThan(100);
    // A bundler may write quotes and characters differently.
    const plain = (text: string): string => text.replaceAll(/\\u2026|…/g, '').replaceAll(/[\\"'`]/g, '');
    const [without, having] = [plain(production), plain(other)];
    expect(all.filter((text) => without.includes(plain(text)))).toEqual([]);
    expect(all.filter((text) => !having.includes(plain(text)))).toEqual([]);
  });

  it('throws errors with the code, the ids and a link', () => {
    const { early, id, option, decision, chat, repair, anomalies } = errorsIn('--conditions=production');
    expect(early).toMatchObject({ name: 'ToolGateError', code: 'not-initialized' });
    expect(id).toEqual({
      name: 'ToolGateError',
      code: 'unknown-approval',
      approvalId: 'a1',
      message: `unknown-approval, "a1": ${DOCS}/errors.md#unknown-approval`,
    });
    const link = `: ${DOCS.replaceAll('.', '\\.')}/messages\\.md#\\w{3}$`;
    expect(option?.['message']).toMatch(new RegExp(`^\\w{3}, ToolGate, , onDeny, "no", one of: continue, .*${link}`));
    for (const error of [early, decision, chat]) expect(error?.['message']).toMatch(new RegExp(`^\\w{3}.*${link}`));
    expect(repair).toMatchObject({ code: 'missing-state', toolCallId: 'c1' });
    expect(repair?.['detail']).toMatch(`Call "c1"`);
    expect(repair?.['detail']).toContain(`${DOCS}/errors.md#missing-state`);
    expect(anomalies).toEqual([
      `malformed-event, tool-output-available, toolCallId: ${DOCS}/errors.md#malformed-event`,
    ]);
  });
});

describe('everywhere else', () => {
  it('errors have their sentences, and nothing else differs', () => {
    const [full, short] = [errorsIn(), errorsIn('--conditions=production')];
    expect(full['early']?.['message']).toBe('Call `await init()` before creating a ToolGate.');
    expect(full['id']?.['message']).toBe('No approval has the id "a1". Use the approvalId of an entry of pending().');
    expect(full['option']?.['message']).toMatch(
      /^ToolGate: invalid option `onDeny`: "no"\. Expected one of: continue, /,
    );
    expect(full['decision']?.['message']).toBe('Invalid decision: `approved` must be a boolean.');
    expect(full['chat']?.['message']).toBe('gateOf: this chat is not guarded. Call guard(chat) first.');
    expect(full['repair']?.['detail']).toMatch(/^Call "c1" had no valid state: the state was inferred/);
    expect(full['anomalies']).toEqual(['Ignored tool-output-available: missing or unknown toolCallId.']);
    const withoutMessages = (errors: object): unknown =>
      JSON.parse(JSON.stringify(errors, (key, value: unknown) => (/message|detail|anomalies/.test(key) ? 0 : value)));
    expect(withoutMessages(full)).toEqual(withoutMessages(short));
  });

  it('the entry points that use a sentence register all of them', () => {
    const files = IN_BOTH.map(({ file }) => file);
    const uses = (path: string, seen = new Set<string>()): boolean => {
      if (seen.has(path)) return false;
      seen.add(path);
      const code = readFileSync(at('pkg/dist', path), 'utf8');
      if (code.includes('/docs') && code.includes(DOCS)) return true;
      return [...code.matchAll(/\bfrom"(\.[^"]+)"/g)].some(([, to]) =>
        uses(new URL(to as string, `file:///${path}`).pathname.slice(1), seen),
      );
    };
    const users = (entryPoints() as { name: string; file: string }[]).filter(({ file }) => uses(`${file}.js`));
    // A page that imports these imports `toolgate` too.
    const others = users.filter(({ name }) => !name.startsWith('toolgate/protocols')).map(({ file }) => file);
    expect(others.sort()).toEqual(files.sort());
  });
});

describe('the documentation', () => {
  it('lists every sentence', async () => {
    const expected = messagesPage(await collectSentences());
    if (process.env['BLESS']) writeFileSync(at('docs/messages.md'), expected);
    expect(page('messages')).toBe(expected);
  });

  it('has an anchor for each code', () => {
    const codes = ['ToolGateErrorCode', 'RepairCode'].flatMap((name) => {
      const file = name === 'RepairCode' ? 'event' : 'errors';
      const [, body = ''] =
        new RegExp(`export type ${name} =([^;]*);`).exec(
          readFileSync(at(`src/ts/types/${file}.ts`), 'utf8').replace(/\/\*[^]*?\*\//g, ''),
        ) ?? [];
      return [...body.matchAll(/'([^']+)'/g)].map(([, code]) => code as string);
    });
    expect(codes.length).toBeGreaterThan(25);
    for (const code of codes) expect(page('errors')).toContain(`<a id="${code}"></a>`);
  });
});

it('Node prints a short line of code with an uncaught error', () => {
  const script = `import { ToolGate } from 'toolgate'; new ToolGate();`;
  const { stderr } = spawnSync('node', ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  expect(stderr).toContain('Call `await init()` before creating a ToolGate.');
  expect(stderr.length).toBeLessThan(12_000);
});
