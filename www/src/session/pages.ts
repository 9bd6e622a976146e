/**
 * The pages of the site, to which the header of each page links: the first page, the demo in three frameworks, and the
 * museum.
 */

/** A page of the demo. */
export interface SitePage {
  readonly name: string;
  /** Its name where there is little room, if that is another one. */
  readonly short?: string;
  /** The address, relative to any page of the demo. */
  readonly file: string;
}

/** The same chat, once in each framework. */
export const FRAMEWORK_PAGES: readonly SitePage[] = [
  { name: 'React', file: './demo.html' },
  { name: 'Svelte', file: './svelte.html' },
  { name: 'Vue', file: './vue.html' },
];

/** The first page. */
export const HOME = './';

/** What goes wrong without Toolgate: the bug museum. */
export const MUSEUM = { name: 'What goes wrong', short: 'Bugs', file: './museum.html' } as const satisfies SitePage;

/** Where the documentation is. */
export const DOCS = './docs/';

/** The address of a scenario on a framework's page. The other settings of this page's address are preserved. */
export function hrefOf({ file }: SitePage, scenarioId: string): string {
  const query = new URLSearchParams(location.search);
  query.set('scenario', scenarioId);
  return `${file}?${query}`;
}
