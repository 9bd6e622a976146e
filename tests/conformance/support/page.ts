/** The generated sections of docs/conformance.md. */
import { expectSection } from '../../lib/markdown-section';
import type { Family } from '../adapters/index';
import { cases, groups, markdownTable, mergedColumns, type Adapter, type Judged } from '../kit/src/index';

const PAGE = 'docs/conformance.md';

/** A client's results. */
export interface ClientResults {
  readonly family: string;
  readonly adapter: Adapter;
  readonly results: readonly Judged[];
}

/** Compares the sections about clients, or writes them. */
export function expectClients(all: readonly ClientResults[]): void {
  const columns = all.map(({ family, adapter, results }) => ({ family, name: adapter.name, results }));
  const sections = groups.map(({ name, scenarios }) => ({ name, rows: scenarios }));
  expectSection(PAGE, 'conformance-clients', markdownTable(sections, mergedColumns(columns)));
  expectSection(PAGE, 'conformance-versions', versions(all));
  expectSection(PAGE, 'conformance-disputes', disputes(all));
  expectSection(PAGE, 'conformance-skipped', skipped(all));
}

/** Compares the section about servers, or writes it. */
export function expectServers(columns: readonly { name: string; results: readonly Judged[] }[]): void {
  const rows = cases.map(({ id, rule, needsStorage }) => ({ id, rule: needsStorage ? `${rule} (storage)` : rule }));
  expectSection(PAGE, 'conformance-servers', markdownTable([{ name: 'Servers', rows }], columns));
}

function versions(all: readonly ClientResults[]): string {
  const rows = all.map(({ family, adapter }) => {
    const packages = Object.entries(adapter.versions).map(([name, version]) => `\`${name}\` ${version}`);
    return `| ${family}: ${adapter.name} | ${packages.join(', ')} | ${adapter.options} |`;
  });
  return ['| client | packages | options |', '|---|---|---|', ...rows].join('\n');
}

/** A reason, and the scenarios of a client that it is about. */
interface Reason {
  readonly family: string;
  readonly id: string;
  readonly reason: string;
}

function disputes(all: readonly ClientResults[]): string {
  const found = all.flatMap(({ family, adapter }) =>
    Object.entries(adapter.disputes ?? {}).map(([id, { reason, source }]) => ({
      family,
      id,
      reason: `${reason} ([source](${source}))`,
    })),
  );
  return reasonTable('what its documentation says', found);
}

function skipped(all: readonly ClientResults[]): string {
  const found = all.flatMap(({ family, adapter }) =>
    Object.entries(adapter.impossible ?? {}).map(([id, reason]) => ({ family, id, reason })),
  );
  return reasonTable('why', found);
}

/** A row for each reason, with all its clients and scenarios. */
function reasonTable(heading: string, all: readonly Reason[]): string {
  const unique = (values: readonly string[]): string => [...new Set(values)].join(', ');
  const rows = [...new Set(all.map(({ reason }) => reason))].map((reason) => {
    const same = all.filter((one) => one.reason === reason);
    return `| ${unique(same.map(({ family }) => family))} | ${reason} | ${unique(same.map(({ id }) => `\`${id}\``))} |`;
  });
  return [`| client | ${heading} | scenarios |`, '|---|---|---|', ...rows].join('\n');
}

/** The families' adapters, with their keys. */
export const entriesOf = (family: Family): [key: string, adapter: Adapter][] => Object.entries(family.adapters);
