/**
 * Every scenario with the recorded messages of coding agents. `./pkg-scripts/rigs` runs the scenarios with the agents
 * themselves, and records them.
 */
import { runInterruptions } from '../interop/interruptions';
import { runScenarios } from '../interop/scenarios';
import { geminiCli, geminiKind, opencodeAcp, opencodeKind, testRemembered } from './acp';
import { llamaKind, mastraAgUi, mastraKind, testMastraQuestion, testPageTools } from './ag-ui';
import * as claude from './claude-agent-sdk';
import { codex, kind as codexKind, testFiles, testQuestions, testSecret } from './codex';
import { langgraphDev, langgraphKind, reviewedKind, testInterrupt } from './langgraph';
import { testPassing } from './passing';
import { replaying } from './wire';

runScenarios(claude.claudeAgentSdk(replaying(claude.kind)));
runInterruptions(claude.claudeAgentSdk(replaying(claude.kind)), true);
claude.testEdits(replaying(claude.kind));
claude.testQuestions(replaying(claude.kind));
testPassing('Claude Agent SDK', claude.kind, replaying(claude.kind));
runScenarios(codex(replaying(codexKind)));
runInterruptions(codex(replaying(codexKind)), true);
testFiles(replaying(codexKind));
testQuestions(replaying(codexKind));
testPassing('Codex', codexKind, replaying(codexKind));
testSecret(replaying(codexKind));
runScenarios(opencodeAcp(replaying(opencodeKind)));
runInterruptions(opencodeAcp(replaying(opencodeKind)), true);
runScenarios(mastraAgUi(replaying(mastraKind)));
testMastraQuestion(replaying(mastraKind));
runScenarios(geminiCli(replaying(geminiKind)));
runInterruptions(geminiCli(replaying(geminiKind)), true);
testRemembered('Gemini CLI', geminiKind, replaying(geminiKind));
testPageTools(replaying(llamaKind));
for (const kind of [langgraphKind, reviewedKind]) {
  const rig = langgraphDev(replaying(kind), kind);
  runScenarios(rig);
  runInterruptions(rig, true);
}
testInterrupt(replaying(langgraphKind));
