/**
 * Mounts the inspector as an element with a shadow tree, so that its styles and those of the page do not affect each
 * other.
 */
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { record } from './recorder.js';
import type { Recorder, Recording } from './recording.js';
import { InspectorView } from './inspector-view.js';

/** Options of `inspect`. */
export interface InspectOptions {
  /** The element to mount the inspector in. Default: a dock at the lower edge of the page. */
  readonly element?: HTMLElement;
  /** `false` to start collapsed. Default `true`. */
  readonly open?: boolean;
}

/** A mounted inspector. */
export interface Inspector {
  /**
   * The element `<toolgate-inspector>`. Set its `color-scheme` for light or dark; the default is the system's setting.
   */
  readonly element: HTMLElement;
  /** Returns the recording so far: see `Recorder`. */
  recording(): Recording | undefined;
  /** Removes the inspector from the gate and the page. Removing the element does the same. */
  remove(): void;
}

const NAME = 'toolgate-inspector';

/** The state of a mounted element. */
interface Mounted {
  readonly gate: ToolGate;
  readonly recorder: Recorder;
  readonly isOpen: boolean;
  readonly isDocked: boolean;
  view?: InspectorView;
}

const mounted = new WeakMap<HTMLElement, Mounted>();

/**
 * Shows a gate or guarded chat: a timeline, outgoing and undelivered requests, the messages for each backend, and
 * pending approvals. Also records the gate: "Export recording" saves a file that a test can replay.
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
 * The file contains the conversation with all inputs and results of tools. Throws a `TypeError` without a `document`,
 * and for a gate of another copy of the package.
 */
export function inspect(
  source: NonNullable<GateSource>,
  { element: parent, open = true }: InspectOptions = {},
): Inspector {
  if (typeof document === 'undefined')
    throw new TypeError('inspect: no `document`. Call it in a browser, or use record(gate).');
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
  const state = mounted.get(element);
  if (!state || state.view) return;
  const { gate, recorder, isOpen, isDocked } = state;
  state.view = new InspectorView(element, gate, recorder, { isOpen, isDocked, close: () => element.remove() });
}

function unmount(element: HTMLElement): void {
  const state = mounted.get(element);
  if (!state) return;
  mounted.delete(element);
  state.view?.stop();
  state.recorder.stop();
}

/** Defines the element's class on first use, because servers have no `HTMLElement` to extend. */
function definition(): new () => HTMLElement {
  // After a hot reload of this module, the earlier class still has the element name.
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
        // A moved element is connected again in the same task.
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
