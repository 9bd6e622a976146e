/** The demo page in Svelte: creates the `Chat` and mounts the app. */
import { Chat } from '@ai-sdk/svelte';
import { mount } from 'svelte';
import { start } from '../session/start';
import '../styles/index.css';
import App from './App.svelte';

type ChatInit = ConstructorParameters<typeof Chat>[0];

await start({
  // @ai-sdk/svelte may install its own copy of `ai`, whose types differ from those of this page's transport.
  makeChat: (options) => new Chat(options as ChatInit),
  hasSettings: false,
  render: (target, open) => void mount(App, { target, props: { open } }),
});
