/**
 * A plugin of Vite that runs the AI SDK's tests outside of its repository. A test imports the chat that it tests by a
 * relative path: the plugin replaces it with a file of `chats/`. Other packages are those of this project, or of
 * package.json in this folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { rigHome } from '../../pkg-scripts/lib/rigs.mjs';

/** Modules of the AI SDK that are replaced, by the end of the importing package's path and the imported path. */
const REPLACED: readonly (readonly [importer: string, source: RegExp, file: string])[] = [
  ['packages/ai/src/ui/', /^\.\/(chat|default-chat-transport|last-assistant-message-is-.*)$/, 'core.ts'],
  ['packages/react/src/', /^\.\/(chat\.react|use-chat)$/, 'react.ts'],
  ['packages/svelte/src/', /^\.\/chat\.svelte\.js$/, 'svelte.ts'],
  ['packages/vue/src/', /^\.\/(chat\.vue|use-chat)$/, 'vue.ts'],
];

/** Packages of the AI SDK's repository that are not published, or not for users. */
const FROM_RELEASE: Readonly<Record<string, string>> = {
  '@ai-sdk/test-server/with-vitest': 'packages/test-server/src/with-vitest.ts',
  '@ai-sdk/provider-utils/test': 'packages/provider-utils/src/test/mock-id.ts',
};

/** The names under which this project has version 6. */
const NAMES_OF_6: Readonly<Record<string, string>> = {
  ai: 'ai6',
  '@ai-sdk/react': 'ai-sdk-react6',
  '@ai-sdk/svelte': 'ai-sdk-svelte6',
  '@ai-sdk/vue': 'ai-sdk-vue6',
};

/**
 * A test of the AI SDK that does not care about fields with the value `undefined`: the AI SDK sets them, and Toolgate
 * omits them (see `hidden` in `differences.ts`). `chats/setup.ts` does the same for what the tests get.
 */
function withoutUndefined(code: string): string {
  return code.replaceAll(/^ *"?\w+"?: undefined,?\n/gm, '').replaceAll('.toStrictEqual(', '.toEqual(');
}

/** `release`: the folder of the AI SDK's release. `major`: its major version. */
export function redirect(release: string, major: 6 | 7): Plugin {
  const own = at('tests/ai-sdk-suite/chats');
  return {
    name: 'ai-sdk-suite',
    enforce: 'pre',
    transform(code, id) {
      return id.startsWith(release) && /\.test\.tsx?$/.test(id) ? withoutUndefined(code) : undefined;
    },
    async resolveId(source, importer = '') {
      const isTheirs = importer.startsWith(release);
      if (!isTheirs && !importer.startsWith(own)) return undefined;
      const found = REPLACED.find(([folder, path]) => importer.startsWith(join(release, folder)) && path.test(source));
      if (found) return join(own, found[2]);
      if (source in FROM_RELEASE) return join(release, FROM_RELEASE[source]!);
      if (/^[./]|^node:|^toolgate/.test(source)) return undefined;
      const name = (major === 6 && NAMES_OF_6[source]) || source;
      const [first = '', second = ''] = name.split('/');
      const isOfRig = existsSync(
        join(rigHome('ai-sdk-suite'), 'node_modules', first.startsWith('@') ? join(first, second) : first),
      );
      const from = isOfRig ? join(rigHome('ai-sdk-suite'), 'index.js') : join(own, 'core.ts');
      return this.resolve(name, from, { skipSelf: true });
    },
  };
}
