/** Mastra, through every scenario. */
import { mastra } from './mastra.rig';
import { runScenarios } from './scenarios';

runScenarios(mastra);
