/**
 * Effect's own language model in every scenario.
 */
import { effect } from './effect.rig';
import { runScenarios } from './scenarios';

runScenarios(effect);
