/** Declarations for the code blocks of docs/assistant-ui.md: components of the app. */
declare module '@/components/assistant-ui/thread' {
  export function Thread(): import('react').ReactElement;
}
declare module '@/components/assistant-ui/markdown-text' {
  export function MarkdownText(): import('react').ReactElement;
}
declare module '@/components/toolgate/assistant-ui-tool' {
  export function GuardedToolFallback(
    props: import('@assistant-ui/react').ToolCallMessagePart,
  ): import('react').ReactElement | null;
}
