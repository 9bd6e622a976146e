/** Parts of Markdown files that a command writes, between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

/** Replaces the part `name` of a page, which `command` writes. Throws a `Failure` if the page lacks its marks. */
export function writeSection(page, name, command, text) {
  const [begin, end] = [`<!-- ${name}: written by ${command} -->\n`, `<!-- ${name}: until here -->`];
  const [before, rest] = readFileSync(at(page), 'utf8').split(begin);
  if (rest === undefined || !rest.includes(end))
    throw new Failure(`${page} lacks the marks around the table of \`${name}\`.`);
  writeFileSync(at(page), `${before}${begin}${text}\n${rest.slice(rest.indexOf(end))}`);
}
