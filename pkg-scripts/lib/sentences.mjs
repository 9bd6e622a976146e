/**
 * The sentences of errors, which production bundles do not contain. In the sources they are templates with the tag
 * `say` (src/ts/types/say.ts). The build gives each one an id, replaces it with a call that has only the id and the
 * values, and writes all of them into dist/sentences.js. docs/messages.md lists them by id.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { at } from './shell.mjs';
import { bindgenDir } from './wasm.mjs';

/** The module that registers the sentences, below src/ts and below dist. */
export const SENTENCES = 'sentences/index';

/** The end of the name of a file that registers the sentences and then exports what its entry point exports. */
const WITH_SENTENCES = /\.sentences\.js$/;

/**
 * The templates with the tag in a source: `{ start, end, texts, values }`, with the code of the values. A line break in
 * a template, with the spaces around it, is one space.
 */
function taggedIn(path, code, parseSync) {
  if (!code.includes('say`')) return [];
  const found = [];
  const visit = (node) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (node.type === 'TaggedTemplateExpression' && node.tag.name === 'say') {
      const { quasis, expressions } = node.quasi;
      const texts = quasis.map(({ value }) => value.cooked.replaceAll(/\s*\n\s*/g, ' '));
      found.push({ ...node, texts, values: expressions.map(({ start, end }) => code.slice(start, end)) });
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(path, code).program.body);
  return found;
}

/** The characters of an id, without vowels, so that no id is a word. */
const CHARACTERS = 'bcdfghjklmnpqrstvwxz0123456789';

/** Vite's parser. It is not imported at the top of the file, because in a new clone the set-up has not installed it. */
const parser = async () => (await import('vite')).parseSync;

/** A short id of a sentence, which stays the same as long as the sentence does. The first character is a letter. */
function idOf(sentence, taken) {
  for (let attempt = 0; ; attempt++) {
    const [a, b, c] = createHash('sha256')
      .update(`${sentence}${attempt || ''}`)
      .digest();
    const id = CHARACTERS[a % 20] + CHARACTERS[b % 30] + CHARACTERS[c % 30];
    if (!taken.has(id)) return id;
  }
}

/** The template as one text, with {1} for its first value. */
const textOf = (texts) => texts.reduce((text, next, i) => `${text}{${i}}${next}`);

/** All sentences: `templates` by id, and the id of each text. */
export async function collectSentences() {
  const parseSync = await parser();
  const sources = readdirSync(at('src/ts'), { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const all = sources
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => taggedIn(path, readFileSync(at('src/ts', path), 'utf8'), parseSync).map(({ texts }) => texts));
  const [templates, ids] = [new Map(), new Map()];
  for (const texts of all.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))) {
    const text = textOf(texts);
    if (ids.has(text)) continue;
    const id = idOf(text, templates);
    templates.set(id, texts);
    ids.set(text, id);
  }
  return { templates, ids };
}

/** The address of the documentation of this version. A link to an id follows it. */
export const docsOf = ({ repository, version }) =>
  `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}/docs`;

/** docs/messages.md: every sentence by its id. */
export function messagesPage({ templates }) {
  const rows = [...templates].sort(([a], [b]) => (a < b ? -1 : 1));
  return `# Messages

In a production bundle, an error has the id of its sentence and a link to this page instead of the sentence: see
[errors](errors.md#in-production). \`{1}\` stands for the first of the values that follow the id.

${rows.map(([id, texts]) => `- <a id="${id}"></a>**${id}** \`\` ${textOf(texts)} \`\``).join('\n')}
`;
}

/** A source with the sentences as plain texts, for entry points that always contain them. */
export async function withPlainSentences(path, code) {
  const written = ({ texts, values }) =>
    `[${texts.flatMap((text, i) => [JSON.stringify(text), ...values.slice(i, i + 1)])}].join('')`;
  return replaceTagged(path, code, written, await parser()).replace(/^import \{ say \} from .*;$/m, '');
}

/** A source with the ids of its sentences, for an entry point whose sentences are registered. */
export async function withIds(path, code) {
  const [{ ids }, parseSync] = await Promise.all([collectSentences(), parser()]);
  return replaceTagged(path, code, byId(ids), parseSync);
}

/** Writes a call with the id of the sentence and its values. */
const byId =
  (ids) =>
  ({ texts, values }) =>
    `say(${[`'${ids.get(textOf(texts))}'`, ...values]})`;

/** Replaces each tagged template with what `written` returns. The other lines keep their numbers. */
function replaceTagged(path, code, written, parseSync) {
  return taggedIn(path, code, parseSync).reduceRight((result, found) => {
    const lines = code.slice(found.start, found.end).match(/\n/g) ?? [];
    const call = written(found).replaceAll('\n', ' ');
    return `${result.slice(0, found.start)}${call}${lines.join('')}${result.slice(found.end)}`;
  }, code);
}

/** esbuild's plugin. The modules of the folder `sentences` get copies of the core's tables. */
export const idsOfSentences = {
  name: 'ids-of-sentences',
  async setup({ initialOptions, onLoad, onResolve }) {
    const parseSync = await parser();
    const { templates, ids } = await collectSentences();
    initialOptions.define = { DOCS: JSON.stringify(docsOf(JSON.parse(readFileSync(at('package.json'), 'utf8')))) };
    onResolve({ filter: /\/say\.js$/ }, () => ({ path: at('src/ts/types/said.ts') }));
    onResolve({ filter: /\/target\/bindgen\// }, ({ path, importer }) =>
      /src.ts.sentences/.test(importer) ? { path: posix.basename(path), namespace: 'sentences' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'sentences' }, ({ path }) => ({
      contents: readFileSync(join(bindgenDir, path), 'utf8'),
    }));
    // Modules that import each other are in one file of the package: two small files would compress worse.
    const other = { said: 'report-uncaught', 'report-uncaught': 'said' };
    onLoad({ filter: /src.ts.types.(said|report-uncaught)\.ts$/, namespace: 'file' }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nimport './${other[posix.basename(path.replaceAll('\\', '/'), '.ts')]}.js';\n`,
      loader: 'ts',
    }));
    // Not by `define`, which would put an object into a chunk that every page loads.
    onLoad({ filter: /src.ts.sentences.index\.ts$/, namespace: 'file' }, ({ path }) => ({
      contents: `const TEMPLATES = ${JSON.stringify(Object.fromEntries(templates))};${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }));
    onLoad({ filter: /src.ts.*\.ts$/, namespace: 'file' }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      return code.includes('say`')
        ? { contents: replaceTagged(path, code, byId(ids), parseSync), loader: 'ts' }
        : undefined;
    });
  },
};

/**
 * The files of the package's `exports` that register the sentences, as `[path below dist, text]`. They work without a
 * bundler too. `outputs` are the bundled files by path.
 */
export function entriesWithSentences({ exports }, outputs) {
  const targets = Object.values(exports).flatMap((target) => Object.values(target));
  return targets
    .filter((target) => WITH_SENTENCES.test(target))
    .map((target) => {
      const path = target.replace(/^\.\/pkg\/dist\//, '');
      const entry = path.replace(WITH_SENTENCES, '.js');
      const [directive = ''] = /^["']use client["'];/.exec(outputs.get(entry)) ?? [];
      const sentences = `./${posix.relative(posix.dirname(path), `${SENTENCES}.js`)}`.replace('./../', '../');
      return [path, `${directive}import"${sentences}";export*from"./${posix.basename(entry)}";\n`];
    });
}
