/** The source files that a page shows, each with its path in the repository. A file is loaded when it is opened. */

/** A file, by its path. */
export interface Source {
  readonly path: string;
  readonly load: () => Promise<string>;
}

/**
 * The files that `import.meta.glob` found in `folder`: first `Chat.*`, then session.ts, which all pages share, then the
 * others.
 */
export function sourcesOf(folder: string, found: Readonly<Record<string, () => Promise<unknown>>>): Source[] {
  const files = Object.entries(found).map(([name, load]) => ({
    path: `${folder}/${name.replace('./', '')}`,
    load: load as () => Promise<string>,
  }));
  const session = { path: 'www/src/session/session.ts', load: async () => (await import('./session.ts?raw')).default };
  const isChat = ({ path }: Source): boolean => path.includes('/Chat.');
  return [...files.filter(isChat), session, ...files.filter((file) => !isChat(file))];
}
