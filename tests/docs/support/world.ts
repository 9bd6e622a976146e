/**
 * The declared names that the servers of docs/security.md use: a scripted model, a tool that needs approval, and a
 * login. They record their calls.
 */
import { tool, type ToolSet } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { MockLanguageModelV3 } from 'ai6/test';
import { z } from 'zod';

import { linesOf, partsOf } from '../../interop/ai-sdk.server';
import type { Line, Reply } from '../../interop/rig';
import { scripted, type Data } from '../../interop/support';

/**
 * The values of the names that a server of docs/security.md uses, and the records of its tools and its model. Tools
 * wait until `hold` resolves.
 */
export function world(replies: readonly Reply[], hold?: Promise<void>, version: 6 | 7 = 7) {
  const ran: string[] = [];
  const prompts: Line[][] = [];
  const next = scripted(replies);
  const removeFile = async (path: string): Promise<string> => {
    ran.push(path);
    await hold;
    return `removed ${path}`;
  };
  const doStream = (async ({ prompt }: Data) => {
    prompts.push(linesOf(prompt));
    return { stream: convertArrayToReadableStream(partsOf(next())) };
  }) as never;
  const model = version === 7 ? new MockLanguageModelV4({ doStream }) : new MockLanguageModelV3({ doStream });
  const asks = version === 6 && { needsApproval: true };
  const tools: ToolSet = {
    remove_file: tool({
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => removeFile(path),
      ...asks,
    }),
  };
  const userOf = async ({ headers }: { headers: Headers | Record<string, unknown> }): Promise<string | undefined> => {
    const cookie = headers instanceof Headers ? headers.get('cookie') : headers['cookie'];
    return typeof cookie === 'string' ? cookie : undefined;
  };
  return { ran, prompts, given: { model, tools, removeFile, userOf } };
}

/** A reply with a call that removes `/a`. */
export const CALL = { calls: [{ id: 'c1', tool: 'remove_file' as never, path: '/a' }] };

/** Waits until the condition is true. */
export async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round > 20_000) throw new Error(`this never became true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
