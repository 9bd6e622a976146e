/**
 * The part of a form that is the same in every framework: its listeners, the focus, and whether the user sees it. The
 * component draws buttons with `data-act` and fields with `data-field`.
 */
import { watchView } from './in-view.js';
import { guardPresses } from './press-guard.js';

/** The event of a form's element when the gate has accepted a decision. A list then leads the focus on. */
export const DECIDED = 'toolgate-decided';

/** What the listeners call. */
interface Handlers {
  /** Called when the element is attached or removed, and after each render. */
  readonly placed: () => void;
  readonly press: (act: string) => void;
  /** Called with the value of a field. `isDone`: the user has left the field. */
  readonly enter?: (field: string, value: string, isDone: boolean) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly tooSoon: () => void;
}

/** A field of a form. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What a component needs of a form, whatever it shows. */
export interface Drawn {
  /** Calls `listener` when `view` must be drawn again. Returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void;
  /** A number that is another one after each change, for `useSyncExternalStore` and the like. */
  readonly getSnapshot: () => number;
  /** Takes the element with the buttons and fields; null when it is removed. Stops accidental presses there. */
  readonly attach: (root: HTMLElement | null) => void;
  /** Call this after each render: the page then shows the last `view`. Moves the focus if an act asked for that. */
  readonly rendered: () => void;
}

/** The controls of a form. */
export interface Controls extends Drawn {
  /** Calls the listeners of `subscribe`. Also called when a control loses the focus. */
  readonly notify: () => void;
  /** After the next render, focuses what the selector finds; the card if it is empty. */
  readonly lead: (selector: string) => void;
  readonly root: () => HTMLElement | undefined;
  /** The card around the element. */
  readonly card: () => HTMLElement | undefined;
  /** The focused element of the form. */
  readonly focused: () => HTMLElement | undefined;
  /** Whether the user sees the card: its heading is in view, or it has the focus. */
  readonly isSeen: () => boolean;
}

/** Creates the controls of a form. */
export function controls({ placed, press, enter, onKey, tooSoon }: Handlers): Controls {
  const listeners = new Set<() => void>();
  let version = 0;
  let root: HTMLElement | undefined;
  let end: AbortController | undefined;
  let focused: Element | undefined;
  let wanted: string | undefined;
  let isInView = false;
  /** The card whose heading is observed. */
  let watched: HTMLElement | undefined;

  /** What has the focus, in the shadow root of the element, too. */
  const active = (): Element | null | undefined => {
    const own = root?.ownerDocument.activeElement;
    return own?.shadowRoot ? (root!.getRootNode() as ShadowRoot).activeElement : own;
  };
  const notify = (): void => {
    version++;
    listeners.forEach((listener) => listener());
  };
  const card = (): HTMLElement | undefined => root?.closest<HTMLElement>('[data-status]') ?? undefined;
  const read = (field: Control, isDone: boolean): void => {
    const id = field.dataset['field'];
    const isOff = field.type === 'radio' && !(field as HTMLInputElement).checked;
    if (id !== undefined && !isOff) enter?.(id, field.value, isDone);
  };

  function listen(element: HTMLElement): void {
    const { signal } = (end = new AbortController());
    const on = <TYPE extends keyof HTMLElementEventMap>(
      type: TYPE,
      listener: (event: HTMLElementEventMap[TYPE]) => void,
    ): void => element.addEventListener(type, listener, { signal });
    guardPresses(element, tooSoon, signal);
    on('click', ({ target }) => {
      const act = (target as Element).closest<HTMLElement>('[data-act]')?.dataset['act'];
      if (act === undefined) return;
      // Scripts and password managers fill in fields without an event.
      element.querySelectorAll<Control>('[data-field]').forEach((field) => read(field, false));
      press(act);
    });
    for (const type of ['input', 'change'] as const)
      on(type, ({ target }) => read(target as Control, type === 'change'));
    on('keydown', (event) => {
      // Ignore the Enter that ends an IME composition. Safari reports it by key code 229 only.
      if (event.isComposing || event.keyCode === 229) return;
      // A key that is held down is pressed once, also on a button.
      if (event.key === 'Enter' && event.repeat) event.preventDefault();
      else onKey(event);
    });
    on('focusin', ({ target }) => (focused = target as Element));
    // A browser reports an element that is removed here, too: that one has lost the focus.
    on('focusout', ({ target }) =>
      queueMicrotask(() => {
        if (focused !== target || !focused.isConnected) return;
        focused = undefined;
        notify();
      }),
    );
  }

  /** Observes the card: some frameworks attach the element before it is in the card. */
  function watch(): void {
    const [element, around] = [root, card()];
    if (!around || around === watched) return;
    watched = around;
    around.addEventListener('focusin', placed, { signal: end!.signal });
    watchView(around.querySelector('h1,h2,h3,h4,h5,h6,[role=heading]') ?? around, (isIt) => {
      if (root !== element) return;
      isInView = isIt;
      placed();
    });
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => version,
    attach(next) {
      if (next === (root ?? null)) return;
      end?.abort();
      isInView = false;
      watched = undefined;
      root = next ?? undefined;
      if (root) listen(root);
      placed();
    },
    rendered() {
      watch();
      placed();
      const selector = wanted;
      wanted = undefined;
      // The decision can come from another tab, or the time is over, while the user writes a reason.
      const isLost = focused?.isConnected === false;
      if (isLost) focused = undefined;
      if (selector) root?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
      else if (selector === '' || isLost) {
        const now = active();
        // The next key is meant for what the user has focused since.
        if (!now || now.localName === 'body' || root?.contains(now)) card()?.focus({ preventScroll: true });
      }
    },
    notify,
    lead: (selector) => (wanted = selector),
    root: () => root,
    card,
    focused: () => {
      const now = active();
      return now && root?.contains(now) ? (now as HTMLElement) : undefined;
    },
    isSeen: () => isInView || card()?.matches(':focus-within') === true,
  };
}
