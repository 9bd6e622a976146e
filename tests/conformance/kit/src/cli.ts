/** The command `toolgate-conformance`. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Adapter } from './client/adapter.js';
import { AdapterError } from './client/check.js';
import { runScenarios } from './client/run.js';
import { baselineIn, compare, isAsExpected, type Baseline } from './report/baseline.js';
import { differences, text, type Reported } from './report/text.js';
import { groups, scenarios } from './scenarios/index.js';
import { cases } from './servers/cases.js';
import { runCases } from './servers/run.js';

const HELP = `toolgate-conformance client --adapter FILE   test a chat client
toolgate-conformance server --url URL         test a chat server
toolgate-conformance list                     list the scenarios for clients and the cases for servers

  --only ID,ID       only these scenarios or cases
  --json             print the results as JSON, with every request
  --baseline FILE    fail only if the results differ from the expected failures in this file
  --update           write the baseline file: the present failures are expected from now on

Exit code 0: as expected; 1: a failure that is not expected, or an expected one that passes; 2: a wrong call.`;

/** A wrong call of the command. */
class UsageError extends Error {}

/** Runs the command. Returns the exit code. */
export async function main(args: readonly string[], print: (text: string) => void = console.log): Promise<number> {
  try {
    return await run(args, print);
  } catch (error) {
    if (error instanceof AdapterError) return (print(error.message), 2);
    if (!(error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))) throw error;
    print(`${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
}

async function run(args: readonly string[], print: (text: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      adapter: { type: 'string' },
      url: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'boolean' },
      baseline: { type: 'string' },
      update: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [command] = positionals;
  if (values.help) return (print(HELP), 0);
  if (command === 'list') return (print(listed()), 0);
  if (command !== 'client' && command !== 'server')
    throw new UsageError(command === undefined ? 'No command.' : `Unknown command: ${command}`);
  if (values.update && values.baseline === undefined) throw new UsageError('--update needs --baseline FILE.');
  const all: readonly { id: string; rule: string }[] = command === 'client' ? scenarios : cases;
  const ids = values.only?.split(',') ?? all.map(({ id }) => id);
  const unknown = ids.filter((id) => !all.some((one) => one.id === id));
  if (unknown.length > 0) throw new UsageError(`Unknown: ${unknown.join(', ')}`);

  const path = values.baseline;
  const known = path !== undefined && existsSync(path) ? await readBaseline(path) : undefined;
  if (path !== undefined && !known && !values.update) throw new UsageError(`There is no file ${path}.`);
  const { head, results } =
    command === 'client' ? await testClient(values.adapter, ids) : await testServer(values.url, ids);
  if (path !== undefined && values.update) {
    await writeFile(path, `${JSON.stringify(baselineOf(results, known), null, 2)}\n`);
  }
  const baseline = path !== undefined && values.update ? await readBaseline(path) : known;
  const comparison = compare(results, baseline && only(baseline, values.only && ids));
  if (values.json) print(JSON.stringify({ ...head, results, ...comparison }, null, 2));
  else {
    const rules = Object.fromEntries(all.map(({ id, rule }) => [id, rule]));
    print([...Object.values(head), '', text(results, rules), differences(comparison)].join('\n').trimEnd());
  }
  return isAsExpected(comparison) ? 0 : 1;
}

interface Run {
  /** What was tested, for the first lines of the output. */
  readonly head: Readonly<Record<string, string>>;
  readonly results: readonly Reported[];
}

async function testClient(file: string | undefined, ids: readonly string[]): Promise<Run> {
  if (file === undefined) throw new UsageError('--adapter FILE is missing.');
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`There is no file ${file}.`);
  const adapter = await loaded(file, path);
  if (typeof adapter?.open !== 'function')
    throw new UsageError(`The default export of ${file} is not an adapter: it has no function \`open\`.`);
  const chosen = scenarios.filter(({ id }) => ids.includes(id));
  const results = await runScenarios(adapter, chosen);
  const versions = Object.entries(adapter.versions).map(([name, version]) => `${name} ${version}`);
  return {
    head: { client: adapter.name, versions: versions.join(', '), options: adapter.options },
    results,
  };
}

/** The default export of an adapter's file. */
async function loaded(file: string, path: string): Promise<Adapter | undefined> {
  try {
    return ((await import(pathToFileURL(path).href)) as { default?: Adapter }).default;
  } catch (error) {
    throw new AdapterError(`${file} cannot be loaded: ${(error as Error)?.stack ?? String(error)}`);
  }
}

async function testServer(url: string | undefined, ids: readonly string[]): Promise<Run> {
  if (url === undefined || !URL.canParse(url)) throw new UsageError('--url URL is missing, or not a URL.');
  const results = await runCases(
    url,
    cases.filter(({ id }) => ids.includes(id)),
  );
  return { head: { server: url }, results };
}

async function readBaseline(path: string): Promise<Baseline> {
  try {
    return baselineIn(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

/** The failures of a run; known reasons stay. */
function baselineOf(results: readonly Reported[], known: Baseline | undefined): Baseline {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  return {
    failures: Object.fromEntries(
      failed.map(({ id, broken }) => [id, known?.failures[id] ?? broken[0]?.found ?? 'unknown']),
    ),
  };
}

/** The part of a baseline that is about these ids. */
function only({ failures }: Baseline, ids: readonly string[] | undefined | ''): Baseline {
  if (!ids) return { failures };
  return { failures: Object.fromEntries(Object.entries(failures).filter(([id]) => ids.includes(id))) };
}

function listed(): string {
  const lines = groups.flatMap(({ name, scenarios: found }) => [
    `\n${name}`,
    ...found.map(({ id, title, rule }) => `  ${id}\n    ${title}.\n    Rule: ${rule}`),
  ]);
  const tests = cases.map(
    ({ id, rule, needsStorage }) => `  ${id}\n    Rule: ${rule}${needsStorage ? ' (Needs storage.)' : ''}`,
  );
  return ['CLIENTS', ...lines, '\nSERVERS', ...tests].join('\n');
}
