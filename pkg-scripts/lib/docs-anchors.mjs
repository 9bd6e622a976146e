/** Checks the built documentation: the target page and the anchor of every internal link must exist. */
import { posix } from 'node:path';
import { filesOf } from './files.mjs';
import { Failure } from './shell.mjs';

/** The base with which VitePress builds. */
export const BASE = '/docs/';

/** Throws a `Failure` that lists the broken links. */
export function checkAnchors(folder) {
  const files = filesOf(folder);
  const html = new Map(
    [...files].filter(([path]) => path.endsWith('.html')).map(([path, text]) => [path, text.toString('utf8')]),
  );
  const ids = new Map(
    [...html].map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead = [];
  for (const [path, text] of html) {
    for (const [, href] of text.matchAll(/ href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(
        href.replaceAll('&amp;', '&'),
        `http://localhost${posix.join(BASE, path)}`,
      );
      if (origin !== 'http://localhost' || !pathname.startsWith(BASE)) continue;
      const name = decodeURIComponent(pathname.slice(BASE.length)).replace(/(^|\/)$/, '$1index.html');
      const isDead = html.has(name)
        ? hash !== '' && !ids.get(name).has(decodeURIComponent(hash.slice(1)))
        : !files.has(name);
      if (isDead) dead.push(`${path}: ${href}`);
    }
  }
  if (dead.length)
    throw new Failure(`the documentation has links without a target:\n  ${[...new Set(dead)].join('\n  ')}`);
}
