/**
 * The kit's server reads requests as a real server does: every request that a client sent in any scenario is given to
 * `streamText` of `ai` 7 too. Both must run the same calls, give the model the same prompt, and refuse the same
 * requests.
 */
import { convertToModelMessages, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { partsOf } from '../interop/ai-sdk.server';
import type { Data } from '../interop/support';
import { families } from './adapters/index';
import { runScenarios, scenarios, type RequestRecord, type Result } from './kit/src/index';

/** What happened to a request. */
interface Outcome {
  readonly ran: readonly string[];
  readonly prompt: readonly string[] | 'refused';
}

/** Gives a request to `streamText`. */
async function real(body: string): Promise<Outcome> {
  const ran: string[] = [];
  let prompt: Outcome['prompt'] = 'refused';
  const execute =
    (name: string) =>
    async (_: unknown, { toolCallId }: { toolCallId: string }) => {
      ran.push(toolCallId);
      return `${name} done`;
    };
  const names = ['read', 'edit', 'remove', 'send', 'search'];
  const tools = Object.fromEntries(
    names.map((name) => [name, tool({ inputSchema: z.looseObject({}), execute: execute(name) } as Data)]),
  );
  const model = new MockLanguageModelV4({
    doStream: (async (asked: Data) => {
      prompt = asked.prompt.flatMap(linesOf);
      return { stream: convertArrayToReadableStream(partsOf({ text: 'ok' })) };
    }) as Data,
  });
  try {
    const { messages } = JSON.parse(body) as Data;
    const result = streamText({
      model,
      tools: tools as Data,
      messages: await convertToModelMessages(messages),
      toolApproval: { remove: 'user-approval', send: 'user-approval', search: 'user-approval' } as Data,
      maxRetries: 0,
      onError: () => {},
    });
    await result.consumeStream();
  } catch {
    return { ran, prompt: 'refused' };
  }
  return { ran, prompt };
}

function linesOf({ role, content }: Data): string[] {
  if (typeof content === 'string') return [`${role}: ${content}`];
  if (role === 'user') return [`user: ${content.map(({ text }: Data) => text).join('')}`];
  // A denial of a call of the provider is a decision, with or without a result.
  const denied = content
    .filter(({ approved }: Data) => approved === false)
    .map((part: Data) => part.approvalId.slice(4));
  const results = content.filter(({ type }: Data) => type === 'tool-result').map((part: Data) => part.toolCallId);
  const decided = denied.filter((id: string) => !results.includes(id)).map((id: string) => `result ${id}: no output`);
  return content.concat(decided).flatMap((part: Data) => {
    if (typeof part === 'string') return [part];
    const { type, text, toolCallId, toolName, input, output } = part;
    if (type === 'text') return [`assistant: ${text}`];
    if (type === 'tool-call') return [`call ${toolCallId}: ${toolName} ${JSON.stringify(input)}`];
    if (type !== 'tool-result') return [];
    const isOutput = output.type === 'text' || output.type === 'json';
    return [
      isOutput ? `result ${toolCallId}: output ${JSON.stringify(output.value)}` : `result ${toolCallId}: no output`,
    ];
  });
}

/** What the kit's server made of the request. A call that occurs twice is refused by providers, not by `streamText`. */
function kits({ prompt = [], faults }: RequestRecord): Omit<Outcome, 'ran'> {
  if (faults.some((fault) => !fault.endsWith('twice'))) return { prompt: 'refused' };
  // A denial is `execution-denied` in the turn of the decision, and an error text later.
  return { prompt: prompt.map((line) => line.replace(/^(result [^:]*): (?:denied|error).*$/, '$1: no output')) };
}

/** The prompt with the results of a step in the order of their calls. */
const sorted = (prompt: Outcome['prompt']): Outcome['prompt'] =>
  prompt === 'refused'
    ? prompt
    : prompt
        .join('\n')
        .split(/\n(?=result )(?<!\nresult .*\n)|\n(?!result )/)
        .map((lines) => lines.split('\n').sort().join('\n'));

const adapters = families.flatMap((family) => Object.entries(family.adapters));

/** Scenarios whose server settles every request. */
const settling = scenarios.filter(({ server }) => server.every(({ settles }) => settles !== false));

describe.each(adapters.filter(([name]) => name.startsWith('ai-7-react')))('requests of %s', (_, adapter) => {
  let results: readonly Result[] = [];
  beforeAll(async () => {
    // Only what was sent counts here, so a failure needs no second run.
    results = await runScenarios(adapter, settling, { known: settling.map(({ id }) => id) });
  });

  test.each(settling)('$id', async ({ id }) => {
    const { requests, ran } = results.find((result) => result.id === id)!;
    const received = requests.filter(({ arrived, prompt }) => arrived && prompt);
    const outcomes: Outcome[] = [];
    for (const { body } of received) outcomes.push(await real(body));
    expect(outcomes.map(({ prompt }) => sorted(prompt))).toEqual(
      received.map((request) => sorted(kits(request).prompt)),
    );
    expect(outcomes.flatMap((outcome) => outcome.ran)).toEqual(ran);
  });
});
