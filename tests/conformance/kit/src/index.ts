/** The approval conformance kit: scenarios as data, and runners for chat clients and servers. */
export {
  shownIn,
  type Adapter,
  type Client,
  type Dispute,
  type OpenOptions,
  type ShownCall,
  type State,
} from './client/adapter.js';
export { AdapterError } from './client/check.js';
export { versionsOf } from './client/versions.js';
export { COMMON_RULES, judge, type Broken } from './client/judge.js';
export { runScenario, runScenarios, type Result, type RunOptions, type Verdict } from './client/run.js';
export type { Act, Chunk, Expectation, Fault, Group, Line, Need, Reply, Scenario, Shown } from './scenario.js';
export { groups, scenarios } from './scenarios/index.js';
export type { Backend, ScriptedModel } from './server/backend.js';
export { MOST_REQUESTS, type RequestRecord, type ServerRecord } from './server/record.js';
export { serveScenario, type ChatServer } from './server/server.js';
export { uiMessageStream } from './wires/ui-message-stream.js';
export type { ReadCall, ReadRequest, Wire } from './wires/wire.js';
export { baselineIn, compare, isAsExpected, type Baseline, type Comparison, type Judged } from './report/baseline.js';
export { markdownTable, mergedColumns, type Column, type Section } from './report/table.js';
export { cases, type Answer, type Case, type Post } from './servers/cases.js';
export { checkServer, runCase, runCases, type CaseOptions, type CaseResult } from './servers/run.js';
