/** Mastra's bridge to AG-UI. */
import { runScenarios } from '../../interop/scenarios';
import { mastraAgUi, mastraKind, testMastraQuestion } from '../ag-ui';
import { recording } from '../wire';
import { connect } from './mastra-ag-ui.rig';

runScenarios(mastraAgUi(recording(mastraKind, connect)));
testMastraQuestion(recording(mastraKind, connect));
