/** One backend for each chat that a browser opened. The oldest are forgotten, so that the server cannot fill up. */
import { createBackend, type Backend } from '../src/backend/handler';
import { scriptedModel } from '../src/backend/model';
import { scenarioById, scriptOf } from '../src/scenarios/index';
import type { ChosenModel } from './model-choice';

const MOST_SESSIONS = 100;
const PACE = { word: 28, tool: 700 } as const;

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
  open(id: string, scenarioId: string | null): Backend {
    const known = this.#backends.get(id);
    if (known) return known;
    const scenario = scenarioById(scenarioId);
    const backend = createBackend({
      model: this.#model?.model ?? scriptedModel(scriptOf(scenario), PACE),
      modelName: this.#model?.name ?? 'scripted, on the server',
      files: scenario.files,
      pace: PACE,
      faults: scenario.faults,
    });
    this.#backends.set(id, backend);
    const oldest = this.#backends.keys().next();
    if (this.#backends.size > MOST_SESSIONS && !oldest.done) this.#backends.delete(oldest.value);
    return backend;
  }
}
