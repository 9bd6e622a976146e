/** The look of the app's own buttons. */
const BASE =
  'inline-flex shrink-0 items-center justify-center rounded-md text-sm font-medium whitespace-nowrap outline-none focus-visible:ring-[3px] focus-visible:ring-ring/50 disabled:pointer-events-none disabled:opacity-50';
const VARIANTS = {
  default: 'bg-primary text-primary-foreground hover:bg-primary/90',
  outline: 'border bg-background hover:bg-accent hover:text-accent-foreground',
  ghost: 'hover:bg-accent hover:text-accent-foreground',
};
const SIZES = { default: 'h-9 px-4', sm: 'h-8 px-3' };

/** @param {{ variant?: keyof typeof VARIANTS, size?: keyof typeof SIZES }} look */
export const buttonClass = ({ variant = 'default', size = 'default' }) => `${BASE} ${VARIANTS[variant]} ${SIZES[size]}`;
