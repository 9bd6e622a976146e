/**
 * Last steps that cannot be resolved: each defect adds something to a step with one good call, `call_1`. The AI SDK or
 * Effect refuses most of them; the others would make it unclear which call is meant, or what was decided.
 */
import type { Form } from '../seeds/resolve-backends';
import type { Data } from './judge';

/** A defect, and the code of the error for it. */
export interface Defect {
  readonly name: string;
  /** Adds it to the messages of a step: the assistant's message, and the tool message after it. */
  readonly add: (step: Data[]) => void;
  readonly code: 'malformed-messages' | 'invalid-signature';
}
type Row = readonly [name: Defect['name'], add: Defect['add'], code?: Defect['code']];

const call = (toolCallId: unknown, isModel: boolean, toolName: unknown = 'run'): Data =>
  isModel
    ? { type: 'tool-call', toolCallId, toolName, input: {} }
    : { type: 'tool-call', id: toolCallId, name: toolName, params: {}, providerExecuted: false };
const request = (approvalId: unknown, toolCallId: unknown): Data => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
});
const answer = (approvalId: unknown, approved: unknown, reason?: unknown): Data => ({
  type: 'tool-approval-response',
  approvalId,
  approved,
  ...(reason !== undefined && { reason }),
});
const result = (toolCallId: unknown, isModel: boolean): Data =>
  isModel
    ? { type: 'tool-result', toolCallId, toolName: 'run', output: { type: 'json', value: 1 } }
    : { type: 'tool-result', id: toolCallId, name: 'run', isFailure: false, result: 1, providerExecuted: false };

/** A call with its request and its answer, and then more parts of the tool message. */
function added(step: Data[], id: string, isModel: boolean, answered: Data, ...after: Data[]): void {
  step[0].content.push(call(id, isModel), request(`appr_${id}`, id));
  step.at(-1).content.push(answered, ...after);
}

const inMessages = (isModel: boolean): Row[] => [
  ['a tool message whose content is a text', (step) => step.push({ role: 'tool', content: 'x' })],
  ['a tool message without content', (step) => step.push({ role: 'tool' })],
  ['a part that is not an object, in the tool message', (step) => step.at(-1).content.push(null)],
  ['a part that is not an object, beside the calls', (step) => step[0].content.push('x')],
  ['a part without a type', (step) => step[0].content.push({ text: 'x' })],
  ['a decision that is a text', (step) => added(step, 'other', isModel, answer('appr_other', 'true'))],
  ['a decision that is missing', (step) => added(step, 'other', isModel, answer('appr_other', undefined))],
  ['an approval that is approved and denied', (step) => step.at(-1).content.push(answer('appr_1', false))],
  [
    'another approval that is denied and approved',
    (step) => added(step, 'other', isModel, answer('appr_other', false), answer('appr_other', true)),
  ],
  ['a reason that is not a text', (step) => added(step, 'other', isModel, answer('appr_other', false, 5))],
  ['a decision without an id', (step) => step.at(-1).content.push(answer(undefined, true))],
  ['two calls with one id', (step) => step[0].content.push(call('call_1', isModel))],
  ['two other calls with one id', (step) => step[0].content.push(call('other', isModel), call('other', isModel))],
  ['a call without an id', (step) => step[0].content.push(call(undefined, isModel))],
  ['a call whose id is a number', (step) => step[0].content.push(call(7, isModel))],
  ['a call without a tool', (step) => step[0].content.push(call('other', isModel, null))],
  ['a request whose id is a number', (step) => step[0].content.push(call('other', isModel), request(7, 'other'))],
  ['a request without a call id', (step) => step[0].content.push(request('appr_other', undefined))],
  ['an approval of two calls', (step) => step[0].content.push(call('other', isModel), request('appr_1', 'other'))],
  [
    'an output beside a denial',
    (step) => added(step, 'other', isModel, answer('appr_other', false), result('other', isModel)),
  ],
  [
    'two results of a call',
    (step) => {
      step[0].content.push(call('other', isModel));
      step.at(-1).content.push(result('other', isModel), result('other', isModel));
    },
  ],
  ['a result without an id', (step) => step.at(-1).content.push(result(undefined, isModel))],
];

const onlyModel: Row[] = [
  [
    'a result without an output',
    (step) => {
      step[0].content.push(call('other', true));
      step.at(-1).content.push({ ...result('other', true), output: undefined });
    },
  ],
  [
    'a signature that is not a text',
    (step) => step[0].content.push(call('other', true), { ...request('appr_other', 'other'), signature: 5 }),
    'invalid-signature',
  ],
];

/** Adds a UI part with these properties. */
const part = (name: string, more: object, ...code: ['invalid-signature'] | []): Row => [
  name,
  ([{ parts }]) => parts.push({ type: 'tool-run', toolCallId: 'other', state: 'input-available', input: {}, ...more }),
  ...code,
];
const decided = (approval: unknown, more: object = {}): object => ({ state: 'approval-responded', approval, ...more });

const inParts: Row[] = [
  ['a part that is not an object', ([{ parts }]) => parts.push(null)],
  ['a part without a type', ([{ parts }]) => parts.push({ text: 'x' })],
  part('two calls with one id', { toolCallId: 'call_1' }),
  part('a call whose id is a number', { toolCallId: 7 }),
  part('a call without an id', { toolCallId: undefined }),
  part('a call without a tool', { type: 'dynamic-tool' }),
  part('a call without a state', { state: undefined }),
  part('a call in an unknown state', { state: 'done' }),
  part('an approval of two calls', decided({ id: 'appr_1', approved: false })),
  part('an approval that is null', { approval: null }),
  part('an approval that is a text', decided('yes')),
  part('an approval without an id', decided({ approved: true })),
  part('a decision that is a text', decided({ id: 'appr_other', approved: 'true' })),
  part('a decision that is missing', decided({ id: 'appr_other' })),
  part('a decision before the answer', decided({ id: 'appr_other', approved: true }, { state: 'approval-requested' })),
  part('a decision of a call that was not asked about', {
    approval: { id: 'appr_other', approved: true },
  }),
  part('a reason that is not a text', decided({ id: 'appr_other', approved: false, reason: 5 })),
  part(
    'a signature that is not a text',
    decided({ id: 'appr_other', approved: false, signature: 5 }),
    'invalid-signature',
  ),
  part('an output beside an open decision', decided({ id: 'appr_other', approved: true }, { output: 1 })),
  part('an output beside a denial', {
    state: 'output-available',
    approval: { id: 'appr_other', approved: false },
    output: 1,
  }),
  part('an error beside a denial', {
    state: 'output-error',
    approval: { id: 'appr_other', approved: false },
    errorText: 'no',
  }),
  part('an error without a text', { state: 'output-error' }),
  part('a denial that is approved', { state: 'output-denied', approval: { id: 'appr_other', approved: true } }),
  part('a denial without an approval', { state: 'output-denied' }),
];

const rowsOf: Readonly<Record<Form, readonly Row[]>> = {
  'model messages': [...inMessages(true), ...onlyModel],
  'UI messages': inParts,
  'Effect prompt': inMessages(false),
};

/** The defects that a history of this form can have. */
export const defectsOf = (form: Form): readonly Defect[] =>
  rowsOf[form].map(([name, add, code = 'malformed-messages']) => ({ name, add, code }));
