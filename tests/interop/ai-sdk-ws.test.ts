/** The WebSocket backend in every scenario: tools wait on the server, and each decision is sent in a separate frame. */
import { aiSdkWs } from './ai-sdk-ws.rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';

runScenarios(aiSdkWs());
runInterruptions(aiSdkWs());
