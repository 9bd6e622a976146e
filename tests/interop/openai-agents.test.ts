/**
 * The OpenAI Agents SDK in every scenario.
 */
import { openaiAgents } from './openai-agents.rig';
import { runScenarios } from './scenarios';

runScenarios(openaiAgents());
runScenarios(openaiAgents(true));
