/**
 * Chooses mutations of src/machine and src/wire by a seed, and not because a test exists.
 *
 * A mutation changes one operator, one condition, one early return or one call inside a function. The text of its
 * function and the seed decide whether it is chosen, so a change elsewhere keeps the choice.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { filesOf } from './files.mjs';
import { functionsOf, outermost, withoutText } from './rust-functions.mjs';
import { at } from './shell.mjs';

const FOLDERS = ['src/machine', 'src/wire'];

/**
 * What is changed: a pattern, and what replaces a match of it. Spaces around an operator tell it from generics and
 * references.
 */
const KINDS = [
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && (?!let\b)/g, ' || '],
  [/ \|\| (?!let\b)/g, ' && '],
  [/(?<=[\s(|])!(?=[a-z(])/g, ''],
  [/(?<=\bif )(?!let\b)(?:(?!=>)[^{}])*?(?= \{)/g, 'true'],
  [/(?<=\bif )(?!let\b)(?:(?!=>)[^{}])*?(?= \{)/g, 'false'],
  [/^ +return\b[^;{}]*;$/gm, ''],
  [/^ +self(?:\.\w+)*\.\w+\([^;{}]*\);$/gm, ''],
];

/**
 * Returns mutations in the order of their choice.
 *
 * @param {{ seed: number, count: number }} how
 * @returns {{ file: string, says: string, put: string, place: { start: number, end: number } }[]}
 */
export function chosenMutations({ seed, count }) {
  const all = FOLDERS.flatMap((folder) =>
    [...filesOf(at(folder)).keys()].flatMap((path) => mutationsOf(`${folder}/${path}`)),
  );
  const order = ({ says }) => createHash('sha256').update(`${seed} ${says}`).digest('hex');
  const ordered = all.map((one) => [order(one), one]).sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered.slice(0, count).map(([, one]) => one);
}

/** All mutations of a file. */
function mutationsOf(file) {
  const source = readFileSync(at(file), 'utf8');
  const code = withoutText(source);
  const found = [];
  const named = new Map();
  for (const { name, signature, start: begin, body, end: last } of outermost(functionsOf(source))) {
    // `inOneBuild` cannot switch these.
    if (/->\s*impl\b/.test(signature) || isTest(source, begin)) continue;
    for (const [pattern, put] of KINDS)
      for (const match of code.slice(body, last).matchAll(pattern)) {
        const start = body + match.index;
        const end = start + match[0].length;
        const line = source.slice(source.lastIndexOf('\n', start) + 1, source.indexOf('\n', end)).trim();
        if (line.startsWith('debug_assert')) continue;
        const text = `${file}, ${name}: ${shown(match[0])} to ${shown(put)} in ${shown(line)}`;
        const times = (named.get(text) ?? 0) + 1;
        named.set(text, times);
        found.push({ file, says: times > 1 ? `${text} (${times})` : text, put, place: { start, end } });
      }
  }
  return found;
}

/** Whether a position is in the tests of a file, which are at its end. */
const isTest = (source, position) => source.lastIndexOf('#[cfg(test)]', position) >= 0;

const shown = (text) => (text.trim() ? `\`${text.trim().replace(/\s+/g, ' ')}\`` : 'nothing');
