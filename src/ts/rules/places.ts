/**
 * Compares paths and URLs. A path or URL that another program could read differently is refused: nothing is decoded,
 * resolved or corrected, because it is not known how the tool does that.
 */

/**
 * The name of a file or a directory: letters, digits, spaces and `._+,=@-`, as they are shown. Therefore no backslash,
 * colon, `%`, `~`, `$`, wildcard, quote, control character or invisible one. It does not begin as an option of a
 * command does, and does not end in a dot or a space, which Windows drops.
 */
const NAME = /^(?![\p{M} -])(?!.*[ .]$)(?!.*\p{DI})[\p{L}\p{M}\p{N}._+,=@ -]+$/u;

/**
 * The segments of a path, normalized: the first is `''` for an absolute path and `'.'` for a relative one. Undefined
 * for a value that is not a path, or not a plain one: with `..`, an empty segment, or look-alikes of other characters.
 */
export function segmentsOf(path: unknown): readonly string[] | undefined {
  if (typeof path !== 'string' || path === '' || path.normalize('NFKC') !== path) return undefined;
  const given = path.replace(/\/$/, '').split('/');
  const root = given[0] === '' ? given.shift()! : '.';
  const names = given.filter((segment) => segment !== '.');
  return names.every((name) => NAME.test(name)) ? [root, ...names] : undefined;
}

/** Whether a path is inside a directory, and not the directory itself. */
export function isWithin(directory: string, path: unknown): boolean {
  const [outer, inner] = [segmentsOf(directory), segmentsOf(path)];
  if (!outer || !inner) return false;
  return inner.length > outer.length && outer.every((segment, at) => segment === inner[at]);
}

/** An http or https URL that is written as every parser reads it; undefined for anything else. */
function plainUrl(text: unknown): URL | undefined {
  // Printable ASCII without the backslash.
  if (typeof text !== 'string' || !/^https?:[!-[\]-~]+$/.test(text)) return undefined;
  try {
    const url = new URL(text);
    // Nothing between the scheme and the host, as credentials would be, and nothing but a path after it.
    return text === url.origin || text.startsWith(`${url.origin}/`) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is a host, with a port or without, as a URL has it. */
export const isHost = (host: unknown): boolean =>
  /^[\w.:[\]-]+$/.test(host as string) && plainUrl(`https://${host as string}`)?.host === host;

/** Whether a value is an http or https URL of this host. */
export const isOfHost = (host: string, url: unknown): boolean => plainUrl(url)?.host === host;
