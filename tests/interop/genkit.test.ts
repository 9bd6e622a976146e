/**
 * Genkit's own `generate` in every scenario, with models that stream and that do not, with and without refs.
 */
import { genkit } from './genkit.rig';
import { runScenarios } from './scenarios';

runScenarios(genkit('streamed', {}));
runScenarios(genkit('whole replies', { streams: false }));
runScenarios(genkit('no refs', { refs: 'none' }));
runScenarios(genkit('places for refs, whole replies', { refs: 'places', streams: false }));
