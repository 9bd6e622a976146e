/**
 * The Responses API as OpenAI and servers that leave out or change its item ids stream it, read by OpenAI's own client
 * too.
 */
import { ResponseStream } from 'openai/lib/responses/ResponseStream';
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import { linesOf, type Encoder, type ReadCall } from '../encoder.js';
import type { ScriptedCall, ScriptedText } from '../script.js';

const readCalls = (items: readonly (ResponseOutputItem | ResponseInputItem)[]): ReadCall[] =>
  items.flatMap((item) =>
    item.type === 'function_call' ? [{ name: item.name, input: JSON.parse(item.arguments) }] : [],
  );

const RESPONSE = { id: 'resp_1', object: 'response', status: 'completed', output: [] };

export const openaiResponses: Encoder = {
  protocol: 'openai-responses',
  features: {
    interleaves: true,
    streams: true,
    missingIds: true,
    rotatedIds: true,
    repeatedIds: true,
    clientAsks: true,
    reasoning: true,
  },
  wire(_, random) {
    const isWhole = random.chance(0.2);
    const output: object[] = [];
    let rotated = 0;
    /** The events of an item. `ids`: what the server does with the item's id. */
    const itemOf = (item: object, ids: string, deltas: readonly object[]): object[] => {
      const output_index = output.length;
      const id = (): object =>
        ids === 'missing' ? {} : { id: ids === 'given' ? `item-${output_index}` : `item-r${rotated++}` };
      const empty = { arguments: '', content: [], summary: [] };
      const emptied = Object.fromEntries(
        Object.entries(item).map(([key, value]) => [key, (empty as Record<string, unknown>)[key] ?? value]),
      );
      output.push({ ...id(), ...item });
      if (isWhole) return [];
      return [
        { type: 'response.output_item.added', output_index, item: { ...id(), ...emptied } },
        ...deltas.map((delta) => {
          const { id: item_id } = id() as { id?: string };
          return { output_index, ...(item_id !== undefined && { item_id }), ...delta };
        }),
        { type: 'response.output_item.done', output_index, item: { ...id(), ...item } },
      ];
    };
    const text = ({ kind, pieces }: ScriptedText): object[] => {
      const whole = pieces.join('');
      if (kind === 'reasoning')
        return itemOf({ type: 'reasoning', summary: [{ type: 'summary_text', text: whole }] }, 'given', [
          { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { type: 'summary_text', text: '' } },
          ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta })),
        ]);
      const part = { type: 'output_text', text: whole, annotations: [] };
      return itemOf({ type: 'message', role: 'assistant', status: 'completed', content: [part] }, 'given', [
        { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
        ...pieces.map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta })),
        { type: 'response.output_text.done', content_index: 0, text: whole },
      ]);
    };
    return {
      open: () => (isWhole ? [] : [{ type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } }]),
      text,
      call: ({ id, name, how, json }: ScriptedCall) =>
        itemOf({ type: 'function_call', call_id: id, name, arguments: json, status: 'completed' }, how.ids, [
          ...how.pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
          { type: 'response.function_call_arguments.done', name, arguments: json },
        ]),
      close() {
        const response = { ...RESPONSE, output };
        return [isWhole ? response : { type: 'response.completed', response }];
      },
      fail: () => [{ type: 'error', code: 'server_error', message: 'overloaded', param: null }],
    };
  },
  noise: [{ type: 'response.in_progress', response: { id: 'resp_1', output: [] } }],
  async vendor(events, { steps }) {
    // OpenAI's client refuses the streams of servers that leave out, change or repeat ids.
    const { calls } = steps[0]!;
    if (!events.some((event) => (event as { type?: string }).type === 'response.created')) return undefined;
    if (calls.some(({ how }) => how.ids !== 'given') || new Set(calls.map(({ id }) => id)).size < calls.length)
      return undefined;
    const stream = ResponseStream.fromReadableStream(linesOf(events));
    const response = await stream.finalResponse();
    return { calls: readCalls(response.output), text: response.output_text };
  },
  sentCalls: (body) => readCalls((body as { input: ResponseInputItem[] }).input),
};
