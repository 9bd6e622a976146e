/**
 * LangGraph.js in every scenario.
 */
import { langgraph } from './langgraph.rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';

runScenarios(langgraph());
runInterruptions(langgraph());
runScenarios(langgraph('values'));
runScenarios(langgraph(['updates', 'values', 'messages-tuple']));
