/** `gemini --acp`. */
import { runInterruptions } from '../../interop/interruptions';
import { runScenarios } from '../../interop/scenarios';
import { geminiCli, geminiKind, testRemembered } from '../acp';
import { recording } from '../wire';
import { connect } from './gemini-cli.rig';

runScenarios(geminiCli(recording(geminiKind, connect)));
runInterruptions(geminiCli(recording(geminiKind, connect)));
testRemembered('Gemini CLI', geminiKind, recording(geminiKind, connect));
