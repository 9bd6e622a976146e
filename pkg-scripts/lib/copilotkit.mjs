/**
 * Installs CopilotKit's hooks for the tests, once and in the versions below. Of `@copilotkit/react-core` only the entry
 * `v2/headless` is used: it needs `core` and `shared`, and none of the components' packages, which are 450 MB.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheHome, installCached } from './cached-packages.mjs';

/** The versions. */
export const COPILOTKIT_VERSIONS = {
  '@copilotkit/react-core': '1.74.0',
  '@copilotkit/core': '1.74.0',
  '@ag-ui/client': '0.0.59',
};

/** The address of a file of the installed packages, for `import()`. */
export const copilotKitFile = (path) => pathToFileURL(join(cacheHome('copilotkit'), 'node_modules', path)).href;

/** Installs the packages, unless they are installed already. Throws a `Failure` that says what is missing. */
export function setUpCopilotKit() {
  const { '@copilotkit/react-core': hooks, '@copilotkit/core': core, '@ag-ui/client': client } = COPILOTKIT_VERSIONS;
  return installCached(
    'copilotkit',
    [`@copilotkit/core@${core}`, `@copilotkit/shared@${core}`, `@ag-ui/client@${client}`],
    [`@copilotkit/react-core@${hooks}`],
  );
}
