/** Codex's app server in every scenario, and with changes of files. */
import { runScenarios } from '../../interop/scenarios';
import { codex, filesKind, kind, testFiles } from '../codex';
import { recording } from '../wire';
import { connectTo } from './codex.rig';

runScenarios(codex(recording(kind, connectTo('commands'))));
testFiles(recording(filesKind, connectTo('files')));
