/** The scripted backend of the page, which outlives every hot reload, and what the test reads. */
import { asks, goesOn, ScriptedTransport } from '../../ai-sdk/support/transport.ts';

export const transport = new ScriptedTransport([asks(['c1']), goesOn({ c1: 42 })]);

globalThis.transport = transport;
/** The chats that the component got. */
globalThis.chats = new Set();
/** How often the component was mounted. */
globalThis.mounts = 0;
