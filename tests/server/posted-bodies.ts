/** Generated requests to one server with one record: a step with some calls, and what several clients post about it. */
import fc from 'fast-check';

import { historyOf, type Call, type Form } from '../seeds/resolve-backends';
import { defectsOf } from './defects';
import type { Data } from './judge';

/** A call of the step, and what its tool does. */
export interface Asked {
  readonly tool: 'run' | 'other';
  readonly does: 'returns' | 'throws' | 'returns a Date' | 'returns a BigInt';
  readonly isValid: boolean;
  /** Whether the server has recorded its request. */
  readonly isRecorded: boolean;
}

const DECISIONS = ['yes', 'yes because', 'no', 'no because', 'open'] as const;

/** What a client posts. */
export interface Body {
  /** For each call. */
  readonly decisions: readonly (typeof DECISIONS)[number][];
  /** The index of a defect of the last step. */
  readonly defect: number | undefined;
  readonly tools: 'all' | 'none' | 'only run';
  /** What follows the decisions. */
  readonly then: 'nothing' | 'a user message' | 'an answer of the model';
  readonly isStreamed: boolean;
  readonly aiSdk: 6 | 7;
}

/** Requests to one server. Those of one round are posted at the same time. */
export interface Story {
  readonly calls: readonly Asked[];
  readonly store: 'memory' | 'SQLite';
  /** The index of a defect of an older step. */
  readonly older: number | undefined;
  readonly rounds: readonly (readonly Body[])[];
}

/** A value that is mostly the first one. */
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const asked: fc.Arbitrary<Asked> = fc.record({
  tool: fc.constantFrom('run', 'other'),
  does: mostly<Asked['does']>('returns', 'throws', 'returns a Date', 'returns a BigInt'),
  isValid: mostly(true, false),
  isRecorded: mostly(true, false),
});

/** Stories whose histories have this form. */
export const storiesOf = (form: Form): fc.Arbitrary<Story> => {
  const defect = fc.nat({ max: defectsOf(form).length - 1 });
  const sometimes = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: defect });
  return fc.array(asked, { minLength: 1, maxLength: 3 }).chain((calls) => {
    const body: fc.Arbitrary<Body> = fc.record({
      decisions: fc.tuple(...calls.map(() => fc.constantFrom(...DECISIONS))),
      defect: sometimes,
      tools: mostly<Body['tools']>('all', 'none', 'only run'),
      then: mostly<Body['then']>('nothing', 'a user message', 'an answer of the model'),
      isStreamed: fc.boolean(),
      aiSdk: fc.constantFrom(6, 7),
    });
    return fc.record({
      calls: fc.constant(calls),
      store: fc.constantFrom('memory', 'SQLite'),
      older: sometimes,
      rounds: fc.array(fc.array(body, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    });
  });
};

/** The calls as a client posts them with these decisions. */
export const callsOf = (calls: readonly Asked[], decisions: Body['decisions'] = []): Call[] =>
  calls.map(({ tool, isValid }, i) => {
    const [verdict, why] = (decisions[i] ?? 'open').split(' ');
    return {
      id: `call_${i + 1}`,
      name: tool,
      input: { n: isValid ? i : 'x' },
      ...(verdict !== 'open' && { approved: verdict === 'yes' }),
      ...(why && { reason: `${verdict} ${i}` }),
    };
  });

/** The messages of a body. `older` precede the step. */
export function messagesOf(
  form: Form,
  story: Story,
  body: Body,
): { readonly messages: Data[]; readonly older: number } {
  const turn = (calls: Call[], defect: number | undefined): Data[] => {
    const [user, ...step] = JSON.parse(JSON.stringify(historyOf(form, calls))) as Data[];
    if (defect !== undefined) defectsOf(form)[defect]!.add(step);
    return [user, ...step];
  };
  const older = turn([{ id: 'old', name: 'run', approved: true, result: 'old' }], story.older);
  // The defects are about `call_1`, which is decided.
  const decisions = body.defect === undefined ? body.decisions : (['yes', ...body.decisions.slice(1)] as const);
  const step = turn(callsOf(story.calls, decisions), body.defect);
  const user =
    form === 'UI messages'
      ? { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And?' }] }
      : { role: 'user', content: 'And?' };
  const answer =
    form === 'UI messages'
      ? { id: 'a2', role: 'assistant', parts: [{ type: 'text', text: 'So.' }] }
      : { role: 'assistant', content: 'So.' };
  const after = { nothing: [], 'a user message': [user], 'an answer of the model': [answer] }[body.then];
  return { messages: [...older, ...step, ...after], older: older.length };
}
