/** The screens on which pages are tested: both colour schemes, on a desktop and on a phone. */
export const ALL_SCREENS = [
  ['light', 1400],
  ['dark', 1400],
  ['light', 380],
  ['dark', 380],
] as const;

/**
 * Enough for pages whose colours do not depend on the width: each colour scheme and each width once. tests/house/
 * styles.test.ts checks that their styles are so.
 */
export const SCREENS = [ALL_SCREENS[0], ALL_SCREENS[3]] as const;
