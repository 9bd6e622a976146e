/**
 * The crate's public API, as rustdoc shows it, is the committed list in tests/api/crate. `BLESS=1` writes it.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { expectFile } from '../lib/markdown-section';

const DOC = 'target/doc/toolgate';

/** The text of HTML code. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<div class="where">/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const oneLine = (html: string): string => textOf(html).replaceAll(/\s+/g, ' ').trim();

/** The declaration, the methods and the implemented traits of an item; without those that every type implements. */
function linesOf(path: string): string[] {
  const [own = ''] = readFileSync(at(DOC, path), 'utf8').split('id="synthetic-implementations"');
  const [, declared = ''] = /<pre class="rust item-decl"><code>(.*?)<\/code><\/pre>/s.exec(own) ?? [];
  const members = own.matchAll(/<section id="[^"]+" class="([^"]+)">.*?<h[34] class="code-header">(.*?)<\/h[34]>/gs);
  const lines = [...members].flatMap(([, kind = '', html = '']) => {
    if (kind.includes('trait-impl') || kind === 'variant') return [];
    return kind.startsWith('impl') ? [oneLine(html)] : [`    ${oneLine(html)}`];
  });
  // The compiler adds `StructuralPartialEq` to each derived `PartialEq`.
  const written = lines.filter((line) => !line.includes('StructuralPartialEq'));
  return [textOf(declared.replaceAll('</div>', '\n')).trim(), ...written];
}

it('the public API of the crate is the committed list', async () => {
  await promisify(execFile)('cargo', ['doc', '--quiet', '--no-deps', '--lib', '--features', 'json'], { cwd: at('.') });
  const items = [...readFileSync(at(DOC, 'all.html'), 'utf8').matchAll(/<li><a href="([^"]+)">/g)].map(
    ([, path]) => path as string,
  );
  const modules = new Set(items.map((path) => path.split('/')[0] as string));
  expect([...modules].toSorted()).toEqual(['json', 'machine', 'wire']);
  for (const module of modules) {
    const paths = items.filter((path) => path.startsWith(`${module}/`)).toSorted();
    const texts = paths.map((path) => {
      const name = path.replace(/\w+\.(\w+)\.html$/, '$1').replaceAll('/', '::');
      return [`## toolgate::${name}`, ...linesOf(path)].join('\n');
    });
    expectFile(`tests/api/crate/${module}.txt`, `${texts.join('\n\n')}\n`);
  }
}, 300_000);
