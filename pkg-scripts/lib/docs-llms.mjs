/**
 * `llms.txt` of the documentation (https://llmstxt.org): a list of all pages for language models, each with its first
 * sentences.
 */
import { GROUPS } from '../../www/docs/pages.mjs';

/** The longest description of a page. */
const LENGTH = 240;

/**
 * The text of `llms.txt`, which is beside the pages. `pages` are the Markdown files of the site by path, and `api` the
 * names of the pages of the API reference. Throws if a page has no first paragraph.
 */
export function llmsText(pages, api) {
  const index = String(pages.get('index.md'));
  const groups = GROUPS.map(({ title, pages: listed }) => [
    `## ${title}`,
    '',
    ...listed.map(
      ([name, label]) => `- [${label}](${name}.html): ${description(name, String(pages.get(`${name}.md`)))}`,
    ),
    '',
  ]);
  return [
    '# Toolgate',
    '',
    `> ${description('index', index)}`,
    '',
    ...groups.flat(),
    '## API reference',
    '',
    ...api.map((name) => `- [toolgate${name === 'index' ? '' : `/${name}`}](api/${name}.html)`),
    '',
    '## Optional',
    '',
    '- [Changelog](CHANGELOG.html)',
    '',
  ].join('\n');
}

/** The first sentences of a page, as plain text. */
function description(name, text) {
  const paragraph = /^# .+\n+((?:(?!#|```|\||<|- |!).+\n)+)/m.exec(text)?.[1];
  if (!paragraph) throw new Error(`${name}.md has no paragraph after its heading`);
  const plain = paragraph
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    // A sentence that introduces a sample.
    .replace(/(?<=[.!?]) [^.!?]*:$/, '');
  if (plain.length <= LENGTH) return plain;
  const end = plain.slice(0, LENGTH).search(/[.!?] (?!.*[.!?] )/);
  return end > 0 ? plain.slice(0, end + 1) : `${plain.slice(0, LENGTH).replace(/[ ,;:][^ ]*$/, '')} …`;
}
