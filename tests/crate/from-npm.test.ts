/**
 * What the npm package computes, for the crate's `toolgate::json`: digests, values of incomplete inputs, snapshots,
 * keys and bodies. tests/host/json_like_npm.rs expects the same of the crate. `BLESS=1` writes the file.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { init, ToolGate, type SavedGate } from 'toolgate';

import { digest } from '../../src/ts/json/digest.js';
import { DEFAULT_TEXTS, INCOMPLETE } from '../../src/ts/protocols/shared/result-texts.js';
import { SUPERSEDED } from '../../src/ts/types/model-reasons.js';
import { PartialJson } from '../../src/ts/json/partial-json.js';
import { expectFile } from '../lib/markdown-section';

const PATH = 'tests/fixtures/crate/from-npm.json';

beforeAll(() => init());

const VALUES: readonly unknown[] = [
  null,
  true,
  '',
  'a "quoted" \\ text\n\u0000\u001f\u2028 ü 𝄞',
  [0, 1, -1, 0.1, 1e21, 1e-7, 123456789012345680000, 5e-324, 1.7976931348623157e308, 4503599627370497.5, 1e20, -2.5e-9],
  { b: 1, a: [{ ä: null, z: {} }, []], '10': 2, '9': 3, '\u{1f600}': 1, '\uffff': 2 },
  { $: 'undefined', other: [1] },
  { ['__proto__']: { x: 1 }, $: 2, a: 3 },
];

/**
 * The npm package also has a value for some texts that are not JSON: what came before the error. The crate has none.
 */
const TEXTS: readonly string[] = [
  '{"path":"/tmp/\\u00e4\\ud834\\udd1e\\n","count":12.5e-3,"all":true,"none":null,"list":[1,[2,{"a":"b"}],false]}',
  ' [ 1 , -2 , "x" ] trailing',
  '{"a":{"b":[{}]}} x',
  '"only a text',
  'xyz',
];

/** A chat whose calls end without a result, and the texts that the model then gets. Both gates perform its steps. */
interface Closing {
  readonly options: { readonly onDeny?: 'skip-rest'; readonly approvalTimeoutMs?: number };
  readonly steps: readonly (readonly [string, unknown?])[];
}

const asks = (id: string): [string, unknown][] => [
  ['receive', { type: 'tool-input-available', toolCallId: id, toolName: 'remove', input: {} }],
  ['receive', { type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id }],
];
const step = (type: string): [string, unknown] => ['receive', { type }];
const after: [string, unknown] = ['message', 'And now?'];

const CLOSINGS: readonly Closing[] = [
  { options: {}, steps: [...asks('c1'), ['ended', 'finished'], ['cancel'], after] },
  { options: {}, steps: [...asks('c1'), ['ended', 'finished'], after] },
  {
    options: { onDeny: 'skip-rest' },
    steps: [...asks('c1'), ...asks('c2'), ['ended', 'finished'], ['deny', 'ask-c1']],
  },
  { options: { approvalTimeoutMs: 10 }, steps: [...asks('c1'), ['ended', 'finished'], ['time', 5_000]] },
  { options: {}, steps: [...asks('c1'), step('finish-step'), step('start-step'), ['ended', 'finished']] },
  {
    options: {},
    steps: [
      ['receive', { type: 'tool-input-start', toolCallId: 'c1', toolName: 'remove' }],
      ['receive', { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"a"' }],
      ['ended', 'disconnected'],
      after,
    ],
  },
  {
    options: {},
    steps: [
      ['receive', { type: 'tool-input-available', toolCallId: 'c1', toolName: 'remove', input: {} }],
      ['ended', 'disconnected'],
      after,
    ],
  },
  { options: {}, steps: [...asks('c1'), ['ended', 'disconnected'], ['cancel'], after] },
];

/** The history that the model gets in a chat, and its messages. */
function closing({ options, steps }: Closing): { model: unknown; messages: unknown } {
  let [ids, now] = [0, 1_000];
  const gate = new ToolGate({ chatId: 'chat-1', generateId: () => `id-${++ids}`, now: () => now, ...options });
  gate.sendUserMessage({ text: 'Tidy up' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'm1' });
  gate.receive({ type: 'start-step' });
  for (const [name, value] of steps) {
    if (name === 'receive') gate.receive(value as never);
    else if (name === 'ended') gate.streamEnded({ status: value } as never);
    else if (name === 'cancel') gate.cancel();
    else if (name === 'message') gate.sendUserMessage({ text: value as string });
    else if (name === 'deny') gate.respond(value as string, { approved: false });
    else gate.tick((now = value as number));
  }
  return { model: gate.assemble(), messages: gate.getSnapshot().messages };
}

/** A chat with a settled, a denied and a pending call, and a queued message. */
function chat(): ToolGate {
  let ids = 0;
  const gate = new ToolGate({ chatId: 'chat-1', generateId: () => `id-${++ids}`, now: () => 1_000 });
  gate.sendUserMessage({ text: 'Tidy up' });
  gate.markSent(gate.outgoing()[0]!.id);
  const call = (id: string, input: unknown): void => {
    gate.receive({ type: 'tool-input-available', toolCallId: id, toolName: 'remove', input });
    gate.receive({ type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id, signature: `s-${id}` });
  };
  gate.receive({ type: 'start', messageId: 'm1', messageMetadata: { model: 'x' } });
  gate.receive({ type: 'start-step' });
  gate.receive({ type: 'text-start', id: 't' });
  gate.receive({ type: 'text-delta', id: 't', delta: 'I shall remove two files.' });
  gate.receive({ type: 'text-end', id: 't' });
  call('c1', { path: '/a', $: [1.5, 1e21] });
  call('c2', { path: '/b' });
  gate.receive({ type: 'finish-step' });
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
  gate.respond('ask-c1', { approved: false, reason: 'keep it' });
  return gate;
}

it('the file for the crate has what the npm package computes', () => {
  const saved = JSON.parse(JSON.stringify(chat())) as SavedGate;
  const restored = ToolGate.restore(saved);
  const resaved = restored.toJSON();
  const pending = restored.pending().map(({ approvalId, toolCallId, toolName, inputDigest, requestedAt }) => ({
    ...{ approvalId, toolCallId, toolName, inputDigest, requestedAt },
  }));
  const { messages } = restored.getSnapshot();
  const model = restored.assemble();
  restored.respond('ask-c2', { approved: true });
  const [outgoing] = restored.outgoing();
  const { key, body, approvalIds } = outgoing!;
  const prefixes = TEXTS.flatMap((text) => [...text].map((_, end) => [...text].slice(0, end + 1).join('')));
  // A text of Rust has no half of a surrogate pair.
  const isRust = ([, value]: readonly unknown[]): boolean => !/\\ud[89a-f]/.test(JSON.stringify(value) ?? '');
  const partial = prefixes.map((text) => {
    const parser = new PartialJson();
    parser.push(text);
    const { value } = parser;
    return value === undefined ? [text] : [text, value];
  });
  const content = {
    digests: VALUES.map((value) => [value, digest(value)]),
    partial: partial.filter(isRust),
    snapshot: saved,
    resaved,
    pending,
    messages,
    model,
    request: { key, body, approvalIds },
    closings: CLOSINGS.map((each) => ({ ...each, ...closing(each) })),
  };
  const told = JSON.stringify(content.closings);
  const { denied: _, ...defaults } = DEFAULT_TEXTS;
  for (const text of [...Object.values(defaults), INCOMPLETE, SUPERSEDED]) expect(told).toContain(text);
  expectFile(PATH, `${JSON.stringify(content)}\n`);
  expect(JSON.parse(readFileSync(PATH, 'utf8'))).toHaveProperty('request.key');
});
