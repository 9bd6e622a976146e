/**
 * Builds the registry of components that `shadcn add` installs: the sources in www/registry become static files,
 * www/dist/r/*.json for React, and www/dist/r/svelte/*.json and www/dist/r/vue/*.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REGISTRIES } from '../../www/registry/items.mjs';
import { at } from './shell.mjs';

/** The folder of the built registry. */
export const registryDir = at('www/dist/r');

/**
 * The files of the registry, by path. Every item contains all files that it needs, not the addresses of other items:
 * the site can be at any address, and the tools do not write a file that exists with the same content.
 */
export function registryFiles() {
  const files = new Map();
  for (const { folder, source, schema, homepage, aliases, items } of REGISTRIES) {
    const withPaths = items.map((item) => ({
      ...item,
      files: item.files.map(({ path, type, target }) => ({ path: `${source}/${path}`, type, target })),
    }));
    /** Where the sources of files are that several registries have. */
    const places = new Map(
      items.flatMap(({ files }) => files.map(({ path, from }) => [`${source}/${path}`, from ?? `${source}/${path}`])),
    );
    const name = 'toolgate';
    files.set(`${folder}registry.json`, json({ $schema: `${schema}/registry.json`, name, homepage, items: withPaths }));
    for (const item of withPaths) {
      const withContent = item.files.map((file) => ({ ...file, content: contentOf(places.get(file.path), aliases) }));
      files.set(
        `${folder}${item.name}.json`,
        json({ $schema: `${schema}/registry-item.json`, ...item, files: withContent }),
      );
    }
  }
  return files;
}

/** Writes the registry into `registryDir`. */
export function buildRegistry() {
  for (const [path, text] of registryFiles()) {
    mkdirSync(dirname(join(registryDir, path)), { recursive: true });
    writeFileSync(join(registryDir, path), text);
  }
}

/** A source, with the placeholders that its tool replaces by the app's own paths. */
function contentOf(path, aliases = {}) {
  let text = readFileSync(at(path), 'utf8');
  for (const [alias, placeholder] of Object.entries(aliases)) text = text.replaceAll(alias, placeholder);
  return text;
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
