/** Codex's app server in every scenario. */
import { runScenarios } from '../../interop/scenarios';
import { codex, kind } from '../codex';
import { recording } from '../wire';
import { connect } from './codex.rig';

runScenarios(codex(recording(kind, connect)));
