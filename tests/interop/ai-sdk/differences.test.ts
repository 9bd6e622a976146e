/**
 * `docs/ai-sdk-differences.md` is the table of differences, rendered. `BLESS=1` writes it.
 */
import { test } from 'vitest';

import { expectFile } from '../../lib/markdown-section';
import { type Difference, differences, type Place } from './differences';

const headings: Readonly<Record<Place, string>> = {
  messages: 'Messages built from a stream',
  history: 'The history as the model sees it (`assemble`)',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

function section(place: Place): string {
  const rows = Object.values(differences as Readonly<Record<string, Difference>>)
    .filter((entry) => entry.place === place)
    .map(
      ({ versions, when, theirs, ours, reason }) =>
        `| ${[when, versions.join(', '), theirs, ours, reason].map(cell).join(' | ')} |`,
    );
  return [
    `## ${headings[place]}`,
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
      'Compared with `ai` 6.0.326 and 7.0.173. Everything else is the same: the tests in `tests/interop/ai-sdk` feed',
      'generated and hand-picked streams and histories to both packages and to Toolgate, and compare the messages after',
      'every chunk and the model messages of every history. This page is made by them: `BLESS=1` writes it.',
      '',
      section('messages'),
      section('history'),
    ].join('\n'),
  );
});
