/** The looks of the components, as classes of Tailwind, which you may change here. */
import type { FormButton } from 'toolgate/approval';
import type { CallTone } from 'toolgate';

/** A button. A long label wraps, a finger finds it, and one that has just appeared or moved looks like that. */
export const BUTTON =
  'h-auto min-h-8 max-w-full whitespace-normal [@media(pointer:coarse)]:min-h-11 [&[data-settling]]:border-dashed [&[data-settling]]:opacity-80';

/** The variant of a button, and its own classes. */
export const LOOKS: Record<FormButton['look'], { variant: 'default' | 'outline' | 'ghost'; own: string }> = {
  main: { variant: 'default', own: '' },
  danger: { variant: 'outline', own: 'border-2 border-red-700 text-red-700 dark:border-red-400 dark:text-red-400' },
  other: { variant: 'outline', own: '' },
  quiet: { variant: 'ghost', own: '' },
};

export const FIELD =
  'border-input bg-background focus-visible:border-ring focus-visible:ring-ring/50 w-full rounded-md border px-3 py-2 text-sm focus-visible:outline-hidden focus-visible:ring-[3px] [@media(pointer:coarse)]:min-h-11 aria-invalid:border-destructive';

export const CARD =
  'bg-card text-card-foreground focus-visible:ring-ring/50 flex min-w-0 flex-col gap-3 rounded-xl border p-4 shadow-sm focus-visible:outline-hidden focus-visible:ring-[3px]';

export const DANGER = 'border-2 border-red-700 dark:border-red-400';

export const INPUT =
  'bg-muted text-foreground focus-visible:ring-ring/50 max-h-64 overflow-auto rounded-md p-3 font-mono text-xs break-words whitespace-pre-wrap focus-visible:outline-hidden focus-visible:ring-[3px]';

export const STATUS =
  'inline-flex shrink-0 items-center rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap';

export const TONES: Record<CallTone, string> = {
  wait: 'border-amber-600/40 bg-amber-500/10 text-amber-800 dark:text-amber-300',
  busy: 'border-sky-600/40 bg-sky-500/10 text-sky-800 dark:text-sky-300',
  yes: 'border-emerald-600/40 bg-emerald-500/10 text-emerald-800 dark:text-emerald-300',
  no: 'border-red-600/40 bg-red-500/10 text-red-800 dark:text-red-300',
  quiet: 'border-border bg-muted text-foreground',
};

export const HURRY = 'font-semibold text-amber-800 dark:text-amber-300';

/** What gets the focus without being a control. */
export const FOCUSED =
  'focus-visible:ring-ring/50 rounded-sm focus-visible:outline-hidden focus-visible:ring-[3px] [overflow-wrap:anywhere]';
