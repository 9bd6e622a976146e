/** The installed versions of packages. */
import { readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (name: string): Manifest => {
  const file = new URL(name === 'toolgate' ? 'package.json' : `node_modules/${name}/package.json`, root);
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
};

/** The version of an installed package, or of this one. */
export const versionOf = (name: string): string => manifestOf(name).version;

/** The version that an installed package requires of another one. */
export const dependencyOf = (name: string, other: string): string => manifestOf(name).dependencies?.[other] ?? '';
