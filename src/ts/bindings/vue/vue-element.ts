/** The custom elements of `toolgate/element` as components. */
import { h, onBeforeUnmount, onMounted, shallowRef, toValue, watchPostEffect, type VNode } from 'vue';
import type { GateSource } from '../../gate/gate-source.js';
import { listenTo, setGate, type ShownElement, type SourceProps } from '../shown-element.js';
import { sourceOf } from './vue-gate.js';

type Emit = (event: string, detail: CustomEvent) => void;

/** The function `setup` of a component. */
export type Setup = (props: SourceProps, context: { readonly emit: Emit }) => () => VNode;

/** Returns the render function of a component. */
export function renderElement(shown: ShownElement, props: SourceProps, emit: Emit): () => VNode {
  const element = shallowRef<HTMLElement>();
  const provided = sourceOf(props.gate === undefined && props.chat === undefined ? undefined : null);
  const source = (): GateSource => props.gate ?? props.chat ?? toValue(provided);
  let stopListening = (): void => {};
  onMounted(() => {
    stopListening = listenTo(element.value!, shown, () => (event: CustomEvent) => emit(event.type, event));
  });
  watchPostEffect(() => {
    if (element.value) shown.show(element.value, source(), props);
  });
  onBeforeUnmount(() => {
    stopListening();
    setGate(element.value!, null);
  });
  return () => h(shown.tag, { ref: element });
}
