/** The parts of Markdown files that a command writes: between `<!-- name:start -->` and `<!-- name:end -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';

/** The text of the section `name` of a page. Throws a `Failure` if the page lacks its marks. */
export function readSection(page, name) {
  const { text, from, to } = find(page, name);
  return text.slice(from, to);
}

/** Replaces the text of the section `name` of a page. Throws a `Failure` if the page lacks its marks. */
export function writeSection(page, name, content) {
  const { text, from, to } = find(page, name);
  writeFileSync(at(page), `${text.slice(0, from)}\n${content}\n${text.slice(to)}`);
}

function find(page, name) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const text = readFileSync(at(page), 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Failure(`${page} lacks ${start} or ${end}.`);
  return { text, from: from + start.length, to };
}
