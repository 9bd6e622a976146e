/** Loads the script with the views of the elements, when a card is first shown. */
type Views = typeof import('./views.js');

let views: Views | undefined;

/** The views, if they are loaded. */
export function loadedViews(): Views | undefined {
  return views;
}

/**
 * Loads the script of the cards now, and not when the first one is shown; for example when the user begins to write.
 * Rejects if it cannot be loaded; a later call tries again, where the browser allows it.
 */
export async function loadToolApproval(): Promise<void> {
  views ??= await import('./views.js');
}
