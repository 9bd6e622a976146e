/** Whose call is it: the page's or the server's, by the protocol, `browserTools` and the mark of the call. */
import { expect, test } from 'vitest';
import { defineProtocol } from 'toolgate/protocols';
import { ToolGate, type AiSdkBody, type ToolGateOptions } from 'toolgate';
import { PROTOCOL_NAMES, named } from '../protocols/all.js';
import { send } from './support';

const user = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] };
const call = (id: string, more?: object): object => ({
  type: 'tool-list',
  toolCallId: id,
  state: 'input-available',
  input: {},
  ...more,
});

/** A gate whose stored history ends with a call without a result, which each protocol reads in the AI SDK's form. */
function loaded(options: ToolGateOptions, part: object = call('c1')): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.load([user, { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, part] }]);
  return gate;
}

const isOfPage = (options: ToolGateOptions, part?: object): boolean => {
  const { turn } = loaded(options, part).getSnapshot();
  const awaited = turn.waitingFor.some(({ kind }) => kind === 'tool');
  expect(turn.runnable).toEqual(awaited ? ['c1'] : []);
  return awaited;
};

/** The protocols in which a call without a result is the page's by the wire's own meaning. */
const FAMILY = ['ai-sdk', 'ai-sdk-ws', 'cloudflare', 'effect', 'pydantic-ai'];
/** Models' own APIs, whose tools only the page can run. */
const RAW = ['anthropic', 'gemini', 'openai-chat', 'openai-responses', 'vscode'];

test.each(PROTOCOL_NAMES)('%s: whose an unlisted call is', (name) => {
  const isRaw = RAW.includes(name);
  // Without it, the gate asks about the calls of a model's own API.
  const options = { protocol: named(name), ...(isRaw && { needsApproval: () => false }) };
  expect(isOfPage(options)).toBe(FAMILY.includes(name) || isRaw);
  expect(isOfPage({ ...options, browserTools: [] })).toBe(isRaw);
  expect(isOfPage({ ...options, browserTools: ['other'] })).toBe(isRaw);
  expect(isOfPage({ ...options, browserTools: ['list'] })).toBe(true);
  const marked = call('c1', { callProviderMetadata: { toolgate: { runsInPage: true } } });
  expect(isOfPage({ ...options, browserTools: [] }, marked)).toBe(true);
});

test("an app's own protocol: as in the AI SDK if the history has its format, else the server's", () => {
  const definition = {
    name: 'mine',
    capabilities: { kind: 'resubmitting' },
    createReader: () => () => true,
    write: () => [],
    body: () => ({}),
  } as const;
  expect(isOfPage({ protocol: defineProtocol(definition) })).toBe(true);
  expect(isOfPage({ protocol: defineProtocol({ ...definition, read: () => [] }) })).toBe(false);
});

test('a call of the server holds no decision of its step, and the request says that it may have run', () => {
  const gate = new ToolGate({ chatId: 'chat', browserTools: [] });
  const asked = call('c2', { state: 'approval-requested', approval: { id: 'a2' } });
  gate.load([user, { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, call('c1'), asked] }]);
  expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'user', approvalIds: ['a2'] }]);
  gate.respond('a2', { approved: true });
  const { messages } = gate.outgoing()[0]!.body as AiSdkBody;
  expect(messages.at(-1)!.parts.find((part) => 'toolCallId' in part && part.toolCallId === 'c1')).toMatchObject({
    state: 'output-error',
    callProviderMetadata: { toolgate: { outcome: 'interrupted', mayHaveRun: true } },
  });
  send(gate);
  expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'reply' }]);
});

test('the page may give the output of such a call', () => {
  const gate = loaded({ browserTools: [] });
  gate.addToolOutput('c1', { output: ['a.txt'] });
  expect(gate.outgoing()).toHaveLength(1);
});
