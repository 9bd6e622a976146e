/**
 * Every fenced block of README.md and docs/*.md is valid: TypeScript and JavaScript are compiled strictly against the
 * built package, components are compiled by their own compilers with types, and other languages are parsed. A block
 * whose first line is a comment with a file name is a file of the page's app; the names that the other blocks use are
 * declared in tests/docs/given/<page>.d.ts.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, pages } from './support/blocks.js';
import { errorsIn } from './support/check.js';

test('every block of the pages is valid', { timeout: 120_000 }, () => {
  expect(errorsIn(pages().flatMap((page) => blocksOf(page)))).toEqual([]);
});

/** A page with one block, whose code begins on line 3. */
const page = (lang: string, code: string): string => `# A page\n\`\`\`${lang}\n${code}\n\`\`\`\n`;

/** An invalid block of each language, and the expected report: the line on the page, and the problem. */
const WRONG: readonly (readonly [lang: string, code: string, says: RegExp])[] = [
  ['ts', "import { ToolGate } from 'toolgate';\nnew ToolGate({ onDeny: 'never' });", /:4: error TS2322: .*"never"/],
  ['ts', "// src/a.ts\nimport { init } from 'toolgate';", /:4: error TS6133: 'init' is declared/],
  ['ts', 'gate.respond();', /:3: error TS2304: Cannot find name 'gate'/],
  ['tsx', 'export const App = () => <p>{1}</b>;', /:3: error TS17002/],
  ['js', "import { initt } from 'toolgate';", /:3: error TS2724/],
  ['js', '// b.ts', /:3: b\.ts is not js/],
  [
    'svelte',
    '<script lang="ts">\n  import { useGate } from \'toolgate/svelte\';\n  const gate = useGate();\n</script>\n{#each gate.pending as one}\n  {one.tool}\n{/each}',
    /:8: error TS2339: .*'tool'/,
  ],
  [
    'svelte',
    '<script lang="ts">\n  import { useGate } from \'toolgate/svelte\';\n  useGate(1);\n</script>',
    /:5: error TS2345/,
  ],
  ['svelte', '{#if true}<p>a</p>', /:3: /],
  ['svelte', '<img src="a.png">', /:3: .*alt/],
  [
    'vue',
    '<script setup lang="ts">\nimport { useApprovals } from \'toolgate/vue\';\nconst pending = useApprovals();\n</script>\n<template>\n  <p v-for="one in pending">{{ one.tool }}</p>\n</template>',
    /error TS2339: .*'tool'/,
  ],
  [
    'vue',
    '<script setup lang="ts">\nimport { useApprovals } from \'toolgate/vue\';\nuseApprovals(1);\n</script>',
    /:5: error TS2345/,
  ],
  ['vue', '<p v-if></p>', /:3: .*v-if/],
  ['html', '<ul>\n<li>a</ul>', /:4: /],
  ['html', '<script type="importmap">{ "imports": }</script>', /:3: /],
  ['html', '<p>a</p>\n<script type="module">\n  document.qerySelector(1);\n</script>', /:5: error TS2551/],
  ['css', 'p { color: red; }\np { colour red }', /:4: /],
  ['json', '{ "a": 1, }', /:3: /],
  ['sh', 'npm install toolgate\nnpm install toolgat', /:4: no package .*toolgat$/],
  ['sh', './pkg-scripts/dem', /:3: there is no/],
  ['sh', 'node server.js', /:3: there is no file server\.js/],
  ['sh', 'curl example.org', /:3: an unknown command/],
  ['python', 'print(1)', /:3: blocks in python are not checked/],
  ['', 'anything', /:3: a block without a language/],
];

describe('an invalid block is reported', () => {
  let errors: string[];
  beforeAll(() => {
    errors = errorsIn(
      WRONG.flatMap(([lang, code], i) => blocksOf(`docs/wrong-${i}.md`, page(lang, code))),
      'docs-samples-wrong',
    );
  }, 120_000);

  test.each(
    WRONG.map(([lang, code, says], i) => ({ lang: lang || 'no language', code, says, name: `docs/wrong-${i}.md` })),
  )('$lang: $code', ({ name, says }) => {
    const found = errors.filter((error) => error.startsWith(`${name}:`)).map((error) => error.replace(name, ''));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(says);
  });
});

test('an unclosed fence and a duplicate file are refused', () => {
  expect(() => blocksOf('docs/wrong.md', '```ts\nlet a;\n')).toThrow('docs/wrong.md:1: this block is never closed');
  expect(() => blocksOf('docs/wrong.md', page('ts', '// a.ts').repeat(2))).toThrow(
    'docs/wrong.md:7: a.ts occurs twice on this page',
  );
});
