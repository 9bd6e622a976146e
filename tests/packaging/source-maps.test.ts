/** The source maps of the installed package: each file has a complete one that leads to the original code. */
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { freshProject } from './support/project.js';

/** Texts that occur in both the published file and its source. */
const LITERAL = /(["'`])([\w .,:;()-]{12,})\1/g;

test('every file has a source map with its sources, which leads to the right lines', async () => {
  const root = join((await freshProject({})).folder, 'node_modules/toolgate');
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.js') && !path.endsWith('.sentences.js'),
  );
  const astray: string[] = [];
  let followed = 0;
  for (const path of files) {
    const file = join(root, 'dist', path);
    const code = readFileSync(file, 'utf8');
    const name = /\n\/\/# sourceMappingURL=(.+)\n$/.exec(code)?.[1] ?? '';
    const payload = JSON.parse(readFileSync(join(dirname(file), name), 'utf8')) as SourceMapPayload;
    expect(payload.version, path).toBe(3);
    // A file with only `export … from` contains no code from a source.
    const contents = payload.sourcesContent ?? [];
    expect(contents, path).toHaveLength(payload.sources.length);
    // The paths are inside the package. Otherwise debuggers would show files of other packages.
    for (const source of payload.sources)
      expect(relative(root, join(dirname(file), source)), path).toMatch(/^(src|target)\//);
    const map = new SourceMap(payload);
    code.split('\n').forEach((line, row) => {
      for (const { 2: text = '', index } of line.matchAll(LITERAL)) {
        // The code between two strings also looks like a string.
        if (!contents.some((source) => ["'", '"', '`'].some((quote) => source.includes(quote + text + quote))))
          continue;
        const entry = map.findEntry(row, index);
        if (!('originalSource' in entry)) continue;
        const source = contents[payload.sources.indexOf(entry.originalSource)] ?? '';
        const lines = source.split('\n').slice(entry.originalLine, entry.originalLine + 3);
        followed += 1;
        if (!lines.join('\n').includes(text)) astray.push(`${path}:${row}:${index} ${text}`);
      }
    });
  }
  expect(followed).toBeGreaterThan(100);
  // A constant that the minifier has inlined maps to the place where it is used.
  expect(astray.length / followed, astray.join('\n')).toBeLessThan(0.05);
});
