/** The screens that pages are looked at on: both colour schemes, a desk and a phone. */
export const SCREENS = [
  ['light', 1400],
  ['dark', 1400],
  ['light', 380],
  ['dark', 380],
] as const;
