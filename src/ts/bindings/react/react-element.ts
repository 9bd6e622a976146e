/** The custom elements of `toolgate/element` as components, for React 18 too. */
import { createElement, useEffect, useLayoutEffect, useRef, type ReactElement } from 'react';
import { listenTo, setGate, type ShownElement, type SourceProps } from '../shown-element.js';
import { useSource } from './react-gate.js';

/** On a server, a layout effect would cause a warning of React 18. */
const useDomEffect = typeof document === 'object' ? useLayoutEffect : useEffect;

/** Renders an element. Props that are neither its properties nor its events become attributes. */
export function useElement(shown: ShownElement, props: SourceProps & { readonly className?: unknown }): ReactElement {
  const { gate, chat } = props;
  // `null` means that there is no gate yet. Without both props, the component uses the gate of the provider.
  const source = useSource(gate ?? (chat === undefined ? gate : chat));
  const ref = useRef<HTMLElement>(null);
  const latest = useRef(props);
  useDomEffect(() => {
    latest.current = props;
    if (ref.current) shown.show(ref.current, source, props);
  });
  useDomEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const end = listenTo(element, shown, (name) => (latest.current as Record<string, unknown>)[name]);
    return () => {
      end();
      setGate(element, null);
    };
  }, [shown]);
  const { className, ...attributes } = props as Record<string, unknown>;
  for (const name of [...shown.props, ...Object.values(shown.events)]) delete attributes[name];
  // React 18 does not translate `className` for custom elements.
  if (className !== undefined) attributes['class'] = className;
  return createElement(shown.tag, { ...attributes, ref });
}
