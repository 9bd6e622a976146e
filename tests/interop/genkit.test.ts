/**
 * Genkit's own `generate` in every scenario, by a model that streams and one that does not, with refs and without.
 */
import { genkit } from './genkit.rig';
import { runScenarios } from './scenarios';

runScenarios(genkit('streamed', {}));
runScenarios(genkit('whole replies', { streams: false }));
runScenarios(genkit('no refs', { refs: 'none' }));
runScenarios(genkit('places for refs, whole replies', { refs: 'places', streams: false }));
