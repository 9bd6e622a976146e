/** What `ag-ui` and `tanstack` share. */
import { asksForMore, isEditable } from './answers.js';
import { MESSAGES, readMessages } from './messages.js';
import { AG_UI } from './names.js';
import { lossyCapabilities, type Codec } from '../shared/codec.js';
import { writeHistory } from '../shared/history-format.js';

/** The members of both protocols. */
export const CODEC = {
  capabilities: {
    ...lossyCapabilities('approval pending json file custom content reason'),
    editedInput: true,
    cancel: true,
    repeat: 'runs-again',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  write: (entries, context) => writeHistory(entries, context, MESSAGES),
  read: readMessages,
  // The response schema says whether the answer may contain edited arguments.
  acceptsEdit: ({ [AG_UI]: asked }) => isEditable(asked),
  lacksChoice: ({ approval: { [AG_UI]: asked } }, { input }) => input === undefined && asksForMore(asked),
} satisfies Partial<Codec>;
