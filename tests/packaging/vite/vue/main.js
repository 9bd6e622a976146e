import { createApp } from 'vue';
import Questions from '../scenario/Questions.vue';

createApp(Questions).mount('#app');
