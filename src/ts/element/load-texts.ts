/** The texts for a card whose script could not be loaded. All others come with that script. */
export const LOAD_TEXTS = {
  notLoaded: 'The card of a tool could not be loaded. Check your connection. If loading fails again, reload the page.',
  loadAgain: 'Load again',
} as const;
