/** The Claude Agent SDK in every scenario. */
import { runScenarios } from '../../interop/scenarios';
import { claudeAgentSdk, kind, testEdits } from '../claude-agent-sdk';
import { recording } from '../wire';
import { connect } from './claude-agent-sdk.rig';

runScenarios(claudeAgentSdk(recording(kind, connect)));
testEdits(recording(kind, connect));
