/** ACP agents of both versions, through every scenario. */
import { acp } from './acp.rig';
import { runScenarios } from './scenarios';

runScenarios(acp(1));
runScenarios(acp(2));
