/**
 * TanStack AI's `chat()` behind a gate.
 */
import { runScenarios } from './scenarios';
import { tanstackRig } from './tanstack.rig';

runScenarios(tanstackRig);
