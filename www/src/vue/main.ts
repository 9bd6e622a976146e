/** The page in Vue: makes its `Chat`, and mounts. */
import { Chat } from '@ai-sdk/vue';
import { createApp } from 'vue';
import { start } from '../session/start';
import '../styles/index.css';
import App from './App.vue';

type ChatInit = ConstructorParameters<typeof Chat>[0];

await start({
  // @ai-sdk/vue may bring an `ai` of its own, whose types are then others than those of this page's transport.
  makeChat: (options) => new Chat(options as ChatInit),
  cards: 'element',
  render: (root, open) => void createApp(App, { open }).mount(root),
});
