/** LangGraph's dev server. */
import { runInterruptions } from '../../interop/interruptions';
import { runScenarios } from '../../interop/scenarios';
import { langgraphDev, langgraphKind, reviewedKind, testInterrupt } from '../langgraph';
import { recording } from '../wire';
import { connectTo } from './langgraph-dev.rig';

const interrupting = recording(langgraphKind, connectTo('graph'));
for (const rig of [
  langgraphDev(interrupting),
  langgraphDev(recording(reviewedKind, connectTo('reviewed')), reviewedKind),
]) {
  runScenarios(rig);
  runInterruptions(rig);
}
testInterrupt(interrupting);
