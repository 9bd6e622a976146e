/**
 * Links of the documentation that lead out of docs/. Each text or source file that a page links to becomes a page of
 * the site, linked pictures are copied, and a link to a folder becomes plain text. A link to a missing file fails the
 * build.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, posix } from 'node:path';
import { at, Failure } from './shell.mjs';

const PICTURES = new Set(['.png', '.svg', '.jpg', '.gif', '.webp']);
/** Files outside docs/ whose page is not below files/. */
const PLACES = new Map([
  ['CHANGELOG.md', 'changelog.md'],
  ['README.md', 'readme.md'],
]);
/**
 * The largest number of linked files outside docs/. With more, the documentation links to too much of the repository.
 */
const MOST_FILES = 60;

/** The page of the site that shows a file of the repository. */
function placeOf(path) {
  if (PLACES.has(path)) return PLACES.get(path);
  if (path.startsWith('docs/')) return path.slice('docs/'.length);
  if (PICTURES.has(extname(path))) return `files/${path}`;
  return path.endsWith('.md') ? `files/${path}` : `files/${path}.md`;
}

/**
 * The files of the site, by their path there. `pages` are paths in the repository; the files that these pages link to
 * are added. Throws a `Failure` that lists the links to missing files.
 */
export function withLinked(pages) {
  const files = new Map();
  const wanted = [...pages];
  const dead = [];
  const listed = new Set(wanted);
  for (const path of wanted) {
    if (PICTURES.has(extname(path))) files.set(placeOf(path), readFileSync(at(path)));
    else if (!path.endsWith('.md')) files.set(placeOf(path), sourcePage(path));
    else {
      const text = linked(path, (target) => {
        if (!existsSync(at(target))) dead.push(`${path}: ${target}`);
        else if (statSync(at(target)).isDirectory()) return null;
        else if (!listed.has(target)) wanted.push(...[target].filter(() => listed.add(target)));
        return posix.relative(posix.dirname(placeOf(path)), placeOf(target)).replace(/^(?!\.)/, './');
      });
      files.set(placeOf(path), text);
    }
    if (wanted.slice(pages.length).filter((target) => !target.startsWith('docs/')).length > MOST_FILES)
      throw new Failure(
        `the documentation links to more than ${MOST_FILES} files outside docs/, the last one is ${path}.`,
      );
  }
  if (dead.length) throw new Failure(`the documentation has links to missing files:\n  ${dead.join('\n  ')}`);
  return files;
}

/**
 * The text of a page with its links changed: `place` returns the new target of a path in the repository, or null if it
 * has none.
 */
function linked(path, place) {
  const resolve = (target) => {
    const [, file, rest] = /^([^?#]*)(.*)$/.exec(target);
    if (/^[a-z]+:|^\/\//i.test(target) || file === '') return target;
    // The build makes the reference, and VitePress checks its links.
    const found = posix.join(posix.dirname(path), decodeURIComponent(file));
    if (found.startsWith('docs/api/') && path.startsWith('docs/')) return target;
    const placed = place(found);
    // A line of a source file has no anchor on its page.
    return placed && (found.endsWith('.md') ? placed + rest : placed);
  };
  return outsideCode(readFileSync(at(path), 'utf8'), (text) =>
    text
      .replaceAll(/(!?\[(?:[^[\]]|\[[^\]]*\])*\])\(([^()\s]+)((?: "[^"]*")?)\)/g, (_, label, target, title) => {
        const to = resolve(target);
        return to === null ? label.slice(1, -1) : `${label}(${to}${title})`;
      })
      .replaceAll(/^(\[[^\]]+\]: )(\S+)$/gm, (_, label, target) => `${label}${resolve(target) ?? target}`)
      .replaceAll(/\b(src|srcset|href)="([^"]+)"/g, (_, name, target) => `${name}="${resolve(target) ?? target}"`),
  );
}

/** Changes a markdown text except for its code blocks and code spans. */
function outsideCode(text, change) {
  const spans = [];
  const keep = (code) => `\u0000${spans.push(code) - 1}\u0000`;
  const bare = text
    .replaceAll(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2 *$/gm, keep)
    .replaceAll(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, keep);
  const put = (part) => part.replaceAll(/\u0000(\d+)\u0000/g, (_, index) => spans[index]);
  // The label of a link may contain code that was replaced by a placeholder above.
  return put(put(change(bare)));
}

function sourcePage(path) {
  const language =
    { '.mjs': 'js', '.rs': 'rust', '.sh': 'sh', '.py': 'python' }[extname(path)] ?? extname(path).slice(1);
  return `---\nsearch: false\noutline: false\n---\n\n# ${path.replaceAll('_', '\\_')}\n\n\`\`\`\`\`${language}\n${readFileSync(at(path), 'utf8').trimEnd()}\n\`\`\`\`\`\n`;
}
