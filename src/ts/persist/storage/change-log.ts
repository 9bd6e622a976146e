/**
 * Writes and reads what changed in a gate since its state was saved, as plain JSON.
 *
 * Changes are relative to everything that was saved before: a value that is already stored is written as its place in
 * the table of stored values. Changes are small for this reason, and can only be read in order, after the snapshot that
 * they follow. They have the layout of a snapshot, so they need no version of their own.
 */
import type { GateInternals } from '../../gate/internals.js';
import { decode, encode } from '../../json/encode.js';
import { ToolGateError } from '../../types/errors.js';
import type { GateMessage, JSONValue, SavedGate } from '../../types/index.js';
import { say } from '../../types/say.js';
import { isObject } from './chat-record.js';

type Saving = GateInternals['saving'];
/** The core, and the table of its values. */
type Core = Parameters<Parameters<Saving['run']>[0]>[0];
type HandleTable = Parameters<Parameters<Saving['run']>[0]>[1];

/** Saves one gate, whole or as what changed. Remembers what was saved, because later changes are relative to it. */
export class ChangeLog {
  /** The values of the saved state that `changes` or `follow` continues from. */
  #saved: SavedValues | undefined;
  readonly #saving: Saving;

  constructor(saving: Saving) {
    this.#saving = saving;
  }

  /** Returns the state. `changes` continues from it. Throws `unserializable` for a value that JSON cannot express. */
  whole(): SavedGate {
    const [snapshot, values, clock] = this.#saving.capture();
    this.#saved = new SavedValues(false, values);
    this.#saved.clock = clock;
    return snapshot;
  }

  /**
   * Returns what changed since the last call of `whole` or `changes`, or since the state that `continued` was called
   * for. Undefined if there was none of these. Throws `unserializable` as `whole` does; the next call then includes
   * these changes.
   */
  changes(): SavedChanges | undefined {
    const [saving, saved] = [this.#saving, this.#saved];
    if (!saved) return undefined;
    return saving.run((core, handles) => {
      const [numbers, texts, values]: [number[], string[], unknown[]] = [[], [], []];
      const clock = core.change_clock();
      core.save_changes(saved.clock, handles.give(numbers), handles.give(texts), handles.give(values));
      const added: unknown[] = [];
      const written = values.map((value): SavedValue => {
        const place = saved.placeOf(value);
        if (place !== undefined) return place;
        const body = isObject(value) && saving.isBody(value) ? writeBody(value as Body, saving.bodies()) : undefined;
        const entry = body ?? ([encode(value)] as const);
        added.push(value);
        return entry;
      });
      added.forEach((value) => saved.add(value));
      saved.clock = clock;
      return { numbers, texts, values: written };
    });
  }

  /**
   * Applies changes of another tab to the state of that tab, which this gate follows. Throws `bad-snapshot` if the
   * changes are damaged: then another state must be adopted.
   */
  follow(changes: SavedChanges): void {
    const [saving, saved] = [this.#saving, this.#saved];
    if (!saved) throw damaged();
    saving.run((core, handles) => {
      readChanges(core, handles, saved, changes, () => saving.bodies());
      if (!core.is_sound()) throw damaged();
    });
  }

  /**
   * Returns the argument `continued` of the command `adopt`: applies the changes to the state that is being adopted.
   * Throws `bad-snapshot` if one of them is damaged.
   */
  continued(changes: readonly SavedChanges[], follows: boolean): (values: readonly unknown[]) => void {
    const saving = this.#saving;
    return (values) => {
      const saved = new SavedValues(true, values);
      // The messages of requests. The core has no projection yet.
      const bodies: (readonly GateMessage[] | undefined)[] = [];
      // The numbers of changes begin with the number of messages and the list of changed ones.
      const drop = ({ numbers: [count = 0, changed = 0, ...rest] }: SavedChanges): void => {
        if (bodies.length > count) bodies.length = count;
        for (const index of rest.slice(0, changed)) if (index < bodies.length) bodies[index] = undefined;
      };
      saving.run((core) => (saved.clock = core.change_clock()));
      for (const change of changes) {
        saving.run((core, handles) => {
          readChanges(core, handles, saved, change, () => {
            drop(change);
            const count = core.message_count();
            for (let index = 0; index < count; index++) bodies[index] ??= saving.bodyAt(core, handles, index);
            return bodies.flatMap((message) => message!);
          });
          drop(change);
        });
      }
      if (changes.length > 0 && !saving.run((core) => core.is_sound())) throw damaged();
      if (!follows) saved.endReading();
      this.#saved = saved;
    };
  }
}

/** What changed in a gate: the core's state as numbers, the texts of its ids, and the values. */
export interface SavedChanges {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly values: readonly SavedValue[];
}

/**
 * A value among changes: the place of a value that was saved before, or a new value. The body of a request is saved
 * with the number of its messages, but without those that the gate itself can write. The others have their indices.
 */
type SavedValue =
  | number
  | readonly [value: JSONValue]
  | readonly [body: JSONValue, messageCount: number, others: readonly (readonly [index: number, message: JSONValue])[]];

/** The body of a request with a list of messages. */
interface Body {
  messages: unknown[];
}

/** The values that are saved, by place. */
class SavedValues {
  /** The core's clock at the last save. */
  clock = 0;
  readonly #places = new WeakMap<object, number>();
  #values: unknown[] | undefined;
  #count = 0;

  /** `isReading`: whether `at` is called. Otherwise the values are not kept, so that they can be freed. */
  constructor(isReading: boolean, values: readonly unknown[]) {
    this.#values = isReading ? [] : undefined;
    for (const value of values) this.add(value);
  }

  add(value: unknown): void {
    if (isObject(value)) this.#places.set(value, this.#count);
    this.#values?.push(value);
    this.#count++;
  }

  /** Lets values be freed, because no changes are read from now on. */
  endReading(): void {
    this.#values = undefined;
  }

  /** The place of an object; undefined if it is not saved. An object in the core never changes: it is replaced. */
  placeOf(value: unknown): number | undefined {
    return isObject(value) ? this.#places.get(value) : undefined;
  }

  /** The value at a place. Throws `bad-snapshot` if there is none. */
  at(place: number): unknown {
    if (!this.#values || !(place >= 0 && place < this.#count)) throw damaged();
    return this.#values[place];
  }
}

/** The body without the messages that a gate in the same state writes; undefined if it has no such message. */
function writeBody(body: Body, present: readonly GateMessage[]): SavedValue | undefined {
  const { messages } = body;
  if (!Array.isArray(messages)) return undefined;
  const { length } = messages;
  const others: [number, JSONValue][] = [];
  for (let index = 0; index < length; index++) {
    if (messages[index] !== present[index]) others.push([index, encode(messages[index])]);
  }
  return others.length === length ? undefined : [encode({ ...body, messages: [] }), length, others];
}

/**
 * Applies changes to a core whose state they follow, and adds their values to the saved ones. `messages` returns the
 * messages of a request in the new state. Throws `bad-snapshot` if the changes are damaged: then the core must not be
 * used any more.
 */
function readChanges(
  core: Core,
  handles: HandleTable,
  saved: SavedValues,
  changes: SavedChanges,
  messages: () => readonly GateMessage[],
): void {
  checkShape(changes);
  const bodies: (() => void)[] = [];
  const complete = ({ messages: list }: Body, length: number, others: ReadonlyMap<number, JSONValue>): void => {
    const present = messages();
    if (!Array.isArray(list) || !(length <= present.length + others.size)) throw damaged();
    for (let index = 0; index < length; index++) {
      const other = others.get(index);
      list.push(other === undefined ? present[index] : decode(other));
    }
  };
  const values = changes.values.map((entry, i) => {
    if (typeof entry === 'number') return saved.at(entry);
    const [written, length, others] = entry;
    const value = decode(written, say`The changes are damaged at values[${i}]`);
    saved.add(value);
    // A body contains messages of the new state, so it is completed afterwards.
    if (length !== undefined) bodies.push(() => complete(value as Body, length, new Map(others)));
    return value;
  });
  const isValid = core.follow_changes(handles.give(changes.numbers), handles.give(changes.texts), handles.give(values));
  if (!isValid) throw damaged();
  saved.clock = core.change_clock();
  bodies.forEach((body) => body());
}

/** Throws `bad-snapshot` for a value that `changes` cannot have returned. */
function checkShape(changes: SavedChanges): void {
  const { numbers, texts, values } = Object(changes) as Partial<SavedChanges>;
  const isList = (list: unknown, type: string, mayBeList = false): boolean =>
    Array.isArray(list) && list.every((item) => typeof item === type || (mayBeList && Array.isArray(item)));
  if (!isList(numbers, 'number') || !isList(texts, 'string') || !isList(values, 'number', true)) throw damaged();
}

function damaged(): ToolGateError {
  return new ToolGateError('bad-snapshot', say`persist: the saved changes of a chat are damaged`);
}
