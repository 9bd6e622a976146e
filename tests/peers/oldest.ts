/**
 * Vite plugins that resolve the peers to the oldest versions that `peerDependencies` allow, which the rig
 * tests/packaging/oldest locks, and compile Svelte with the oldest compiler.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as newest from 'svelte/compiler';
import type { Plugin } from 'vite';
import { rigHome } from '../../pkg-scripts/lib/rigs.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';

const home = rigHome('oldest');
/**
 * The chats of the AI SDK for Svelte. The oldest ones need Svelte 5.31, which is newer than the oldest one that
 * `useGuardedChat` and the other functions of `toolgate/svelte` need. They run with the newest Svelte.
 */
const SVELTE_CHAT = /(?:@ai-sdk\/svelte|ai-sdk-svelte6)(?:\/|$)/;
const PEERS = /^(?:ai6?|react|react-dom|svelte|vue|@ai-sdk\/(?:react|svelte|vue)|ai-sdk-\w+6)(?:\/|$)/;

/** The functions of Svelte's compiler that are used here. */
interface Compiler {
  compile(code: string, options: object): { js: { code: string } };
  compileModule(code: string, options: object): { js: { code: string } };
}

/** Returns the plugins. */
export function oldestPeers(): Plugin[] {
  // Only when a test needs it: without this stage the rig is not installed.
  let compiler: Promise<Compiler> | undefined;
  const oldest = (): Promise<Compiler> =>
    (compiler ??= import(pathToFileURL(join(home, 'node_modules/svelte/src/compiler/index.js')).href));
  const resolve: Plugin = {
    name: 'oldest-peers',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!PEERS.test(source)) return null;
      if (SVELTE_CHAT.test(importer ?? '') && source.startsWith('svelte')) {
        return this.resolve(source, at('package.json'), { skipSelf: true });
      }
      if (SVELTE_CHAT.test(source)) return join(home, 'node_modules', source, 'dist/index.js');
      return this.resolve(source, join(home, 'package.json'), { skipSelf: true });
    },
  };
  // After Vite has removed the types.
  const compile: Plugin = {
    name: 'oldest-svelte',
    async transform(code, id) {
      const [filename] = id.split('?') as [string];
      const options = { filename, generate: 'client', dev: true };
      const svelte = SVELTE_CHAT.test(filename) ? newest : await oldest();
      if (filename.endsWith('.svelte')) return svelte.compile(code, options).js.code;
      return /\.svelte\.[jt]s$/.test(filename) ? svelte.compileModule(code, options).js.code : null;
    },
  };
  return [resolve, compile];
}
