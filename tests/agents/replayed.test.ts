/**
 * Every scenario with the recorded messages of coding agents. `./pkg-scripts/rigs` runs the scenarios with the agents
 * themselves, and records them.
 */
import { runScenarios } from '../interop/scenarios';
import { claudeAgentSdk, kind as claude, testEdits } from './claude-agent-sdk';
import { codex, filesKind, kind as codexKind, testFiles } from './codex';
import { replaying } from './wire';

runScenarios(claudeAgentSdk(replaying(claude)));
testEdits(replaying(claude));
runScenarios(codex(replaying(codexKind)));
testFiles(replaying(filesKind));
