/** The items of a Codex thread, in a stream and in a history. */
import type { Call, CallResult, Context } from '../shared/codec.js';
import { asList, objectInput, textOf } from '../shared/history.js';
import type { Parsed } from '../shared/history-format.js';
import type { AnyOf, With } from '../shared/wire.js';

/** An item of a thread, or a part of a user's message: the fields of `ThreadItem` and `UserInput` that are read. */
export type WrittenItem = AnyOf<
  | { type: 'text' | 'image'; text: string; text_elements: []; url: string }
  | { type: 'userMessage'; id: string; clientId: string | null; content: { type: string }[] }
  | { type: 'agentMessage' | 'reasoning'; text: string; summary: string[]; content: string[] }
  | { type: 'commandExecution'; command: string; cwd: string | null; aggregatedOutput: string | null; status: string }
  | { type: 'commandExecution' | 'fileChange'; exitCode: number | null; changes: { path: string }[] }
  | { type: 'mcpToolCall'; server: string; tool: string; arguments: unknown; error: { message: string } | null }
  | { type: 'mcpToolCall'; result: { content: { type: string; text: string }[] } | null }
  | { type: 'dynamicToolCall'; contentItems: { type: string; text: string }[] | null; success: boolean | null }
>;
/** The same as it arrives. Parts have no id. */
export type Item = With<WrittenItem, 'id' | 'type'>;

/** Returns the name and the input of an item that is a call; undefined for other items. */
export function callOf(item: WrittenItem): AnyOf<{ name: string; input: unknown; server: string }> | undefined {
  const { type, command, cwd, changes, tool, arguments: input, server } = item;
  if (type === 'commandExecution') return { name: type, input: { command, ...(cwd != null && { cwd }) } };
  if (type === 'fileChange') return { name: type, input: { changes } };
  if (type === 'mcpToolCall') return { name: tool, input, server };
  if (type === 'dynamicToolCall') return { name: tool, input };
  return undefined;
}

/** Returns the result of a call: the value, and whether it is an error. Undefined for a call that is not over. */
export function resultOf(item: WrittenItem): [value: unknown, failed: boolean] | undefined {
  const { type, status, aggregatedOutput: output, exitCode, changes, result, error, contentItems, success } = item;
  if (!/^(completed|failed|declined)$/.test(textOf(status))) return undefined;
  const failed = status !== 'completed' || success === false;
  if (type === 'commandExecution') {
    // A command that ends with another code than 0 has run: the model reads its output.
    if (exitCode != null) return [{ exitCode, output: output ?? '' }, false];
    return [output || 'The command did not run.', failed];
  }
  if (type === 'fileChange') return [failed ? 'The changes could not be made.' : { changed: pathsOf(changes) }, failed];
  const text = asList(contentItems ?? result?.content)
    .map((part) => part?.text ?? textOf(part))
    .join('\n');
  return [error?.message ?? text, failed];
}

const pathsOf = (changes: Item['changes']): string[] => asList(changes).map((change) => String(change?.path));

/** The id of a request. */
export type RequestId = string | number;
/** What this protocol keeps in a call: its MCP server, or the id of its request. */
export type CodexKept = { readonly codex?: AnyOf<{ server: string; id: RequestId; isQuestion: boolean }> } | undefined;

/** Writes a call as an item. */
export function writeCall(call: Call, { kind, text, value, failed }: CallResult, id: string, context: Context): Item {
  const { toolName: name, providerOptions } = call;
  const input = call.input as WrittenItem | undefined;
  const isRun = kind === 'executed' && !failed;
  const status = isRun ? 'completed' : kind === 'denied' ? 'declined' : 'failed';
  if (name === 'commandExecution' && typeof input?.command === 'string') {
    const { exitCode = isRun ? 0 : null, output = text } =
      isRun && typeof value === 'object' ? ((value ?? {}) as { exitCode?: number; output?: string }) : {};
    return {
      type: name,
      id,
      command: input.command,
      cwd: input.cwd ?? null,
      status,
      aggregatedOutput: output,
      exitCode,
    };
  }
  const given = objectInput(call, context);
  if (name === 'fileChange' && Array.isArray(input?.changes)) return { type: name, id, changes: input.changes, status };
  const server = (providerOptions as CodexKept)?.codex?.server;
  const ended = isRun ? status : 'failed';
  if (typeof server === 'string') {
    const result = isRun ? { result: { content: [{ type: 'text', text }] } } : { error: { message: text } };
    return { type: 'mcpToolCall', id, server, tool: name, arguments: given, status: ended, ...result };
  }
  const contentItems = [{ type: 'inputText', text }];
  return { type: 'dynamicToolCall', id, tool: name, arguments: given, status: ended, contentItems, success: isRun };
}

/** Reads a part of a user message. */
export function userPartOf(part: WrittenItem): Parsed | undefined {
  const { type, text, url } = part;
  if (typeof type !== 'string') throw new TypeError('expected a part with a type');
  if (type === 'text') return { type, text };
  return url ? { type: 'file', mediaType: type, data: url } : undefined;
}
