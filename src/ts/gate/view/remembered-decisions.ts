/**
 * Converts remembered decisions between their public form and the core's. The core decides which one applies to a call.
 */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { REMEMBERED } from '../delivery/numbered-ids.js';
import type { RememberedDecision } from '../../types/index.js';

/** A remembered decision as `events::remembered` in Rust writes it. */
type CoreDecision = Omit<RememberedDecision, 'id' | 'scope'> & { readonly id: number };

/** The remembered decisions of a core, oldest first, without those that had expired at its last `tick`. */
export function listRemembered(core: Core, handles: HandleTable): RememberedDecision[] {
  const list = handles.take(core.remembered()) as CoreDecision[];
  return list.map(({ id, ...rest }) => ({
    id: REMEMBERED + id,
    scope: rest.inputDigest === undefined ? 'tool' : 'input',
    ...rest,
  }));
}

/** Removes the remembered decisions about these tools from the core. */
export function dropRemembered(core: Core, handles: HandleTable, toolNames: readonly string[]): void {
  for (const { id, toolName } of listRemembered(core, handles)) {
    if (toolNames.includes(toolName)) core.forget(Number(id.slice(REMEMBERED.length)));
  }
}

/** Adds remembered decisions to the core. Skips expired ones, and those whose tool and input have one already. */
export function addRemembered(
  core: Core,
  handles: HandleTable,
  remembered: readonly RememberedDecision[],
  now: number,
): void {
  const scopeOf = ({ toolName, scope, inputDigest }: RememberedDecision): string =>
    JSON.stringify([toolName, scope === 'input' && inputDigest]);
  const known = new Set(listRemembered(core, handles).map(scopeOf));
  for (const entry of remembered) {
    const { toolName, scope, inputDigest, approved, reason, decidedAt, expiresAt } = entry;
    if (known.has(scopeOf(entry)) || (scope === 'input' && inputDigest === undefined)) continue;
    if (expiresAt !== undefined && expiresAt <= now) continue;
    const digest = scope === 'input' ? handles.idOf(inputDigest as string) + 1 : 0;
    core.add_remembered(
      handles.idOf(toolName),
      digest,
      approved === true,
      handles.give(reason),
      entry.for === 'always',
      decidedAt,
      expiresAt ?? 0,
    );
  }
}
