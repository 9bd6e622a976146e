/**
 * The page's few icons, drawn as strokes in the text colour. They are always decoration: a label beside them has the
 * meaning.
 */

/** Each icon's path, in a square of 16. */
export const ICONS = {
  send: 'M8 13V3M3.8 7.2 8 3l4.2 4.2',
  stop: 'M4.5 4.5h7v7h-7z',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.6',
  check: 'M3.2 8.4l3.2 3.2 6.4-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  skip: 'M3 4l5 4-5 4V4ZM8.5 4l4.5 4-4.5 4V4Z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6',
  alert: 'M8 2.2 14.4 13.4H1.6L8 2.2ZM8 6.6v3M8 11.4v.1',
  out: 'M6.5 3H3v10h10V9.5M9.5 3H13v3.5M13 3 7.5 8.5',
  keep: 'M4.5 2.5h7v11L8 10.6 4.5 13.5v-11Z',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof ICONS;
