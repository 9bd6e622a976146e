/**
 * The AI SDK's own server, versions 6 and 7, with and without signatures, in every scenario.
 */
import { aiSdk } from './ai-sdk.rig';
import { runScenarios } from './scenarios';

runScenarios(aiSdk(7));
runScenarios(aiSdk(6));
runScenarios(aiSdk(7, 'a secret of the server that is long enough'));
runScenarios(aiSdk(6, 'a secret of the server that is long enough'));
