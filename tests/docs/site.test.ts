/**
 * The documentation site: every page is listed, each linked file outside docs/ has a page on the site, and a link to a
 * missing file or section fails the build. The built site is tested in tests/browser-demo/docs.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkAnchors } from '../../pkg-scripts/lib/docs-anchors.mjs';
import { withLinked } from '../../pkg-scripts/lib/docs-links.mjs';
import { llmsText } from '../../pkg-scripts/lib/docs-llms.mjs';
import { serve } from '../../pkg-scripts/lib/serve.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { PAGES } from '../../www/docs/pages.mjs';
import { slug } from '../../www/docs/slug.mjs';

/** The test's folder. It is inside the repository, because links are resolved only there. */
const folder = `target/site-test-${process.pid}`;

afterEach(() => rmSync(at(folder), { recursive: true, force: true }));

/** Writes a file into the test's folder; returns its path in the repository. */
function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  return path;
}

test('a page is served without its .html, and an unknown one is not found', async () => {
  write('page.html', '<p>here');
  const { url, close } = await serve(at(folder));
  const statuses = await Promise.all(
    ['page.html', 'page', 'other', 'page/'].map(async (path) => (await fetch(new URL(path, url))).status),
  );
  await close();
  expect(statuses).toEqual([200, 200, 404, 404]);
});

test('the sidebar lists every page of docs/ once, and nothing else', () => {
  const there = readdirSync(at('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/\.md$/, ''));
  expect([...PAGES].sort()).toEqual(there.sort());
});

test('llms.txt has a link to every page, each with a sentence without markup', () => {
  const files = withLinked([...PAGES.map((name) => `docs/${name}.md`), 'CHANGELOG.md']);
  const lines = llmsText(files, ['index', 'react']).split('\n');
  expect(lines[0]).toBe('# Toolgate');
  expect(lines[2]).toMatch(/^> Toolgate makes /);
  const links = lines.flatMap((line) => /^- \[([^\]]+)\]\(([^)]+)\)(?:: (.+))?$/.exec(line)?.slice(1, 4) ?? []);
  const targets = links.filter((_, index) => index % 3 === 1);
  const wanted = [...PAGES.map((name) => `${name}.html`), 'api/index.html', 'api/react.html', 'CHANGELOG.html'];
  expect(targets).toEqual(wanted);
  for (const [index] of PAGES.entries()) {
    expect(links[index * 3 + 2], PAGES[index]).toMatch(/^[^[\]]{15,242}[.…]$/);
  }
});

test('a link to a file outside docs/ leads to a page with its content; a folder is shown without a link', () => {
  const source = write('lib/answer.ts', 'export const answer = 42; // [not a link](nowhere.md)\n');
  const page = write(
    'page.md',
    'See [`answer`](lib/answer.ts#L1), [all of it](lib), [the list](../../docs/policies.md#deadlines) and `[code](x.md)`.\n',
  );
  const files = withLinked([page]);
  expect(files.get(`files/${page}`)).toBe(
    'See [`answer`](./lib/answer.ts.md), all of it, [the list](../../../policies.md#deadlines) and `[code](x.md)`.\n',
  );
  expect(files.get(`files/${source}.md`)).toContain(
    '`````ts\nexport const answer = 42; // [not a link](nowhere.md)\n`````',
  );
  // The site contains linked files, and the files that they link to.
  expect(files.has('policies.md')).toBe(true);
});

test('a link to a missing file fails the build; the error names the page and the missing file', () => {
  const page = write('page.md', 'A [dead link](../nowhere.md), and [one](https://example.com/) that is not ours.\n');
  expect(() => withLinked([page])).toThrow(`${page}: target/nowhere.md`);
});

test('a link to a missing section or page fails the build', () => {
  const html = (links: string): string => `<h2 id="one">One</h2>${links}`;
  write(
    'a.html',
    html('<a href="./b.html#one">b</a><a href="/docs/a.html#one">a</a><a href="../">demo</a><a href="#one">here</a>'),
  );
  write('b.html', html('<a href="https://example.com/#x">elsewhere</a>'));
  checkAnchors(at(folder));
  write('c.html', html('<a href="./b.html#two">b</a>'));
  expect(() => checkAnchors(at(folder))).toThrow('c.html: ./b.html#two');
  write('c.html', html('<a href="./d.html">d</a>'));
  expect(() => checkAnchors(at(folder))).toThrow('c.html: ./d.html');
});

test.each([
  ['What is sent, and when', 'what-is-sent-and-when'],
  ['The server’s half: `resolve`', 'the-servers-half-resolve'],
  ['a & b', 'a--b'],
])('a heading has the id that GitHub gives it: %s', (heading, id) => {
  expect(slug(heading)).toBe(id);
});
