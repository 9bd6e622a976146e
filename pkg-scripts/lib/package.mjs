/**
 * Builds the publishable package in pkg/ from src/ts and the wasm: bundles, declarations, manifest and texts.
 * Everything is built in memory and then written over pkg/, so that a test that is running meanwhile never sees an
 * empty folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { filesOf, layOver, withScratch } from './files.mjs';
import { minifyAgain, OF_PACKAGE, TARGET } from './minify.mjs';
import { at, Failure, root, run, say } from './shell.mjs';
import { entriesWithSentences, idsOfSentences, SENTENCES, withIds, withPlainSentences } from './sentences.mjs';
import { compactStyles } from './styles.mjs';
import { bindgenDir } from './wasm.mjs';

const TEXTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE'];

/** The root manifest; its `exports` decide which entry points there are. */
export const manifest = () => JSON.parse(readFileSync(at('package.json'), 'utf8'));

/**
 * The entry points of a manifest, in its order: `{ name: 'toolgate/ai-sdk', file: 'ai-sdk/index' }`, where `file` is
 * the path below src/ts and below pkg/dist, without an ending.
 */
export function entryPoints({ name, exports } = manifest()) {
  return Object.entries(exports)
    .filter(([, target]) => target.types && target.default.endsWith('.js'))
    .map(([subPath, target]) => ({
      name: posix.join(name, subPath),
      file: /^\.\/pkg\/dist\/(.+)\.d\.ts$/.exec(target.types)[1],
    }));
}

/**
 * The variants of the entry point `toolgate` for the conditions in its `exports`: they load the wasm differently, and
 * share the types of the main file.
 */
function variants({ exports } = manifest()) {
  const { types: _types, production: _production, default: _default, ...conditions } = exports['.'];
  return Object.values(conditions).map((target) => /^\.\/pkg\/dist\/(.+)\.sentences\.js$/.exec(target)[1]);
}

/** Writes pkg/. The wasm must have been built. */
export async function buildPackage() {
  say('esbuild and tsc');
  const files = new Map();
  const { outputFiles } = await bundle();
  for (const { path, contents } of outputFiles) files.set(posix.join('dist', path), contents);
  const outputs = new Map(outputFiles.map(({ path, contents }) => [path, Buffer.from(contents).toString()]));
  for (const [path, text] of entriesWithSentences(manifest(), outputs)) files.set(posix.join('dist', path), text);
  files.set('dist/toolgate.wasm', readFileSync(join(bindgenDir, 'toolgate.wasm')));
  for (const [path, text] of await declarations()) files.set(posix.join('dist', path), text);
  files.set('dist/toolgate.wasm.d.ts', readFileSync(at('src/ts/toolgate.wasm.d.ts')));
  files.set('package.json', `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  // Includes the documentation, so that the README's links and pictures also work offline.
  for (const [path, contents] of filesOf(at('docs'))) files.set(posix.join('docs', path), contents);
  for (const text of TEXTS) if (existsSync(at(text))) files.set(text, readFileSync(at(text)));
  layOver(at('pkg'), files);
}

/**
 * Bundles the entry points; returns the output files (paths relative to dist) and esbuild's metafile. Writes nothing.
 * `plugins` are esbuild's.
 */
export async function bundle({ plugins = [] } = {}) {
  // Not imported at the top of the file, because in a new clone the set-up has not installed it yet.
  const { build } = await import('esbuild');
  const outdir = at('pkg/dist');
  const result = await build({
    absWorkingDir: root,
    plugins: [
      oneFileForEachProtocol,
      oneCore,
      ...plugins,
      wordsOfCards,
      guardsOfCards,
      wordsOfApproval,
      ...smallOfCards,
      smallOfRules,
      secretsOfQuestions,
      digestsOfEvidence,
      ...helpersOfServer,
      compactStyles,
      idsOfSentences,
    ],
    entryPoints: [...entryPoints().map(({ file }) => file), ...variants(), SENTENCES].map(
      (file) => `src/ts/${file}.ts`,
    ),
    outbase: 'src/ts',
    outdir,
    // Chunks are in the folder of the wasm file, so that `new URL('./toolgate.wasm', import.meta.url)` is right in each
    // of them.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: TARGET,
    minify: true,
    mangleProps: ownNames(),
    sourcemap: true,
    external: [
      'node:*',
      ...Object.keys(manifest().peerDependencies).flatMap((peer) => [peer, `${peer}/*`]),
      '@ai-sdk/*',
    ],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    // esbuild would warn about the imports that `oneCore` adds. They load no code, but they decide which chunk a module
    // is in.
    logOverride: { 'ignored-bare-import': 'silent' },
  }).catch(() => {
    throw new Failure('esbuild could not bundle src/ts (see above).');
  });
  const outputFiles = result.outputFiles.map(({ path, contents }) => ({
    path: posix.relative(outdir.replaceAll('\\', '/'), path.replaceAll('\\', '/')),
    contents,
  }));
  await minifyAgain(outputFiles);
  return { outputFiles, metafile: result.metafile };
}

/**
 * One chunk for the core. esbuild makes one chunk for each set of entry points and protocols that share a module. A
 * page would then load eight small files, which compress worse than one file. Therefore every module that imports a
 * part of the core is treated as if it imported all of it. There are exceptions, because a page must not wait for the
 * core when it loads `toolgate/ai-sdk` or `toolgate/persist`: these two, and the modules that they share with the core.
 * The shared modules of `toolgate/ai-sdk` are one chunk; those that only `toolgate/persist` needs are another.
 */
const oneCore = {
  name: 'one-core',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^toolgate:core$/ }, () => ({ path: at('src/ts/slim.ts') }));
    onLoad({ filter: /src.ts.(persist|evidence).index\.ts$/ }, ({ path }) => {
      // The errors are small, and persistence needs them without the rest of the core: a third entry keeps them apart.
      const names = /evidence.index/.test(path) ? ['types/errors'] : ['gate/gate-options', 'wasm/core-state'];
      const shared = names.map((name) => `import '../${name}.js';\n`);
      return { contents: `${readFileSync(path, 'utf8')}\n${shared.join('')}`, loader: 'ts' };
    });
    // Two small files of the core that the cards load, too, would be two files.
    onLoad({ filter: /src.ts.types.(tool-part|model-reasons)\.ts$/, namespace: 'file' }, ({ path }) => {
      const both = `import './tool-part.js';\nimport './model-reasons.js';\n`;
      return { contents: `${readFileSync(path, 'utf8')}\n${both}`, loader: 'ts' };
    });
    // The published variants import files from their own folder.
    onResolve({ filter: /^\.\/toolgate\.wasm/ }, ({ path }) => ({ path, external: true }));
    onLoad(
      {
        filter: /src.ts.(protocols.(shared.)?[\w-]+|index|workerd|edge-light|inspector.index|ai-sdk.attach)\.ts$/,
      },
      ({ path }) => {
        if (/(protocol-value|raw-model)\.ts$/.test(path)) return undefined;
        return { contents: `${readFileSync(path, 'utf8')}\nimport 'toolgate:core';\n`, loader: 'ts' };
      },
    );
  },
};

/**
 * Each protocol is one file. A page speaks one protocol: chunks that protocols share would be several small files,
 * which compress worse than one. What the core has of src/ts/protocols is not copied.
 */
const oneFileForEachProtocol = {
  name: 'one-file-for-each-protocol',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer, namespace }) => {
      const from = namespace === 'file' ? posix.relative(posixRoot, importer.replaceAll('\\', '/')) : importer;
      const [, entry] = /^src\/ts\/protocols\/([\w-]+)\.ts$/.exec(from) ?? [];
      const own = namespace === 'file' ? entry && entry !== 'index' && `protocol-${entry}` : namespace;
      if (!own || !own.startsWith('protocol-')) return undefined;
      const file = posix.join(posix.dirname(from), path).replace(/\.js$/, '.ts');
      const isOfCore =
        !/^src\/ts\/(protocols|types\/(secret-field|approval-descriptor))/.test(file) || OF_CORE.test(file);
      return isOfCore ? { path: at(file) } : { path: file, namespace: own };
    });
    onLoad({ filter: /^src\/ts\// }, ({ path, namespace }) =>
      namespace.startsWith('protocol-')
        ? { contents: withoutUnread(readFileSync(at(path), 'utf8')), loader: 'ts', resolveDir: at(posix.dirname(path)) }
        : undefined,
    );
  },
};

/** Removes the texts of errors that a reader throws at itself: the gate reports a malformed event instead. */
const withoutUnread = (code) => code.replace(/new TypeError\((['`])expected [^'`\n]*\1\)/g, 'new TypeError()');

/** The modules of src/ts/protocols that the core loads. */
const OF_CORE = /\/shared\/(result-texts|model-messages|page-approvals|file-content|protocol-value|raw-model)\.ts$/;

const posixRoot = root.replaceAll('\\', '/');

/**
 * The files of src/ts/`into`, and their copies of other files, get copies of those of src/ts/`of` in their own chunk,
 * under the name of a namespace. `say`: what writes their sentences. `names`: a pattern of the files to copy.
 */
const copies = (namespace, of, into, say = withPlainSentences, names = '') => ({
  name: `copies-${namespace}`,
  setup({ onLoad, onResolve }) {
    const copy = (path) => ({ path: `src/ts/${of}/${posix.basename(path, '.js')}.ts`, namespace });
    onResolve({ filter: new RegExp(`^(\\.\\./)+${of}/${names}`) }, ({ path, importer, namespace: from }) =>
      (from === 'file' ? new RegExp(`src.ts.${into}`).test(importer) : `${from}-`.startsWith(`${into}-`))
        ? copy(path)
        : undefined,
    );
    onResolve({ filter: /^\.\//, namespace }, ({ path }) => copy(path));
    onLoad({ filter: /./, namespace }, async ({ path }) => ({
      contents: await say(path, readFileSync(at(path), 'utf8')),
      loader: 'ts',
      resolveDir: at('src/ts', of),
    }));
  },
});

/**
 * The cards load later, and a bundler that splits a page into files would load what they share with the bindings at
 * once, also in pages that do not use `describeCall`.
 */
const wordsOfCards = copies('card', 'describe', 'element');

/** The same holds for what a page with cards of its own imports from `toolgate/approval`. */
const guardsOfCards = copies('element-approval', 'approval', 'element', withIds);

/** A page with cards of its own describes them without the core. */
const wordsOfApproval = copies('approval-words', 'describe', 'approval');

/** Small modules that are shared with the hooks or the core: each would be a file of its own. */
const smallOfCards = [
  copies('card-gate', 'gate', 'element', withIds, 'respond-shown\\.'),
  copies('own-gate', 'gate', 'approval', withIds, 'respond-shown\\.'),
  ...['approval', 'tools'].map((folder) => copies(`${folder}-types`, 'types', folder, withIds, 'tool-part\\.')),
];

/** Rules need small modules of the core and of the cards, which a page may load later or not at all. */
const smallOfRules = copies('rules-types', 'types', 'rules', withIds, '(tool-part|approval-descriptor)\\.');

/** The only page that needs both a form and `toolgate/protocols` would be the one to share this. */
const secretsOfQuestions = copies('question', 'types', 'element.question-schema');

/** Evidence needs digests without the core. A chunk that both share would make the core larger. */
const digestsOfEvidence = copies('evidence', 'json', 'evidence', withIds);

/**
 * A server loads no page. Chunks that both share would contain what only pages need, and compress worse than one file.
 */
const helpersOfServer = ['tools', 'types', 'json', 'evidence'].map((folder) =>
  copies(`server-${folder}`, folder, 'server'),
);

/**
 * A pattern of the names that only the package uses: its own, and those of the core's methods with more than one word.
 */
function ownNames() {
  const types = readFileSync(join(bindgenDir, 'toolgate.d.ts'), 'utf8');
  const methods = [...types.matchAll(/^ +([a-z]+(?:_[a-z]+)+)\(/gm)].map(([, name]) => name);
  return new RegExp(`^(${methods.join('|')})$|${OF_PACKAGE.source}`);
}

/** The declarations that a user's compiler can reach from the entry points, as `[path below dist, text]`. */
async function declarations() {
  return withScratch(async (out) => {
    await run(at('node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', '--outDir', out]);
    return new Map(entryPoints().flatMap(({ file }) => [...reachable(out, `${file}.d.ts`)]));
  });
}

/**
 * `entry` and the declaration files that it imports directly or indirectly, depth first in the order of the imports.
 * Throws if one of them imports a file outside of `folder`: a generated or private type would then be part of the
 * public types.
 */
export function reachable(folder, entry) {
  const found = new Map();
  const visit = (path) => {
    if (found.has(path)) return;
    const text = readFileSync(join(folder, path), 'utf8');
    found.set(path, text);
    for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g)) {
      const target = posix.join(posix.dirname(path), specifier.replace(/\.[jt]s$/, ''));
      const file = [`${target}.d.ts`, `${target}/index.d.ts`].find((name) => existsSync(join(folder, name)));
      if (!file || file.startsWith('..')) {
        throw new Failure(
          `The public types of ${path} mention \`${specifier}\`, which is not published. Declare the type in src/ts.`,
        );
      }
      visit(file);
    }
  };
  visit(entry);
  return found;
}

/**
 * package.json as it is published: its paths are relative to pkg/, and fields that only this repository needs are
 * removed.
 */
function publishedManifest() {
  const { private: _private, scripts: _scripts, devDependencies: _devDependencies, ...rest } = manifest();
  return JSON.parse(JSON.stringify(rest).replaceAll('"./pkg/', '"./'));
}
