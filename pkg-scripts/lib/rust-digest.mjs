/**
 * A digest of Rust code that changes with what the code does, and not with where it is: comments, visibility, imports,
 * line breaks and the files of items and methods make no difference. An exploration takes hours, so its rows must not
 * become out of date by a comment or by a file that moves.
 */
import { createHash } from 'node:crypto';
import { functionsOf, outermost, withoutComments } from './rust-functions.mjs';

/** The first eight digits of a SHA-256 of these files. */
export function rustDigest(sources) {
  const items = sources.flatMap(itemsOf).map(plain).filter(Boolean).sort();
  return createHash('sha256').update(items.join('\n')).digest('hex').slice(0, 8);
}

/** The methods of a file's `impl` blocks of the machine, and its other items. */
function itemsOf(source) {
  const code = withoutComments(source);
  const methods = [];
  let rest = '';
  let from = 0;
  for (const block of code.matchAll(/^impl Machine \{$[^]*?^\}$/gm)) {
    const inner = block[0];
    const own = outermost(functionsOf(inner));
    methods.push(...own.map(({ start, end }) => attributesBefore(inner, start) + inner.slice(start, end)));
    rest += code.slice(from, block.index);
    from = block.index + inner.length;
  }
  rest += code.slice(from);
  const others = rest.replace(/^(?:pub(?:\([^)]*\))? )?(?:use|mod) [^;]*;$/gm, '').split(/^(?=\S)(?![})])/m);
  return [...methods, ...others];
}

/** The attributes of the method that begins at this position. */
const attributesBefore = (text, start) => /(?:\n *#\[.*\])*(?=\n[^\n]*$)/.exec(text.slice(0, start))?.[0] ?? '';

/** An item without spaces, visibility and the paths of imports. */
const plain = (item) =>
  item
    .replace(/\bpub(?:\((?:super|crate|in [\w:]+)\))?\s+/g, '')
    .replace(/\b(?:super|crate::machine)::(?=[A-Z])/g, '')
    .replace(/^#\[[^\]]*\]$/gm, (attribute) => (attribute.includes('allow') ? '' : attribute))
    .replace(/\s+/g, '')
    .replace(/,(?=[)}\]])/g, '');
