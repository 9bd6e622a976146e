/**
 * Mounts the inspector: an element of its own with a shadow tree, so that neither it nor the page styles the other.
 */
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { record } from './recorder.js';
import type { Recorder, Recording } from './recording.js';
import { InspectorView } from './inspector-view.js';

/** Options of `inspect`. */
export interface InspectOptions {
  /** Where it is put, and fills what is there. Default: a dock at the lower edge of the page. */
  readonly element?: HTMLElement;
  /** `false`: it begins collapsed. Default `true`. */
  readonly open?: boolean;
}

/** A mounted inspector. */
export interface Inspector {
  /** Its element: `<toolgate-inspector>`. Set `color-scheme` on it for light or dark, else the system decides. */
  readonly element: HTMLElement;
  /** What was recorded until now: see `Recorder`. */
  recording(): Recording | undefined;
  /** Takes it away; the gate and the page are as before. Removing the element does the same. */
  remove(): void;
}

const NAME = 'toolgate-inspector';

/** What belongs to an element. */
interface Mounted {
  readonly gate: ToolGate;
  readonly recorder: Recorder;
  readonly isOpen: boolean;
  readonly isDocked: boolean;
  view?: InspectorView;
}

const mounted = new WeakMap<HTMLElement, Mounted>();

/**
 * Shows what goes on in a gate or guarded chat: a timeline, what leaves and what does not arrive, the messages for each backend, and what
 * waits for the user. It records the gate too: "Export recording" saves a file that a test can play again.
 *
 * ```ts
 * const gate = new ToolGate();
 * if (import.meta.env.DEV) {
 *   const { inspect } = await import('toolgate/inspector');
 *   inspect(gate);
 * }
 * ```
 *
 * The saved file as a test, with vitest:
 *
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { init, ToolGate } from 'toolgate';
 * import { replay } from 'toolgate/inspector';
 * import { expect, test } from 'vitest';
 *
 * test('the second approval is not sent twice', async () => {
 *   await init();
 *   const recording = readFileSync('tests/second-approval.json', 'utf8');
 *   const { difference } = await replay(JSON.parse(recording), { ToolGate });
 *   expect(difference?.message).toBeUndefined();
 * });
 * ```
 *
 * The file has the conversation in it, and all that tools were given and returned. Only a page can do this: it throws a
 * `TypeError` without a `document`, and for a gate of another copy of the package.
 */
export function inspect(
  source: NonNullable<GateSource>,
  { element: parent, open = true }: InspectOptions = {},
): Inspector {
  if (typeof document === 'undefined') throw new TypeError('inspect: there is no page; record(gate) works without one');
  const gate = gateOfSource('inspect', source);
  const recorder = record(gate);
  const element = new (definition())();
  mounted.set(element, { gate, recorder, isOpen: open, isDocked: !parent });
  element.toggleAttribute('docked', !parent);
  (parent ?? document.body).append(element);
  const remove = (): void => {
    element.remove();
    unmount(element);
  };
  return { element, recording: () => recorder.recording(), remove };
}

function mount(element: HTMLElement): void {
  const here = mounted.get(element);
  if (!here || here.view) return;
  const { gate, recorder, isOpen, isDocked } = here;
  here.view = new InspectorView(element, gate, recorder, { isOpen, isDocked, close: () => element.remove() });
}

function unmount(element: HTMLElement): void {
  const here = mounted.get(element);
  if (!here) return;
  mounted.delete(element);
  here.view?.stop();
  here.recorder.stop();
}

/** The element's class. It is made here, not above: on a server there is nothing to extend. */
function definition(): new () => HTMLElement {
  // A module that is loaded anew during development finds the name of its former self taken.
  for (let n = 0; ; n++) {
    const name = n ? `${NAME}-${n}` : NAME;
    const known = customElements.get(name);
    if (known && known === made) return known as new () => HTMLElement;
    if (known) continue;
    made = class extends HTMLElement {
      connectedCallback(): void {
        mount(this);
      }

      disconnectedCallback(): void {
        // An element that is only moved is back at once.
        queueMicrotask(() => {
          if (!this.isConnected) unmount(this);
        });
      }
    };
    customElements.define(name, made);
    return made as new () => HTMLElement;
  }
}

let made: CustomElementConstructor | undefined;
