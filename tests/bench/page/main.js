/** The entry of the benchmark's page: `window.bench(framework, side, size)` plays the scenario once. */
import { init } from 'toolgate';
import * as react from './react.jsx';
import { play } from './scenario.js';
import * as svelte from './svelte.js';
import * as vue from './vue.js';

const frameworks = { react, svelte, vue };

window.bench = async (framework, side, size) => {
  await init();
  return play(frameworks[framework][side], size);
};
