/** The screens on which pages are tested: both colour schemes, each on a desktop and a phone. */
export const SCREENS = [
  ['light', 1400],
  ['dark', 1400],
  ['light', 380],
  ['dark', 380],
] as const;
