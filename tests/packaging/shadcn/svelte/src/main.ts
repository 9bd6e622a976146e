import { mount } from 'svelte';
import Chat from './chat.svelte';
import { openGate } from '../../shared/chat.js';
import './index.css';

void openGate().then((gate) => mount(Chat, { target: document.querySelector('#app')!, props: { gate } }));
