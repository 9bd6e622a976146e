/** The texts for a card whose script could not be loaded. All others come with that script. */
export const LOAD_TEXTS = {
  notLoaded: 'The card could not be loaded. Check your connection, or reload the page.',
  loadAgain: 'Load again',
} as const;
