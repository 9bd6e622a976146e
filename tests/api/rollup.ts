/**
 * Combines the declaration files of pkg/ into one text, the public API, with a section for each entry point. Each
 * declaration occurs once, under the first entry point that exports it. Comments and private and protected members are
 * omitted. Types that are not exported, but used by an exported declaration, follow without `export`.
 *
 * The files are parsed with Vite's parser, because TypeScript 7 lacks the API that the usual roll-up tools need.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { format } from 'prettier';
import { parseSync } from 'vite';

/** An entry point: its name, and its file below the folder, without the extension. */
export interface EntryPoint {
  readonly name: string;
  readonly file: string;
}

/** A node of the syntax tree, with the fields that the roll-up uses. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The place of a declaration. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** A declaration file. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly comments: readonly { readonly start: number; readonly end: number }[];
  /** Declarations by name; overloads have several. */
  readonly declarations: Map<string, Node[]>;
  /** `declare module` and `declare global`. */
  readonly augmentations: Node[];
  /** The imports, by their name in this file. */
  readonly imports: Map<string, Place>;
  /** The exports, by their public name. */
  readonly exports: Map<string, Place>;
  /** The files of `export *`. */
  readonly stars: string[];
}

/** The roll-up of a folder of declaration files. */
export async function rollUp(folder: string, entries: readonly EntryPoint[]): Promise<string> {
  const sources = new Map<string, Source>();
  const source = (path: string): Source => {
    let known = sources.get(path);
    if (!known) sources.set(path, (known = read(folder, path)));
    return known;
  };
  const find = ({ path, name }: Place): Place | undefined => {
    // The name belongs to another package or to the language.
    if (!path.endsWith('.d.ts')) return undefined;
    const { declarations, exports, imports, stars } = source(path);
    if (declarations.has(name)) return { path, name };
    const place = exports.get(name) ?? imports.get(name);
    if (place) return place.path === path && place.name === name ? undefined : find(place);
    for (const star of stars) {
      const found = find({ path: star, name });
      if (found) return found;
    }
    return undefined;
  };
  const exported = (path: string): Map<string, Place> => {
    const { exports, stars } = source(path);
    const inherited = stars.flatMap((star) => [...exported(star)]);
    const own = [...exports].map(([name, place]) => [name, find(place) ?? place] as const);
    return new Map([...inherited, ...own]);
  };

  const owners = new Map<string, string>();
  const lists = entries.map(({ name: entry, file }) => {
    const list = [...exported(`${file}.d.ts`)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, place] of list) {
      const key = keyOf(place);
      if (!owners.has(key)) owners.set(key, `${entry} ${name}`);
    }
    return list;
  });
  const printed = new Set<string>();
  const augmented = new Set<string>();
  const sections: string[] = [];
  for (const [at, { name: entry, file }] of entries.entries()) {
    const lines: string[] = [];
    const elsewhere = new Map<string, string[]>();
    const reached: Place[] = [];
    const print = (place: Place, isExported: boolean): void => {
      const { text, comments, declarations, path } = source(place.path);
      printed.add(keyOf(place));
      for (const node of declarations.get(place.name) ?? []) {
        lines.push(`${isExported ? 'export ' : ''}${withoutNoise(text, comments, node)}`);
        for (const name of namesIn(node)) {
          const found = find({ path, name });
          if (found) reached.push(found);
        }
      }
      if (!augmented.has(path)) augment(path);
    };
    const augment = (path: string): void => {
      augmented.add(path);
      const { text, comments, augmentations } = source(path);
      for (const node of augmentations) lines.push(withoutNoise(text, comments, node));
    };
    for (const [name, place] of lists[at] ?? []) {
      const [owner, ownName] = (owners.get(keyOf(place)) as string).split(' ') as [string, string];
      if (owner === entry && ownName === name) print(place, true);
      else elsewhere.set(owner, [...(elsewhere.get(owner) ?? []), name]);
    }
    if (!augmented.has(`${file}.d.ts`)) augment(`${file}.d.ts`);
    for (let place = reached.shift(); place; place = reached.shift()) {
      if (!printed.has(keyOf(place)) && !owners.has(keyOf(place))) print(place, false);
    }
    const again = [...elsewhere].map(([owner, names]) => {
      const all = (lists[entries.findIndex(({ name }) => name === owner)] ?? []).map(([name]) => name);
      const own = new Set((lists[at] ?? []).map(([name]) => name));
      return all.every((name) => own.has(name))
        ? `export * from '${owner}';`
        : `export { ${names.join(', ')} } from '${owner}';`;
    });
    const text = await format(lines.join('\n'), {
      parser: 'typescript',
      singleQuote: true,
      printWidth: WIDTH,
      objectWrap: 'collapse',
    });
    sections.push(`// ======== ${entry} ========\n${again.map((line) => `${line}\n`).join('')}${compact(text)}`);
  }
  return sections.join('\n');
}

/** The maximum length of a line. */
const WIDTH = 120;

/** Writes blocks with few members on one line if they fit, and fills the lines of unions and other lists. */
function compact(text: string): string {
  const oneLine = (block: string): string => {
    const line = block.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/;(?= \}$)/g, '');
    return line.length <= WIDTH ? line : block;
  };
  // Starts with the innermost blocks.
  let [before, now] = ['', text.replaceAll(/^\n/gm, '')];
  while (before !== now) {
    before = now;
    now = now.replaceAll(/^.*\{\n(?: +[^\n{}]*(?:\{ [^\n{}]* \}[^\n{}]*)*;\n)+ *\};?$/gm, oneLine);
  }
  // Members of unions, names in quotes, and properties that are not functions, with as many on a line as fit.
  const lists = [
    String.raw`\| [^\n{}()]*`,
    String.raw`'[\w-]+',`,
    String.raw`(?:readonly )?['\w-]+\??(?:: [^\n{}()]*)?;`,
  ].map((item) => new RegExp(`^( +)${item}$(?:\n\\1${item}$)+`, 'gm'));
  return lists.reduce((text, list) => text.replaceAll(list, filled), now);
}

/** A list, with as many items on a line as fit. */
function filled(list: string): string {
  const indent = /^ +/.exec(list)?.[0] ?? '';
  const lines: string[] = [];
  for (const item of list.split('\n').map((line) => line.trim())) {
    const longer = `${lines.at(-1) ?? ''} ${item}`;
    if (lines.length > 0 && longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(indent + item);
  }
  return lines.join('\n');
}

const keyOf = ({ path, name }: Place): string => `${path} ${name}`;

function read(folder: string, path: string): Source {
  const text = readFileSync(join(folder, path), 'utf8');
  const { program, comments, errors } = parseSync(path, text, { lang: 'dts', range: true });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const result: Source = {
    ...{ path, text, comments },
    declarations: new Map(),
    augmentations: [],
    imports: new Map(),
    exports: new Map(),
    stars: [],
  };
  const from = (node: Node): string => resolve(folder, path, (node['source'] as { value: string }).value);
  const declare = (node: Node): string[] => {
    const names =
      node.type === 'VariableDeclaration'
        ? (node['declarations'] as Node[]).map(({ id }) => (id as { name: string }).name)
        : [(node['id'] as { name: string }).name];
    for (const name of names) result.declarations.set(name, [...(result.declarations.get(name) ?? []), node]);
    return names;
  };
  for (const node of program.body as unknown as Node[]) {
    if (node.type === 'TSModuleDeclaration' || node.type === 'TSGlobalDeclaration') result.augmentations.push(node);
    else if (node.type === 'ImportDeclaration') {
      for (const { local, imported } of node['specifiers'] as {
        local: { name: string };
        imported?: { name: string };
      }[])
        result.imports.set(local.name, { path: from(node), name: imported?.name ?? 'default' });
    } else if (node.type === 'ExportAllDeclaration') result.stars.push(from(node));
    else if (node.type === 'ExportNamedDeclaration') {
      const { declaration, source, specifiers } = node as unknown as {
        declaration: Node | null;
        source: object | null;
        specifiers: { local: { name: string }; exported: { name: string } }[];
      };
      if (declaration) for (const name of declare(declaration)) result.exports.set(name, { path, name });
      for (const { local, exported } of specifiers)
        result.exports.set(exported.name, { path: source ? from(node) : path, name: local.name });
    } else if ('id' in node || node.type === 'VariableDeclaration') declare(node);
  }
  return result;
}

/** The file of an import. For an import of another package: the package's name, for which there is no file. */
function resolve(folder: string, path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const target = posix.join(posix.dirname(path), specifier.replace(/\.[jt]s$/, ''));
  return [`${target}.d.ts`, `${target}/index.d.ts`].find((file) => existsSync(join(folder, file))) ?? target;
}

/** Calls `visit` for a node and its descendants. Skips the descendants if it returns `false`. */
function walk(node: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(node)) node.forEach((item) => walk(item, visit));
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && !visit(node as Node)) return;
    for (const value of Object.values(node)) walk(value, visit);
  }
}

/** The members of a custom element that only the browser calls. */
const OF_THE_BROWSER = /^(observedAttributes|(connected|disconnected|adopted|attributeChanged)Callback)$/;

/** Whether only the class itself or the browser uses a member. */
function isPrivate({ accessibility, key, type }: Node): boolean {
  if (type !== 'MethodDefinition' && type !== 'PropertyDefinition' && type !== 'TSAbstractMethodDefinition')
    return false;
  const { type: kind, name } = key as Node;
  if (accessibility === 'private' || accessibility === 'protected' || kind === 'PrivateIdentifier') return true;
  return OF_THE_BROWSER.test(name as string);
}

/** The names of the types that a declaration uses. */
function namesIn(declaration: Node): Set<string> {
  const names = new Set<string>();
  const add = (name: unknown): void => {
    let node = name as Node | null;
    while (node?.type === 'TSQualifiedName' || node?.type === 'MemberExpression')
      node = (node['left'] ?? node['object']) as Node;
    if (node?.type === 'Identifier') names.add(node['name'] as string);
  };
  walk(declaration, (node) => {
    if (isPrivate(node)) return false;
    add(node['typeName'] ?? node['exprName'] ?? node['superClass']);
    if (node.type === 'TSClassImplements' || node.type === 'TSInterfaceHeritage') add(node['expression']);
    if (node['computed'] === true) add(node['key']);
    return true;
  });
  return names;
}

/** The text of a node without comments and private members. */
function withoutNoise(text: string, comments: Source['comments'], node: Node): string {
  const { start, end } = node;
  const cuts = comments.filter((comment) => comment.start >= start && comment.end <= end).map((cut) => ({ ...cut }));
  walk(node, (member) => {
    // The property types of a constant, such as `ENGLISH`, are its texts. They are not part of the API, and are cut.
    const annotation = node.type === 'VariableDeclaration' && member.type === 'TSPropertySignature';
    const cut = annotation ? (member['typeAnnotation'] as Node) : member;
    if (!annotation && !isPrivate(member)) return true;
    cuts.push({ start: cut.start, end: cut.end });
    return false;
  });
  cuts.sort((a, b) => a.start - b.start);
  let [result, at] = ['', start];
  for (const cut of cuts) {
    if (cut.start < at) continue;
    result += text.slice(at, cut.start);
    at = cut.end;
  }
  return (result + text.slice(at, end)).replaceAll(/^\s*;?\s*$\n/gm, '');
}
