import { createApp } from 'vue';
import Chat from './Chat.vue';
import { openGate } from '../../shared/chat.js';
import './index.css';

void openGate().then((gate) => createApp(Chat, { gate }).mount('#app'));
