/**
 * The pages of the documentation, in the order of the sidebar: the file in docs/, and what the sidebar calls it. The API reference
 * and the changelog follow them. A page of docs/ that is not listed here is a mistake, which the build reports.
 */
export const GROUPS = [
  {
    title: 'Start',
    pages: [
      ['index', 'Overview'],
      ['start-react', 'React'],
      ['start-svelte', 'Svelte'],
      ['start-vue', 'Vue'],
      ['start-plain', 'Without a framework'],
      ['migration', 'From plain useChat'],
    ],
  },
  {
    title: 'Guide',
    pages: [
      ['policies', 'Policies'],
      ['persistence', 'Persistence and tabs'],
      ['security', 'Security'],
      ['servers', 'On the server'],
      ['backends', 'Backends'],
      ['writing-a-protocol', 'Writing a protocol'],
    ],
  },
  {
    title: 'Parts',
    pages: [
      ['element', 'The approval card'],
      ['inspector', 'The inspector'],
      ['bindings', 'Bindings'],
      ['bundlers', 'Bundlers and runtimes'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['errors', 'Errors'],
      ['ai-sdk-differences', 'Differences from the AI SDK'],
    ],
  },
];

/** The names of all listed pages, in order. */
export const PAGES = GROUPS.flatMap(({ pages }) => pages.map(([name]) => name));
