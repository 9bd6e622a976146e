/** The Claude Agent SDK in every scenario, and with questions. */
import { runInterruptions } from '../../interop/interruptions';
import { runScenarios } from '../../interop/scenarios';
import { claudeAgentSdk, kind, testEdits, testQuestions } from '../claude-agent-sdk';
import { testPassing } from '../passing';
import { recording } from '../wire';
import { connectTo } from './claude-agent-sdk.rig';

runScenarios(claudeAgentSdk(recording(kind, connectTo('tools'))));
runInterruptions(claudeAgentSdk(recording(kind, connectTo('tools'))));
testEdits(recording(kind, connectTo('tools')));
testQuestions(recording(kind, connectTo('questions')));
testPassing('Claude Agent SDK', kind, recording(kind, connectTo('tools')));
