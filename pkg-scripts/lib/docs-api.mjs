/**
 * The API reference: typedoc reads the declarations of pkg/, as a user's compiler does, and writes one page for each
 * entry point of the package; then the pages are made shorter and get an index. The packages are those of the `docs`
 * rig (see rigs.mjs): typedoc needs a TypeScript that has an API in JavaScript.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { indexOf, tidy } from './docs-api-pages.mjs';
import { filesOf, layOver, withScratch } from './files.mjs';
import { entryPoints, manifest, reachable } from './package.mjs';
import { rigHome } from './rigs.mjs';
import { at, Failure } from './shell.mjs';

/** The wasm file has a page too, although `entryPoints` lists only JavaScript. */
const WASM = { name: 'toolgate/toolgate.wasm', file: 'toolgate.wasm' };

/**
 * The entries of the reference, in the order of `exports`: `{ name, file, page }`, where `page` is the file below api/.
 */
export const entries = () =>
  [...entryPoints(), WASM].map((entry) => ({ ...entry, page: `${posix.basename(entry.name)}.md` }));

/**
 * The declarations of the package, by their path below pkg/dist. The comment at the start of an entry point's source
 * becomes the introduction of its page.
 */
export function declarationsForReference() {
  const files = new Map();
  for (const { file } of entries())
    for (const [path, text] of reachable(at('pkg/dist'), `${file}.d.ts`)) files.set(path, text);
  for (const { name, file } of entries()) {
    const source = readFileSync(at('src/ts', `${file}${file === WASM.file ? '.d' : ''}.ts`), 'utf8');
    const [head] = /\/\*\*[\s\S]*?\*\//.exec(source) ?? [];
    if (!head) throw new Failure(`src/ts/${file}.ts must begin with a comment that describes the entry point.`);
    // Without the tag, typedoc uses the comment as the description of the first exported name.
    const rest = files.get(`${file}.d.ts`).replace(head, '');
    files.set(`${file}.d.ts`, `${head.replace(/\s*\*\/$/, `\n * @module ${name}\n */`)}\n${rest}`);
  }
  return files;
}

/** The pages of the reference, by their path below api/. `files` are those of `declarationsForReference`. */
export async function apiReference(files) {
  const raw = await withScratch(async (folder) => {
    layOver(join(folder, 'types'), files);
    await typedoc(folder);
    return filesOf(join(folder, 'out'));
  });
  const pages = tidy(entries().map(({ name, page }) => ({ name, page, text: raw.get(`${name}.md`).toString('utf8') })));
  return new Map([['index.md', indexOf(pages)], ...pages.map(({ page, text }) => [page, text])]);
}

async function typedoc(folder) {
  const { Application, LogLevel } = await import(
    pathToFileURL(join(rigHome('docs'), 'node_modules/typedoc/dist/index.js')).href
  );
  const entryFiles = entries().map(({ file }) => join(folder, 'types', `${file}.d.ts`));
  const tsconfig = join(folder, 'tsconfig.json');
  const compilerOptions = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(
    tsconfig,
    JSON.stringify({
      compilerOptions: { ...compilerOptions, lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
      files: entryFiles,
    }),
  );
  const app = await Application.bootstrapWithPlugins({
    name: manifest().name,
    entryPoints: entryFiles,
    tsconfig,
    out: join(folder, 'out'),
    plugin: [join(rigHome('docs'), 'node_modules/typedoc-plugin-markdown/dist/index.js')],
    logLevel: LogLevel.Warn,
    router: 'module',
    sort: ['source-order'],
    groupOrder: ['Classes', 'Functions', 'Variables', 'Interfaces', 'Type Aliases', 'References'],
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    validation: { notExported: false, invalidLink: true },
    hideBreadcrumbs: true,
    hidePageHeader: true,
    hidePageTitle: true,
    useCodeBlocks: true,
    useCustomAnchors: true,
    expandParameters: true,
    expandObjects: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
  });
  const project = await app.convert();
  if (!project) throw new Failure('typedoc could not read the declarations of pkg/ (see above).');
  for (const reflection of Object.values(project.reflections)) {
    // A destructured parameter has no name in a declaration.
    if (reflection.name === '__namedParameters') reflection.name = 'props';
  }
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Failure('typedoc reported problems in the declarations of pkg/ (see above).');
}
