/**
 * `ag-ui`: the Agent User Interaction Protocol. Source: `@ag-ui/core` 1.0 (events, messages, `RunAgentInput`),
 * `@ag-ui/client` 1.0 and "Interrupts" of its specification. `tanstack` is a dialect of it.
 *
 * A run ends with interrupts, and the next run answers each of them once, in `resume`. The interrupt is stored
 * unchanged in the approval: `approval['ag-ui']`. An interrupt that does not belong to a call is shown as a call of its
 * own, which is never part of a history. Streams are read in ag-ui-stream.ts; messages and requests are in
 * ag-ui-messages.ts.
 */
import { answersTo, isEditable } from './ag-ui-answers.js';
import { messages, readMessages, runInput } from './ag-ui-messages.js';
import { AG_UI, createReader } from './ag-ui-stream.js';
import { lossyCapabilities } from './shared/codec.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** The Agent User Interaction Protocol. */
export const agUi: Protocol = makeProtocol({
  name: 'ag-ui',
  capabilities: {
    ...lossyCapabilities('approval pending json file custom reason'),
    editedInput: true,
    cancel: true,
    repeat: 'runs-again',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  createReader,
  write: (entries, context) => messages(entries, context),
  read: readMessages,
  body: (entries, context) => runInput(entries, context, answersTo(context.decisions, context)),
  // The response schema says whether the answer may contain edited arguments.
  acceptsEdit: ({ [AG_UI]: asked }) => isEditable(asked),
});
