/**
 * The raw model APIs with their vendors' own clients, against providers that enforce the rules of each API. The tests
 * check the model's input for each decision, and that no request is rejected.
 */
import { ToolGate } from 'toolgate';
import { afterEach, describe, expect, test } from 'vitest';
import { provider, type Provider, type Script } from './provider';
import type { Raw } from './replies';
import { gateFor, losses, type Data } from './support';
import { named } from './all.js';

const RAW: readonly Raw[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'];
const DENIED = 'Error: Tool execution was denied by user.';
const ASK = {
  thought: 'Hm.',
  text: 'I will.',
  calls: ['a', 'b', 'c'].map((id) => ({ id, name: 'edit', input: { path: id } })),
};

/** Returns the results in a request, in order, with the error flag if the protocol has one. */
function resultsIn(protocol: Raw, body: Data): [call: string, text: unknown, failed?: boolean][] {
  switch (protocol) {
    case 'anthropic':
      return body.messages.flatMap(({ content }: Data) =>
        content
          .filter(({ type }: Data) => type === 'tool_result')
          .map((block: Data) => [block.tool_use_id, block.content, block.is_error === true]),
      );
    case 'openai-chat':
      return body.messages
        .filter(({ role }: Data) => role === 'tool')
        .map((message: Data) => [message.tool_call_id, message.content]);
    case 'openai-responses':
      return body.input
        .filter(({ type }: Data) => type === 'function_call_output')
        .map((item: Data) => [item.call_id, item.output]);
    case 'gemini':
      return body.contents.flatMap(({ parts }: Data) =>
        parts
          .filter((part: Data) => part.functionResponse)
          .map(({ functionResponse: { id, response } }: Data) => [
            id,
            response.error ?? response.output,
            'error' in response,
          ]),
      );
  }
}

/** Removes the error flags if the protocol has none. */
const flagged = (protocol: Raw, results: [string, unknown, boolean][]): unknown[] =>
  results.map(([call, text, failed]) =>
    protocol === 'anthropic' || protocol === 'gemini' ? [call, text, failed] : [call, text],
  );

describe.each(RAW)('%s', (protocol) => {
  let current: Provider | undefined;
  afterEach(async () => {
    await current?.close();
    current = undefined;
  });

  async function asked(script: readonly Script[], options = {}): Promise<[ToolGate, Provider]> {
    const server = (current = await provider(protocol, script));
    const gate = gateFor(protocol, options);
    gate.sendUserMessage({ text: 'Tidy up.' });
    await server.deliver(gate);
    return [gate, server];
  }

  test('every call gets an approval; results of approved calls and denials are sent in one request', async () => {
    const [gate, server] = await asked([ASK, { text: 'Done.' }, { text: 'Bye.' }]);
    expect(
      gate.pending().map(({ approvalId, toolCallId, toolName, input }) => [approvalId, toolCallId, toolName, input]),
    ).toEqual(['a', 'b', 'c'].map((id) => [id, id, 'edit', { path: id }]));
    gate.respond('b', { approved: false, reason: 'Not that one.' });
    gate.respond('c', { approved: false });
    gate.respond('a', { approved: true });
    expect(gate.outgoing()).toEqual([]);
    gate.addToolOutput('a', { output: 'changed' });
    await server.deliver(gate);
    const expected = flagged(protocol, [
      ['a', 'changed', false],
      ['b', `${DENIED} Not that one.`, true],
      ['c', DENIED, true],
    ]);
    expect(resultsIn(protocol, server.requests[1])).toEqual(expected);
    gate.sendUserMessage({ text: 'Thanks.' });
    await server.deliver(gate);
    expect(resultsIn(protocol, server.requests[2])).toEqual(expected);
    expect(gate.undelivered()).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  test('all denied: one request, and nothing runs', async () => {
    const [gate, server] = await asked([ASK, { text: 'As you wish.' }]);
    expect(gate.respondAll({ approved: false })).toBe(3);
    await server.deliver(gate);
    expect(resultsIn(protocol, server.requests[1])).toEqual(
      flagged(
        protocol,
        ['a', 'b', 'c'].map((id) => [id, DENIED, true]),
      ),
    );
    expect(gate.getSnapshot().turn.status).toBe('done');
  });

  test('a message instead of a decision denies the pending calls', async () => {
    const [gate, server] = await asked([ASK, { text: 'Oh.' }]);
    gate.sendUserMessage({ text: 'Wait.' });
    await server.deliver(gate);
    const text = `${DENIED} The user sent a new message instead of answering.`;
    expect(resultsIn(protocol, server.requests[1])).toEqual(
      flagged(
        protocol,
        ['a', 'b', 'c'].map((id) => [id, text, true]),
      ),
    );
  });

  test('after `cancel()` the results say that the calls were cancelled, and the chat continues', async () => {
    const [gate, server] = await asked([ASK, { text: 'Oh.' }]);
    gate.cancel();
    expect(gate.outgoing()).toEqual([]);
    gate.sendUserMessage({ text: 'Something else.' });
    await server.deliver(gate);
    const text = 'Error: Tool execution was cancelled by user. It did not run.';
    expect(resultsIn(protocol, server.requests[1])).toEqual(
      flagged(
        protocol,
        ['a', 'b', 'c'].map((id) => [id, text, true]),
      ),
    );
  });

  test('the model reads that the outcome of an approved call without a result is unknown', async () => {
    const [gate, server] = await asked([ASK, { text: 'Oh.' }]);
    gate.respondAll({ approved: true });
    gate.addToolOutput('b', { errorText: 'no such file' });
    expect(gate.outgoing()).toEqual([]);
    gate.sendUserMessage({ text: 'Never mind.' });
    await server.deliver(gate);
    const results = resultsIn(protocol, server.requests[1]).map(([call, text]) => [call, text]);
    expect(results[1]).toEqual(['b', 'no such file']);
    expect(results.map(([call]) => call)).toEqual(['a', 'b', 'c']);
    expect(results[0]?.[1]).toBe('Error: Tool execution was interrupted. It may have run; its outcome is unknown.');
  });

  test('a failed reply keeps its completed calls: the next request has them once', async () => {
    const [gate, server] = await asked([
      { calls: [{ id: 'x', name: 'edit', input: {} }] },
      { error: 'overloaded', after: { calls: [{ id: 'y', name: 'edit', input: {} }] } },
      { text: 'Good.' },
    ]);
    gate.respond('x', { approved: true });
    gate.addToolOutput('x', { output: 'changed' });
    await server.deliver(gate);
    expect(gate.getSnapshot().turn.status).toBe('incomplete');
    gate.sendUserMessage({ text: 'Go on.' });
    await server.deliver(gate);
    // In Chat Completions a call is complete only when its reply is, so `y` is not a call yet.
    expect(resultsIn(protocol, server.requests[2]).map(([call]) => call)).toEqual(
      protocol === 'openai-chat' ? ['x'] : ['x', 'y'],
    );
    expect(gate.getSnapshot().turn.status).toBe('done');
  });

  test('the chat continues after a restore or a load', async () => {
    const [gate, server] = await asked([ASK, { text: 'Done.' }, { text: 'Done.' }]);
    const finish = async (other: ToolGate): Promise<unknown> => {
      other.respondAll({ approved: true });
      for (const id of ['a', 'b', 'c']) other.addToolOutput(id, { output: { changed: id } });
      await server.deliver(other);
      return server.requests.at(-1);
    };
    const restored = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol: named(protocol) });
    const kept = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol: named(protocol) });
    const inUi = gateFor(protocol);
    inUi.load(JSON.parse(JSON.stringify(kept.getSnapshot().messages)));
    expect(inUi.pending().map(({ approvalId }) => approvalId)).toEqual(['a', 'b', 'c']);
    expect(await finish(restored)).toEqual(await finish(inUi));
  });

  test('a history in the format of the API, loaded with an open call, shows the approval again', async () => {
    const [gate, server] = await asked([{ calls: [ASK.calls[0]!] }, { text: 'Done.' }, { text: 'Yes.' }]);
    gate.respond('a', { approved: false, reason: 'No.' });
    await server.deliver(gate);
    const kept = JSON.parse(JSON.stringify(gate.assemble()));
    const answer = kept.findIndex((entry: Data) => JSON.stringify(entry).includes(DENIED));
    const open = gateFor(protocol);
    open.load(kept.slice(0, answer));
    expect(open.pending().map(({ approvalId, toolName, input }) => [approvalId, toolName, input])).toEqual([
      ['a', 'edit', { path: 'a' }],
    ]);
    const closed = gateFor(protocol);
    expect(closed.load(kept).repairs).toEqual([]);
    expect(closed.pending()).toEqual([]);
    const part: Data = closed.getSnapshot().messages[1]?.parts.find((one) => 'toolCallId' in one);
    expect(part.outcome).toEqual({ kind: 'denied', reason: 'No.' });
    expect(closed.assemble()).toEqual(gate.assemble());
  });

  test('needsApproval selects the calls that need an approval', async () => {
    const [gate, server] = await asked([ASK, { text: 'Done.' }], {
      needsApproval: ({ input }: { input: Data }) => input.path === 'b',
    });
    expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['b']);
    gate.addToolOutput('a', { output: '1' });
    gate.addToolOutput('c', { output: '3' });
    expect(gate.outgoing()).toEqual([]);
    gate.respond('b', { approved: false });
    await server.deliver(gate);
    expect(resultsIn(protocol, server.requests[1]).map(([, text]) => text)).toEqual(['1', DENIED, '3']);
  });

  test('reasoning is sent back with its signature', async () => {
    if (protocol === 'openai-chat') return expect(losses(gateFor(protocol), () => {})).toEqual([]);
    const [gate, server] = await asked([ASK, { text: 'Done.' }]);
    gate.respondAll({ approved: false });
    await server.deliver(gate);
    const proof = {
      anthropic: '"signature":"signed Hm."',
      'openai-responses': '"encrypted_content":"sealed Hm."',
      gemini: '"thoughtSignature":"signed edit"',
    };
    expect(JSON.stringify(server.requests[1])).toContain(proof[protocol]);
  });
});
