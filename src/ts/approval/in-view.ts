/** Observes which elements are in view, with one observer for all. */
const told = new WeakMap<Element, (isInView: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Calls `tell` when the element comes into view or leaves it. Does nothing without `IntersectionObserver`. */
export function watchView(element: Element, tell: (isInView: boolean) => void): void {
  if (typeof IntersectionObserver === 'undefined') return;
  observer ??= new IntersectionObserver((entries) =>
    entries.forEach(({ target, isIntersecting }) => told.get(target)?.(isIntersecting)),
  );
  told.set(element, tell);
  // An element that is observed already is reported again.
  observer.unobserve(element);
  observer.observe(element);
}
