/** Loads the script with the views of the elements, when a card is first shown. */
type Views = typeof import('./views.js');

let views: Views | undefined;

/** The views, if they are loaded. */
export function loadedViews(): Views | undefined {
  return views;
}

/**
 * Loads the script of the cards in advance, for example when the user begins to write. By default it is loaded when the
 * first card is shown. Rejects if it cannot be loaded; a later call tries again, where the browser allows it.
 */
export async function loadToolApproval(): Promise<void> {
  views ??= await import('./views.js');
}
