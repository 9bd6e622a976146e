/**
 * The inspector of `toolgate/inspector`, in an element of the page. It is loaded on first use: an app would have it
 * during development only.
 */
import type { ToolGate } from 'toolgate';

/** Id of the button that opens and closes the inspector: it is focused when the inspector closes. */
export const INSPECTOR_BUTTON = 'inspector-button';

/**
 * Shows `gate` in `host`. `closed` is called when the user closes the inspector. Returns a function that removes it.
 */
export function inspectIn(host: HTMLElement, gate: ToolGate, closed: () => void): () => void {
  let remove = (): void => undefined;
  let isOver = false;
  const watch = new MutationObserver(() => {
    if (host.childElementCount > 0 || isOver) return;
    closed();
    document.getElementById(INSPECTOR_BUTTON)?.focus();
  });
  void import('toolgate/inspector').then(({ inspect }) => {
    if (isOver) return;
    remove = () => inspector.remove();
    const inspector = inspect(gate, { element: host });
    watch.observe(host, { childList: true });
  });
  return () => {
    isOver = true;
    watch.disconnect();
    remove();
  };
}
