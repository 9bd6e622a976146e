/**
 * Every scenario with the recorded messages of coding agents. `./pkg-scripts/rigs` runs the scenarios with the agents
 * themselves, and records them.
 */
import { runScenarios } from '../interop/scenarios';
import { claudeAgentSdk, kind as claude } from './claude-agent-sdk';
import { replaying } from './wire';

runScenarios(claudeAgentSdk(replaying(claude)));
