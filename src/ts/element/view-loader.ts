/** Loads the scripts with the views of the elements, when each is first shown. */
import type { ListView, Script } from './host.js';

type Views = typeof import('./views.js');

/** What the cards' script gives to the scripts that are loaded after it. */
export type Shared = Views['shared'];

let views: Views | undefined;
let review: ReturnType<typeof import('./review-view.js').reviewView> | undefined;

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

/** The script of `<tool-approval>`. */
export const CARD: Script = { create: () => views?.cardView, load: loadToolApproval };

/** The scripts of `<tool-approvals>`, by its `view`. */
export const LISTS: Readonly<Record<ListView, Script>> = {
  list: { create: () => views?.listView, load: loadToolApproval },
  review: {
    create: () => review,
    async load() {
      await loadToolApproval();
      review ??= (await import('./review-view.js')).reviewView(views!);
    },
  },
};
