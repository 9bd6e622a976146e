/** The command `toolgate-conformance`. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { AdapterError } from './client/check.js';
import { runScenarios } from './client/run.js';
import { noteUncaught } from './client/uncaught.js';
import { listed } from './command/list.js';
import { loadedAdapter } from './command/load.js';
import { chosen, HELP, parsed, timeoutIn, UsageError, type Values } from './command/options.js';
import { baselineIn, compare, isAsExpected, type Baseline } from './report/baseline.js';
import { differences, text, type Described, type Reported } from './report/text.js';
import { groups, scenarios } from './scenarios/index.js';
import { cases } from './servers/cases.js';
import { checkServer, runCases } from './servers/run.js';

/** Runs the command: prints the results to stdout, and everything else to stderr. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // What a client or an adapter logs is not a part of the results.
  console.log = console.info = console.debug = console.error;
  process.stdout.on('error', () => {}); // a pipe that is closed early, as by `head`
  try {
    return await run(args);
  } catch (error) {
    const isExplained = error instanceof UsageError || error instanceof AdapterError;
    console.error(isExplained ? error.message : ((error as Error)?.stack ?? error));
    return 2;
  }
}

const print = (output: string): void => void process.stdout.write(`${output}\n`);

async function run(args: readonly string[]): Promise<number> {
  const found = parsed(args);
  if (found === 'help') return (print(HELP), 0);
  if (found === 'version') return (print(await versionOfKit()), 0);
  const { command, values } = found;
  if (command === 'list') return (print(list(values)), 0);

  const all: readonly Described[] = command === 'client' ? scenarios : cases;
  const ids = chosen(all, values.only).map(({ id }) => id);
  const path = values.baseline;
  const known = path !== undefined && existsSync(path) ? await readBaseline(path) : undefined;
  if (path !== undefined && !known && !values.update)
    throw new UsageError(`There is no file ${path}. --update writes it.`);
  const { head, results } = command === 'client' ? await testClient(values) : await testServer(values);
  if (path !== undefined && values.update) {
    await writeFile(path, `${JSON.stringify(updated(results, ids, known), null, 2)}\n`);
  }
  const baseline = path !== undefined && values.update ? await readBaseline(path) : known;
  const comparison = compare(results, baseline && (values.only === undefined ? baseline : only(baseline, ids)));
  if (values.json) print(JSON.stringify({ ...head, results, ...comparison }, null, 2));
  else {
    const lines = Object.values(head).filter(Boolean);
    print([...lines, '', text(results, all), differences(comparison, baseline !== undefined)].join('\n').trimEnd());
  }
  return isAsExpected(comparison) ? 0 : 1;
}

interface Run {
  /** What was tested, for the first lines of the output. */
  readonly head: Readonly<Record<string, string>>;
  readonly results: readonly Reported[];
}

async function testClient(values: Values): Promise<Run> {
  if (values.adapter === undefined) throw new UsageError('--adapter FILE is missing.');
  const options = timeoutIn(values);
  noteUncaught(console.error);
  const adapter = await loadedAdapter(values.adapter);
  const results = await runScenarios(adapter, chosen(scenarios, values.only), options);
  const versions = Object.entries(adapter.versions).map(([name, version]) => `${name} ${version}`);
  return {
    head: { client: adapter.name, versions: versions.join(', '), options: adapter.options },
    results,
  };
}

async function testServer(values: Values): Promise<Run> {
  const { url } = values;
  if (url === undefined) throw new UsageError('--url URL is missing.');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`--url: expected an address such as http://127.0.0.1:3000/api/chat; not ${url}`);
  const options = timeoutIn(values);
  await checkServer(url, options).catch((error: unknown) => {
    throw new UsageError(`The server cannot be tested. ${(error as Error).message}`);
  });
  const results = await runCases(url, chosen(cases, values.only), options);
  return { head: { server: url }, results };
}

function list({ only, json }: Values): string {
  const wanted = new Set(chosen<Described>([...scenarios, ...cases], only));
  const found = {
    scenarios: scenarios.filter((one) => wanted.has(one)),
    cases: cases.filter((one) => wanted.has(one)),
  };
  if (json) return JSON.stringify(found, null, 2);
  const clients = groups.map((group) => ({ ...group, scenarios: group.scenarios.filter((one) => wanted.has(one)) }));
  return listed(clients, found.cases);
}

async function versionOfKit(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

async function readBaseline(path: string): Promise<Baseline> {
  try {
    return baselineIn(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

/** The baseline after a run. Known reasons stay, and so does everything about ids that were not run. */
function updated(results: readonly Reported[], ids: readonly string[], known: Baseline = { failures: {} }): Baseline {
  const notRun = Object.entries(known.failures).filter(([id]) => !ids.includes(id));
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  const found = failed.map(({ id, broken }) => [id, known.failures[id] ?? broken[0]?.found ?? 'unknown']);
  return { failures: Object.fromEntries([...notRun, ...found]) as Record<string, string> };
}

/** The part of a baseline that is about these ids. */
function only({ failures }: Baseline, ids: readonly string[]): Baseline {
  return { failures: Object.fromEntries(Object.entries(failures).filter(([id]) => ids.includes(id))) };
}
