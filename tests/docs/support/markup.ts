/**
 * Checks the blocks that have no compiler: JSON, CSS, HTML and shell lines. Each function returns the problems, as
 * `page:line: problem`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse as parseHtml } from '@vue/compiler-dom';
import { transform } from 'lightningcss';
import { registryFiles } from '../../../pkg-scripts/lib/registry.mjs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import type { Block } from './blocks.js';

const wrong = ({ page, line }: Block, row: number, what: unknown): string =>
  `${page}:${line + row}: ${what instanceof Error ? what.message : String(what)}`;

/** Checks JSON with `JSON.parse`. */
export function jsonErrors(block: Block): string[] {
  try {
    JSON.parse(block.code);
    return [];
  } catch (error) {
    return [wrong(block, 0, error)];
  }
}

/** Checks CSS: finds declarations that a browser would ignore. */
export function cssErrors(block: Block): string[] {
  try {
    const { warnings } = transform({
      filename: `${block.name}.css`,
      code: Buffer.from(block.code),
      errorRecovery: true,
    });
    return warnings.map(({ loc, message }) => wrong(block, loc.line - 1, message));
  } catch (error) {
    return [wrong(block, 0, error)];
  }
}

/**
 * Checks HTML: every tag must be closed. Import maps are checked as JSON. Module scripts are checked as JavaScript (see
 * {@link scriptsOf}).
 */
export function htmlErrors(block: Block): string[] {
  const errors: string[] = [];
  parseHtml(block.code, {
    isVoidTag: (tag) => /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(tag),
    parseMode: 'html',
    onError: (error) => errors.push(wrong(block, (error.loc?.start.line ?? 1) - 1, error)),
  });
  for (const map of inHtml(block, 'importmap', 'json')) errors.push(...jsonErrors(map));
  return errors;
}

/** The module scripts of an HTML block, as separate blocks. */
export function scriptsOf(block: Block): Block[] {
  return inHtml(block, 'module', 'js').filter(({ code }) => code.trim());
}

function inHtml({ file: _, ...block }: Block, type: string, lang: string): Block[] {
  return [...block.code.matchAll(new RegExp(`<script type="${type}"[^>]*>(?:[ ]*\n)?([^]*?)</script>`, 'g'))].map(
    (found) => {
      const before = block.code.slice(0, found.index + found[0].indexOf(found[1] as string));
      return { ...block, lang, line: block.line + before.split('\n').length - 1, code: found[1] as string };
    },
  );
}

/** Checks shell lines: known commands, with existing packages and files. `files` are those of the page's app. */
export function shErrors(block: Block, files: readonly string[]): string[] {
  return block.code.split('\n').flatMap((line, row) => {
    const command = line.replace(/(^| )#.*$/, '').trim();
    const problem = command && problemOf(command, files);
    return problem ? [wrong(block, row, problem)] : [];
  });
}

/** Known commands, which need no check. */
const KNOWN: readonly RegExp[] = [
  /^npm create vite@latest [\w-]+ -- --template (react|svelte|vue|vanilla)(-ts)?$/,
  /^cd [\w-]+$/,
  /^npx vite( build)?$/,
  /^npm run (dev|build)$/,
  /^cargo add toolgate --features json$/,
  // tests/conformance/command.test.ts runs them.
  /^npx toolgate-conformance (client --adapter|server --url) \S+$/,
];

function problemOf(command: string, files: readonly string[]): string | undefined {
  if (KNOWN.some((known) => known.test(command))) return undefined;
  const [program = '', ...args] = command.split(/ +/);
  if (program === 'npm' && args[0] === 'install') {
    const unknown = args.slice(1).filter((name) => !name.startsWith('-') && !packages().has(name));
    return unknown.length ? `no package that the docs are tested with: ${unknown.join(', ')}` : undefined;
  }
  if (program === 'node')
    return args[0] && (files.includes(args[0]) || existsSync(at(args[0]))) ? undefined : `there is no file ${args[0]}`;
  if (program.startsWith('./pkg-scripts/')) return existsSync(at(program)) ? undefined : `there is no ${program}`;
  const [, item] = /^npx shadcn(?:-svelte|-vue)?@latest add https:\/\/toolgate\.example\/r\/(\S+)$/.exec(command) ?? [];
  if (item !== undefined) return registryFiles().has(item) ? undefined : `the registry has no ${item}`;
  const [, example] = /^cargo run --example (\w+) --features json -- http:\S+$/.exec(command) ?? [];
  if (example !== undefined) {
    const isThere = readFileSync(at('Cargo.toml'), 'utf8').includes(`[[example]]\nname = "${example}"\n`);
    return isThere ? undefined : `there is no example ${example}`;
  }
  const [, manifest] = /^cargo run --manifest-path (tests\/\S+) -- http:\S+ \S+ \S+$/.exec(command) ?? [];
  if (manifest !== undefined) return existsSync(at(manifest)) ? undefined : `there is no ${manifest}`;
  return `an unknown command: ${command}`;
}

/** The packages that this repository and the projects in tests/packaging install. */
function packages(): Set<string> {
  const rigs = readdirSync(at('tests/packaging')).map((rig) => `tests/packaging/${rig}/package.json`);
  const manifests = ['package.json', ...rigs.filter((path) => existsSync(at(path)))].map(
    (path) =>
      JSON.parse(readFileSync(at(path), 'utf8')) as Partial<
        Record<'dependencies' | 'devDependencies', Record<string, string>>
      >,
  );
  return new Set([
    'toolgate',
    ...manifests.flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies })),
  ]);
}
