/** `opencode acp` in every scenario. */
import { runScenarios } from '../../interop/scenarios';
import { opencodeAcp, opencodeKind } from '../acp';
import { recording } from '../wire';
import { connect } from './opencode-acp.rig';

runScenarios(opencodeAcp(recording(opencodeKind, connect)));
