/**
 * Every scenario with the recorded messages of coding agents. `./pkg-scripts/rigs` runs the scenarios with the agents
 * themselves, and records them.
 */
import { runScenarios } from '../interop/scenarios';
import * as claude from './claude-agent-sdk';
import { codex, filesKind, kind as codexKind, testFiles, testQuestions } from './codex';
import { replaying } from './wire';

runScenarios(claude.claudeAgentSdk(replaying(claude.kind)));
claude.testEdits(replaying(claude.kind));
claude.testQuestions(replaying(claude.questionsKind));
runScenarios(codex(replaying(codexKind)));
testFiles(replaying(filesKind));
testQuestions(replaying(codexKind));
