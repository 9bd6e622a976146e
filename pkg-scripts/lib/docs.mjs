/**
 * Builds the documentation: the pages of docs/, the API reference and the files that the pages link to become the
 * static files of www/dist/docs. Works in target/docs, and rebuilds only changed parts. pkg/ must have been built.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../../www/docs/pages.mjs';
import { apiReference, declarationsForReference, entries } from './docs-api.mjs';
import { checkAnchors } from './docs-anchors.mjs';
import { withLinked } from './docs-links.mjs';
import { llmsText } from './docs-llms.mjs';
import { makeRelative } from './docs-relative.mjs';
import { filesOf, layOver } from './files.mjs';
import { rigHome, setUpRig } from './rigs.mjs';
import { at, Failure, run, say } from './shell.mjs';

const work = (...parts) => at('target/docs', ...parts);

/** The folder of the built documentation. */
export const docsDir = at('www/dist/docs');

/**
 * Builds the documentation into `docsDir`, after installing the packages for it if they are missing. Throws a `Failure`
 * that describes the problem.
 */
export async function buildDocs() {
  await setUpRig('docs');
  const api = await reference();
  const texts = pages();
  const names = [...api.keys()].map((page) => page.replace(/\.md$/, ''));
  const more = [['public/llms.txt', llmsText(texts, names)]];
  await site(new Map([...texts, ...[...api].map(([page, text]) => [`api/${page}`, text]), ...settings(), ...more]));
  layOver(docsDir, filesOf(work('dist')));
}

/** Writes a placeholder page that explains how to build the documentation. */
export function leaveDocsOut() {
  const text = 'The documentation was omitted from this build (--no-docs). Its pages are the files in docs/.';
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Toolgate</title>';
  layOver(docsDir, new Map([['index.html', `${head}<p>${text} <a href="../">The demo</a></p></html>\n`]]));
}

/** The pages of docs/, the changelog, and the files that they link to. */
function pages() {
  const there = [...filesOf(at('docs')).keys()]
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
  const unlisted = there.filter((name) => !PAGES.includes(name));
  if (unlisted.length) throw new Failure(`www/docs/pages.mjs does not list docs/${unlisted.join('.md, docs/')}.md.`);
  return withLinked([...PAGES.filter((name) => there.includes(name)).map((name) => `docs/${name}.md`), 'CHANGELOG.md']);
}

/** The other files that VitePress reads. */
function settings() {
  const files = new Map();
  for (const [path, contents] of filesOf(at('www/docs/.vitepress'))) files.set(`.vitepress/${path}`, contents);
  for (const name of ['pages.mjs', 'slug.mjs', 'search.mjs'])
    files.set(`.vitepress/${name}`, readFileSync(at('www/docs', name)));
  files.set('.vitepress/entries.mjs', `export const entries = ${JSON.stringify(entries())};\n`);
  files.set('.vitepress/theme/tokens.css', readFileSync(at('www/src/styles/tokens.css')));
  files.set('public/icon.svg', readFileSync(at('www/public/icon.svg')));
  return files;
}

/** The text of each page of the API reference. */
async function reference() {
  const declarations = declarationsForReference();
  await unlessMade('api', [...declarations, ...scripts('docs-api.mjs', 'docs-api-pages.mjs')], async () => {
    say('typedoc pkg/dist');
    layOver(work('api'), await apiReference(declarations));
  });
  return filesOf(work('api'));
}

async function site(files) {
  await unlessMade('dist', [...files, ...scripts('docs.mjs', 'docs-anchors.mjs', 'docs-relative.mjs')], async () => {
    say('vitepress build docs');
    layOver(work('site'), files);
    const packages = work('site/node_modules');
    rmSync(packages, { force: true });
    symlinkSync(join(rigHome('docs'), 'node_modules'), packages, 'junction');
    await run(
      process.execPath,
      [join(rigHome('docs'), 'node_modules/vitepress/bin/vitepress.js'), 'build', work('site')],
      { quiet: true },
    );
    checkAnchors(work('dist'));
    makeRelative(work('dist'));
  });
}

/** Creates the folder `name` with `make`, unless it was created from the same `inputs` (and packages) before. */
async function unlessMade(name, inputs, make) {
  const hash = createHash('sha256').update(readFileSync(at('www/docs/package-lock.json')));
  for (const [path, contents] of inputs) hash.update(`\n${path}\n`).update(contents);
  const wanted = hash.digest('hex');
  const stamp = work(`${name}.made`);
  if (existsSync(work(name)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(work(), { recursive: true });
  rmSync(stamp, { force: true });
  await make();
  writeFileSync(stamp, wanted);
}

const scripts = (...names) => names.map((name) => [name, readFileSync(at('pkg-scripts/lib', name))]);
