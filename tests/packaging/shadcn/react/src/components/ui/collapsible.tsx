export { CollapsibleContent, CollapsibleTrigger, Root as Collapsible } from '@radix-ui/react-collapsible';
