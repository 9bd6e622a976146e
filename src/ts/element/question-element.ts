/**
 * Registers `<tool-question>`. The class is made by a function, so that pages without questions do not load it: a
 * bundler cannot remove a class that extends another.
 */
import { CallElement } from './call-element.js';
import type { Script } from './host.js';
import type { Question, ToolQuestionElement } from './question-types.js';
import type { QuestionHost } from './question-view.js';
import { loadedViews, loadToolApproval } from './view-loader.js';

declare global {
  interface HTMLElementTagNameMap {
    'tool-question': ToolQuestionElement;
  }
}

let createView: ReturnType<typeof import('./question-view.js').questionView> | undefined;

/**
 * Loads the script of the questions in advance. By default it is loaded when the first call is shown. Rejects if it
 * cannot be loaded; a later call tries again, where the browser allows it.
 */
export async function loadToolQuestion(): Promise<void> {
  await loadToolApproval();
  const { questionView } = await import('./question-view.js');
  createView ??= questionView(loadedViews()!.shared);
}

/** Registers `<tool-question>`. Does nothing if it is registered already, and on a server. */
export function defineToolQuestion(): void {
  const registry: CustomElementRegistry | undefined = globalThis.customElements;
  if (registry && !registry.get('tool-question')) registry.define('tool-question', questionClass());
}

function questionClass(): CustomElementConstructor {
  return class extends CallElement implements QuestionHost {
    #question: Question | undefined;

    get question(): Question | undefined {
      return this.#question;
    }

    set question(question: Question | undefined | null) {
      if (this.#question === (question ?? undefined)) return;
      this.#question = question ?? undefined;
      this.drawn?.changed();
    }

    protected override readonly script: Script = { create: () => createView, load: loadToolQuestion };
  };
}
