/** The versions of installed packages, for `versions` of an adapter. */
import { readFileSync } from 'node:fs';
import { AdapterError } from './check.js';

/**
 * Reads the versions of packages as the module at `from` (its `import.meta.url`) would find them. Throws an
 * `AdapterError` if one is not installed.
 */
export function versionsOf(from: string, ...packages: readonly string[]): Record<string, string> {
  return Object.fromEntries(packages.map((name) => [name, versionOf(from, name)]));
}

/** Reads the file and not the module, because many packages do not export their package.json. */
function versionOf(from: string, name: string): string {
  for (let folder = new URL('.', from); ; folder = new URL('..', folder)) {
    try {
      const manifest = readFileSync(new URL(`node_modules/${name}/package.json`, folder), 'utf8');
      return (JSON.parse(manifest) as { version: string }).version;
    } catch {
      if (folder.pathname === '/' || folder.href === new URL('..', folder).href)
        throw new AdapterError(`versionsOf: the package ${name} is not installed.`);
    }
  }
}
