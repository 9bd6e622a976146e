/** The command, with the adapter of the kit's README and a server, and what its options and exit codes mean. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../interop/support';
import { cases, scenarios } from './kit/src/index';
import { servers } from './servers/index';
import { buildKit, codeIn, command, KIT } from './support/command';

// In the kit's folder, so that the adapter can import `toolgate-conformance` by its name. Git ignores dist.
const at = (name: string): string => join(KIT, 'dist', name);
const ADAPTER = at('my-adapter.mjs');
const CLIENT = ['client', '--adapter', ADAPTER] as const;

beforeAll(async () => {
  await buildKit();
  writeFileSync(ADAPTER, codeIn('my-adapter.mjs'));
});

const baseline = (name: string, ...ids: string[]): string => {
  writeFileSync(at(name), JSON.stringify({ failures: Object.fromEntries(ids.map((id) => [id, 'known'])) }));
  return at(name);
};

describe('client', () => {
  test('prints each result, and the rule and the bytes of a failure', async () => {
    const { code, output } = await command(...CLIENT, '--only', 'approval-runs-once,empty-reply');
    expect(output).toContain('✓ approval-runs-once');
    expect(output).toContain('✗ empty-reply');
    expect(output).toContain('rule:  An empty reply ends the turn');
    expect(output).toMatch(/request \d+: \{"id":"chat","messages":\[.*"approval":\{"id":"ask-c1","approved":true\}/);
    expect(output).toContain('1 passed, 1 failed, 0 disputed, 0 skipped\nTo expect these failures');
    expect(code).toBe(1);
  });

  test('--json contains every request', async () => {
    const { output } = await command(...CLIENT, '--only', 'approval-runs-once', '--json');
    const { client, results } = JSON.parse(output);
    expect(client).toBe('useChat');
    expect(results).toMatchObject([{ id: 'approval-runs-once', verdict: 'pass', ran: ['c1'] }]);
    expect(results[0].requests.map(({ body }: { body: string }) => JSON.parse(body).id)).toEqual(['chat', 'chat']);
  });

  test('--baseline: an expected failure is no error, a new one is, and so is one that passes', async () => {
    const only = ['--only', 'approval-runs-once,empty-reply'];
    const exact = await command(...CLIENT, ...only, '--baseline', baseline('exact.json', 'empty-reply', 'lost-reply'));
    expect(exact.code).toBe(0);
    const none = await command(...CLIENT, ...only, '--baseline', baseline('none.json'));
    expect([none.code, none.output]).toEqual([1, expect.stringContaining('Unexpected failure: empty-reply')]);
    const fixed = baseline('fixed.json', 'empty-reply', 'approval-runs-once');
    const passes = await command(...CLIENT, ...only, '--baseline', fixed);
    expect([passes.code, passes.output]).toEqual([
      1,
      expect.stringContaining('Expected to fail, but it does not: approval-runs-once'),
    ]);
  });

  test('--update writes the baseline, and reasons of failures that remain stay', async () => {
    const file = baseline('update.json', 'empty-reply', 'approval-runs-once');
    const only = ['--only', 'approval-runs-once,empty-reply,reply-without-result'];
    expect((await command(...CLIENT, ...only, '--baseline', file, '--update')).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      failures: { 'empty-reply': 'known', 'reply-without-result': expect.stringContaining('without end') },
    });
  });

  test('--update with --only leaves the rest of the baseline as it is', async () => {
    const file = baseline('part.json', 'empty-reply', 'lost-reply');
    await command(...CLIENT, '--only', 'empty-reply', '--baseline', file, '--update');
    expect(JSON.parse(readFileSync(file, 'utf8')).failures).toEqual({ 'lost-reply': 'known', 'empty-reply': 'known' });
  });

  test('what a client logs is not in the results', async () => {
    const file = at('loud-adapter.mjs');
    writeFileSync(file, `console.log('hello');\n${readFileSync(ADAPTER, 'utf8')}`);
    const { output } = await command('client', '--adapter', file, '--only', 'approval-runs-once', '--json');
    expect(JSON.parse(output).client).toBe('useChat');
  });

  test('an adapter without optional methods skips what needs them', async () => {
    const file = at('small-adapter.mjs');
    const whole = readFileSync(ADAPTER, 'utf8');
    writeFileSync(file, whole.replace(/ {4}(?:stop|output|reconnect|reload):.*\n/g, ''));
    const { code, output } = await command('client', '--adapter', file, '--only', 'reload-while-asked,stop-then-deny');
    expect([code, output]).toEqual([0, expect.stringContaining('0 passed, 0 failed, 0 disputed, 2 skipped')]);
    expect(output).toMatch(/– reload-while-asked +skipped: the adapter has no reload/);
  });
});

describe('a broken adapter', () => {
  /** Runs the adapter of the README after this change of its code. */
  const changed = (from: RegExp, to: string, ...more: string[]) => {
    const file = at('broken-adapter.mjs');
    const whole = readFileSync(ADAPTER, 'utf8');
    expect(whole).toMatch(from);
    writeFileSync(file, whole.replace(from, to));
    return command('client', '--adapter', file, '--only', 'approval-runs-once', ...more);
  };

  test.each([
    [/\.\.\.shownIn\(chat\.messages\)/, 'calls: []', '`state().texts` must be a list of strings'],
    [/isBusy: .*\n/, '', '`state().isBusy` must be a boolean'],
    [/\.\.\.shownIn\(chat\.messages\)/, "texts: [], calls: [{ id: 'c1', state: 'done' }]", '`state().calls[0].state`'],
    [/ {4}deny: .*\n/, '', 'has no method `deny`'],
    [/state: \(/, 'state: async (', '`state()` must be an object with isBusy, texts and calls; it is a promise'],
    [/ {2}versions: .*\n/, '', "`versions` must be an object of strings, such as { ai: '7.0.0' }; it is undefined"],
    [
      / {2}options: /,
      "  impossible: { 'no-such-id': 'reason' },\n  options: ",
      'names `no-such-id`, which is not the id of',
    ],
    [
      / {2}options: /,
      '  wire: { read: 1 },\n  options: ',
      '`wire` must be a Wire (read, write, end, headers) or a Backend',
    ],
    [/'@ai-sdk\/react'\)/, "'no-such-package')", 'the package no-such-package is not installed'],
    [/const chat =/, 'nothing();\n  const chat =', '`open` threw: ReferenceError: nothing is not defined'],
  ])('%s: exits with 2 and says what is wrong', async (from, to, message) => {
    const { code, output } = await changed(from, to);
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });

  test.each([
    ['open', /^function open/m, 'const open = () => new Promise(() => {});\nfunction other'],
    ['close', /close: .*/, 'close: () => new Promise(() => {}),'],
  ])('whose `%s` hangs exits with 2, and the scenario is named', async (method, from, to) => {
    const { code, output } = await changed(from, to, '--timeout', '300');
    const message = `In the scenario approval-runs-once: \`${method}\` has not resolved after 300 ms.`;
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });

  test('whose page never comes to rest fails', async () => {
    const { output } = await changed(/isBusy: .*/, 'isBusy: performance.now() % 2 < 1,', '--timeout', '300');
    expect(output).toContain('rule:  After each act, the page and its requests come to rest.');
    expect(output).toContain('found: after 300 ms it still changes; state() is {"isBusy":');
  });

  test('with uncaught errors does not end the run: they are printed with the scenario', async () => {
    for (const throws of ['setTimeout(() => { throw new Error("late"); })', 'void Promise.reject(new Error("late"))']) {
      const { code, output } = await changed(/approve: .*/, `approve: () => { ${throws}; },`);
      expect([code, output]).toEqual([
        1,
        expect.stringContaining('Uncaught in the scenario approval-runs-once: Error'),
      ]);
      expect(output).toContain('threw: Error: late (uncaught)');
    }
  });

  test('that cannot be loaded exits with 2, and its stack is printed', async () => {
    const { code, output } = await changed(/^function open/m, 'window.title;\nfunction open');
    expect([code, output]).toEqual([2, expect.stringMatching(/broken-adapter\.mjs.*cannot be loaded: ReferenceError/)]);
    expect(output).toMatch(/ at .*broken-adapter\.mjs:\d+/);
  });

  test('whose client crashes fails, with the stack; errors of its methods are printed', async () => {
    const { code, output } = await changed(/state: \(\) => \(\{/, 'state: () => nothing({');
    expect([code, output]).toEqual([1, expect.stringContaining('ReferenceError: nothing is not defined')]);
    expect(output).toMatch(/ at .*broken-adapter\.mjs:\d+/);
    const refuses = await changed(/approve: .*\n/, "approve: () => Promise.reject(new Error('no such button')),\n");
    expect(refuses.output).toContain('threw: Error: no such button');
  });
});

test.each([
  [[], 'No command.'],
  [['browser'], 'Unknown command: browser'],
  [['client'], '--adapter FILE is missing.'],
  [['client', '--adapter', 'no-such-file.mjs'], 'There is no file no-such-file.mjs.'],
  [['client', '--adapter', join(KIT, 'dist/index.js')], 'is not an adapter'],
  [['client', '--adapter', KIT], 'There is no file'],
  [['client', '--adapter', ADAPTER, '--only', 'nothing'], '--only: unknown id "nothing". `toolgate-conformance list`'],
  [
    ['client', '--adapter', ADAPTER, '--timeout', 'long'],
    '--timeout: expected milliseconds, such as 10000; not "long"',
  ],
  [['client', '--adapter', ADAPTER, '--url', 'http://127.0.0.1/'], '--url is not an option of client.'],
  [['client', 'my-adapter.mjs'], 'Unexpected argument: my-adapter.mjs'],
  [['client', '--adapter', ADAPTER, '--baseline', 'no-such-file.json'], 'There is no file no-such-file.json.'],
  [['client', '--adapter', ADAPTER, '--update'], '--update needs --baseline FILE.'],
  [['client', '--wrong'], "Unknown option '--wrong'"],
  [['server'], '--url URL is missing'],
  [['server', '--url', 'localhost:3000'], '--url: expected an address such as http://'],
])('a wrong call, %j, exits with 2 and says what is wrong', async (args, message) => {
  const { code, output } = await command(...args);
  expect([code, output]).toEqual([2, expect.stringContaining(message)]);
});

test('list names every scenario and case', async () => {
  const { output } = await command('list');
  for (const { id, rule } of [...scenarios, ...cases]) {
    expect(output).toContain(id);
    expect(output).toContain(rule);
  }
  const one = await command('list', '--only', 'empty-reply', '--json');
  expect(JSON.parse(one.output).scenarios).toEqual(scenarios.filter(({ id }) => id === 'empty-reply'));
});

test('--help and --version', async () => {
  expect((await command('client', '-h')).output).toContain('--timeout MS');
  expect((await command('--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('server: the cases over HTTP; a server that cannot be tested exits with 2 and a reason', async () => {
  const { url, close } = await servers[1]!.start();
  try {
    const found = await command('server', '--url', url, '--only', 'approval,changed-input');
    expect(found.code).toBe(1);
    expect(found.output).toContain('✓ approval');
    expect(found.output).toContain('found: it removed /etc');
  } finally {
    await close();
  }
  const gone = await command('server', '--url', url, '--only', 'approval');
  expect([gone.code, gone.output]).toEqual([
    2,
    expect.stringMatching(/cannot be tested\. GET .*record: .*ECONNREFUSED/),
  ]);
  const other = await serve(async () => new Response('<html>', { status: 404 }));
  const wrong = await command('server', '--url', other.url);
  await other.close();
  expect([wrong.code, wrong.output]).toEqual([2, expect.stringContaining('it answered 404 <html>')]);
});
