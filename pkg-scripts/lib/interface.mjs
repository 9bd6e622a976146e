/**
 * Reads the crate's lists for the bindings: its calls, the names in the protocols' messages, and its enums. The macros
 * that define them write each list as a line of JSON, and wasm-bindgen copies the lines into its `.d.ts`: see
 * `src/wasm/interface.rs`.
 */
import { Failure } from './shell.mjs';

/**
 * The lists in the `.d.ts` that wasm-bindgen made:
 *   `calls`     `{ name, result, parameters: [[name, type]] }`, by number, with Rust's types; `result` may be ''
 *   `names`     the text of every name in the order of their numbers
 *   `sets`      for every set, in the order of the sets' numbers, the numbers of its names
 *   `enums`     the texts of every enum in the order of their numbers, by the enum's name
 *   `variants`  the variants of every enum without texts, in the order of their numbers, by the enum's name
 */
export function interfaceIn(types) {
  const lists = types
    .split('\n')
    .filter((line) => line.startsWith('["'))
    .map((line) => JSON.parse(line));
  const one = (kind) => {
    const [list, ...more] = lists.filter(([first]) => first === kind);
    if (!list || more.length)
      throw new Failure(
        `src/wasm/interface.rs has ${more.length + Number(Boolean(list))} lists "${kind}". It must have one.`,
      );
    return list.slice(1);
  };
  const byName = (kind) =>
    new Map(lists.filter(([first]) => first === kind).map(([, name, ...members]) => [name, members]));
  const names = one('names');
  const place = new Map(names.map(([variant], at) => [variant, at]));
  return {
    calls: one('calls').map(([name, result, ...parameters]) => ({ name, result, parameters })),
    names: names.map(([, text]) => text),
    sets: one('sets').map(([, ...set]) => set.map((name) => place.get(name))),
    enums: byName('enum'),
    variants: byName('variants'),
  };
}

/** A name of the crate with `by` between its words: `Refusal-Reason` for `RefusalReason` and '-'. */
const separated = (name, by) => name.replaceAll(/(?!^)[A-Z]/g, `${by}$&`);

/** The enums as a module and its types: `OnDeny` is the list `ON_DENY`, and a variant's number is its index there. */
export function enumModule(enums) {
  const lists = [...enums].sort().map(([name, texts]) => {
    const constant = separated(name, '_').toUpperCase();
    return { name, constant, list: `[${texts.map((text) => `'${text}'`).join(', ')}]` };
  });
  return {
    js: lists.map(({ constant, list }) => `export const ${constant} = ${list};\n`).join(''),
    types: lists
      .map(
        ({ name, constant, list }) =>
          `/** The texts of the Rust enum \`${name}\`, by number. */\nexport const ${constant}: readonly ${list};\n`,
      )
      .join(''),
  };
}

/**
 * An enum without texts as a module and its types: a constant for each variant, and their union type. esbuild replaces
 * the constants with their numbers.
 */
export function variantModule(name, members) {
  const lines = (line) => members.map(line).join('');
  const types = lines((member, at) => `export declare const ${member}: ${at};\n`);
  return {
    js: lines((member, at) => `export const ${member} = ${at};\n`),
    types: `${types}/** A variant of the Rust enum \`${name}\`. */\nexport type ${name} = ${members.map((_, at) => at).join(' | ')};\n`,
  };
}

/** The file of an enum: `refusal-reason` for `RefusalReason`. */
export const fileOf = (name) => separated(name, '-').toLowerCase();
