/**
 * The events of a LangGraph run, in the stream modes that the page of the docs asks for, or those of
 * `client.threads.stream`. Calls belong to one node or to several that run in parallel. Approvals are requested by the
 * middleware, for all calls of a node at once, or by each tool in Agent Inbox's form.
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
  let calls = 0;
  return {
    open: () => [{ event: 'metadata', data: { run_id: 'r1' } }],
    text: ({ kind, pieces }) =>
      pieces.map((text) => chunk('m0', { content: kind === 'text' ? text : [{ type: 'thinking', thinking: text }] })),
    call(call) {
      const index = calls++;
      const { id, name, how } = call;
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

export const langgraph: Encoder = {
  protocol: 'langgraph',
  features: { interleaves: true, streams: true, requests: ['plain', 'unannounced'], reasoning: true },
  wire(script: Script, random: Random) {
    const nodes = random.pick([1, 2]);
    const calls = script.steps.flatMap((step) => step.calls);
    const nodeOf = (call: ScriptedCall): number => calls.indexOf(call) % nodes;
    const interrupts = interruptsOf(script, nodeOf, random);
    return random.chance(0.5) ? runEvents(interrupts, nodeOf) : threadEvents(interrupts);
  },
};
