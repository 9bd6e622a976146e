/** Declarations for the code blocks of docs/your-own-design.md: a component that `shadcn add` installs. */
declare module '@/components/toolgate/ai-elements-tool' {
  export function GuardedTool(props: { part: import('toolgate').AnyToolPart }): import('react').ReactElement;
}
