/** Codex's app server in every scenario, with changes of files, and with questions. */
import { runInterruptions } from '../../interop/interruptions';
import { runScenarios } from '../../interop/scenarios';
import { codex, kind, testFiles, testQuestions, testSecret } from '../codex';
import { testPassing } from '../passing';
import { recording } from '../wire';
import { connectTo } from './codex.rig';

runScenarios(codex(recording(kind, connectTo('commands'))));
runInterruptions(codex(recording(kind, connectTo('commands'))));
testFiles(recording(kind, connectTo('files')));
testQuestions(recording(kind, connectTo('questions')));
testPassing('Codex', kind, recording(kind, connectTo('commands')));
testSecret(recording(kind, connectTo('questions')));
