/** Stands in for the file that assistant-ui installs: the same names and props of the parts that the adapter uses. */
import type { ToolCallMessagePartStatus } from '@assistant-ui/react';
import type { ComponentProps } from 'react';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible';

export const ToolFallbackRoot = (props: ComponentProps<typeof Collapsible>) => <Collapsible {...props} />;

export const ToolFallbackTrigger = ({
  toolName,
  status,
  ...props
}: ComponentProps<typeof CollapsibleTrigger> & { toolName: string; status?: ToolCallMessagePartStatus }) => (
  <CollapsibleTrigger className="py-1 text-sm" {...props}>
    {status?.type === 'complete' ? 'Used tool' : 'Tool'}: <b>{toolName}</b>
  </CollapsibleTrigger>
);

export const ToolFallbackContent = ({ children, ...props }: ComponentProps<typeof CollapsibleContent>) => (
  <CollapsibleContent {...props}>
    <div className="flex flex-col gap-2 ps-6 pt-1 pb-2">{children}</div>
  </CollapsibleContent>
);

export const ToolFallbackResult = ({ result, ...props }: ComponentProps<'div'> & { result?: unknown }) => (
  <div {...props}>
    <pre className="bg-muted rounded-md p-2.5 text-xs break-words whitespace-pre-wrap">{JSON.stringify(result)}</pre>
  </div>
);
