/**
 * `docs/ai-sdk-differences.md` is the table of differences, rendered. `BLESS=1` writes it.
 */
import { test } from 'vitest';

import { expectFile } from '../../lib/markdown-section';
import { chatDifferences, type ChatDifference } from './chat-differences';
import { type Difference, differences, type Place } from './differences';

const headings: Readonly<Record<Place, string>> = {
  messages: 'Messages built from a stream',
  history: 'The history as the model sees it (`assemble`)',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

const inPlace = (place: Place): readonly Difference[] =>
  Object.values(differences as Readonly<Record<string, Difference>>).filter((entry) => entry.place === place);

function section(heading: string, entries: readonly ChatDifference[]): string {
  const rows = entries.map(
    ({ versions, when, theirs, ours, reason }) =>
      `| ${[when, versions.join(', '), theirs, ours, reason].map(cell).join(' | ')} |`,
  );
  return [
    `## ${heading}`,
    '',
    '| when | versions | the package | Toolgate | why |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

test('the page shows the table', () => {
  expectFile(
    'docs/ai-sdk-differences.md',
    [
      '# Where Toolgate differs from the AI SDK, on purpose',
      '',
      'You do not need this page to use Toolgate. It lists every case in which a guarded chat behaves in another way than a plain one, shows',
      'other messages, or the model reads something else. Compared with `ai` 6.0.326 and 7.0.173; in all other cases the two are the same.',
      '',
      'The tests of the repository check this: they feed generated and hand-picked streams and histories to both packages and to Toolgate,',
      'and compare the messages after every chunk and the model messages of every history. The AI SDK’s own chat tests run with guarded chats',
      'too. The tests also write this page.',
      '',
      section('The chat', Object.values<ChatDifference>(chatDifferences)),
      section(headings.messages, inPlace('messages')),
      section(headings.history, inPlace('history')),
    ].join('\n'),
  );
});
