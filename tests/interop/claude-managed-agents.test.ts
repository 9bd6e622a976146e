/** A session of Claude's Managed Agents, by Anthropic's own client, through every scenario. */
import { claudeManagedAgents } from './claude-managed-agents.rig';
import { runScenarios } from './scenarios';

runScenarios(claudeManagedAgents);
