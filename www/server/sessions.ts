/** One backend for each chat that a browser opened. The oldest are deleted, so that the server's memory stays small. */
import { createBackend, type Backend } from '../src/backend/handler';
import { scriptedModel, type Pace } from '../src/backend/model';
import { scenarioById, scriptOf } from '../src/scenarios/index';
import type { ChosenModel } from './model-choice';

const MOST_SESSIONS = 100;

/** How fast the scripted model writes and its tools run: `natural` is for people, `instant` for the browser tests. */
const PACES: Readonly<Record<string, Pace>> = { natural: { word: 28, tool: 700 }, instant: { word: 0, tool: 0 } };

/** How a chat begins. */
export interface Beginning {
  /** Id of the scenario: its files, its script, its faults. */
  scenario: string | null;
  /** `instant`; anything else means `natural`. */
  pace: string | null;
}

/** The open chats, by id. */
export class Sessions {
  readonly #model: ChosenModel | undefined;
  readonly #backends = new Map<string, Backend>();

  /** @param model the model that answers; without one, each scenario's script does. */
  constructor(model: ChosenModel | undefined) {
    this.#model = model;
  }

  /** The chat with this id, if there is one. */
  find(id: string): Backend | undefined {
    return this.#backends.get(id);
  }

  /** The chat with this id; a new one starts with the files, script and faults of the scenario. */
  open(id: string, beginning: Beginning): Backend {
    const known = this.#backends.get(id);
    if (known) return known;
    const scenario = scenarioById(beginning.scenario);
    const pace = PACES[beginning.pace === 'instant' ? 'instant' : 'natural']!;
    const backend = createBackend({
      model: this.#model?.model ?? scriptedModel(scriptOf(scenario), pace),
      modelName: this.#model?.name ?? 'scripted, on the server',
      files: scenario.files,
      pace,
      faults: scenario.faults,
    });
    this.#backends.set(id, backend);
    const oldest = this.#backends.keys().next();
    if (this.#backends.size > MOST_SESSIONS && !oldest.done) this.forget(oldest.value);
    return backend;
  }

  /** Stops the chat with this id, and deletes it. */
  forget(id: string): void {
    this.#backends.get(id)?.stop();
    this.#backends.delete(id);
  }
}
