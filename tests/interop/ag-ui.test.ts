/**
 * AG-UI behind a gate: a server on its packages, by plain requests and by its own client.
 */
import { describe } from 'vitest';
import { agUiRig } from './ag-ui.rig';
import { runScenarios } from './scenarios';
import '../codecs/support';

describe('by plain requests', () => runScenarios(agUiRig('fetch')));
describe('in chunks', () => runScenarios(agUiRig('fetch', { chunks: true })));
describe('by its own client', () => runScenarios(agUiRig('client')));
