/** Short forms for the data of scenarios. */
import type { Chunk, Reply } from '../scenario.js';

const inputOf = (id: string): { path: string } => ({ path: `/${id}` });

/** A call that waits for the user's approval. */
export const asks = (id: string, tool = 'remove'): Chunk[] => [
  { type: 'tool-input-available', toolCallId: id, toolName: tool, input: inputOf(id) },
  { type: 'tool-approval-request', toolCallId: id, approvalId: `ask-${id}` },
];

/** A call that needs no approval, without its result. */
export const calls = (id: string, tool = 'read'): Chunk[] => [
  { type: 'tool-input-available', toolCallId: id, toolName: tool, input: inputOf(id) },
];

/** The result of a call. */
export const result = (id: string, tool = 'read'): Chunk => ({
  type: 'tool-output-available',
  toolCallId: id,
  output: `${tool} done`,
});

/** A text. */
export const says = (text: string): Chunk[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
];

/** A model call: its chunks between `start-step` and `finish-step`. */
export const step = (...lines: Reply['lines']): Reply['lines'] => [
  { type: 'start-step' },
  ...lines,
  { type: 'finish-step' },
];

/** A reply of one step. */
export const reply = (...lines: Reply['lines']): Reply => ({ lines: step(...lines) });

/** The reply in which the model only says something. */
export const DONE: Reply = reply(...says('Done.'));

/** A step of four calls: `c1` needs no approval and has its result; `c2`, `c3` and `c4` wait for the user. */
export const FOUR_CALLS: Reply = reply(
  ...calls('c1'),
  ...asks('c2'),
  ...asks('c3'),
  ...asks('c4', 'send'),
  result('c1'),
);
