/** Checks the fields of an adapter before any scenario runs. */
import { scenarios } from '../scenarios/index.js';
import type { Adapter } from './adapter.js';
import { AdapterError, inWords } from './check.js';

/** Returns the adapter. Throws an `AdapterError` that names a wrong field and what it must be. */
export function checkedAdapter(value: unknown): Adapter {
  const must = (isRight: boolean, field: string, mustBe: string, found: unknown): void => {
    if (!isRight) throw new AdapterError(`The adapter's \`${field}\` must be ${mustBe}; it is ${inWords(found)}.`);
  };
  if (typeof value !== 'object' || value === null)
    throw new AdapterError(`An adapter must be an object with \`open\`; it is ${inWords(value)}.`);
  const adapter = value as Partial<Record<keyof Adapter, unknown>>;
  const { open, name, versions, options, hasNoReasons, wire, impossible, disputes } = adapter;
  must(typeof open === 'function', 'open', 'a function', open);
  must(typeof name === 'string', 'name', 'a string', name);
  must(typeof options === 'string', 'options', 'a string: the options that the client is created with', options);
  must(isRecordOf(versions, isString), 'versions', "an object of strings, such as { ai: '7.0.0' }", versions);
  must(hasNoReasons === undefined || hasNoReasons === true, 'hasNoReasons', '`true` or absent', hasNoReasons);
  must(wire === undefined || isWire(wire), 'wire', 'a Wire (read, write, end, headers) or a Backend (answer)', wire);
  for (const [field, entries] of Object.entries({ impossible, disputes })) {
    const unknown = Object.keys(entries ?? {}).find((id) => !scenarios.some((one) => one.id === id));
    if (unknown === undefined) continue;
    throw new AdapterError(`The adapter's \`${field}\` names \`${unknown}\`, which is not the id of a scenario.`);
  }
  must(
    impossible === undefined || isRecordOf(impossible, isString),
    'impossible',
    'reasons by scenario id',
    impossible,
  );
  must(
    disputes === undefined || isRecordOf(disputes, isDispute),
    'disputes',
    '{ reason, source } by scenario id',
    disputes,
  );
  return value as Adapter;
}

const isString = (value: unknown): boolean => typeof value === 'string';

const isRecordOf = (value: unknown, is: (one: unknown) => boolean): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(is);

const isDispute = (value: unknown): boolean => {
  const { reason, source } = (value ?? {}) as { reason?: unknown; source?: unknown };
  return isString(reason) && isString(source);
};

const isWire = (value: unknown): boolean => {
  const { read, write, end, headers, answer } = (value ?? {}) as Record<string, unknown>;
  if (typeof headers !== 'object') return false;
  return typeof answer === 'function' || (typeof read === 'function' && typeof write === 'function' && isString(end));
};
