import { mount } from 'svelte';
import Questions from '../scenario/Questions.svelte';

mount(Questions, { target: document.getElementById('app') });
