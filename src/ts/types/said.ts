/**
 * What errors say: the sentence, if the sentences are registered, otherwise its id, its values and a link. The folder
 * `sentences` registers them. Production bundles do not contain that folder.
 */

/** The address of the documentation of this version. The build inserts it; tests of the sources have none. */
declare const DOCS: string | undefined;

/** What a refusal of the core is about. */
export interface Refused {
  readonly code: string;
  /** The number in the Rust enum `RefusalReason`. */
  readonly why: number;
  /** The id of the tool call in quotes. `""` if there is none. */
  readonly call: string;
  /** The id of the approval in quotes. `""` if there is none. */
  readonly approval: string;
  readonly state: string | undefined;
  /** For a contradiction: the number in the Rust enum `Input`. */
  readonly cause: number | undefined;
  /** For a malformed event: its type, and the invalid property. */
  readonly type: string | undefined;
  readonly property: string | undefined;
}

/** All sentences. */
export interface Sentences {
  /** For each id, the texts around the values of a sentence. */
  readonly templates: Readonly<Record<string, readonly string[]>>;
  readonly refusal: (refused: Refused) => string;
  /** For each code, the end of a sentence about a repair. */
  readonly repairs: Readonly<Record<string, string>>;
}

/** The registered sentences. */
export let known: Sentences | undefined;

/** Registers the sentences. */
export function learn(sentences: Sentences): void {
  known = sentences;
}

/** The id and the values, with the link to a page of the documentation. */
export const coded = (page: string, id: string, values: readonly unknown[]): string =>
  `${[id, ...values].join(', ')}: ${typeof DOCS === 'string' ? DOCS : 'docs'}/${page}.md#${id}`;

/** The sentence with this id. */
export function say(id: string, ...values: readonly unknown[]): string {
  const raw = known?.templates[id];
  return raw ? String.raw({ raw }, ...values) : coded('messages', id, values);
}
