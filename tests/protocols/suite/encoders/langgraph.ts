/**
 * The events of a LangGraph run, in each of its stream modes, or those of `client.threads.stream`. Calls belong to one
 * node or to several that run in parallel. Approvals are requested by the middleware, for all calls of a node at once,
 * or by each tool in Agent Inbox's form.
 */
import type { Encoder, Wire } from '../encoder.js';
import type { Random } from '../../../soak/random.js';
import type { Script, ScriptedCall, ScriptedText } from '../script.js';

/** Requests for approvals: the middleware's for a list of calls, or Agent Inbox's for one. */
const middleware = (calls: readonly ScriptedCall[]): object => ({
  action_requests: calls.map(({ name, request }) => ({ name, args: request!.input })),
  review_configs: [],
});
const inbox = ({ name, request }: ScriptedCall): object => ({
  action_request: { action: name, args: request!.input },
  config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
});

/** The interrupts of a script. `nodeOf`: the node of a call. */
function interruptsOf(
  script: Script,
  nodeOf: (call: ScriptedCall) => number,
  random: Random,
): [id: string, value: object][] {
  const asked = script.steps.flatMap(({ calls }) => calls).filter(({ request }) => request);
  const nodes = [...new Set(asked.map(nodeOf))];
  const values = random.chance(0.5)
    ? nodes.map((node) => middleware(asked.filter((call) => nodeOf(call) === node)))
    : asked.map(inbox);
  return values.map((value, at) => [String(at).repeat(32), value]);
}

/** The events of `client.runs.stream`. */
function runEvents(interrupts: readonly [string, object][], nodeOf: (call: ScriptedCall) => number): Wire {
  const chunk = (id: string, more: object): object => ({
    event: 'messages',
    data: [{ type: 'AIMessageChunk', id, content: '', ...more }, { langgraph_node: 'agent' }],
  });
  const calls = [0, 0];
  return {
    open: () => [{ event: 'metadata', data: { run_id: 'r1' } }],
    text: ({ kind, pieces }) =>
      pieces.map((text) => chunk('m0', { content: kind === 'text' ? text : [{ type: 'thinking', thinking: text }] })),
    call(call) {
      const { id, name, how } = call;
      // The calls of each message are counted from 0.
      const index = calls[nodeOf(call)]!++;
      const piece = (more: object): object => chunk(`m${nodeOf(call)}`, { tool_call_chunks: [{ index, ...more }] });
      return [piece({ id, name, args: '' }), ...how.pieces.map((args) => piece({ args }))];
    },
    close: () => interrupts.map(([id, value]) => ({ event: 'updates', data: { __interrupt__: [{ id, value }] } })),
    fail: () => [{ event: 'error', data: { error: 'Error', message: 'overloaded' } }],
  };
}

/** The events of `client.threads.stream`. The blocks of one message do not overlap, so each call has a node. */
function threadEvents(interrupts: readonly [string, object][]): Wire {
  let messages = 0;
  const event = (method: string, data: object, more?: object): object => ({
    type: 'event',
    method,
    params: { namespace: [], timestamp: 0, data, ...more },
  });
  /** A message with one block. */
  const message = (start: object, deltas: readonly object[], finish: object): object[] => {
    const node = `node-${messages++}`;
    const of = (name: string, data?: object): object => event('messages', { event: name, ...data }, { node });
    return [
      of('message-start', { role: 'ai', id: node }),
      of('content-block-start', { index: 0, content: start }),
      ...deltas.map((delta) => of('content-block-delta', { index: 0, delta })),
      of('content-block-finish', { index: 0, content: finish }),
      of('message-finish'),
    ];
  };
  return {
    open: () => [event('lifecycle', { event: 'running' })],
    text({ kind, pieces }: ScriptedText) {
      const whole = (text: string): object => ({ type: kind, [kind]: text });
      const deltas = pieces.map((piece) => ({ type: `${kind}-delta`, [kind]: piece }));
      return message(whole(''), deltas, whole(pieces.join('')));
    },
    call({ id, name, how, input }) {
      const deltas = how.pieces.map((args) => ({ type: 'tool-call-delta', args }));
      return message({ type: 'tool_call_chunk', id, name, args: '' }, deltas, {
        type: 'tool_call',
        id,
        name,
        args: input,
      });
    },
    close: () => interrupts.map(([id, payload]) => event('input.requested', { interrupt_id: id, payload })),
    fail: () => [event('lifecycle', { event: 'failed', error: 'overloaded' })],
  };
}

/** The events of a run that does not stream its messages: the state of the graph, whole or what each node adds. */
function stateEvents(
  { steps: [step] }: Script,
  interrupts: readonly [string, object][],
  nodeOf: (call: ScriptedCall) => number,
  random: Random,
): Wire {
  const { texts, calls } = step!;
  const content = texts.map(({ kind, pieces }) =>
    kind === 'text' ? { type: 'text', text: pieces.join('') } : { type: 'thinking', thinking: pieces.join('') },
  );
  const messages = [0, 1].flatMap((node) => {
    const tool_calls = calls
      .filter((call) => nodeOf(call) === node)
      .map(({ id, name, input }) => ({ id, name, args: input }));
    const own = node === 0 ? content : [];
    return own.length + tool_calls.length ? [{ type: 'ai', id: `m${node}`, content: own, tool_calls }] : [];
  });
  const human = { type: 'human', id: 'h', content: 'Go.' };
  const ask = { __interrupt__: interrupts.map(([id, value]) => ({ id, value })) };
  const built = (message: { readonly type: string }): object => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', message.type === 'ai' ? 'AIMessage' : 'HumanMessage'],
    kwargs: message,
  });
  const event = (name: string, data: unknown): object => ({ event: name, data });
  const state = { messages: [human, ...messages] };
  const updates = [event('updates', { model: { messages } }), event('updates', ask)];
  return {
    open: () => [event('metadata', { run_id: 'r1' })],
    text: () => [],
    call: () => [],
    close: () =>
      random.pick<() => unknown[]>([
        () => [event('values', { messages: [human] }), event('values', state), event('values', { ...state, ...ask })],
        () => updates,
        () => [...messages.map((message) => event('messages', [message, {}])), ...updates],
        () => [
          event('messages/complete', [human]),
          ...messages.flatMap((message) => [
            event('messages/partial', [{ ...message, tool_calls: [] }]),
            event('messages/partial', [
              { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, args: {} })) },
            ]),
            event('messages/complete', [message]),
          ]),
          event('updates', ask),
        ],
        () => [
          ['values', { messages: [built(human)] }],
          ['values', { messages: state.messages.map(built) }],
          ['values', ask],
        ],
      ])(),
    fail: () => [event('error', { error: 'Error', message: 'overloaded' })],
  };
}

export const langgraph: Encoder = {
  protocol: 'langgraph',
  features: { interleaves: true, streams: true, requests: ['plain', 'unannounced'], reasoning: true },
  wire(script: Script, random: Random) {
    const nodes = random.pick([1, 2]);
    const calls = script.steps.flatMap((step) => step.calls);
    const nodeOf = (call: ScriptedCall): number => calls.indexOf(call) % nodes;
    const interrupts = interruptsOf(script, nodeOf, random);
    return random.pick([
      () => runEvents(interrupts, nodeOf),
      () => threadEvents(interrupts),
      () => stateEvents(script, interrupts, nodeOf, random),
    ])();
  },
};
