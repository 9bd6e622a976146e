/**
 * Finds which part of the source each byte of a wasm file comes from, by reading its code and name sections. A function
 * counts for the first `toolgate::` module that its name contains (so the code of a standard container with our types
 * counts as ours), otherwise for its crate. An exported function counts separately, with the code that was inlined into
 * it.
 */
import { eachSection } from './wasm-reader.mjs';

const FUNCTION_IMPORT = 0;
const CUSTOM = 0;
const IMPORT = 2;
const CODE = 10;
const FUNCTION_NAMES = 1;

/** The sections that are not code, by number. */
const OTHER = { 1: 'types', 2: 'imports', 4: 'tables', 7: 'exports', 9: 'tables', 11: 'data (strings, tables)' };

/** The number of bytes of each part. Custom sections, and the headers of the file and its code, are in no part. */
export function wasmParts(bytes) {
  const sizes = [];
  const names = new Map();
  const parts = new Map();
  const add = (part, size) => parts.set(part, (parts.get(part) ?? 0) + size);
  let importedFunctions = 0;

  eachSection(bytes, (id, section, length) => {
    if (id === CODE) {
      for (let left = section.number(); left > 0; left--) {
        const before = section.at;
        section.slice(section.number());
        sizes.push(section.at - before);
      }
    } else if (id === CUSTOM) {
      if (section.text() === 'name') readFunctionNames(section, names);
    } else {
      if (id === IMPORT) importedFunctions = countImportedFunctions(section);
      add(OTHER[id] ?? 'other', length);
    }
  });
  sizes.forEach((size, i) => add(partOf(names.get(importedFunctions + i) ?? ''), size));
  return parts;
}

function readFunctionNames(section, names) {
  while (!section.done) {
    const kind = section.byte();
    const entries = section.slice(section.number());
    if (kind !== FUNCTION_NAMES) continue;
    for (let left = entries.number(); left > 0; left--) {
      const index = entries.number();
      names.set(index, entries.text());
    }
  }
}

function countImportedFunctions(section) {
  let count = 0;
  for (let left = section.number(); left > 0; left--) {
    section.text();
    section.text();
    const kind = section.byte();
    if (kind === FUNCTION_IMPORT) count++;
    skipImportType(kind, section);
  }
  return count;
}

/** A function has a type index; a table an element type and limits; a memory limits; a global a type and a flag. */
function skipImportType(kind, section) {
  if (kind === 1) section.byte();
  if (kind === 1 || kind === 2) {
    const hasMaximum = section.byte() & 1;
    section.number();
    if (hasMaximum) section.number();
  } else if (kind === 3) {
    section.byte();
    section.byte();
  } else {
    section.number();
  }
}

/** The optimiser names an exported function after its export, and inlines functions that only it calls. */
function partOf(name) {
  const ours = /\btoolgate(?:\[[^\]]*\])?::(\w+)(?:::([a-z_]+))?/.exec(name);
  if (ours) {
    const [, floor, module] = ours;
    return module && module !== '_' ? `${floor}::${module}` : floor;
  }
  const crate = /(?:^|[<&* ])(?:\w+\.)?([a-z_]\w*)(?:\[[^\]]*\])?::/.exec(name)?.[1];
  if (crate === '__rustc') return 'std';
  if (crate) return crate;
  const exported = /^core_(\w+)/.exec(name)?.[1];
  if (exported) return `export ${exported}`;
  return /^(mem|__mul|__u?div|__ash|__lsh)/.test(name) ? 'compiler_builtins' : 'wasm_bindgen';
}
