/** The demo page in Vue: creates the `Chat` and mounts the app. */
import { Chat } from '@ai-sdk/vue';
import { createApp } from 'vue';
import { start } from '../session/start';
import '../styles/index.css';
import App from './App.vue';

type ChatInit = ConstructorParameters<typeof Chat>[0];

await start({
  // @ai-sdk/vue may install its own copy of `ai`, whose types differ from those of this page's transport.
  makeChat: (options) => new Chat(options as ChatInit),
  hasSettings: false,
  render: (root, open) => void createApp(App, { open }).mount(root),
});
