/**
 * Applies one mutation of the lists in tests/mutations to the text of its file. All `mutate` commands use it, and
 * so does the test that checks that every mutation still finds its text.
 */
import { existsSync, readFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

/**
 * The mutated text. Spaces and line breaks don't matter. Throws a `Failure` unless `find` occurs in the file exactly
 * once.
 */
export function mutated(mutation) {
  const { source, start, end } = placeOf(mutation);
  return source.slice(0, start) + mutation.put + source.slice(end);
}

/**
 * Where a mutation's `find` is in the text of its file. Throws a `Failure` unless it occurs exactly once. A mutation
 * with a `place` has no `find`.
 *
 * @param {{ file: string, says: string, find?: string, place?: { start: number, end: number } }} mutation
 */
export function placeOf({ file, find, says, place }) {
  if (!existsSync(at(file)))
    throw new Failure(
      `the mutation "${says}" changes ${file}, which does not exist: correct the list in tests/mutations`,
    );
  if (place) return { source: readFileSync(at(file), 'utf8'), ...place };
  const words = (find ?? '')
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const source = readFileSync(at(file), 'utf8');
  const found = [...source.matchAll(new RegExp(words.join('\\s+'), 'g'))];
  if (found.length !== 1)
    throw new Failure(
      `the mutation "${says}" looks for a text that occurs ${found.length} times in ${file}, not once: ` +
        'correct the list in tests/mutations',
    );
  return { source, start: found[0].index, end: found[0].index + found[0][0].length };
}
