/** The options of the command. */
import { parseArgs } from 'node:util';

/** The text of `--help`. */
export const HELP = `toolgate-conformance client --adapter FILE   test a chat client
toolgate-conformance server --url URL         test a chat server
toolgate-conformance list                     list the scenarios for clients and the cases for servers

  --only ID,ID       only these scenarios or cases
  --json             print the results as JSON, with every request; of list: the scenarios and cases as data
  --baseline FILE    fail only if the results differ from the expected failures in this file
  --update           write the baseline file: the present failures are expected from now on
  --timeout MS       the longest wait for the client to become quiet, and for an answer (default: 10000)
  -h, --help         print this text
  -v, --version      print the version of the kit

Exit code 0: as expected; 1: a failure that is not expected, or an expected one that passes; 2: a wrong call, a broken
adapter, or a server that cannot be tested. The results are printed to stdout, everything else to stderr.`;

/** A wrong call of the command. */
export class UsageError extends Error {}

const OPTIONS = {
  adapter: { type: 'string' },
  url: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean' },
  baseline: { type: 'string' },
  update: { type: 'boolean' },
  timeout: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** The options of a subcommand. */
export interface Values {
  readonly adapter?: string;
  readonly url?: string;
  readonly only?: string;
  readonly json?: boolean;
  readonly baseline?: string;
  readonly update?: boolean;
  readonly timeout?: string;
}

const RUN = ['only', 'json', 'baseline', 'update', 'timeout'];

/** What each subcommand accepts. */
const ACCEPTED = { client: ['adapter', ...RUN], server: ['url', ...RUN], list: ['only', 'json'] } as const;

/** A subcommand. */
export type Command = keyof typeof ACCEPTED;

/** Reads the arguments. Throws a {@link UsageError} that says what is wrong. */
export function parsed(args: readonly string[]): 'help' | 'version' | { command: Command; values: Values } {
  const { values, positionals } = read(args);
  if (values.help || positionals[0] === 'help') return 'help';
  if (values.version) return 'version';
  const [command, extra] = positionals;
  if (command === undefined) throw new UsageError(`No command.\n\n${HELP}`);
  if (!Object.hasOwn(ACCEPTED, command)) throw new UsageError(`Unknown command: ${command}\n\n${HELP}`);
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
  const accepted: readonly string[] = ACCEPTED[command as Command];
  const foreign = Object.keys(values).find((name) => !accepted.includes(name));
  if (foreign !== undefined) throw new UsageError(`--${foreign} is not an option of ${command}.`);
  if (values.update && values.baseline === undefined) throw new UsageError('--update needs --baseline FILE.');
  return { command: command as Command, values };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // Node adds advice about `--`, which is of no use here.
    throw new UsageError((error as Error).message.split('. To specify')[0]);
  }
}

/** The chosen items; all without `--only`. Throws a {@link UsageError} for an id that does not exist. */
export function chosen<T extends { readonly id: string }>(all: readonly T[], only: string | undefined): readonly T[] {
  if (only === undefined) return all;
  const ids = only.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !all.some((one) => one.id === id));
  if (unknown === undefined) return all.filter(({ id }) => ids.includes(id));
  throw new UsageError(`--only: unknown id ${JSON.stringify(unknown)}. \`toolgate-conformance list\` prints the ids.`);
}

/** The value of `--timeout`. Throws a {@link UsageError} if it is not a positive number. */
export function timeoutIn({ timeout }: Values): { timeoutMs?: number } {
  if (timeout === undefined) return {};
  const timeoutMs = Number(timeout);
  if (timeoutMs > 0 && timeoutMs < 2 ** 31) return { timeoutMs };
  throw new UsageError(`--timeout: expected milliseconds, such as 10000; not ${JSON.stringify(timeout)}.`);
}
