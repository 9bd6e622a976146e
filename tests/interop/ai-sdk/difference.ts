/**
 * What an entry in the tables of intended differences holds.
 */
import type { Chunk, Message, ModelMessage, Part } from './peers';

/** Where a difference shows: in the messages built from a stream, or in the assembled history. */
export type Place = 'messages' | 'history';

/** One entry. */
export interface Difference {
  readonly place: Place;
  /** The versions of the package that differ from us here. */
  readonly versions: readonly (6 | 7)[];
  /** What happens, in a few words. */
  readonly when: string;
  /** What the package does. */
  readonly theirs: string;
  /** What we do. */
  readonly ours: string;
  readonly reason: string;
  /** Messages: whether these two parts differ by this entry and by nothing else. */
  readonly part?: (ours: Part, theirs: Part) => boolean;
  /** Messages: ours equals the package's result for this stream instead; `earlier` is the reply before it. */
  readonly stream?: (chunks: readonly Chunk[], earlier: readonly Chunk[]) => readonly Chunk[];
  /** Messages: `true` if ours equals version 7's result. */
  readonly as7?: boolean;
  /** History: ours equals the package's result for this history instead. */
  readonly history?: (history: readonly Message[]) => readonly Message[];
  /** History: what the package gave, as we would have given it. */
  readonly messages?: (theirs: readonly ModelMessage[], history: readonly Message[]) => ModelMessage[];
}
