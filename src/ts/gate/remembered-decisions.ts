/**
 * Remembered decisions, between their public form and the core's. Which one answers a call, the core decides.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { Host } from '../wasm/handle-table.js';
import { REMEMBERED } from './numbered-ids.js';
import type { RememberedDecision } from '../types/index.js';

/** A remembered decision, as `events::remembered` in Rust writes it. */
type CoreMemory = Omit<RememberedDecision, 'id' | 'scope'> & { readonly id: number };

/** The remembered decisions of a core, oldest first: those that had not expired when it was last given the time. */
export function listMemories(core: Core, host: Host): RememberedDecision[] {
  const list = host.take(core.remembered()) as CoreMemory[];
  return list.map(({ id, ...rest }) => ({
    id: REMEMBERED + id,
    scope: rest.inputDigest === undefined ? 'tool' : 'input',
    ...rest,
  }));
}

/** Takes over remembered decisions that have not expired, but for what has one in the core already. */
export function takeOver(core: Core, host: Host, remembered: readonly RememberedDecision[], now: number): void {
  const nameOf = ({ toolName, scope, inputDigest }: RememberedDecision): string =>
    JSON.stringify([toolName, scope === 'input' && inputDigest]);
  const known = new Set(listMemories(core, host).map(nameOf));
  for (const entry of remembered) {
    const { toolName, scope, inputDigest, approved, reason, decidedAt, expiresAt } = entry;
    if (known.has(nameOf(entry)) || (scope === 'input' && inputDigest === undefined)) continue;
    if (expiresAt !== undefined && expiresAt <= now) continue;
    const digest = scope === 'input' ? host.idOf(inputDigest as string) + 1 : 0;
    core.add_remembered(
      host.idOf(toolName),
      digest,
      approved === true,
      host.give(reason),
      entry.for === 'always',
      decidedAt,
      expiresAt ?? 0,
    );
  }
}
