/**
 * The custom elements of `toolgate/element` as components. A raw snippet renders the element in the page and on a
 * server, so that apps need not compile a file of this package.
 */
import { createRawSnippet } from 'svelte';
import { toStore } from 'svelte/store';
import { chatOf, type GateSource } from '../../gate/gate-source.js';
import { listenTo, setGate, type ShownElement, type SourceProps } from '../shown-element.js';
import { providedGate } from './svelte-gate.js';

/** Renders the element. A component and a snippet are both functions of the place in the page. */
export function renderElement(shown: ShownElement, place: unknown, props: SourceProps): unknown {
  const isGiven = props.gate !== undefined || props.chat !== undefined;
  const provided = isGiven ? undefined : providedGate();
  const snippet = createRawSnippet(() => ({
    render: () => `<${shown.tag}></${shown.tag}>`,
    setup: (element) => show(shown, element as HTMLElement, props, provided),
  })) as unknown as (place: unknown) => unknown;
  return snippet(place);
}

function show(
  shown: ShownElement,
  element: HTMLElement,
  props: SourceProps,
  provided: (() => GateSource) | undefined,
): () => void {
  // An effect: the store has a new value when a prop has changed.
  const state = toStore(() => {
    const source = props.gate ?? props.chat ?? provided?.();
    return { source: source && chatOf(source), props: { ...props } };
  });
  const stopShowing = state.subscribe((now) => shown.show(element, now.source, now.props));
  const listener = (name: string): unknown => (props as Record<string, unknown>)[name.toLowerCase()];
  const stopListening = listenTo(element, shown, listener);
  return () => {
    stopShowing();
    stopListening();
    setGate(element, null);
  };
}
