/**
 * LangGraph.js in every scenario.
 */
import { langgraph } from './langgraph.rig';
import { runScenarios } from './scenarios';

runScenarios(langgraph());
runScenarios(langgraph('values'));
runScenarios(langgraph(['updates', 'values', 'messages-tuple']));
