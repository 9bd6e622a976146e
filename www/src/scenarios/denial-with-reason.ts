/** A denial whose reason reaches the model, which acts on it. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const denialWithReason: Scenario = {
  id: 'denial-with-reason',
  name: 'A denial with a reason',
  summary: 'The model learns that you said no, and why. It gets no made-up tool output.',
  steps: [
    'Press “Reason…” on the edit, say why not (for example “Not before June”), and deny it.',
    'The model reads your words, and asks for something else instead. Decide that too.',
  ],
  recordStep: 'Look at “What the model saw”: the denial is there with your words.',
  opening: 'Coffee beans got dearer. Raise the espresso to 2.80.',
  files: CAFE_FILES,
  reply: ({ continues, userCount, results }) => {
    if (userCount > 1) return undefined;
    if (!continues) {
      return {
        text: 'I can do that with one edit.',
        calls: [
          {
            tool: 'edit_file',
            input: { path: 'prices.json', old_text: '  "espresso": 2.4,', new_text: '  "espresso": 2.8,' },
          },
        ],
      };
    }
    const only = results.length === 1 ? results[0] : undefined;
    const reason = only?.output.type === 'execution-denied' ? only.output.reason : undefined;
    if (!reason) return undefined;
    return {
      text: `Understood, the price stays: “${reason}”. Shall I write that down, so that it is not forgotten?`,
      calls: [
        {
          tool: 'write_file',
          input: { path: 'reminders.md', content: `# Reminders\n\n- Espresso to 2.80. On hold: ${reason}\n` },
        },
      ],
    };
  },
};
