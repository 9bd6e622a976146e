/**
 * TanStack AI's `chat()` behind a gate.
 */
import { runScenarios } from './scenarios';
import { tanstackRig } from './tanstack.rig';
import '../codecs/support';

runScenarios(tanstackRig);
