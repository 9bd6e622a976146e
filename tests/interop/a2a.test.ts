/** A2A with the server of `@a2a-js/sdk`. */
import { a2a } from './a2a.rig';
import { runScenarios } from './scenarios';

runScenarios(a2a);
