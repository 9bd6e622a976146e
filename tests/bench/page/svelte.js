/** The page in Svelte: see react.jsx. */
import { Chat } from '@ai-sdk/svelte';
import { mount, unmount } from 'svelte';
import { guard } from 'toolgate/ai-sdk';
import Ours from './Ours.svelte';
import { createPlainChat } from './plain.js';
import Plain from './Plain.svelte';
import Theirs from './Theirs.svelte';
import WithApprovals from './WithApprovals.svelte';

const mounted = (Page) => (target, chat) => {
  const page = mount(Page, { target, props: { chat } });
  return () => void unmount(page);
};

export const theirs = { createChat: (options) => new Chat(options), mount: mounted(Theirs) };

export const plain = { createChat: createPlainChat, mount: mounted(Plain) };

const createChat = (options) => guard(new Chat(options));

export const ours = { createChat, mount: mounted(Ours) };

export const withApprovals = { createChat, mount: mounted(WithApprovals) };
