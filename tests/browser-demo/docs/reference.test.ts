/**
 * The API reference is complete: every exported name of an entry point is on the entry point's page, with its signature
 * and docstring. The names are read from the published declarations by TypeScript, not by typedoc.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../../www/docs/pages.mjs';
import { entries } from '../../../pkg-scripts/lib/docs-api.mjs';
import { rigHome } from '../../../pkg-scripts/lib/rigs.mjs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import { builtPages } from './site';

/** The part of TypeScript's API that the test uses. The project's TypeScript does not have it. */
interface Compiler {
  createProgram(files: string[], options: object): { getTypeChecker(): Checker; getSourceFile(file: string): object };
  displayPartsToString(parts: unknown): string;
}
interface Checker {
  getSymbolAtLocation(node: object): object;
  getExportsOfModule(module: object): ExportedSymbol[];
  getAliasedSymbol(symbol: object): ExportedSymbol;
}
interface ExportedSymbol {
  readonly name: string;
  readonly flags: number;
  readonly declarations?: readonly object[];
  getDocumentationComment(checker: Checker): unknown[];
}

const ALIAS = 2097152; // ts.SymbolFlags.Alias

const ts = createRequire(join(rigHome('docs'), 'package.json'))('typescript') as Compiler;

/** Every entry point with the names and docstrings of its exports. */
function exportsOfEntries(): { entry: string; page: string; names: { name: string; doc: string }[] }[] {
  const files = entries().map(({ name, page, file }) => ({ name, page, path: at('pkg/dist', `${file}.d.ts`) }));
  const options = {
    target: 9,
    module: 99,
    moduleResolution: 100,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    jsx: 4,
  };
  const program = ts.createProgram(
    files.map(({ path }) => path),
    options,
  );
  const checker = program.getTypeChecker();
  return files.map(({ name, page, path }) => ({
    entry: name,
    page,
    names: checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path))).map((symbol) => {
      const meant = symbol.flags & ALIAS ? checker.getAliasedSymbol(symbol) : symbol;
      return { name: symbol.name, doc: ts.displayPartsToString(meant.getDocumentationComment(checker)) };
    }),
  }));
}

const found = exportsOfEntries();

/** The HTML of a page of the built reference. */
const html = (page: string): string => readFileSync(at('www/dist/docs/api', page.replace(/md$/, 'html')), 'utf8');

test('every entry of the package has a page', () => {
  const { exports } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { exports: Record<string, unknown> };
  const wanted = Object.keys(exports).filter((path) => path !== './package.json');
  expect(found.map(({ entry }) => entry.replace(/^toolgate/, '.'))).toEqual(wanted);
  expect(found.flatMap(({ names }) => names).length).toBeGreaterThan(200);
});

test.each(found)('$entry: every name has a docstring', ({ names }) => {
  expect(names.filter(({ doc }) => doc.trim() === '').map(({ name }) => name)).toEqual([]);
});

test.each(found)(
  '$entry: every name is on its page, with its signature and its docstring',
  ({ entry, page, names }) => {
    const text = html(page);
    const index = html('index.md');
    const missing: string[] = [];
    for (const { name, doc } of names) {
      const own = new RegExp(`<h3 id="${name}"[\\s\\S]*?(?=<h[23] |$)`).exec(text)?.[0];
      // A re-exported name is described on the page of its original entry point.
      const elsewhere = new RegExp(
        `<a href="(?:\\./|/docs/api/)([\\w.-]+)\\.html#${name}"[^>]*><code>${name}</code>`,
      ).exec(text)?.[1];
      const section =
        own ?? (elsewhere && new RegExp(`<h3 id="${name}"[\\s\\S]*?(?=<h[23] |$)`).exec(html(`${elsewhere}.md`))?.[0]);
      if (!section) missing.push(`${name} has no entry`);
      else if (!/class="language-ts|<table/.test(section)) missing.push(`${name} has no signature`);
      else if (!plain(section).includes(start(doc))) missing.push(`${name} is without “${start(doc)}”`);
      if (!new RegExp(`#${name}"[^>]*><code>${name}(\\(\\))?</code>`).test(index))
        missing.push(`${name} is not in the index`);
    }
    expect(missing, entry).toEqual([]);
  },
);

/** The text of a piece of HTML, with normalized blanks. */
const plain = (part: string): string =>
  part
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

/** The beginning of a docstring, up to its first markup. */
const start = (doc: string): string => /^[^`*[{\n]*/.exec(doc.trim())![0].trim().slice(0, 60);

test('the sidebar links to every page of `PAGES`, and every linked page is built', () => {
  const sidebar = /<aside class="VPSidebar"[\s\S]*?<\/aside>/.exec(
    readFileSync(at('www/dist/docs/index.html'), 'utf8'),
  )![0];
  const linked = [...sidebar.matchAll(/href="\.\/([^"]*)"/g)].map(([, path]) =>
    path!.replace(/(^|\/)$/, '$1index').replace(/\.html$/, ''),
  );
  expect(linked.filter((path) => !path.startsWith('api/') && path !== 'changelog')).toEqual([...PAGES]);
  for (const path of linked) expect(builtPages()).toContain(`${path}.html`);
});
