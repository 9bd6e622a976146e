/** The files that a page shows as its code: each under the path that it has in the repository, loaded when it is looked at. */

/** A file, by its path. */
export interface Source {
  readonly path: string;
  readonly load: () => Promise<string>;
}

/** What `import.meta.glob` found in `folder`, the conversation first, and the session that all pages have in common. */
export function sourcesOf(folder: string, found: Readonly<Record<string, () => Promise<unknown>>>): Source[] {
  const files = Object.entries(found).map(([name, load]) => ({
    path: `${folder}/${name.replace('./', '')}`,
    load: load as () => Promise<string>,
  }));
  const session = { path: 'www/src/session/session.ts', load: async () => (await import('./session.ts?raw')).default };
  const isChat = ({ path }: Source): boolean => path.includes('/Chat.');
  return [...files.filter(isChat), session, ...files.filter((file) => !isChat(file))];
}
