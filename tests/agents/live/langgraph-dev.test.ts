/** LangGraph's dev server. */
import { runScenarios } from '../../interop/scenarios';
import { langgraphDev, langgraphKind, testInterrupt } from '../langgraph';
import { recording } from '../wire';
import { connect } from './langgraph-dev.rig';

runScenarios(langgraphDev(recording(langgraphKind, connect)));
testInterrupt(recording(langgraphKind, connect));
