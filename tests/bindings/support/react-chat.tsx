/** A React component with `useGuardedChat`, mounted in StrictMode. */
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { useGuardedChat } from 'toolgate/react';

import { act } from '../../lib/act';
import { textOf } from './guarded-chat';

export type Options = Parameters<typeof useGuardedChat>[0] & object;
export type Helpers = ReturnType<typeof useGuardedChat>;

/** One task later, when an unused chat is disposed. */
export const aTask = (): Promise<void> => act(() => new Promise<void>((done) => setTimeout(done)));

/** A component that shows a chat. `seen` gets what the hook returned, for each render. */
export function Chat({ options, seen }: { options: Options; seen: Helpers[] }) {
  const chat = useGuardedChat(options);
  seen.push(chat);
  return <p>{textOf(chat)}</p>;
}

/** Renders a component. */
export async function mount(content: ReactNode) {
  const element = document.createElement('div');
  const root = createRoot(element);
  const render = (next: ReactNode): Promise<void> => act(async () => root.render(<StrictMode>{next}</StrictMode>));
  await render(content);
  return { render, text: () => element.textContent, unmount: () => act(async () => root.unmount()) };
}
