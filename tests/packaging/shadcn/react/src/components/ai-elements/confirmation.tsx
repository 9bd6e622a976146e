/** Stands in for AI Elements' `Confirmation`: the same names and props of the parts that the adapter uses. */
import type { ComponentProps } from 'react';
import { cn } from '@/lib/utils';

type Approval = { id: string; approved?: boolean; reason?: string } | undefined;

export const Confirmation = ({
  approval,
  state,
  className,
  ...props
}: ComponentProps<'div'> & { approval?: Approval; state: string }) =>
  !approval || state === 'input-streaming' || state === 'input-available' ? null : (
    <div className={cn('flex w-full flex-col gap-2 rounded-lg border px-4 py-3 text-sm', className)} {...props} />
  );

export const ConfirmationTitle = ({ className, ...props }: ComponentProps<'div'>) => (
  <div className={cn('inline', className)} {...props} />
);
