/**
 * The model and the tool of the tested servers, as the contract in the kit's README asks for: the model makes the calls
 * that the last message of the user lists, and the record shows what was removed.
 */
import * as ai7 from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { z } from 'zod';
import { linesOf, partsOf } from '../../interop/ai-sdk.server';
import type { ScriptedCall } from '../../interop/rig';
import { serve, type Data, type Served } from '../../interop/support';

/** A server. */
export interface TestedServer {
  /** The name of the column. */
  readonly name: string;
  /** The name of the baseline file. */
  readonly baseline: string;
  /** Starts it. Its address is the chat's. */
  start(): Promise<Served>;
}

/** A version of the AI SDK, a model, tools, and their record. */
export interface World {
  readonly ai: typeof ai7;
  readonly model: Data;
  readonly tools: Data;
  readonly version: 6 | 7;
  /** The answer to `GET /record`. */
  record(): object;
}

/** Makes a model and a tool. */
export function worldOf(version: 6 | 7): World {
  const ai = (version === 7 ? ai7 : ai6) as typeof ai7;
  const ran: string[] = [];
  let prompts = '';
  const doStream = async ({ prompt }: Data): Promise<Data> => {
    prompts += `${linesOf(prompt)
      .map(({ kind, text = '' }) => `${kind}: ${text}`)
      .join('\n')}\n`;
    return { stream: convertArrayToReadableStream(partsOf(replyTo(prompt.at(-1)))) };
  };
  const remove_file = ai.tool({
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }: { path: string }) => {
      ran.push(path);
      return `removed ${path}`;
    },
    ...(version === 6 && { needsApproval: true }),
  } as Data);
  const model = version === 7 ? new MockLanguageModelV4({ doStream }) : new MockLanguageModelV3({ doStream });
  return { ai, version, model, tools: { remove_file }, record: () => ({ ran, prompts }) };
}

/** What the model says to the last message of a prompt. */
function replyTo(message: Data): Parameters<typeof partsOf>[0] {
  const calls = callsIn(message);
  if (!calls) return { text: 'done' };
  return { calls: calls.map(({ id, path }) => ({ id, path, tool: 'remove_file' as ScriptedCall['tool'] })) };
}

/** The calls that the kit's message asks the model to make. */
export function callsIn({ role, content }: Data): { id: string; path: string }[] | undefined {
  const text: string = role === 'user' ? content.map((part: Data) => part.text ?? '').join('') : '';
  return text.startsWith('{') ? (JSON.parse(text) as Data).calls : undefined;
}

/** Serves a chat's route handler and the record. */
export function serveChat(
  world: Pick<World, 'record'>,
  post: (request: Request) => Promise<Response>,
): Promise<Served> {
  return serve((_, request) =>
    request.method === 'GET' ? Promise.resolve(Response.json(world.record())) : post(request),
  );
}
