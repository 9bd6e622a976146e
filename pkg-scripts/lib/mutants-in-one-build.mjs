/**
 * The sources of the crate with many mutations, each of which an environment variable switches on: a build of these
 * sources behaves like mutant 12 if it runs with `MUTANT=12`, and like the unchanged code without `MUTANT`. Compiling
 * the crate once for each mutation would take hours.
 *
 * The body of a mutated function becomes a `match` with a copy of the body for each of its mutants and the body itself
 * at the end. All arms of the `match` must have the same type. A mutation of a function that returns an `impl Iterator`
 * therefore cannot be switched, and neither can a mutation outside of a function. `inOneBuild` returns the numbers of
 * those mutations as `left`; each must be compiled alone.
 */
import { readFileSync } from 'node:fs';
import { placeOf } from './mutation.mjs';
import { functionsOf, staticsOf } from './rust-functions.mjs';
import { at, Failure } from './shell.mjs';

/**
 * A comment in the generated sources with the number of the mutant that the following lines belong to; 0 means none.
 * See `mutantOfLine`.
 */
const MARK = '// mutant ';

/** The source of `crate::mutant()`. */
const SWITCH = `
/// The number of the mutant that runs. 0 means none.
pub fn mutant() -> u32 {
    static NUMBER: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
}
`;

/**
 * The sources with these mutations. The environment variable `MUTANT` selects the one that runs, by its place in the
 * list, counted from 1.
 *
 * @param {{ file: string, find: string, put: string, says: string }[]} mutations
 * @param {Set<number>} [left] numbers of mutations to omit; those that cannot be switched are added
 * @returns {{ sources: Map<string, string>, left: Set<number> }} the files that differ from those in src/, by path;
 *   and the numbers of the omitted mutations
 */
export function inOneBuild(mutations, left = new Set()) {
  const bodies = new Map();
  for (const [index, mutation] of mutations.entries()) {
    const number = index + 1;
    if (left.has(number)) continue;
    const { source, start, end } = placeOf(mutation);
    const around = functionsOf(source).filter((one) => one.body < start && end < one.end);
    const outermost = around[0];
    if (!outermost || /->\s*impl\b/.test(outermost.signature)) {
      left.add(number);
      continue;
    }
    const body = source.slice(outermost.body, start) + mutation.put + source.slice(end, outermost.end);
    const ofFile = bodies.get(mutation.file) ?? new Map();
    bodies.set(mutation.file, ofFile);
    const ofFunction = ofFile.get(outermost.start) ?? { ...outermost, mutants: [] };
    ofFile.set(outermost.start, ofFunction);
    ofFunction.mutants.push({ number, body });
  }
  const sources = new Map([...bodies].map(([file, functions]) => [file, switched(file, [...functions.values()])]));
  sources.set('src/lib.rs', withSwitch());
  return { sources, left };
}

/** The text of a file in which each mutated function also contains its mutants. */
function switched(file, functions) {
  let source = readFileSync(at(file), 'utf8');
  for (const { start, body, end, isConst, mutants } of functions.sort((a, b) => b.start - a.start)) {
    const arms = mutants.map(({ number, body }) => `${MARK}${number}\n${number} => ${body}`);
    const original = `${MARK}0\n0.. => ${source.slice(body, end)}`;
    const chosen = `{ match crate::mutant() {\n${[...arms, original].join('\n')}\n} }`;
    // A `const fn` cannot read the environment.
    const head = source.slice(start, body).replace(isConst ? /^const\s+/ : '', '');
    source = source.slice(0, start) + head + chosen + source.slice(end);
  }
  return madeAtRuntime(source, new Set(functions.filter(({ isConst }) => isConst).map(({ name }) => name)));
}

/**
 * A function that contains a mutation reads an environment variable, so neither it nor a function of the file that
 * calls it can be a `const fn`. A `static` that calls one of them is computed when it is first used.
 */
function madeAtRuntime(source, names) {
  const calls = (value) => [...names].some((name) => new RegExp(`\\b${name}\\(`).test(value));
  const isCaller = ({ isConst, body, end }) => isConst && calls(source.slice(body, end));
  for (let caller = functionsOf(source).find(isCaller); caller; caller = functionsOf(source).find(isCaller)) {
    names.add(caller.name);
    source = source.slice(0, caller.start) + source.slice(caller.start).replace(/^const\s+/, '');
  }
  for (const { name, start, type, value, end } of staticsOf(source).reverse()) {
    if (!calls(value)) continue;
    const lazy = `static ${name}: std::sync::LazyLock<${type}> = std::sync::LazyLock::new(|| ${value})`;
    source = source.slice(0, start) + lazy + source.slice(end);
  }
  return source;
}

/** The crate's root file with `mutant()`. Allows all warnings: mutants have unused variables and unreachable code. */
function withSwitch() {
  const source = readFileSync(at('src/lib.rs'), 'utf8');
  if (!source.includes('\nextern crate std;'))
    throw new Failure('src/lib.rs does not use std, which `mutant()` needs to read the environment.');
  return source.replace(/^pub mod (?=machine|wire)/gm, '#[allow(warnings)]\npub mod ') + SWITCH;
}

/**
 * The number of the mutant that a line of the generated sources belongs to; 0 if it does not belong to one. Lines count
 * from 1.
 */
export function mutantOfLine(source, line) {
  const marks = source
    .split('\n')
    .slice(0, line)
    .filter((text) => text.startsWith(MARK));
  return Number(marks.at(-1)?.slice(MARK.length) ?? 0);
}
