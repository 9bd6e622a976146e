/**
 * Finds the database servers that the tests of `toolgate/server` start: Redis and Postgres. On Debian as root, missing
 * ones are installed; elsewhere the script prints how to install them. SQLite is the npm package better-sqlite3.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstall, install, onPath } from './debian.mjs';
import { ask, at, Failure, run, say } from './shell.mjs';

/** Debian keeps Postgres' programs here, in a folder for each version. */
const POSTGRES_HOME = '/usr/lib/postgresql';

/** The path of `redis-server`, or `null`. `REDIS_SERVER` names another one. */
export const findRedis = () => onPath(process.env.REDIS_SERVER || 'redis-server');

/** The folder with `initdb` and `postgres`, or `null`. `POSTGRES_BIN` names another one. */
export function findPostgres() {
  const versions = existsSync(POSTGRES_HOME) ? readdirSync(POSTGRES_HOME).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [process.env.POSTGRES_BIN, ...versions.map((version) => join(POSTGRES_HOME, version, 'bin'))];
  const initdb = onPath('initdb');
  const found = places.find((place) => place && existsSync(join(place, 'initdb')));
  return found ?? (initdb && join(initdb, '..'));
}

/** Makes sure that all databases are installed. Throws a `Failure` that says what is missing. */
export async function setUpDatabases() {
  const missing = [...(findRedis() ? [] : ['redis-server']), ...(findPostgres() ? [] : ['postgresql'])];
  if (missing.length && canInstall()) await install(missing.join(' and '), missing);
  if (!findRedis() || !findPostgres()) {
    throw new Failure(
      `The tests of the server's records need Redis and Postgres, and ${missing.join(' and ')} was not found. Install it (on Debian or Ubuntu: \`apt-get install ${missing.join(' ')}\`), or name the program with REDIS_SERVER and the folder of \`initdb\` with POSTGRES_BIN.`,
    );
  }
  if (loadsSqlite()) return;
  say('building better-sqlite3, whose install script did not run');
  await run('npm', ['rebuild', 'better-sqlite3', '--loglevel=error'], { quiet: true });
  if (!loadsSqlite())
    throw new Failure(
      "better-sqlite3 cannot be loaded: see `node -e \"new (require('better-sqlite3'))(':memory:')\"`.",
    );
}

function loadsSqlite() {
  return (
    ask('node', ['-e', `new (require(${JSON.stringify(at('node_modules/better-sqlite3'))}))(':memory:')`]) !== null
  );
}
