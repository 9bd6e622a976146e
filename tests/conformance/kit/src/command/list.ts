/** The output of `list`. */
import type { Group } from '../scenario.js';
import type { Case } from '../servers/cases.js';

/** The scenarios and cases with their rules. Groups without scenarios are left out. */
export function listed(groups: readonly Group[], cases: readonly Case[]): string {
  const clients = groups
    .filter(({ scenarios }) => scenarios.length > 0)
    .flatMap(({ name, scenarios }) => [
      `\n${name}`,
      ...scenarios.map(({ id, title, rule }) => `  ${id}\n    ${title}.\n    Rule: ${rule}`),
    ]);
  const servers = cases.map(
    ({ id, rule, needsStorage }) => `  ${id}\n    Rule: ${rule}${needsStorage ? ' (Needs storage.)' : ''}`,
  );
  return [
    ...(clients.length > 0 ? ['CLIENTS', ...clients] : []),
    ...(servers.length > 0 ? ['\nSERVERS', ...servers] : []),
  ]
    .join('\n')
    .trimStart();
}
