/**
 * The type of an entry in the tables of intended differences.
 */
import type { Chunk, Message, ModelMessage, Part } from './peers';

/** The place of a difference: the messages built from a stream, or the assembled history. */
export type Place = 'messages' | 'history';

/** One entry. */
export interface Difference {
  readonly place: Place;
  /** The versions of the package that differ from us here. */
  readonly versions: readonly (6 | 7)[];
  /** A short description of the case. */
  readonly when: string;
  /** The behaviour of the package. */
  readonly theirs: string;
  /** Our behaviour. */
  readonly ours: string;
  readonly reason: string;
  /** Messages: whether these two parts differ only by this entry. */
  readonly part?: (ours: Part, theirs: Part) => boolean;
  /** Messages: rewrites the stream. Ours equals the package's result for the new one. `earlier`: the previous reply. */
  readonly stream?: (chunks: readonly Chunk[], earlier: readonly Chunk[]) => readonly Chunk[];
  /** `true` if ours equals version 7's result. */
  readonly as7?: boolean;
  /** History: rewrites the history. Ours equals the package's result for the new one. */
  readonly history?: (history: readonly Message[]) => readonly Message[];
  /** History: converts the package's result to ours. */
  readonly messages?: (theirs: readonly ModelMessage[], history: readonly Message[]) => ModelMessage[];
}
