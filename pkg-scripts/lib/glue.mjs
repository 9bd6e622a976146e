/**
 * Converts wasm-bindgen's output to the published files: the same code with short names, and our own bindings.
 * wasm-bindgen's bindings contain code that we don't need: they load the wasm file (`src/ts/wasm/init.ts` does that),
 * they wrap functions that need no wrapper because their parameters are numbers, and they contain a hash of 16 digits
 * twice for each import. In our bindings the core has one entry function, and the class has a method for each call that
 * `src/wasm/entry.rs` lists. `interface.mjs` reads that list.
 *
 * If any part of wasm-bindgen's output is not as expected, the build fails.
 */
import { createHash } from 'node:crypto';
import { interfaceIn } from './interface.mjs';
import { Failure } from './shell.mjs';
import { renamed } from './wasm-names.mjs';

/** The exports of wasm-bindgen that the bindings call, by their new names: the optimiser drops the other exports. */
const EXPORTS = new Map([
  ['core_new', 'begin'],
  ['core_call', 'call'],
  ['__wbg_core_free', 'free'],
  ['memory', 'memory'],
]);

/**
 * wasm-bindgen's own imports. The core calls the first one when it is used after it was freed or while it is already
 * running. The second one fills a table that is not used.
 */
const OWN = new Map([
  ['__wbindgen_throw', "() => { throw new Error('busy core'); }"],
  ['__wbindgen_init_externref_table', '() => {}'],
]);

/**
 * Takes the wasm file and the bindings (`.js`, `.d.ts`) that wasm-bindgen made. Returns the three converted files and
 * the crate's enums, those with texts and those without.
 */
export function bind(wasm, bindings, types) {
  const module = new WebAssembly.Module(wasm);
  const { calls, enums, variants, ...wires } = interfaceIn(types);
  const names = joined(wires);
  const imports = WebAssembly.Module.imports(module).map(({ name }, i) => ({
    name,
    as: String(i),
    code: imported(name, bindings),
  }));
  // The bindings of one version must not run the core of another version, where the same names may have other meanings.
  const interfaceOf = [names, ...imports.map(({ name }) => name), ...calls.map((call) => JSON.stringify(call))].join(
    '\n',
  );
  const version = createHash('sha256').update(interfaceOf).digest('hex').slice(0, 8);
  const direct = imports.map(({ code }) => code).filter((code) => /^\w+$/.test(code));
  const given = letters(Math.max(...calls.map(({ parameters }) => parameters.length)));
  const js = `// Made by pkg-scripts/lib/glue.mjs.
import { enter, leave } from '../../src/ts/wasm/handle-table.ts';
import { ${direct.join(', ')} } from '../../src/ts/wasm/host-functions.ts';

let wasm;

const freed = new FinalizationRegistry((at) => wasm.free(at, 1));

export class Core {
  constructor(handles, ...options) {
    const outer = enter((this.handles = handles));
    try {
      this.at = wasm.begin(...options);
    } finally {
      leave(outer);
    }
    freed.register(this, this.at, this);
    this.status = this.status_place();
  }
  get revision() {
    return words()[this.status];
  }
  get hasEvents() {
    return (words()[this.status + 1] & 1) === 1;
  }
  get hasReady() {
    return (words()[this.status + 1] & 2) === 2;
  }
  free() {
    freed.unregister(this);
    wasm.free(this.at, (this.at = 0));
  }
}

/**
 * The methods of the class, each with 1 if its result is a boolean. The number of a call is its place. Every number
 * that the core returns is below 2^31. A method written for each of them would be larger.
 */
const calls = { ${calls.map(({ name, result }) => `${name}: ${Number(result === 'bool')}`).join(', ')} };
let next = 0;
for (const name in calls) {
  const which = next++;
  // Until the call returns, the core's imports use the handle table of this gate. Missing arguments are 0, because
  // converting \`undefined\` takes longer.
  Core.prototype[name] = function (${given.map((name) => `${name} = 0`).join(', ')}) {
    const outer = enter(this.handles);
    try {
      const result = wasm.call(this.at, which, ${given.join(', ')});
      return calls[name] ? result > 0 : result;
    } finally {
      leave(outer);
    }
  };
}

/** The functions that the core imports. */
export const imports = { ${JSON.stringify(version)}: [
${imports.map(({ code }) => `  ${code},`).join('\n')}
] };

let memory = new Int32Array(0);

/**
 * The core's memory. Signed, because V8 makes an object of a large unsigned number. Valid until the next call, because
 * growing the memory detaches the array, which is then empty.
 */
export const words = () => (memory.length > 0 ? memory : (memory = new Int32Array(wasm.memory.buffer)));

/** Uses this core from now on. A page needs only one. */
export function begin(instance) {
  wasm ??= instance.exports;
}

/** The names in the protocols' messages, and the sets of names, in the form that \`setNames\` takes. */
export const names = () => ${JSON.stringify(names)};
`;
  return {
    wasm: renamed(wasm, version, new Map(imports.map(({ name, as }) => [name, as])), EXPORTS),
    js,
    types: declarations(types, calls),
    enums,
    variants,
  };
}

/** The code behind an import: the name of a function of host-functions.ts, or one of wasm-bindgen's own functions. */
function imported(name, bindings) {
  const [, parameters, body] =
    new RegExp(`\\n        ${name}: function\\((.*)\\) \\{\\n([^]*?)\\n        \\},\\n`).exec(bindings) ??
    fail(`no import ${name}`);
  const call = /^ *(?:const ret = )?host\.(\w+)\((.*)\);(?:\n *return ret;)?$/.exec(body);
  if (!call) return [...OWN].find(([own]) => name.includes(own))?.[1] ?? fail(`an import ${name}`);
  // A function needs no wrapper if it only has to convert numbers below 2^31.
  if (call[2].replaceAll(' >>> 0', '') !== parameters) fail(`${name} converts its arguments`);
  return call[1];
}

/** Names of parameters, which the bindings use for nothing else. */
const letters = (count) => [...'abcdefghij'].slice(0, count);

/** The types of the bindings: those of the constructor are wasm-bindgen's. */
function declarations(types, calls) {
  const [, options] = /\n    constructor\((.*)\);/.exec(types) ?? fail('no constructor');
  const type = (rust) => (rust === '' ? 'void' : rust === 'bool' ? 'boolean' : 'number');
  const methods = calls.map(({ name, parameters, result }) => {
    const given = parameters.map(([parameter, rust]) => `${parameter}: ${type(rust)}`);
    return `  ${name}(${given.join(', ')}): ${type(result)};`;
  });
  return `/** A core: src/wasm says what each method does. */
export class Core {
  constructor(handles: object, ${options});
  /** The revision, which increases with every change. */
  readonly revision: number;
  readonly hasEvents: boolean;
  /** Whether a submission is ready to be sent. */
  readonly hasReady: boolean;
  free(): void;
${methods.join('\n')}
}
export const imports: WebAssembly.Imports;
export function begin(instance: WebAssembly.Instance): void;
export function words(): Int32Array;
export function names(): string;
`;
}

/**
 * All names in the protocols' messages, in the order of their numbers, and the sets of names as lists of these numbers.
 * `setNames` in src/ts/wasm/handle-table.ts reads them.
 */
const joined = ({ names, sets }) =>
  [names, sets.map((set) => set.join(' '))].map((lines) => lines.join('\n')).join('\0');

function fail(what) {
  throw new Failure(`wasm-bindgen's output is not what pkg-scripts/lib/glue.mjs expects: ${what}.`);
}
