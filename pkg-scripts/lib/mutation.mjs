/**
 * One mutation of the lists in tests/mutations*.mjs, made in the text of its file. Shared by `mutate` and `mutate server`, and by
 * the test that looks whether every mutation still finds its text.
 */
import { readFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

/** The mutated text. Spaces and line breaks don't matter; what is looked for must stand in the file exactly once: else a `Failure`. */
export function mutated({ file, find, put, says }) {
  const words = find
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const pattern = new RegExp(words.join('\\s+'), 'g');
  const source = readFileSync(at(file), 'utf8');
  const found = source.match(pattern)?.length ?? 0;
  if (found !== 1)
    throw new Failure(
      `the mutation "${says}" looks for a text that stands ${found} times in ${file}: mend the list in tests/mutations*.mjs`,
    );
  return source.replace(pattern, () => put);
}
