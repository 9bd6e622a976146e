/**
 * Follows whether the reason for denying a call is open in a `<tool-approval>`: the page must not offer to approve that
 * call together with the others meanwhile. The Svelte and Vue pages use it; it works with any framework.
 */

/** Calls `changed` now, and when something in `root` has changed. Returns the function that ends it. */
export function followReasons(root: HTMLElement, changed: (isDenying: boolean) => void): () => void {
  const look = (): void => changed(root.querySelector('tool-approval[denying]') !== null);
  const observer = new MutationObserver(look);
  // A card that is removed has no open reason.
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ['denying'] });
  look();
  return () => observer.disconnect();
}
