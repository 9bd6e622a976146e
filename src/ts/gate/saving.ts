/** Saves the state of a gate, whole or as what changed, and reads it into a core. */
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { SavedGate } from '../types/index.js';
import type { HandleTable } from '../wasm/handle-table.js';
import type { Environment } from './environment.js';
import type { Outbox } from './outbox.js';
import type { Projection } from './projection.js';
import { readChanges, ReplayedBodies, SavedValues, writeChanges, type SavedChanges } from './saved-changes.js';
import { capture, damaged, type SavedState } from './snapshot.js';

/** The part of a gate that saving uses. */
interface SavedPart {
  readonly env: Environment;
  readonly outbox: Outbox;
  readonly projection: Projection;
  /** Calls `act` with the core. */
  run<T>(act: (core: Core, handles: HandleTable) => T): T;
}

/** Saves one gate. Remembers what was saved, because later changes are relative to it. */
export class Saving {
  /** The values of the saved state that `changes` or `follow` continues from. */
  #saved: SavedValues | undefined;
  readonly #gate: SavedPart;

  constructor(gate: SavedPart) {
    this.#gate = gate;
  }

  /** Returns the core's state. Throws `unserializable` for a value that JSON cannot express. */
  snapshot(): SavedGate {
    return this.#capture()[0];
  }

  /** Returns the state, as `snapshot` does. `changes` continues from it. */
  whole(): SavedGate {
    const [snapshot, values, clock] = this.#capture();
    this.#saved = new SavedValues(false, values);
    this.#saved.clock = clock;
    return snapshot;
  }

  /**
   * Returns what changed since the last call of `whole` or `changes`, or since the adopted state. Undefined if there
   * was none of these. Throws `unserializable` as `snapshot` does; the next call then includes these changes.
   */
  changes(): SavedChanges | undefined {
    const { outbox, projection } = this.#gate;
    const saved = this.#saved;
    const bodies = {
      isBody: (value: object) => outbox.isBody(value),
      messages: () => projection.bodies(),
    };
    return saved && this.#gate.run((core, handles) => writeChanges(core, handles, saved, bodies));
  }

  /**
   * Applies changes of another tab to the state of that tab, which this gate follows. Throws `bad-snapshot` if the
   * changes are damaged: then another state must be adopted.
   */
  follow(changes: SavedChanges): void {
    const saved = this.#saved;
    if (!saved) throw damaged();
    this.#gate.run((core, handles) => {
      readChanges(core, handles, saved, changes, () => this.#gate.projection.bodies());
      if (!core.is_sound()) throw damaged();
    });
  }

  /** Reads a saved state and its changes into a new core. Throws `bad-snapshot` if one of them is damaged. */
  read({ numbers, texts, values }: SavedState, changes: readonly SavedChanges[], follows: boolean): void {
    const saved = new SavedValues(true, values);
    const bodies = this.#gate.run((core, handles) => {
      if (!core.follow(handles.give(numbers), handles.give(texts), handles.give(values))) throw damaged();
      saved.clock = core.change_clock();
      return new ReplayedBodies(core, handles);
    });
    for (const change of changes) {
      this.#gate.run((core, handles) => {
        readChanges(core, handles, saved, change, () => {
          bodies.changed(change);
          return bodies.list();
        });
        bodies.changed(change);
      });
    }
    this.#gate.run((core) => {
      if (changes.length > 0 && !core.is_sound()) throw damaged();
      if (!follows) {
        saved.endReading();
        core.lead();
      }
    });
    this.#saved = saved;
  }

  /** The core's state, its values as they are in the snapshot, and the clock of its changes. */
  #capture(): readonly [SavedGate, readonly unknown[], number] {
    const { chatId } = this.#gate.env;
    return this.#gate.run((core, handles) => {
      const [numbers, texts, values]: [number[], string[], unknown[]] = [[], [], []];
      core.save(handles.give(numbers), handles.give(texts), handles.give(values));
      return [capture({ chatId, numbers, texts, values }), values, core.change_clock()];
    });
  }
}
