import type { ComponentProps } from 'react';
import { cn } from '@/lib/utils';
import { buttonClass } from '../../../../shared/button.js';

type Look = Parameters<typeof buttonClass>[0];

export function Button({ className, variant, size, ...props }: ComponentProps<'button'> & Look) {
  return <button className={cn(buttonClass({ variant, size }), className)} {...props} />;
}
