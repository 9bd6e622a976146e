/** The WebSocket backend in every scenario: tools wait on the server, and each decision is a frame of its own. */
import { aiSdkWs } from './ai-sdk-ws.rig';
import { runScenarios } from './scenarios';

runScenarios(aiSdkWs());
