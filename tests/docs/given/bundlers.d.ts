/** What the blocks of docs/bundlers.md take for granted: Next.js, and the component of docs/migration.md in a file of its own. */
declare module 'next/dynamic' {
  type Component<P> = import('react').ComponentType<P>;
  export default function dynamic<P>(load: () => Promise<Component<P>>, options: { ssr: boolean }): Component<P>;
}
declare module '*/chat' {
  export const Chat: import('react').ComponentType;
}
