/**
 * Compiles the samples strictly: each page's blocks are one program, in target/docs-samples/<page>, with
 * tests/docs/given/<page>.d.ts as its globals. Errors name the page and the line.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import { appOf, parentOf, type Block } from './blocks.js';
import { rowOf, svelteModule } from './svelte.js';
import { vueModule } from './vue.js';

/** The languages that are compiled here. */
export const TYPED: readonly string[] = ['ts', 'tsx', 'js', 'svelte', 'vue'];

/** A block as a file of its page's program. */
interface Source {
  readonly block: Block;
  readonly path: string;
  /**
   * The compiled text. It has the same lines as the block. For a component, a line is found in the block by its text.
   */
  readonly code: string;
}

/**
 * A name that is not used: a sample may end before its names are used, and a component's template uses them elsewhere.
 */
const UNUSED = /error TS(6133|6192|6196|6198)\b/;
/** A parameter without a type, and errors that follow from it. Both are valid in JavaScript. */
const UNTYPED = /error TS7\d{3}\b/;

/** Compiles the blocks. Returns the errors, as `page:line: what`. `folder` is below target. */
export function typeErrors(blocks: readonly Block[], folder = 'docs-samples'): string[] {
  const root = at('target', folder);
  rmSync(root, { recursive: true, force: true });
  const sources = new Map<string, Source>();
  const projects = new Set<string>();
  for (const block of blocks) {
    const home = join(root, block.name);
    if (!projects.has(home)) {
      write(join(home, 'tsconfig.json'), JSON.stringify(config(home, block.name)));
      for (const { file, code } of filesOfParent(block.page)) write(join(home, file), code);
    }
    projects.add(home);
    const source = toSource(block, home);
    sources.set(source.path, source);
    write(source.path, source.code);
  }
  if (projects.size === 0) return [];
  const args = ['-b', ...projects, '--pretty', 'false'];
  const { stdout, stderr, error } = spawnSync(at('node_modules/.bin/tsc'), args, {
    cwd: at(),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error) throw error;
  return `${stdout}${stderr}`
    .split(/\n(?=\S)/)
    .filter((report) => report.trim())
    .flatMap((report) => toError(report.trim(), sources));
}

/** The named files of a page's parents. Errors are reported at their place in the file. */
function filesOfParent(page: string): { file: string; code: string }[] {
  const parent = parentOf(page);
  if (!parent || !existsSync(at(parent))) return [];
  return Object.entries(appOf(parent)).map(([file, code]) => ({ file, code: `${code}export {};\n` }));
}

function config(home: string, name: string): object {
  // All pages of a folder share one file.
  const given = [name.split('/')[0], 'node-sqlite'].map((page) => at('tests/docs/given', `${page}.d.ts`));
  return {
    extends: relative(home, at('tsconfig.json')),
    compilerOptions: {
      checkJs: true,
      types: ['node', 'vite/client', 'svelte'],
      tsBuildInfoFile: './built.tsbuildinfo',
    },
    include: ['./**/*.ts', './**/*.tsx', './**/*.js', ...given.filter(existsSync).map((path) => relative(home, path))],
    exclude: [],
  };
}

function toSource(block: Block, home: string): Source {
  const { lang, line, file, code } = block;
  const path = join(home, file ?? `loose/line-${line}.${lang}`);
  if (lang === 'svelte') return { block, path: `${path}.ts`, code: svelteModule(code) };
  if (lang === 'vue') return { block, path: `${path}.ts`, code: vueModule(code, path) };
  return { block, path, code: `${code}export {};\n` };
}

function toError(report: string, sources: ReadonlyMap<string, Source>): string[] {
  const place = /^(.+?)\((\d+),\d+\): (error [^]*)$/.exec(report);
  const source = place && sources.get(at(place[1] as string));
  if (!source) return [report];
  const [what, row] = [place[3] as string, Number(place[2])];
  const { block, code } = source;
  const isComponent = block.lang === 'svelte' || block.lang === 'vue';
  if (UNUSED.test(what) && (isComponent || !block.file)) return [];
  if (UNTYPED.test(what) && block.lang === 'js') return [];
  if (!isComponent) return [`${block.page}:${block.line + row - 1}: ${what}`];
  const text = code.split('\n')[row - 1]?.trim() ?? '';
  const found = block.code.split('\n').findIndex((candidate) => candidate.trim() === text);
  if (found >= 0) return [`${block.page}:${block.line + found}: ${what}`];
  // Vue does not type the arguments of a custom element's listeners.
  if (UNTYPED.test(what) && block.lang === 'vue') return [];
  return [`${block.page}:${block.line + (rowOf(code, row) ?? 0)}: ${what}\n  in: ${text}`];
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
