/**
 * Paths and hosts against other judges: `node:path` says what is inside a directory, `URL` what a host is. Whatever a
 * rule lets through, they agree with; what they read in two ways, it lets through never.
 */
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchRule, type ApprovalRule, type Limit } from 'toolgate/rules';

const ruleOf = (limit: Limit): ApprovalRule => ({
  ...{ id: 'r', toolName: 'edit', approved: true },
  limits: { it: limit },
});
const matches = (limit: Limit, it: unknown): boolean =>
  matchRule(ruleOf(limit), { toolName: 'edit', input: { it } }, 0);
const within = (path: string, it: unknown): boolean => matches({ kind: 'within', path }, it);
const ofHost = (host: string, it: unknown): boolean => matches({ kind: 'host', host }, it);

test.each([
  ['/srv/app', '/srv/app/a.ts'],
  ['/srv/app/', '/srv/app/deep/er/a.ts'],
  ['/srv/./app', '/srv/app/./a.ts'],
  ['/srv/app', '/srv/app/dir/'],
  ['src', 'src/a.ts'],
  ['./src', 'src/a.ts'],
  ['src', './src/.hidden'],
  ['.', 'a.ts'],
  ['/', '/etc/hosts'],
  ['/home/müller', '/home/müller/größe 2.txt'],
  ['/データ', '/データ/一.txt'],
])('a path in %j: %j', (directory, path) => {
  expect(within(directory, path)).toBe(true);
});

test.each([
  ...['/srv/app', '/srv/app/', '/srv/app/.', '/srv/app-2/a', '/srv/ap', '/srv', '/', 'srv/app/a', 'app/a', ''],
  ...['/srv/app/..', '/srv/app/../b', '/srv/app/a/../../b', '/srv/app/a/..', '/srv/x/../app/a', '../srv/app/a'],
  ...['//srv/app/a', '/srv//app/a', '/srv/app//a', '/srv/app/a//', '///'],
  ...['/srv/app\\..\\b', '/srv/app/a\\b', '\\srv\\app\\a', 'C:/srv/app/a', '/srv/app/C:/a', '/srv/app/a:stream'],
  ...['/srv/app/%2e%2e/b', '/srv/app/%2fb', '/srv/app/%', '/srv/app/a\0', '/srv/app/a\0/../b', '/srv/app/a\n'],
  ...[
    '/srv/app/\uff0e\uff0e/b',
    '/srv/app/\u2024\u2024/b',
    '/srv/app\u2215..\u2215b',
    '/srv/app/a\uff0fb',
    '/srv/app/\u2025/b',
  ],
  ...[
    '/srv/app/.\u200b./b',
    '/srv/app/\u202ea',
    '/srv/app/.\ufe0f./b',
    '/srv/app/\u0338a',
    '/srv/app/\u115f',
    '/srv/app/\ud800',
  ],
  ...[
    '/srv/app/.. /b',
    '/srv/app/... /b',
    '/srv/app/.../b',
    '/srv/app/a./b',
    '/srv/app/a /b',
    '/srv/app/ a',
    '/srv/app/a.',
  ],
  ...[
    '/srv/app/~',
    '~/srv/app/a',
    '/srv/app/$HOME',
    '/srv/app/*',
    '/srv/app/?',
    '/srv/app/[a]',
    '/srv/app/{a,b}',
    '/srv/app/-rf',
  ],
  ...[
    '/srv/app/`id`',
    '/srv/app/a;b',
    '/srv/app/a|b',
    '/srv/app/"a"',
    "/srv/app/'a'",
    '/srv/app/PROGRA~1',
    '/SRV/app/a',
  ],
  ...['/srv/\u0430pp/a', '/srv/app/e\u0301', ' /srv/app/a', '/srv/app/a ', 'file:///srv/app/a'],
])('the user is asked about the path %j', (path) => {
  expect(within('/srv/app', path)).toBe(false);
});

test.each([[['/srv/app/a']], [{ toString: () => '/srv/app/a' }], [1], [null], [undefined], [new String('/srv/app/a')]])(
  'what is not a string is not a path: %s',
  (it) => {
    expect(within('/srv/app', it)).toBe(false);
  },
);

/** Segments that paths are made of, most of them hostile. */
const segment = fc.oneof(
  fc.constantFrom(
    'srv',
    'app',
    'app-2',
    'a',
    '.',
    '..',
    '',
    '...',
    '.. ',
    'a.',
    '%2e%2e',
    '\\',
    '..\\',
    'C:',
    '~',
    '\0',
  ),
  fc.constantFrom('\uff0e\uff0e', '\u2024\u2024', '\u200b', '.\u200b.', 'ａ', 'é', 'e\u0301', '-rf', '$HOME', '*', ' '),
  fc.string({ maxLength: 4 }),
  fc.string({ maxLength: 4, unit: 'grapheme' }),
);
const path = fc
  .tuple(fc.constantFrom('', '/', '/srv/app/', './', '//', '\\'), fc.array(segment, { maxLength: 6 }))
  .map(([root, segments]) => root + segments.join('/'));
const directory = fc.constantFrom('/srv/app', '/srv/app/', '/srv/./app', 'src', './srv', 'srv/app', '.', '/', '/a/b/c');

test('no path outside of the directory matches, by any reading', () => {
  let matched = 0;
  fc.assert(
    fc.property(directory, path, (outer, inner) => {
      if (!within(outer, inner)) return;
      matched++;
      const readings = [inner, inner.normalize('NFKC'), decodeURIComponent(inner), inner.toLowerCase()];
      for (const [at, read] of readings.entries()) {
        for (const { relative, isAbsolute, sep, normalize } of [posix, win32]) {
          expect(isAbsolute(read)).toBe(isAbsolute(outer));
          const from = at === 3 ? outer.toLowerCase() : outer;
          const way = relative(normalize(from), normalize(read));
          expect(way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)).toBe(false);
        }
      }
      expect(/[\0-\x1f\\%:]/.test(inner)).toBe(false);
    }),
    { numRuns: 30_000, seed: 7 },
  );
  expect(matched).toBeGreaterThan(300);
});

test('a plain path inside of a directory matches, as node:path normalizes it', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_]{0,5}$/);
  fc.assert(
    fc.property(
      directory,
      fc.array(fc.oneof(name, fc.constant('.')), { minLength: 1, maxLength: 5 }),
      (outer, names) => {
        const inner = `${outer.replace(/\/$/, '')}/${names.join('/')}`;
        expect(within(outer, inner)).toBe(posix.relative(outer, inner) !== '');
      },
    ),
    { numRuns: 3_000, seed: 7 },
  );
});

test.each([
  ['example.com', 'https://example.com'],
  ['example.com', 'http://example.com/'],
  ['example.com', 'https://example.com/a/b?c=https://evil.example/#d'],
  ['example.com', 'https://example.com/@evil.example'],
  ['example.com:8080', 'https://example.com:8080/a'],
  ['127.0.0.1', 'http://127.0.0.1/'],
  ['[::1]', 'http://[::1]/'],
  ['xn--bcher-kva.example', 'https://xn--bcher-kva.example/'],
])('a URL of %j: %j', (host, url) => {
  expect(ofHost(host, url)).toBe(true);
});

test.each([
  ...[
    'https://evil.example/',
    'https://example.com.evil.example/',
    'https://evilexample.com/',
    'https://www.example.com/',
  ],
  ...[
    'https://user@example.com/',
    'https://user:pw@example.com/',
    'https://@example.com/',
    'https://example.com@evil.example/',
  ],
  ...[
    'https://example.com:8080/',
    'https://example.com:443/',
    'https://example.com./',
    'https://EXAMPLE.com/',
    'HTTPS://example.com/',
  ],
  ...[
    'ftp://example.com/',
    'file://example.com/',
    'javascript://example.com/%0aalert(1)',
    'data:,https://example.com/',
  ],
  ...[
    '//example.com/',
    'example.com',
    '/example.com',
    'https:example.com',
    'https:/example.com/',
    'https:///example.com/',
  ],
  ...[
    'https://example.com\\@evil.example/',
    'https:\\\\example.com/',
    'https://evil.example\\.example.com/',
    'https://example.com/\\',
  ],
  ...['https://example.com#@evil.example/', 'https://example.com?@evil.example/', 'https://example.com:@evil.example/'],
  ...[
    ' https://example.com/',
    'https://example.com/ ',
    'https://exa\tmple.com/',
    'https://example.com/\n',
    'https://example.com\0/',
  ],
  ...[
    'https://%65xample.com/',
    'https://ｅxample.com/',
    'https://еxample.com/',
    'https://example。com/',
    'https://example.com/ü',
  ],
  ...['https://[example.com]/', 'https://', '', 'https://example.com,evil.example/', 'blob:https://example.com/1'],
])('the user is asked about the URL %j', (url) => {
  expect(ofHost('example.com', url)).toBe(false);
});

test.each([
  'http://0x7f.1/',
  'http://2130706433/',
  'http://127.1/',
  'http://127.0.0.1:80/',
  'http://[::ffff:127.0.0.1]/',
])('another notation of an address is not the address: %s', (url) => {
  expect(ofHost('127.0.0.1', url)).toBe(false);
});

test('a path of any length is compared', () => {
  const long = `/srv/app/${'a b./'.repeat(200_000)}`;
  const start = performance.now();
  expect(within('/srv/app', long)).toBe(false);
  expect(within('/srv/app', long.replaceAll('.', ''))).toBe(true);
  expect(within('/srv/app', `/srv/app/${'a '.repeat(500_000)}`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test('no URL of another host matches', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'http',
      'https',
      ':',
      '/',
      '//',
      '@',
      '\\',
      '#',
      '?',
      '.',
      'example.com',
      'evil.example',
      ':443',
      ':8080',
    ),
    fc.constantFrom('user', '%40', '%2f', '\t', ' ', '\0', '。', 'ｅ', '[', ']', 'EXAMPLE.COM', '0x7f.1', 'ftp'),
    fc.string({ maxLength: 3 }),
  );
  const url = fc
    .tuple(fc.constantFrom('', 'https://', 'http://', 'https://example.com', 'https://example.com/'), fc.array(piece))
    .map(([start, pieces]) => start + pieces.join(''));
  let matched = 0;
  fc.assert(
    fc.property(fc.constantFrom('example.com', 'example.com:8080', 'evil.example'), url, (host, text) => {
      if (!ofHost(host, text)) return;
      matched++;
      const read = new URL(text);
      expect([read.host, read.username, read.password]).toEqual([host, '', '']);
      expect(['http:', 'https:']).toContain(read.protocol);
      // As readers do that follow RFC 3986 to the letter: everything between `//` and the next `/`, `?` or `#`.
      expect(/^https?:\/\/([^/?#]*)/.exec(text)?.[1]).toBe(host);
    }),
    { numRuns: 30_000, seed: 7 },
  );
  expect(matched).toBeGreaterThan(300);
});
