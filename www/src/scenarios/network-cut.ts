/** The connection is cut in the middle of a reply: finished work is not lost, and the model reads of it once. */
import type { PromptView, ScriptedReply } from '../backend/model';
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

/** What a careful model does about a call without a result: it checks. */
function lookAgain({ prompt, continues }: PromptView): ScriptedReply | undefined {
  const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const unknown = parts.find(
    (part) => part.type === 'tool-result' && String(part.output?.value).includes('may have run'),
  );
  const call = parts.find((part) => part.type === 'tool-call' && part.toolCallId === unknown?.toolCallId);
  const path = (call?.input as { path?: string } | undefined)?.path;
  if (!path) return undefined;
  if (!continues) {
    return {
      text: `I do not know whether ${path} was changed, so I look before I do anything twice.`,
      calls: [{ tool: 'read_file', input: { path } }],
    };
  }
  return { text: `Good: ${path} has the change. Both edits are done, and nothing was done twice.` };
}

export const networkCut: Scenario = {
  id: 'network-cut',
  name: 'A connection that is cut',
  summary: 'The connection ends after the first result. The work is not lost: your next message sends it along, once.',
  steps: [
    'Approve both edits. One result arrives; then the connection is cut.',
    'One card is done; the outcome of the other is unknown. The turn is incomplete, and nothing is sent automatically.',
    'Write “continue”. The model sees the work once, and checks before it repeats anything.',
  ],
  opening: 'Open until 20:00 on weekdays from now on, and add a lemonade to the menu.',
  next: ['continue'],
  files: CAFE_FILES,
  faults: { fault: 'cut-reply', on: 'decisions', times: 1 },
  reply: (view) => {
    if (view.userCount > 1) return view.userCount === 2 ? lookAgain(view) : undefined;
    if (view.continues) return undefined;
    return {
      text: 'Two edits.',
      calls: [
        {
          tool: 'edit_file',
          input: {
            path: 'hours.md',
            old_text: 'Monday to Friday: 8:00 to 18:00',
            new_text: 'Monday to Friday: 8:00 to 20:00',
          },
        },
        {
          tool: 'edit_file',
          input: { path: 'menu.md', old_text: '- Cheese toast\n', new_text: '- Cheese toast\n- Lemonade\n' },
        },
      ],
    };
  },
};
