/**
 * Generated chat histories in the form in which apps store them: several turns, every kind of part, and tool calls in
 * every state that the package's validator accepts. The last message may wait for the user. Earlier messages may be
 * unfinished too: there the two versions of the package and Toolgate differ (see `differences.ts`).
 */
import fc from 'fast-check';

import type { Message, Part } from './peers';
import { json, jsonObject, maybe, providerMetadata, words } from './values';

/** The kinds of calls in a generated history. */
export interface HistoryOptions {
  readonly version: 6 | 7;
  /**
   * `'settled'`: every call is settled. `'open'`: the last message may also contain pending or decided calls. `'left'`:
   * any message may contain open calls.
   */
  readonly calls: 'settled' | 'open' | 'left';
}

const compact = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;

const textPart: fc.Arbitrary<Part> = fc
  .record({
    text: words,
    state: maybe(fc.constantFrom('streaming', 'done')),
    providerMetadata: maybe(providerMetadata),
  })
  .map((rest) => compact({ type: 'text', ...rest }));

const fileFields = {
  mediaType: fc.constantFrom('image/png', 'text/plain', 'image'),
  url: fc.constantFrom('https://example.com/a%20b.png', 'data:text/plain,a', 'HTTPS://EXAMPLE.com'),
  filename: maybe(words),
  providerMetadata: maybe(providerMetadata),
};

const filePart = (version: 6 | 7): fc.Arbitrary<Part> =>
  fc
    .record({
      ...fileFields,
      providerReference: version === 7 ? maybe(fc.constant({ openai: 'file-1' })) : fc.constant(undefined),
    })
    .map((rest) => compact({ type: 'file', ...rest }));

const quietPart: fc.Arbitrary<Part> = fc.oneof(
  fc.constant<Part>({ type: 'source-url', sourceId: 's', url: 'https://example.com' }),
  fc.constant<Part>({ type: 'source-document', sourceId: 's', mediaType: 'text/html', title: 'T' }),
  json.map((data) => ({ type: 'data-w', id: 'd', data })),
);

const contentPart = (version: 6 | 7): fc.Arbitrary<Part> =>
  fc.oneof(
    { weight: 3, arbitrary: textPart },
    fc
      .record({ text: words, state: fc.constant('done'), providerMetadata: maybe(providerMetadata) })
      .map((rest) => compact({ type: 'reasoning', ...rest })),
    filePart(version),
    quietPart,
    ...(version === 7
      ? [
          maybe(providerMetadata).map((metadata) =>
            compact({ type: 'custom', kind: 'p.k', providerMetadata: metadata }),
          ),
          fc.record(fileFields).map(({ filename: _filename, ...rest }) => compact({ type: 'reasoning-file', ...rest })),
        ]
      : []),
  );

type State =
  | 'output-available'
  | 'output-error'
  | 'output-denied'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'input-streaming';

interface CallPlan {
  toolName: string;
  dynamic: boolean;
  providerExecuted: boolean | undefined;
  state: State;
  input: unknown;
  output: unknown;
  errorText: string;
  rawInput: unknown;
  hasApproval: boolean;
  approved: boolean;
  reason: string | undefined;
  envelope: Record<string, unknown>;
  common: Record<string, unknown>;
  resultMetadata: unknown;
}

const settledStates: readonly State[] = ['output-available', 'output-error', 'output-denied'];
const openStates: readonly State[] = ['input-available', 'approval-requested', 'approval-responded', 'input-streaming'];

const callPlan = (version: 6 | 7, states: readonly State[]): fc.Arbitrary<CallPlan> =>
  fc.record({
    toolName: fc.constantFrom('edit', 'send-mail', 'x'),
    dynamic: fc.boolean(),
    providerExecuted: fc.constantFrom(undefined, undefined, false, true),
    state: fc.constantFrom(...states),
    input: fc.oneof(jsonObject, json),
    output: json,
    errorText: words,
    rawInput: maybe(json),
    hasApproval: fc.boolean(),
    approved: fc.boolean(),
    reason: maybe(words),
    envelope: fc
      .record({
        signature: maybe(words),
        descriptor: maybe(json),
        inputSchemaInput: maybe(json),
        requestReason: version === 7 ? maybe(words) : fc.constant(undefined),
        isAutomatic: version === 7 ? maybe(fc.constant(true)) : fc.constant(undefined),
      })
      .map(compact),
    common: fc
      .record({ title: maybe(words), toolMetadata: maybe(jsonObject), callProviderMetadata: maybe(providerMetadata) })
      .map(compact),
    resultMetadata: maybe(providerMetadata),
  });

/** The tool part of a plan, with the properties that the package's validator requires. */
function callPart(plan: CallPlan, toolCallId: string): Part {
  const { state, dynamic, toolName, providerExecuted, reason } = plan;
  const id = `ask-${toolCallId}`;
  const approval = { id, ...plan.envelope };
  const base: Part = compact({
    type: dynamic ? 'dynamic-tool' : `tool-${toolName}`,
    ...(dynamic ? { toolName } : {}),
    toolCallId,
    state,
    providerExecuted,
    ...plan.common,
    input: plan.input,
  });
  const granted = plan.hasApproval ? { approval: compact({ ...approval, approved: true, reason }) } : {};
  switch (state) {
    case 'output-available':
      return compact({ ...base, output: plan.output, resultProviderMetadata: plan.resultMetadata, ...granted });
    case 'output-error':
      return compact({ ...base, errorText: plan.errorText, resultProviderMetadata: plan.resultMetadata, ...granted });
    case 'output-denied':
      return { ...base, approval: compact({ ...approval, approved: false, reason }) };
    case 'approval-requested':
      return { ...base, approval };
    case 'approval-responded':
      return { ...base, approval: compact({ ...approval, approved: plan.approved, reason }) };
    case 'input-available':
    case 'input-streaming':
      return base;
  }
}

type Slot = { part: Part } | { call: CallPlan };

const step = (version: 6 | 7, states: readonly State[]): fc.Arbitrary<Slot[]> =>
  fc.array(
    fc.oneof(
      contentPart(version).map((part) => ({ part })),
      callPlan(version, states).map((call) => ({ call })),
    ),
    { maxLength: 4 },
  );

const userMessage = (version: 6 | 7): fc.Arbitrary<Omit<Message, 'id'>> =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: textPart },
        filePart(version),
        json.map((data) => ({ type: 'data-w', data })),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => ({ role: 'user', parts }));

const systemMessage: fc.Arbitrary<Omit<Message, 'id'>> = fc
  .array(textPart, { minLength: 1, maxLength: 2 })
  .map((parts) => ({ role: 'system', parts }));

/** Histories. The ids of messages and calls are unique within each. */
export function histories({ version, calls }: HistoryOptions): fc.Arbitrary<Message[]> {
  const earlier = calls === 'left' ? [...settledStates, ...openStates] : settledStates;
  const final = calls === 'settled' ? settledStates : [...settledStates, ...openStates];
  const turn = fc.record({
    user: userMessage(version),
    steps: fc.array(step(version, earlier), { minLength: 1, maxLength: 2 }),
  });
  return fc
    .record({
      system: maybe(systemMessage),
      turns: fc.array(turn, { maxLength: 3 }),
      last: fc.record({
        user: userMessage(version),
        before: fc.array(step(version, settledStates), { maxLength: 1 }),
        step: step(version, final),
      }),
      metadata: maybe(jsonObject),
      marksSteps: fc.boolean(),
    })
    .map(({ system, turns, last, metadata, marksSteps }) => {
      let ids = 0;
      const assistant = (steps: readonly Slot[][]): Omit<Message, 'id'> => ({
        role: 'assistant',
        ...(metadata === undefined ? {} : { metadata }),
        parts: steps.flatMap((slots, index) => [
          ...(marksSteps || index > 0 ? [{ type: 'step-start' }] : []),
          ...slots.map((slot) => ('part' in slot ? slot.part : callPart(slot.call, `call-${ids++}`))),
        ]),
      });
      const messages = [
        ...(system ? [system] : []),
        ...turns.flatMap(({ user, steps }) => [user, assistant(steps)]),
        last.user,
        assistant([...last.before, last.step]),
      ];
      return JSON.parse(
        JSON.stringify(messages.map((message, index) => ({ id: `m${index}`, ...message }))),
      ) as Message[];
    });
}
