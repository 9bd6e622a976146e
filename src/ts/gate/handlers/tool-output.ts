/** Adds the result of a browser tool, and refuses one that no request can contain. */
import { assertJson } from '../../json/encode.js';
import { isArray } from '../../json/safe-reading.js';
import { fileContent } from '../../protocols/shared/file-content.js';
import type { ToolOutput } from '../../types/index.js';
import { unknownCall } from '../error-messages.js';
import type { GateCore } from '../gate-core.js';
import { say } from '../../types/say.js';

/** Adds a result: see `ToolGate.addToolOutput`. */
export function addToolOutput(gate: GateCore, toolCallId: string, result: ToolOutput): void {
  const failed = 'errorText' in result;
  const isContent = 'content' in result;
  const value = failed ? result.errorText : isContent ? contentFrom(result.content) : result.output;
  assertJson(value, 'addToolOutput: output');
  gate.ask((core, handles) => {
    const id = handles.find(toolCallId);
    if (id === undefined) throw unknownCall(toolCallId);
    return core.add_output(id, handles.give(value), failed, isContent);
  });
}

/** Returns the parts in the AI SDK's form. Throws a `TypeError` for invalid ones. */
function contentFrom(content: unknown): unknown[] {
  const parts = isArray(content) ? content.map(partFrom) : [];
  if (parts[0] && !parts.includes(undefined)) return parts;
  throw new TypeError(say`addToolOutput: \`content\` must be a list of text and file parts.`);
}

function partFrom(part: unknown): object | undefined {
  const { type, text, url, mediaType, filename } = Object(part) as Record<string, unknown>;
  if (type === 'text' && typeof text === 'string') return { type, text };
  const isFile = type === 'file' && typeof url === 'string' && typeof mediaType === 'string';
  return isFile ? fileContent(url, mediaType, filename) : undefined;
}
