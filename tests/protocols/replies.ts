/**
 * The replies of a scripted model in the form in which each provider streams them: the events of its own API, with
 * inputs and texts in chunks.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentResponse } from '@google/genai';
import type OpenAI from 'openai';

/** One reply of the model. */
export interface Reply {
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly { id: string; name: string; input: object }[];
}

const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)];

let count = 0;

function anthropic({ thought, text, calls = [] }: Reply): Anthropic.RawMessageStreamEvent[] {
  const events: object[] = [
    {
      type: 'message_start',
      message: {
        id: `msg_${count++}`,
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {},
      },
    },
  ];
  let index = 0;
  const block = (start: object, deltas: object[]): void => {
    events.push({ type: 'content_block_start', index, content_block: start });
    events.push(...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })));
    events.push({ type: 'content_block_stop', index: index++ });
  };
  if (thought) {
    const deltas = [
      ...halves(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: `signed ${thought}` },
    ];
    block({ type: 'thinking', thinking: '', signature: '' }, deltas);
  }
  if (text)
    block(
      { type: 'text', text: '', citations: null },
      halves(text).map((half) => ({ type: 'text_delta', text: half })),
    );
  for (const { id, name, input } of calls) {
    const deltas = ['', ...halves(JSON.stringify(input))].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }));
    block({ type: 'tool_use', id, name, input: {} }, deltas);
  }
  events.push({
    type: 'message_delta',
    delta: { stop_reason: calls.length ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: 9 },
  });
  events.push({ type: 'message_stop' });
  return events as Anthropic.RawMessageStreamEvent[];
}

function openaiChat({ text, calls = [] }: Reply): OpenAI.ChatCompletionChunk[] {
  const id = `chatcmpl-${count++}`;
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...halves(text ?? '')
      .filter(Boolean)
      .map((content) => chunk({ content })),
    ...calls.flatMap(({ id: call, name, input }, index) => [
      chunk({ tool_calls: [{ index, id: call, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(input)).map((half) => chunk({ tool_calls: [{ index, function: { arguments: half } }] })),
    ]),
    chunk({}, calls.length ? 'tool_calls' : 'stop'),
    {
      id,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
  ] as OpenAI.ChatCompletionChunk[];
}

/** Returns the complete items of a response. */
export function outputOf({ thought, text, calls = [] }: Reply): OpenAI.Responses.ResponseOutputItem[] {
  const items: object[] = [];
  if (thought)
    items.push({
      type: 'reasoning',
      id: `rs_${count++}`,
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: `sealed ${thought}`,
    });
  if (text)
    items.push({
      type: 'message',
      id: `msg_${count++}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    });
  for (const { id, name, input } of calls)
    items.push({
      type: 'function_call',
      id: `fc_${count++}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    });
  return items as OpenAI.Responses.ResponseOutputItem[];
}

/** Returns the events of a response with these items. */
export function streamOf(
  output: readonly OpenAI.Responses.ResponseOutputItem[],
): OpenAI.Responses.ResponseStreamEvent[] {
  const id = `resp_${count++}`;
  const events: object[] = [
    { type: 'response.created', response: { id, object: 'response', status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { id } },
  ];
  output.forEach((item, output_index) => {
    const at = { item_id: item.id, output_index };
    const empty =
      item.type === 'message'
        ? { ...item, content: [] }
        : item.type === 'reasoning'
          ? { ...item, summary: [] }
          : item.type === 'function_call'
            ? { ...item, arguments: '' }
            : item;
    events.push({ type: 'response.output_item.added', output_index, item: empty });
    if (item.type === 'function_call') {
      events.push(
        ...halves(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      );
      events.push({ type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments });
    }
    if (item.type === 'message') {
      item.content.forEach((part, content_index) => {
        const text = part.type === 'output_text' ? part.text : (part.refusal ?? '');
        events.push({ type: 'response.content_part.added', ...at, content_index, part: { ...part, text: '' } });
        events.push(
          ...halves(text).map((delta) => ({
            type: `response.${part.type === 'refusal' ? 'refusal' : 'output_text'}.delta`,
            ...at,
            content_index,
            delta,
          })),
        );
        events.push({ type: 'response.output_text.done', ...at, content_index, text });
      });
    }
    if (item.type === 'reasoning') {
      item.summary.forEach(({ text }, summary_index) => {
        events.push({
          type: 'response.reasoning_summary_part.added',
          ...at,
          summary_index,
          part: { type: 'summary_text', text: '' },
        });
        events.push(
          ...halves(text).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            ...at,
            summary_index,
            delta,
          })),
        );
        events.push({ type: 'response.reasoning_summary_text.done', ...at, summary_index, text });
      });
      item.content?.forEach(({ text }, content_index) =>
        events.push(
          ...halves(text).map((delta) => ({ type: 'response.reasoning_text.delta', ...at, content_index, delta })),
        ),
      );
    }
    events.push({ type: 'response.output_item.done', output_index, item });
  });
  events.push({ type: 'response.completed', response: { id, object: 'response', status: 'completed', output } });
  return events.map((event, sequence_number) => ({
    ...event,
    sequence_number,
  })) as OpenAI.Responses.ResponseStreamEvent[];
}

function gemini({ thought, text, calls = [] }: Reply): GenerateContentResponse[] {
  const id = `r${count++}`;
  const chunk = (parts: object[], finishReason?: string): object => ({
    responseId: id,
    modelVersion: 'm',
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  });
  return [
    ...(thought ? halves(thought).map((half) => chunk([{ text: half, thought: true }])) : []),
    ...(text ? halves(text).map((half) => chunk([{ text: half }])) : []),
    ...(calls.length
      ? [
          chunk(
            calls.map(({ id: call, name, input }, place) => ({
              functionCall: { id: call, name, args: input },
              ...(place === 0 && { thoughtSignature: `signed ${name}` }),
            })),
          ),
        ]
      : []),
    chunk([{ text: '' }], 'STOP'),
  ] as GenerateContentResponse[];
}

/** The replies of the raw model APIs, by protocol. */
export const replies = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': (reply: Reply) => streamOf(outputOf(reply)),
  gemini,
};

/** The name of a model's own API. */
export type Raw = keyof typeof replies;
