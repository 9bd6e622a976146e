/** `opencode acp` in every scenario. */
import { runInterruptions } from '../../interop/interruptions';
import { runScenarios } from '../../interop/scenarios';
import { opencodeAcp, opencodeKind } from '../acp';
import { recording } from '../wire';
import { connect } from './opencode-acp.rig';

runScenarios(opencodeAcp(recording(opencodeKind, connect)));
runInterruptions(opencodeAcp(recording(opencodeKind, connect)));
