/**
 * Saves the state of a gate, and reads it into a core. What changed since is written and read by `toolgate/persist`
 * (persist/storage/change-log.ts).
 */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import type { GateMessage, SavedGate } from '../../types/index.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import type { Environment } from '../environment.js';
import type { Outbox } from '../delivery/outbox.js';
import { sentMessage, type Projection } from '../view/projection.js';
import { capture, damaged, SNAPSHOT_VERSION, type SavedState } from './snapshot.js';

/** The part of a gate that saving uses. */
interface SavedPart {
  readonly env: Environment;
  readonly outbox: Outbox;
  readonly projection: Projection;
  /** Calls `act` with the core. */
  run<T>(act: (core: Core, handles: HandleTable) => T): T;
}

/** Saves one gate. */
export class Saving {
  /** The version of the snapshots that this release writes and reads. */
  readonly version = SNAPSHOT_VERSION;
  readonly #gate: SavedPart;

  constructor(gate: SavedPart) {
    this.#gate = gate;
  }

  /** Returns the core's state. Throws `unserializable` for a value that JSON cannot express. */
  snapshot(): SavedGate {
    return this.capture()[0];
  }

  /** The core's state, its values as they are in the snapshot, and the clock of its changes. */
  capture(): readonly [SavedGate, readonly unknown[], number] {
    const { chatId } = this.#gate.env;
    return this.run((core, handles) => {
      const [numbers, texts, values]: [number[], string[], unknown[]] = [[], [], []];
      core.save(handles.give(numbers), handles.give(texts), handles.give(values));
      return [capture({ chatId, numbers, texts, values }), values, core.change_clock()];
    });
  }

  /**
   * Reads a saved state into a new core. `then` is called with its values, before the core continues from the state.
   * Throws `bad-snapshot` if it is damaged.
   */
  read({ numbers, texts, values }: SavedState, follows: boolean, then?: (values: readonly unknown[]) => void): void {
    this.run((core, handles) => {
      if (!core.follow(handles.give(numbers), handles.give(texts), handles.give(values))) throw damaged();
    });
    then?.(values);
    if (!follows) this.run((core) => core.lead());
  }

  /** Calls `act` with the core. */
  run<T>(act: (core: Core, handles: HandleTable) => T): T {
    return this.#gate.run(act);
  }

  /** Whether a value is the body of a claimed request, with the messages of the chat. */
  isBody(value: object): boolean {
    return this.#gate.outbox.isBody(value);
  }

  /** The messages of the chat as a request contains them. An unchanged message is the same object as before. */
  bodies(): readonly GateMessage[] {
    return this.#gate.projection.bodies();
  }

  /** The message at an index of the core as a request contains it, in a list; an empty list if it has no content. */
  readonly bodyAt = sentMessage;
}
