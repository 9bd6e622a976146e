/**
 * The files that the demo's tools work on: a map from path to text, in memory.
 * It owns the contents and the rules for changing them; it knows nothing about tools, models or requests.
 */

/** The contents of every file, by path. */
export type Files = Readonly<Record<string, string>>;

/** Thrown when a change cannot be made. The message is written for the model that asked for it. */
export class WorkspaceError extends Error {}

/** A small file system in memory. Paths are plain names; there are no folders to walk. */
export class Workspace {
  readonly #files: Map<string, string>;

  /** @param initial the files it starts with; the object is copied. */
  constructor(initial: Files) {
    this.#files = new Map(Object.entries(initial));
  }

  /** All paths, sorted. */
  list(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** A copy of all files. */
  snapshot(): Files {
    return Object.fromEntries([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The text of one file. Throws a `WorkspaceError` when there is no such file. */
  read(path: string): string {
    const text = this.#files.get(path);
    if (text === undefined) {
      throw new WorkspaceError(`There is no file ${path}. The files are: ${this.list().join(', ')}.`);
    }
    return text;
  }

  /** Replaces the one occurrence of `oldText`. Throws a `WorkspaceError` when it does not occur exactly once. */
  edit(path: string, oldText: string, newText: string): void {
    const text = this.read(path);
    const first = text.indexOf(oldText);
    if (oldText === '' || first < 0) {
      throw new WorkspaceError(`${path} does not contain the text to replace.`);
    }
    if (text.indexOf(oldText, first + 1) >= 0) {
      throw new WorkspaceError(`${path} contains the text to replace more than once.`);
    }
    this.#files.set(path, text.slice(0, first) + newText + text.slice(first + oldText.length));
  }

  /** Creates a file, or replaces all of it. */
  write(path: string, content: string): void {
    if (!/^[\w][\w.-]{0,63}$/.test(path)) {
      throw new WorkspaceError('A path here is one plain file name, such as notes.txt.');
    }
    this.#files.set(path, content);
  }

  /** Removes a file. Throws a `WorkspaceError` when there is no such file. */
  remove(path: string): void {
    this.read(path);
    this.#files.delete(path);
  }
}
