/** Chats with real gates, each in a state that a user interface must explain. */
import { ToolGate, type ToolGateOptions, type ToolPart, isToolPart } from 'toolgate';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from 'toolgate/slim';

await init(readFileSync(createRequire(import.meta.url).resolve('toolgate/toolgate.wasm')));

const START = [{ type: 'start', messageId: 'm1' }, { type: 'start-step' }];

/** The chunks of a call that needs an approval. */
function ask(id: string, extra: object = {}): object[] {
  return [
    { type: 'tool-input-available', toolCallId: id, toolName: 'delete_file', input: { path: `${id}.md` } },
    { type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id, ...extra },
  ];
}

/** A gate that has received these chunks of an open reply. */
function streaming(chunks: readonly object[], options: ToolGateOptions = {}): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  [...START, ...chunks].forEach((chunk) => gate.receive(chunk));
  return gate;
}

/** A gate whose reply requested approvals for these calls. */
function asking(ids: readonly string[], options?: ToolGateOptions): ToolGate {
  const gate = streaming(
    ids.flatMap((id) => ask(id)),
    options,
  );
  gate.receive({ type: 'finish-step' });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/** Claims the next request and returns its id. */
function send(gate: ToolGate): string {
  const [item] = gate.outgoing();
  if (!item || !gate.claim(item.id)) throw new Error('no request is ready');
  return item.id;
}

/** A gate with one approved call whose decision was sent. */
function approved(then: (gate: ToolGate, id: string) => void): ToolGate {
  const gate = asking(['a']);
  gate.respond('ask-a', { approved: true });
  then(gate, send(gate));
  return gate;
}

/** A gate that has received the result of an approved call. */
const answered = (...chunks: object[]): ToolGate =>
  approved((gate) => [{ type: 'start', messageId: 'm1' }, ...chunks].forEach((chunk) => gate.receive(chunk)));

const denial = (gate: ToolGate, reason?: string, id = 'a'): ToolGate => {
  gate.respond(`ask-${id}`, { approved: false, ...(reason === undefined ? {} : { reason }) });
  return gate;
};

const after = (gate: ToolGate, ...acts: ((gate: ToolGate) => unknown)[]): ToolGate => {
  acts.forEach((act) => act(gate));
  return gate;
};

/** The scenes, by name. Each creates a gate; the scene is about its call `a`, or the one after a colon in the name. */
export const SCENES: Readonly<Record<string, () => ToolGate>> = {
  'the model writes the input': () =>
    streaming([
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'delete_file' },
      { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"pa' },
    ]),
  'it runs without an approval': () =>
    streaming([{ type: 'tool-input-available', toolCallId: 'a', toolName: 'read_file', input: {} }]),
  'it waits for the user': () => asking(['a']),
  'the server decides': () => streaming(ask('a', { isAutomatic: true })),
  'the server approved it': () =>
    streaming([
      ...ask('a', { isAutomatic: true }),
      { type: 'tool-approval-response', approvalId: 'ask-a', approved: true },
    ]),
  'the server denied it': () =>
    streaming([
      ...ask('a', { isAutomatic: true }),
      { type: 'tool-approval-response', approvalId: 'ask-a', approved: false, reason: 'outside of office hours' },
      { type: 'tool-output-denied', toolCallId: 'a' },
    ]),
  'approved, another call is open': () =>
    after(asking(['a', 'b']), (gate) => gate.respond('ask-a', { approved: true })),
  'approved, the reply goes on': () => after(streaming(ask('a')), (gate) => gate.respond('ask-a', { approved: true })),
  'approved, then stopped': () =>
    after(
      streaming(ask('a')),
      (gate) => gate.respond('ask-a', { approved: true }),
      (gate) => gate.stop(),
      (gate) => gate.streamEnded({ status: 'aborted' }),
    ),
  'approved, ready': () => after(asking(['a']), (gate) => gate.respond('ask-a', { approved: true })),
  'approved, being sent': () => approved(() => {}),
  'approved, it runs': () => answered({ type: 'start-step' }),
  'not delivered': () => approved((gate, id) => gate.markFailed(id, 'offline')),
  'perhaps delivered': () => approved((gate) => gate.streamEnded({ status: 'disconnected' })),
  'an empty reply': () => approved((gate) => gate.streamEnded({ status: 'finished' })),
  'the reply was lost': () =>
    after(answered({ type: 'start-step' }), (gate) => gate.streamEnded({ status: 'disconnected' })),
  'an output': () => answered({ type: 'tool-output-available', toolCallId: 'a', output: { deleted: 'a.md' } }),
  'a preliminary output': () =>
    answered({ type: 'tool-output-available', toolCallId: 'a', output: '1 of 2', preliminary: true }),
  'an error of the tool': () => answered({ type: 'tool-output-error', toolCallId: 'a', errorText: 'EACCES: a.md' }),
  denied: () => denial(asking(['a'])),
  'denied with a reason': () => denial(asking(['a']), 'not before June'),
  'denied by a remembered decision: b': () => {
    const gate = asking(['a']);
    gate.respond('ask-a', { approved: false, remember: { for: 'chat', scope: 'tool' } });
    send(gate);
    [{ type: 'start', messageId: 'm2' }, { type: 'start-step' }, ...ask('b')].forEach((chunk) => gate.receive(chunk));
    return gate;
  },
  'the user wrote instead': () => after(asking(['a']), (gate) => gate.sendUserMessage({ text: 'wait' })),
  'the user wrote instead, loaded': () => {
    const gate = SCENES['the user wrote instead']!();
    return loaded(gate);
  },
  'skipped: b': () => denial(asking(['a', 'b'], { onDeny: 'skip-rest' })),
  'skipped, loaded: b': () => loaded(SCENES['skipped: b']!()),
  expired: () => {
    let now = 0;
    const gate = asking(['a'], { approvalTimeoutMs: 10, now: () => now });
    gate.tick((now = 60_000));
    return gate;
  },
  cancelled: () => after(asking(['a']), (gate) => gate.cancel()),
  'cancelled with a reason': () => after(asking(['a']), (gate) => gate.cancel('enough for today')),
  'cancelled, may have run': () => after(SCENES['an empty reply']!(), (gate) => gate.cancel()),
  'interrupted, may have run': () =>
    after(SCENES['the reply was lost']!(), (gate) => gate.sendUserMessage({ text: 'what now?' })),
  superseded: () =>
    streaming([
      ...ask('a'),
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Well' },
    ]),
};

/** The same chat, loaded from the messages of its next request. */
function loaded(gate: ToolGate): ToolGate {
  const next = new ToolGate();
  next.load((gate.outgoing()[0]?.body as { messages: unknown[] }).messages);
  return next;
}

/** The call that a scene is about. */
export function callOf(gate: ToolGate, name: string): ToolPart {
  const id = name.split(': ')[1] ?? 'a';
  const part = gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts.filter(isToolPart))
    .find(({ toolCallId }) => toolCallId === id);
  if (!part) throw new Error(`the scene "${name}" has no call ${id}`);
  return part;
}
