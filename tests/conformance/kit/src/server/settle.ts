/** Acts on the decisions of a request as `streamText` does: runs approved calls, and confirms denials. */
import type { Chunk } from '../scenario.js';
import { deniedLine } from '../wires/ui-message-stream.js';
import type { ReadRequest } from '../wires/wire.js';
import type { ServerRecord } from './record.js';

/** Runs the approved calls. Returns the chunks with their results, and the results as lines of the prompt. */
export function settle(request: ReadRequest, record: ServerRecord): { chunks: Chunk[]; results: string[] } {
  const chunks: Chunk[] = [];
  const results: string[] = [];
  for (const { id, tool, decided, isProviderExecuted } of request.decisions) {
    if (isProviderExecuted) continue; // the model's provider reads the decision
    if (decided?.approved) {
      record.ran.push(id);
      const output = `${tool} done`;
      chunks.push({ type: 'tool-output-available', toolCallId: id, output });
      results.push(`result ${id}: output ${JSON.stringify(output)}`);
    } else {
      chunks.push({ type: 'tool-output-denied', toolCallId: id });
      results.push(deniedLine(id, decided?.reason));
    }
  }
  return { chunks, results };
}

/** Why a server or a model's provider refuses a prompt; empty if it accepts it. */
export function faultsOf(prompt: readonly string[], open: readonly string[]): string[] {
  const faults = open.map((id) => `call ${id} has no result`);
  const seen = new Set<string>();
  for (const line of prompt) {
    const [, kind, id] = /^(call|result) ([^:]*):/.exec(line) ?? [];
    if (kind === undefined) continue;
    const name = `${kind} ${id}`;
    if (seen.has(name)) faults.push(`${name} is there twice`);
    if (kind === 'result' && !seen.has(`call ${id}`)) faults.push(`${name} has no call before it`);
    seen.add(name);
  }
  return faults;
}
