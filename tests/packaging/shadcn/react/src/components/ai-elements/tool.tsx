/**
 * Stands in for AI Elements' `Tool`, which no npm package contains: the same names and props of the parts that the
 * adapter uses, with little of the look.
 */
import type { ComponentProps } from 'react';
import { Collapsible, CollapsibleContent } from '@/components/ui/collapsible';
import { cn } from '@/lib/utils';

export const Tool = ({ className, ...props }: ComponentProps<typeof Collapsible>) => (
  <Collapsible className={cn('group not-prose w-full rounded-md border', className)} {...props} />
);

export const ToolContent = ({ className, ...props }: ComponentProps<typeof CollapsibleContent>) => (
  <CollapsibleContent className={cn('space-y-4 p-4', className)} {...props} />
);

export const ToolOutput = ({
  output,
  errorText,
  ...props
}: ComponentProps<'div'> & { output: unknown; errorText: string | undefined }) =>
  output || errorText ? (
    <div className="space-y-2" {...props}>
      <h4 className="text-muted-foreground text-xs font-medium">{errorText ? 'Error' : 'Result'}</h4>
      <pre className="bg-muted rounded-md p-3 text-xs break-words whitespace-pre-wrap">
        {errorText ?? JSON.stringify(output, null, 2)}
      </pre>
    </div>
  ) : null;
