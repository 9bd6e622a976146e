/** Gemini's API, with Vertex AI's streamed arguments. */
import type { Content, PartialArg } from '@google/genai';
import type { Encoder, ReadCall } from '../encoder.js';
import type { Json, Script, ScriptedCall } from '../script.js';

/** The arguments as Vertex AI streams them: one piece for each value, and two for a text. */
function partialArgs(value: Json, path: string): PartialArg[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => partialArgs(item, `${path}[${at}]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) =>
      partialArgs(item, /^[a-z]+$/.test(name) ? `${path}.${name}` : `${path}['${name}']`),
    );
  if (typeof value === 'string') {
    const half = Math.ceil(value.length / 2);
    return [
      { jsonPath: path, stringValue: value.slice(0, half), willContinue: true },
      { jsonPath: path, stringValue: value.slice(half) },
    ];
  }
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }];
  return [
    typeof value === 'boolean' ? { jsonPath: path, boolValue: value } : { jsonPath: path, nullValue: 'NULL_VALUE' },
  ];
}

/** Whether pieces can carry a value: an empty list or object has no piece. */
const hasPieces = (value: Json): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.keys(value).length > 0 && Object.values(value).every(hasPieces));

export const gemini: Encoder = {
  protocol: 'gemini',
  features: { repeatedIds: true, earlyFinish: true, clientAsks: true, reasoning: true, missingIds: true },
  wire(script: Script) {
    const chunk = (parts: object[], finishReason?: string): object => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    });
    const piece = (functionCall: object): object =>
      chunk([{ functionCall }], script.ending === 'early' ? 'STOP' : undefined);
    return {
      text: ({ kind, pieces }) =>
        pieces.map((text) => chunk([{ text, ...(kind === 'reasoning' && { thought: true }) }])),
      call({ id: given, name, input, how }: ScriptedCall) {
        const id = how.ids === 'missing' ? {} : { id: given };
        if (how.pieces.length % 2 || !hasPieces(input)) return [piece({ ...id, name, args: input })];
        return [
          piece({ ...id, name, willContinue: true }),
          ...partialArgs(input, '$').map((arg) => piece({ partialArgs: [arg], willContinue: true })),
          piece({}),
        ];
      },
      close: () => [chunk([{ text: '' }], 'STOP'), { usageMetadata: { totalTokenCount: 3 }, candidates: [] }],
      early: () => [chunk([], 'STOP')],
      fail: () => [{ error: { code: 503, message: 'overloaded' } }],
    };
  },
  sentCalls: (body) =>
    (body as { contents: Content[] }).contents.flatMap(({ parts = [] }) =>
      parts.flatMap(({ functionCall: call }): ReadCall[] =>
        call ? [{ name: call.name!, input: call.args as Json }] : [],
      ),
    ),
};
