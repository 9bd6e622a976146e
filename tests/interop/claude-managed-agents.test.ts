/** A session of Claude's Managed Agents with Anthropic's own client, in every scenario. */
import { claudeManagedAgents } from './claude-managed-agents.rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';

runScenarios(claudeManagedAgents);
runInterruptions(claudeManagedAgents);
