/**
 * Reads and writes folders. A build works in a scratch folder of its own and then writes only the files that differ, so
 * that the output folder is never empty while tests read it.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { at } from './shell.mjs';

/** Runs `body` with a folder of its own below target/, which is removed afterwards. Returns what `body` returns. */
export async function withScratch(body) {
  mkdirSync(at('target'), { recursive: true });
  const folder = mkdtempSync(at('target/scratch-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The contents of every file below `folder`, by its path relative to the folder (with `/`). */
export const filesOf = (folder) => new Map(pathsOf(folder).map((path) => [path, readFileSync(join(folder, path))]));

/** The first eight digits of the SHA-256 of these files. `paths`, `ending`: see `listed`. */
export function digestOf(paths, ending) {
  const hash = createHash('sha256');
  for (const path of listed(paths, ending)) hash.update(`${path}\n`).update(readFileSync(at(path)));
  return hash.digest('hex').slice(0, 8);
}

/** These files, and the files in these folders with this `ending`, by their paths. */
export const listed = (paths, ending) =>
  paths.flatMap((path) =>
    path.endsWith(ending)
      ? path
      : pathsOf(at(path))
          .filter((file) => file.endsWith(ending))
          .sort()
          .map((file) => `${path}/${file}`),
  );

/** Makes `folder` contain exactly `files` (contents by path). Writes only files that differ. */
export function layOver(folder, files) {
  for (const [path, contents] of files) {
    const file = join(folder, path);
    if (existsSync(file) && readFileSync(file).equals(Buffer.from(contents))) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  for (const path of pathsOf(folder)) if (!files.has(path)) rmSync(join(folder, path), { force: true });
}

const pathsOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
