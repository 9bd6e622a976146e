/**
 * SQLite for the servers of the docs. The oldest Node that runs the tests has no `node:sqlite`, so better-sqlite3 takes
 * its place. tests/packaging/starts.test.ts runs them with `node:sqlite`, and with what the docs name for Node 20.
 */
const IMPORT = "import { DatabaseSync } from 'node:sqlite';";

/** The code of a server with the database of a package instead of Node's own. */
export const withSqliteOf = (packageName: string, code: string): string =>
  code.replace(IMPORT, `import DatabaseSync from '${packageName}';`);
