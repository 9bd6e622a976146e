/** Checks the length of comments. The formatters rustfmt and prettier break long lines of code, but not of comments. */
import { readdirSync, readFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

/** The `printWidth` of prettier and the `max_width` of rustfmt. */
const WIDTH = 120;

const FOLDERS = ['src', 'tests', 'www', 'pkg-scripts'];
const CODE = /\.(rs|ts|tsx|mjs|js)$/;
const NOT_OURS = /(^|\/)(node_modules|dist|target)\//;

/** Throws a `Failure` that lists the comment lines with more than 120 characters. */
export function checkCommentLines() {
  const long = codeFiles().flatMap((path) =>
    readFileSync(at(path), 'utf8')
      .split('\n')
      .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
      .filter(({ line }) => /^\s*(\/\/|\/\*|\* )/.test(line) && line.length > WIDTH)
      .map(({ line, place }) => `${place} (${line.length})`),
  );
  if (long.length) throw new Failure(`comment lines with more than ${WIDTH} characters: ${long.join(', ')}`);
}

function codeFiles() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => CODE.test(path) && !NOT_OURS.test(path))
      .map((path) => `${folder}/${path}`),
  );
}
