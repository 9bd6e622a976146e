/** What the components of all bindings that show a custom element have in common. */
import { gateIn, type GateSource, type GateSourceOf } from '../gate/gate-source.js';
import type { AnyTools } from '../types/index.js';

/** The gate of a component. `T`: the app's message type or tools, which a chat has. */
export interface SourceProps<T extends AnyTools = AnyTools> {
  /** A `ToolGate`, or a chat that `guard` returned. */
  readonly gate?: GateSourceOf<T>;
  /** What `useGuardedChat` returned, or a guarded chat. The same as `gate`. */
  readonly chat?: GateSourceOf<T>;
}

/** A component's element. */
export interface ShownElement {
  readonly tag: string;
  /** The names of all props that are not HTML attributes, without events. */
  readonly props: readonly string[];
  /** The element's events, with the names of their listeners in React. In Svelte these are in lower case. */
  readonly events: Readonly<Record<string, string>>;
  /** Registers the element and sets its properties. Call it when it was created and when a prop has changed. */
  show(element: HTMLElement, source: GateSource, props: SourceProps): void;
}

/** The props that identify a call. */
export interface CallProps {
  /** The tool part to show, as it is in the messages of the chat. Takes the place of the ids. */
  readonly part?: { readonly toolCallId: string } | undefined;
  readonly toolCallId?: string | undefined;
  readonly messageId?: string | undefined;
}

/** Sets properties that have changed, and the attribute `theme`. */
export function setProperties(element: HTMLElement, values: Readonly<Record<string, unknown>>, theme?: string): void {
  const own = element as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) if (own[name] !== value) own[name] = value;
  if (theme === undefined) element.removeAttribute('theme');
  else element.setAttribute('theme', theme);
}

/** Sets the gate. Call it last: the element looks for its call then. */
export function setGate(element: HTMLElement, source: GateSource): void {
  (element as { gate?: GateSource }).gate = source;
}

/** The properties that identify the call of the props. */
export function callOf(source: GateSource, props: CallProps): { toolCallId: unknown; messageId: unknown } {
  const { part, toolCallId = part?.toolCallId, messageId = messageOf(source, part) } = props;
  return { toolCallId, messageId };
}

/**
 * Calls `latest(name)` for each event, with the name of its listener in React. Returns an unsubscribe function.
 */
export function listenTo(
  element: HTMLElement,
  { events }: ShownElement,
  latest: (name: string) => unknown,
): () => void {
  const listeners = Object.entries(events).map(([type, name]) => {
    const listener = (event: Event): void => (latest(name) as ((event: Event) => void) | undefined)?.(event);
    element.addEventListener(type, listener);
    return [type, listener] as const;
  });
  return () => {
    for (const [type, listener] of listeners) element.removeEventListener(type, listener);
  };
}

/** The message of a part, if another part has the same call id: the element shows the newest call otherwise. */
function messageOf(source: GateSource, part: CallProps['part']): string | undefined {
  const gate = part && gateIn(source);
  if (!gate || gate.part(part.toolCallId) === part) return undefined;
  return gate.getSnapshot().messages.findLast(({ parts }) => (parts as unknown[]).includes(part))?.id;
}
