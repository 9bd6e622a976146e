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

function disputes(all: readonly ClientResults[]): string {
  const families = new Map<string, Adapter>(all.map(({ family, adapter }) => [family, adapter]));
  const rows = [...families].flatMap(([family, { disputes: found = {} }]) =>
    Object.entries(found).map(
      ([id, { reason, source }]) => `| \`${id}\` | ${family} | ${reason} ([source](${source})) |`,
    ),
  );
  return ['| scenario | client | what its documentation says |', '|---|---|---|', ...rows].join('\n');
}

function skipped(all: readonly ClientResults[]): string {
  const rows = all.flatMap(({ family, adapter: { impossible = {} } }) =>
    [...new Set(Object.values(impossible))].map((reason) => {
      const ids = Object.keys(impossible).filter((id) => impossible[id] === reason);
      return `| ${family} | ${reason} | ${ids.map((id) => `\`${id}\``).join(', ')} |`;
    }),
  );
  return ['| client | why | scenarios |', '|---|---|---|', ...rows].join('\n');
}

/** The families' adapters, with their keys. */
export const entriesOf = (family: Family): [key: string, adapter: Adapter][] => Object.entries(family.adapters);
