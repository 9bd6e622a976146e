/**
 * Ways to break `toolgate/server` and `toolgate/tools`, which are TypeScript alone: `./pkg-scripts/mutate server`
 * applies each of them and expects a test of tests/server or tests/tools to fail.
 *
 * `find` occurs in `file` exactly once (spaces and line breaks don't matter), and is replaced by `put`.
 */
const server = (name) => `src/ts/server/${name}.ts`;
const tools = (name) => `src/ts/tools/${name}.ts`;

export const serverMutations = [
  // A call with a result never runs again.
  {
    says: 'a resolved call runs again',
    file: server('resolve'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.providerExecuted',
  },
  {
    says: 'a result in a tool message is not seen',
    file: server('read-history'),
    find: 'if (call && part.preliminary !== true) call.resolved = true;',
    put: '',
  },
  {
    says: 'a settled part of a UI message is open',
    file: server('read-history'),
    find: 'call.resolved = /^output-/.test(state);',
    put: "call.resolved = state === 'output-available';",
  },
  {
    says: 'a result of an earlier turn answers a later call of the same id',
    file: server('read-history'),
    find: 'resolved: false,',
    put: 'resolved: this.#calls.get(call.toolCallId)?.resolved === true,',
  },
  {
    says: 'a repeated request runs again',
    file: server('resolve'),
    find: 'if (record && (await record.claim(key)) !== true) {',
    put: 'if (record && (await record.claim(key)) === undefined) {',
  },
  {
    says: 'the claim is made after the tool has run',
    file: server('resolve'),
    find: 'await record?.keep?.(key, result);',
    put: 'await record?.keep?.(key, result); await record?.claim(key);',
  },
  {
    says: 'a record that fails loses every result',
    file: server('resolve'),
    find: 'reports.unrecorded(call, error);',
    put: 'throw error;',
  },
  {
    says: 'a record that fails is not reported',
    file: server('resolve'),
    find: 'reports.unrecorded(call, error);',
    put: '',
  },
  {
    says: 'an approval of an earlier step runs',
    file: server('resolve'),
    find: 'answer?.approved && step === lastStep',
    put: 'answer?.approved && step <= lastStep',
  },
  {
    says: 'the provider’s call is run here',
    file: server('resolve'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.resolved',
  },
  // A call that was denied or not decided never runs.
  {
    says: 'a denied call runs',
    file: server('resolve'),
    find: 'answer?.approved && step === lastStep',
    put: 'answer && step === lastStep',
  },
  {
    says: 'the last of two answers counts',
    file: server('read-history'),
    find: 'asked.answer ??= {',
    put: 'asked.answer = {',
  },
  {
    says: 'an approval that was asked for again still counts',
    file: server('read-history'),
    find: 'const approvals = reader.approvals.filter((approval) => !approval.call || approval.call.approval === approval);',
    put: 'const approvals = reader.approvals;',
  },
  {
    says: 'a string counts as an approval',
    file: server('read-history'),
    find: "if (typeof approved !== 'boolean') {",
    put: 'if (approved === undefined) {',
  },
  {
    says: 'an answer counts in any state of its part',
    file: server('read-history'),
    find: "&& (call.resolved || state === 'approval-responded')",
    put: '',
  },
  {
    says: 'two calls share one approval',
    file: server('read-history'),
    find: 'if (known && known.step === this.step && known.call !== call) return;',
    put: '',
  },
  // A call without an approval request never runs.
  {
    says: 'a forged call is accepted',
    file: server('checks'),
    find: 'if (secret !== undefined && !(await verifyApproval(asked, signature, secret))) {',
    put: 'if (secret !== undefined && signature === undefined) {',
  },
  {
    says: 'an unsigned call is accepted',
    file: server('checks'),
    find: 'if (secret !== undefined && !(await',
    put: 'if (secret !== undefined && signature !== undefined && !(await',
  },
  {
    says: 'the signature says nothing of the input',
    file: server('signature'),
    find: 'encoder.encode(canonicalJson(input))',
    put: "encoder.encode(canonicalJson('input'))",
  },
  {
    says: 'the signature says nothing of the tool',
    file: server('signature'),
    find: 'approvalId, toolCallId, toolName, inputDigest]',
    put: 'approvalId, toolCallId, inputDigest]',
  },
  {
    says: 'a call of another input is on record',
    file: server('checks'),
    find: "return same(asSent(recorded.input), asked.input) ? undefined : 'input';",
    put: 'return undefined;',
  },
  {
    says: 'a call of another tool is on record',
    file: server('checks'),
    find: "if (recorded.toolName !== asked.toolName) return 'tool';",
    put: '',
  },
  {
    says: 'a call that is not on record is accepted',
    file: server('checks'),
    find: "if (!recorded) throw new ResolveError('not-on-record', `${name} is not in the record. Add it when its request is sent.`, about);",
    put: 'if (!recorded) return;',
  },
  {
    says: 'calls run before all are checked',
    file: server('resolve'),
    find: 'for (const { asked } of here) await checkOrigin(asked, options);',
    put: 'for (const { asked } of here.slice(0, 1)) await checkOrigin(asked, options);',
  },
  { says: '-0 is 0', file: server('canonical-json'), find: "if (Object.is(value, -0)) return '-0';", put: '' },
  {
    says: 'other encodings of a signature are accepted',
    file: server('signature'),
    find: 'if (base64url(bytes.buffer) !== signature) return false;',
    put: '',
  },
  {
    says: 'a misspelt option checks nothing',
    file: server('checks'),
    find: "refuseUnknown('resolveApprovals', options, OPTIONS);",
    put: '',
  },
  {
    says: 'an empty secret checks nothing',
    file: server('checks'),
    find: "if ('secret' in options && !options.secret?.length) throw",
    put: 'if (false as boolean) throw',
  },
  {
    says: 'an inherited property counts as a tool',
    file: 'src/ts/json/own-property.ts',
    find: 'return object && Object.hasOwn(object, key) ? object[key] : undefined;',
    put: 'return object ? object[key] : undefined;',
  },
  {
    says: 'the schema’s own input runs, not the approved one',
    file: server('checks'),
    find: 'if (same(parsed, input)) return;',
    put: 'return;',
  },
  // Order and completeness.
  {
    says: 'results are in the order in which they ended',
    file: server('write-results'),
    find: 'for (const call of calls) {',
    put: 'for (const call of [...step.keys(), ...calls.filter((one) => !step.has(one))].reverse()) {',
  },
  {
    says: 'results are listed as they came',
    file: server('resolve'),
    find: 'return settled.sort(([a], [b]) => a.order - b.order);',
    put: 'return settled;',
  },
  {
    says: 'approvals are listed in the order of their requests',
    file: server('read-history'),
    find: 'approvals.sort((a, b) => a.order - b.order);',
    put: 'approvals.sort((a, b) => a.step - b.step || b.order - a.order);',
  },
  {
    says: 'results are placed before the answers',
    file: server('write-results'),
    find: "while ((messages[at + 1] as Data)?.role === 'tool')",
    put: "while ((messages[at + 1] as Data)?.role === 'none')",
  },
  {
    says: 'the limit is one too many',
    file: tools('call-tool'),
    find: 'Math.min(limit, tasks.length)',
    put: 'Math.min(limit + 1, tasks.length)',
  },
  {
    says: 'a failure stops nothing',
    file: tools('call-tool'),
    find: 'while (next < tasks.length && failures.length === 0) {',
    put: 'while (next < tasks.length) {',
  },
  {
    says: 'the messages that were given are changed',
    file: server('write-results'),
    find: "return { ...part, state: 'output-denied' };",
    put: "return Object.assign(part, { state: 'output-denied' });",
  },
  {
    says: 'parts without a call reach the model',
    file: server('resolve'),
    find: 'new Set([...history.orphans, ...(strip',
    put: 'new Set([...(strip',
  },
  {
    says: 'the answers to the provider’s calls are stripped',
    file: server('write-results'),
    find: 'call?.resolved && !call.providerExecuted ? parts : []',
    put: 'call ? parts : []',
  },
  // A tool that waits for the browser.
  {
    says: 'a rejection resolves',
    file: server('delegate'),
    find: "if (approved === false || status === 'rejected' || status === 'denied') this",
    put: 'if (approved === false && result === undefined) this',
  },
  {
    says: 'a result gives a permission',
    file: server('delegate'),
    find: 'if (this.#asksPermission(toolCallId)) this.#receivePermission(toolCallId, answer);',
    put: 'if (answer.result === undefined && this.#asksPermission(toolCallId)) this.#receivePermission(toolCallId, answer);',
  },
  {
    says: 'an early result gives a permission',
    file: server('delegate'),
    find: "if (permission && !('error' in known || known.permits)) throw ambiguousAnswer(toolCallId);",
    put: '',
  },
  {
    says: 'a wait with a misspelt option accepts results',
    file: server('delegate'),
    find: 'refuseUnknown(`ToolDelegate.${method}`, options, known);',
    put: '',
  },
  {
    says: 'a second answer to the same approval is accepted',
    file: server('delegate'),
    find: 'if (ended) throw callError(ended, toolCallId);',
    put: '',
  },
  {
    says: 'an answer to an unknown call is stored',
    file: server('delegate'),
    find: "if (!this.#waiting.has(toolCallId) && !this.#expected.has(toolCallId)) throw callError('unknown-call', toolCallId);",
    put: '',
  },
  {
    says: 'an approval without data resolves',
    file: server('delegate'),
    find: 'else if (result === undefined || result === null) {',
    put: 'else if (result === 0) {',
  },
  // Tools that run in the browser.
  {
    says: 'a call runs before the backend has asked for it',
    file: tools('tool-runner'),
    find: '(tool.needsApproval === false && awaited',
    put: '(tool.needsApproval !== true && awaited',
  },
  {
    says: 'a call that was found after a reload runs',
    file: tools('tool-runner'),
    find: 'if (known.isSeen) this.#queue',
    put: 'if (known.isSeen || !known.isLost) this.#queue',
  },
  {
    says: 'a tab that follows runs it too',
    file: tools('tool-runner'),
    find: 'if (this.#registered.size === 0 || this.#isFollowing) return;',
    put: 'if (this.#registered.size === 0) return;',
  },
  {
    says: 'a call starts before its approval is stored',
    file: tools('tool-runner'),
    find: 'await internalsOf(this.#gate)?.persister?.claimed();',
    put: '',
  },
  {
    says: 'a call that was started runs again',
    file: tools('tool-runner'),
    find: 'known.isStarted = true; return true;',
    put: 'return true;',
  },
  {
    says: 'a stop stops nothing',
    file: tools('tool-runner'),
    find: "if (event.type !== 'stopped') return;",
    put: 'if (event) return;',
  },
  {
    says: 'a tool whose call was closed continues',
    file: tools('tool-runner'),
    find: 'if (!this.#isUnsettled(call.toolCallId)) controller.abort',
    put: 'if (call.toolCallId === undefined) controller.abort',
  },
  {
    says: 'tools that are registered again abort what runs',
    file: tools('tool-runner'),
    find: 'if (this.#registered.has(call.toolName) || controller.signal.aborted) continue;',
    put: 'if (controller.signal.aborted) continue;',
  },
  {
    says: 'calls of disposed tools continue to run',
    file: tools('tool-runner'),
    find: 'queueMicrotask(() => this.#abortUnregistered());',
    put: '',
  },
  {
    says: 'no event is emitted for a call that was aborted with its tools',
    file: tools('tool-runner'),
    find: 'known.isLost = known.isStarted;',
    put: '',
  },
  {
    says: 'every registration emits the event',
    file: tools('tool-runner'),
    find: 'known.isStarted = true; known.isLost = false;',
    put: 'known.isStarted = true;',
  },
  {
    says: 'a result goes to another call of its id',
    file: tools('tool-runner'),
    find: 'result !== undefined && this.#calls.get(toolCallId) === known',
    put: 'result !== undefined',
  },
];
