/** Loads the file of `--adapter`. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Adapter } from '../client/adapter.js';
import { checkedAdapter } from '../client/check-adapter.js';
import { AdapterError } from '../client/check.js';
import { UsageError } from './options.js';

/** Large clients need seconds on a slow machine; a module that waits for something that never comes must not hang. */
const LONGEST_LOAD_MS = 60_000;

/** The adapter in a file. Throws an error that names the file and says what is wrong. */
export async function loadedAdapter(file: string): Promise<Adapter> {
  const path = resolve(file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const module = await loaded(file, path);
  if (!('default' in module)) throw new UsageError(`${file} is not an adapter: it has no default export.`);
  try {
    return checkedAdapter(module.default);
  } catch (error) {
    throw new AdapterError(`${file}: ${(error as Error).message}`);
  }
}

async function loaded(file: string, path: string): Promise<{ default?: unknown }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = `its top-level code has not ended after ${LONGEST_LOAD_MS / 1000} seconds`;
    timer = setTimeout(() => reject(error), LONGEST_LOAD_MS);
  });
  try {
    return (await Promise.race([import(pathToFileURL(path).href), late])) as { default?: unknown };
  } catch (error) {
    const { code, stack } = (error ?? {}) as { code?: string; stack?: string };
    const hint =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? '\nThis version of Node cannot run such a file. For TypeScript: NODE_OPTIONS="--import tsx", with tsx installed.'
        : '';
    throw new AdapterError(`${file} cannot be loaded: ${stack ?? String(error)}${hint}`);
  } finally {
    clearTimeout(timer);
  }
}
