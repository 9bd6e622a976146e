/** Declarations for the sample of README.md: the app's own components. */
declare const Messages: (props: { messages: import('ai').UIMessage[] }) => import('react').ReactNode;
declare const Composer: (props: { onSend: (message: { text: string }) => Promise<void> }) => import('react').ReactNode;
