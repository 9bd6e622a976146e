/**
 * Makes typedoc's pages readable: removes headings and sections without content, puts re-exports into one line, spells
 * ids like the names, and adds an index of all names by entry point. Works on the markdown of typedoc-plugin-markdown,
 * line by line.
 */

/** Sections that a user does not need, or that repeat the signature. */
const DROPPED = new Set([
  'Overrides',
  'Inherited from',
  'Extended by',
  'Implementation of',
  'Union Members',
  'Index Signature',
]);
/** Headings to remove, because their content needs no heading. */
const BARE = new Set([
  'Constructors',
  'Properties',
  'Accessors',
  'Methods',
  'Get Signature',
  'Set Signature',
  'Call Signature',
  'Type Declaration',
]);
/** Headings that become a line in bold type, so that the search and the outline list names only. */
const BOLD = new Set(['Parameters', 'Type Parameters', 'Returns', 'Extends', 'Throws', 'Example', 'Default']);
/** The content of these headings follows in the same line. */
const INLINE = new Set(['Returns', 'Extends', 'Default']);
/** The front matter of each page. It sets the CSS class that the site's style uses. */
const FRONT = '---\npageClass: api\n---\n\n';
const GROUPS = new Map([
  ['Interfaces', 'Types'],
  ['Type Aliases', 'Types'],
  ['Variables', 'Constants'],
]);

/**
 * Makes all pages readable. A page is `{ name, page, text }`: the entry point's import name, the file, and typedoc's
 * text.
 */
export function tidy(pages) {
  const read = pages.map(({ name, page, text }) => ({ name, page, ...parse(text) }));
  const ids = new Map(read.flatMap(({ page, ids }) => ids.map(([old, id]) => [`${page}#${old}`, id])));
  return read.map(({ name, page, sections, again }) => {
    const parts = [
      `# ${name}\n`,
      ...sections.map(render),
      ...(again.length ? [`## Also exported here\n\n${again.join(', ')}.\n`] : []),
    ];
    const text = parts.join('\n').replaceAll(/\]\(([\w.-]+\.md)?#([\w?.-]+)\)/g, (_, file = '', old) => {
      return `](${file}#${ids.get(`${file || page}#${old}`) ?? old})`;
    });
    return {
      name,
      page,
      text: `${FRONT}${regroup(text)
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim()}\n`,
    };
  });
}

/** The index of all entry points, made from readable pages. */
export function indexOf(pages) {
  const parts = pages.map(({ name, page, text }) => {
    const [, about] = /^# .*\n\n([\s\S]*?)\n\n(?=## )/m.exec(text);
    const groups = text
      .split(/^## /m)
      .slice(1)
      .map((group) => groupLine(page, group));
    return `## [${name}](${page})\n\n${about.replace(/^`[^`]+`: ./, (start) => start.at(-1).toUpperCase())}\n\n${groups.join('\n')}\n`;
  });
  return `# API reference

Every name that the package exports, by the entry it is imported from. The text is that of the types, which an editor
shows too.

${parts.join('\n')}`;
}

function groupLine(page, group) {
  const [title] = group.split('\n', 1);
  const own = [...group.matchAll(/^### (.+) \{:#(.+):\}$/gm)].map(
    ([, heading, id]) => `[\`${heading}\`](${page}#${id})`,
  );
  return `- **${title}**: ${own.length ? own.join(', ') : group.slice(title.length).trim().replace(/\.$/, '')}`;
}

/**
 * Splits a page into sections at its headings, and collects its links to re-exported names. All pages must be in one
 * folder.
 */
function parse(raw) {
  const flat = raw.replaceAll(/\]\((?:\.\.\/|toolgate\/)+(?=[\w.-]+\.md)/g, '](');
  const [own, references = ''] = flat.split(/^## References.*$/m);
  const again = [...references.matchAll(/^### (\S+).*\n\n(?:Re-exports|Renames and re-exports) \[.*?\]\((.*?)\)/gm)];
  return { ...cut(own), again: again.map(([, name, target]) => `[\`${name}\`](${target})`) };
}

/**
 * The sections, `{ level, title, body, id }`, and `ids`: our id for each id of typedoc. Our ids are `Name` and
 * `Name.member`.
 */
function cut(text) {
  const sections = [{ level: 0, title: '', body: [] }];
  const ids = [];
  let fenced = false;
  let owner = '';
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) fenced = !fenced;
    const heading = fenced ? null : /^(#+) (.+?)(?: \{#(.+)\})?$/.exec(line);
    if (heading) {
      const [, { length: level }, title, old] = heading;
      const name = title === 'Constructor' ? 'new' : nameIn(title);
      if (level === 3) owner = name;
      const id = level === 3 ? name : `${owner}.${name}`;
      if (old) ids.push([old, id]);
      sections.push({ level, title, body: [], id });
    } else if (line !== '***') {
      const row = /^\| <a id="(.+?)"><\/a> (`(.+?)`.*)$/.exec(line);
      const id = row && `${owner}.${nameIn(row[3])}`;
      if (row) ids.push([row[1], id]);
      // typedoc writes `-` into an empty cell.
      sections.at(-1).body.push((row ? `| <a id="${id}"></a> ${row[2]}` : line).replace(/\| - \|$/, '| |'));
    }
  }
  return { sections: sections.map((section) => ({ ...section, body: section.body.join('\n').trim() })), ids };
}

/** The name in a heading or cell: `respond` in `respond()`, `reason` in `reason?`. */
const nameIn = (text) => text.replaceAll(/\\|\W+$/g, '');

function render({ level, title, body, id }, index, all) {
  if (level === 0) return `${body}\n`;
  if (level === 2) return `## ${title}\n`;
  if (DROPPED.has(title)) return '';
  if (title === 'Returns' && body === '`void`') return '';
  // The base of the card's elements is not exported.
  if (title === 'Extends' && !/\[|`(Error|HTMLElement)`/.test(body)) return '';
  // The signature of a setter is documentation enough.
  if (title === 'Parameters' && all[index - 1].title === 'Set Signature') return '';
  if (BARE.has(title)) return `${body}\n`;
  // A code block begins on a line of its own.
  const isInline = INLINE.has(title) && !body.startsWith('```');
  if (BOLD.has(title)) return `**${title}**${isInline ? ' ' : '\n\n'}${body.replace(/^- /, '')}\n`;
  // For a member of a union, only descriptions of its properties add something to the signature.
  if (title === 'Type Literal')
    return /\| [^|`]*\w[^|]* \|$/m.test(body.replace(/^\|.*\|\n\|[ -|]+\n/m, '')) ? `${body}\n` : '';
  const shown = title === 'Constructor' ? `new ${/new (\w+)/.exec(body)[1]}()` : title;
  return `${'#'.repeat(Math.min(level, 4))} ${shown} {:#${id}:}\n\n${body}\n`;
}

/** Interfaces and aliases are both listed as types; each group is sorted by name. */
function regroup(text) {
  const [head, ...parts] = text.split(/^## /m);
  const groups = new Map();
  for (const part of parts) {
    const [title, before, ...names] = [
      part.slice(0, part.indexOf('\n')),
      ...part.slice(part.indexOf('\n')).split(/^### /m),
    ];
    const group = GROUPS.get(title) ?? title;
    const { texts, entries } = groups.get(group) ?? { texts: '', entries: [] };
    groups.set(group, { texts: texts + before, entries: [...entries, ...names] });
  }
  const inOrder = (a, b) => a.localeCompare(b, 'en');
  return [
    head,
    ...[...groups].map(([group, { texts, entries }]) => [`${group}${texts}`, ...entries.sort(inOrder)].join('\n### ')),
  ].join('\n## ');
}
