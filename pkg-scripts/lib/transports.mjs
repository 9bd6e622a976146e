/**
 * Installs the chat transports of vendors for the tests that use them, once and in the versions below. Their peers are
 * whole frameworks of servers, which the tests do not use.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheHome, installCached } from './cached-packages.mjs';

const PACKAGES = ['@ai-sdk/workflow@2.0.43', '@trigger.dev/sdk@4.8.3', 'zod@4.6.7'];

/** The address of a file of the installed packages, for `import()`. */
export const transportFile = (path) => pathToFileURL(join(cacheHome('transports'), 'node_modules', path)).href;

/** Installs the packages, unless they are installed already. Throws a `Failure` that says what is missing. */
export const setUpTransports = () => installCached('transports', PACKAGES);
