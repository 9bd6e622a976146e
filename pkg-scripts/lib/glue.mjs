/**
 * From what wasm-bindgen made to what is published: the same code with short names, and bindings without what Toolgate has
 * no use for. A third of wasm-bindgen's own bindings loads the file, which `src/ts/init.ts` does; most of the rest are
 * wrappers around functions that take numbers and need none; and each import carries a hash of 16 digits, twice.
 *
 * Nothing is guessed: whatever in wasm-bindgen's output is not as expected here fails the build.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { at, Failure } from './shell.mjs';
import { renamed } from './wasm-names.mjs';

/** Letters that gzip meets everywhere else too. */
const short = (number) => (number < 26 ? '' : short(Math.floor(number / 26) - 1)) + String.fromCharCode(97 + (number % 26));

/**
 * Takes the wasm file and the bindings (`.js`, `.d.ts`) that wasm-bindgen made. Returns the three as they go on.
 */
export function bind(wasm, bindings, types) {
  const module = new WebAssembly.Module(wasm);
  const names = namesOfTheWires();
  const imports = WebAssembly.Module.imports(module).map(({ name }, i) => ({ name, as: String(i), code: imported(name, bindings) }));
  const exports = new Map(WebAssembly.Module.exports(module).map(({ name }, i) => [name, short(i)]));
  // The bindings of one version must not run the core of another: their names could mean something else in each.
  const interfaceOf = [names, ...imports.map(({ name }) => name), ...exports.keys()].join('\n');
  const version = createHash('sha256').update(interfaceOf).digest('hex').slice(0, 8);
  const direct = imports.map(({ code }) => code).filter((code) => /^\w+$/.test(code));
  const short_ = (code) => code.replaceAll(/\bwasm\.(\w+)/g, (_, name) => `wasm.${exports.get(name) ?? fail(`no export ${name}`)}`);
  const js = `// Made by pkg-scripts/lib/glue.mjs.
import { enter } from '../../src/ts/host.ts';
import { ${direct.join(', ')} } from '../../src/ts/values.ts';

let wasm;

/** Where a core lies in the wasm's memory, after its host is the one that the core's calls reach. */
function on(core) {
  enter(core.host);
  return core.at;
}

const freed = new FinalizationRegistry((at) => wasm.__wbg_core_free(at, 1));

export class Core {
${methods(bindings)}
}

${helpers(bindings)}

/** What the core calls. */
export const imports = { ${JSON.stringify(version)}: [
${imports.map(({ code }) => `  ${code},`).join('\n')}
] };

/** Takes the core into service; a second one is not needed. */
export function begin(instance) {
  if (wasm) return;
  wasm = instance.exports;
  wasm.__wbindgen_start();
}

/** The names of the wires and the sets of them, as \`setNames\` takes them. */
export const names = () => ${JSON.stringify(names)};
`;
  return {
    wasm: renamed(wasm, version, new Map(imports.map(({ name, as }) => [name, as])), exports),
    js: short_(js),
    types: declarations(types),
  };
}

/** The code behind an import: the name of a function of values.ts, or what wasm-bindgen needs for itself. */
function imported(name, bindings) {
  const [, parameters, body] = new RegExp(`\\n        ${name}: function\\((.*)\\) \\{\\n([^]*?)\\n        \\},\\n`).exec(bindings) ?? fail(`no import ${name}`);
  const call = /^ *(?:const ret = )?host\.(\w+)\((.*)\);(?:\n *return ret;)?$/.exec(body);
  if (!call) return `(${parameters}) => {\n${body}\n}`;
  // What is no conversion of numbers below 2^31 may be handed on as it is.
  if (call[2].replaceAll(' >>> 0', '') !== parameters) fail(`${name} converts its arguments`);
  return call[1];
}

/** The methods of the class, each of which says first whose host is meant. */
function methods(bindings) {
  const [, body] = /\nexport class Core \{\n([^]*?)\n\}\n/.exec(bindings) ?? fail('no class Core');
  const own = {
    __destroy_into_raw: () => '',
    free: () => '  free() {\n    freed.unregister(this);\n    wasm.__wbg_core_free(this.at, (this.at = 0));\n  }',
    constructor: (parameters, code) => {
      const [, call] = /ret = (wasm\.core_new\(.*\));/.exec(code) ?? fail('no constructor');
      return `  constructor(${parameters}) {\n    enter((this.host = host));\n    this.at = ${call};\n    freed.register(this, this.at, this);\n  }`;
    },
  };
  // Nothing that the core returns reaches 2^31, so its numbers are not negative as they come.
  const code = (name, parameters, body) =>
    `  ${name}(${parameters}) {\n${body.replaceAll('this.__wbg_ptr', 'on(this)').replaceAll(' >>> 0', '')}\n  }`;
  return [...body.matchAll(/^    (\w+)\((.*)\) \{\n([^]*?)\n    \}$/gm)]
    .map(([, name, parameters, body]) => own[name]?.(parameters, body) ?? code(name, parameters, body))
    .join('\n');
}

/** What wasm-bindgen's code calls, without its caches: lists and texts cross rarely. */
function helpers(bindings) {
  const known = {
    getArrayU32FromWasm0: 'const getArrayU32FromWasm0 = (at, length) => new Uint32Array(wasm.memory.buffer, at, length);',
    getStringFromWasm0: 'const getStringFromWasm0 = (at, length) => new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, at, length));',
  };
  const used = new Set([...bindings.matchAll(/\b(?:get|pass)\w+Wasm0\b/g)].map(([name]) => name));
  return [...used].map((name) => known[name] ?? fail(`no helper ${name}`)).join('\n');
}

/** The types of the class, and of what is ours. */
function declarations(types) {
  const [classes] = /^[^]*?(?=\nexport type InitInput)/.exec(types) ?? fail('no types');
  return `${classes}
export const imports: WebAssembly.Imports;
export function begin(instance: WebAssembly.Instance): void;
export function names(): string;
`;
}

/** Every name of the wires in the order of their numbers, and the sets by these numbers: `setNames` in src/ts/host.ts reads it. */
function namesOfTheWires() {
  const source = readFileSync(at('src/wire/names.rs'), 'utf8').replaceAll(/\/\/.*/g, '');
  const block = (macro) => new RegExp(`\\n${macro}! \\{([^]*?)\\n\\}`).exec(source)?.[1] ?? fail(`no ${macro}! in names.rs`);
  const names = [...block('names').matchAll(/(\w+)\s+("[^"]*")/g)].map(([, name, text]) => ({ name, text: JSON.parse(text) }));
  const sets = [...block('withouts').matchAll(/\w+:([^;]*);/g)].map(([, set]) => set.match(/\w+/g) ?? []);
  const place = (name) => names.findIndex((known) => known.name === name);
  if (sets.flat().some((name) => place(name) < 0)) fail('a set has a name that is none');
  return [names.map(({ text }) => text), sets.map((set) => set.map(place).join(' '))].map((lines) => lines.join('\n')).join('\0');
}

function fail(what) {
  throw new Failure(`wasm-bindgen's output is not what pkg-scripts/lib/glue.mjs expects: ${what}.`);
}
