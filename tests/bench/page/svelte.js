/** The page in Svelte: see react.jsx. */
import { Chat } from '@ai-sdk/svelte';
import { mount, unmount } from 'svelte';
import { guard } from 'toolgate/ai-sdk';
import Ours from './Ours.svelte';
import { createPlainChat } from './plain.js';
import Plain from './Plain.svelte';
import Theirs from './Theirs.svelte';

const mounted = (Page) => (target, chat) => {
  const page = mount(Page, { target, props: { chat } });
  return () => void unmount(page);
};

export const theirs = { createChat: (options) => new Chat(options), mount: mounted(Theirs) };

export const plain = { createChat: createPlainChat, mount: mounted(Plain) };

export const ours = { createChat: (options) => guard(new Chat(options)), mount: mounted(Ours) };
