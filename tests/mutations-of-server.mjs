/**
 * Mutations of `toolgate/server` and `toolgate/tools`, which contain no Rust. `./pkg-scripts/mutate server` applies
 * each of them and expects a test of tests/server or tests/tools to fail.
 *
 * `find` occurs in `file` exactly once (spaces and line breaks don't matter), and is replaced by `put`.
 */
const server = (name) => `src/ts/server/${name}.ts`;
const tools = (name) => `src/ts/tools/${name}.ts`;

export const serverMutations = [
  // A call with a result never runs again.
  {
    says: 'an approval that follows a denial runs the call, because denials are not recorded',
    file: server('resolve'),
    find: 'if ((await record.claim(key)) !== true) return (await record.recall?.(key)) ?? denied;',
    put: '',
  },
  {
    says: 'a denial that nobody was asked for is recorded',
    file: server('resolve'),
    find: 'if (!record || !(await record.get(asked.approvalId))) return denied;',
    put: 'if (!record) return denied;',
  },
  {
    says: 'a call that already has a result runs again',
    file: server('resolve'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.providerExecuted',
  },
  {
    says: 'a result in a tool message does not settle its call',
    file: server('read-history'),
    find: 'if (call && part.preliminary !== true) call.resolved = true;',
    put: '',
  },
  {
    says: 'a failed or denied part of a UI message counts as an open call',
    file: server('read-history'),
    find: 'call.resolved = /^output-/.test(state);',
    put: "call.resolved = state === 'output-available';",
  },
  {
    says: 'a result of an earlier turn settles a later call with the same id',
    file: server('read-history'),
    find: 'resolved: false,',
    put: 'resolved: this.#calls.get(call.toolCallId)?.resolved === true,',
  },
  {
    says: 'a second request with the same approval runs the tool again',
    file: server('resolve'),
    find: 'if (record && (await record.claim(key)) !== true) {',
    put: 'if (record && (await record.claim(key)) === undefined) {',
  },
  {
    says: "the approval is claimed in the host's record a second time, after the tool has run",
    file: server('resolve'),
    find: 'await record?.keep?.(key, result);',
    put: 'await record?.keep?.(key, result); await record?.claim(key);',
  },
  {
    says: "an error of the host's record loses the tool's result",
    file: server('resolve'),
    find: "reports.unrecorded(asked.call, recordFailed('result', asked, cause));",
    put: 'throw cause;',
  },
  {
    says: "an error of the host's record is not reported in `unrecorded`",
    file: server('resolve'),
    find: "reports.unrecorded(asked.call, recordFailed('result', asked, cause));",
    put: '',
  },
  {
    says: 'an approval of an earlier step runs its call',
    file: server('resolve'),
    find: 'answer?.approved && step === lastStep',
    put: 'answer?.approved && step <= lastStep',
  },
  {
    says: "a call that the model's provider runs is also run here",
    file: server('resolve'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.resolved',
  },
  // A record that several processes share.
  {
    says: 'Redis replaces a claim that exists',
    file: server('redis-store'),
    find: "String(await set(key, value, ttlMs, 'NX')) === 'OK'",
    put: "String(await set(key, value, ttlMs)) === 'OK'",
  },
  {
    says: 'values in Redis do not expire',
    file: server('redis-store'),
    find: "ttlMs === Infinity ? [] : ['PX', String(Math.ceil(ttlMs))]",
    put: '[]',
  },
  {
    says: 'an SQL database replaces a claim that exists',
    file: server('sql-stores'),
    find: 'DO NOTHING RETURNING key',
    put: 'DO UPDATE SET value = excluded.value RETURNING key',
  },
  {
    says: 'an SQL database looks for a claim and then stores it, in two statements',
    file: server('sql-stores'),
    find: '(await rowsOf(`${insertInto} DO NOTHING RETURNING key`, values(...given))).length > 0',
    put: `(await rowsOf('SELECT key FROM toolgate_records WHERE key = ?', [given[0]])).length === 0 &&
      (await rowsOf(\`\${insertInto} DO UPDATE SET value = excluded.value RETURNING key\`, values(...given))).length > 0`,
  },
  {
    says: 'an expired row of an SQL database is still returned',
    file: server('sql-stores'),
    find: 'WHERE key = ? AND expires_at > ${now}',
    put: 'WHERE key = ?',
  },
  {
    says: 'deleteExpired deletes claims that have not expired',
    file: server('sql-stores'),
    find: 'WHERE expires_at <= ${now} LIMIT',
    put: 'WHERE expires_at <= ${now} + 90000000 LIMIT',
  },
  {
    says: 'deleteExpired stops after the first thousand rows',
    file: server('sql-stores'),
    find: 'count === BATCH; deleted += count',
    put: 'count < 0; deleted += count',
  },
  {
    says: 'a put does not renew the lifetime of a row',
    file: server('sql-stores'),
    find: 'SET value = excluded.value, expires_at = excluded.expires_at RETURNING',
    put: 'SET value = excluded.value RETURNING',
  },
  {
    says: 'a stored claim counts as a first claim every time',
    file: server('store-keys'),
    find: '(await store.get(key)) === id',
    put: '(await store.get(key)) !== undefined',
  },
  {
    says: 'an insert that the client repeated counts as a claim of another process',
    file: server('store-keys'),
    find: '|| (await store.get(key)) === id',
    put: '',
  },
  {
    says: 'chats with the same approval ids share a record',
    file: server('stored-record'),
    find: 'storeKey(kind, [...this.#names, id])',
    put: 'storeKey(kind, [id])',
  },
  {
    says: 'ids are joined before they are hashed',
    file: server('store-keys'),
    find: "digestOf(['toolgate-record-v1', kind, ...texts])",
    put: "digestOf(['toolgate-record-v1', kind, texts.join(' ')])",
  },
  {
    says: 'a stored claim expires together with its request',
    file: server('stored-record'),
    find: 'crypto.randomUUID(), 2 * this.#ttlMs',
    put: 'crypto.randomUUID(), this.#ttlMs',
  },
  {
    says: 'a stored result is not returned to a repeated approval',
    file: server('stored-record'),
    find: "text?.startsWith('{')",
    put: "text?.startsWith('[')",
  },
  {
    says: 'a missing name is accepted, so that requests without a key share a reply',
    file: server('store-keys'),
    find: "names.every((name) => typeof name === 'string' && name !== '')",
    put: 'true',
  },
  // Repeated requests.
  {
    says: 'a repeated request runs again if the first one has not ended',
    file: server('respond-once'),
    find: 'if (!(await claimKey(store, key, id, ttlMs))) return',
    put: 'if (!(await claimKey(store, key, id, ttlMs)) && (await store.get(replyKey))) return',
  },
  {
    says: 'a repeated request runs again if the first one threw',
    file: server('respond-once'),
    find: 'await record(undefined).catch(report);',
    put: 'await store.put(key, id, 1e-9);',
  },
  {
    says: 'the lease of a request is not renewed while it runs',
    file: server('respond-once'),
    find: 'const renew = (): void => void',
    put: 'const renew = (): void => void 0 && void',
  },
  {
    says: 'a repeated request does not find the lease of the first one',
    file: server('respond-once'),
    find: "const leaseKey = await storeKey('lease', [id]);",
    put: "const leaseKey = await storeKey('lease', ['']);",
  },
  {
    says: 'a reply is not stored if its client has gone',
    file: server('respond-once'),
    find: 'const [sent, copy] = response.body?.tee() ?? [null, null];',
    put: `const [sent, copy] = response.body
      ? ((controllers) => [
          response.body.pipeThrough(
            new TransformStream({
              transform(chunk, controller) { controllers[0].enqueue(chunk); controller.enqueue(chunk); },
              flush() { controllers[0].close(); },
            }),
          ),
          new ReadableStream({ start: (given) => void controllers.push(given) }),
        ])([])
      : [null, null];`,
  },
  {
    says: 'a repeated request gets the reply with another status',
    file: server('respond-once'),
    find: 'new Response(body || null, { status, headers })',
    put: 'new Response(body || null, { headers })',
  },
  {
    says: 'a reply that cannot be stored is not reported',
    file: server('respond-once'),
    find: 'const work = record(reply).catch(report);',
    put: 'const work = record(reply).catch(() => {});',
  },
  // A call that was denied or not decided never runs.
  {
    says: 'a denied call runs',
    file: server('resolve'),
    find: 'answer?.approved && step === lastStep',
    put: 'answer && step === lastStep',
  },
  {
    says: 'when a history contains two answers to one approval, the last one counts',
    file: server('read-history'),
    find: 'asked.answer ??= {',
    put: 'asked.answer = {',
  },
  {
    says: "an approval still counts after the call's approval was requested again under another id",
    file: server('read-history'),
    find: 'const approvals = reader.approvals.filter((approval) => !approval.call || approval.call.approval === approval);',
    put: 'const approvals = reader.approvals;',
  },
  {
    says: 'an approval response whose `approved` is a string counts as an approval',
    file: server('read-history'),
    find: "if (typeof approved !== 'boolean') {",
    put: 'if (approved === undefined) {',
  },
  {
    says: 'an answer in a UI message counts although its part is not in the state `approval-responded`',
    file: server('read-history'),
    find: "&& (call.resolved || state === 'approval-responded')",
    put: '',
  },
  {
    says: 'two calls of a step can use the same approval',
    file: server('read-history'),
    find: 'if (known && known.step === this.step && known.call !== call) return;',
    put: '',
  },
  // A call without an approval request never runs.
  {
    says: 'a call whose signature does not match is accepted',
    file: server('checks'),
    find: 'if (secret !== undefined && !(await verifyApproval(asked, signature, secret))) {',
    put: 'if (secret !== undefined && signature === undefined) {',
  },
  {
    says: 'a call without a signature is accepted although a secret is set',
    file: server('checks'),
    find: 'if (secret !== undefined && !(await',
    put: 'if (secret !== undefined && signature !== undefined && !(await',
  },
  {
    says: "the signature of an approval does not cover the call's input",
    file: server('signature'),
    find: 'encoder.encode(canonicalJson(input))',
    put: "encoder.encode(canonicalJson('input'))",
  },
  {
    says: "the signature of an approval does not cover the tool's name",
    file: server('signature'),
    find: 'approvalId, toolCallId, toolName, inputDigest]',
    put: 'approvalId, toolCallId, inputDigest]',
  },
  {
    says: 'a call is accepted although its input differs from the recorded one',
    file: server('checks'),
    find: "return same(asSent(recorded.input), asked.input) ? undefined : 'input';",
    put: 'return undefined;',
  },
  {
    says: 'a call is accepted although its tool differs from the recorded one',
    file: server('checks'),
    find: "if (recorded.toolName !== asked.toolName) return 'tool';",
    put: '',
  },
  {
    says: "a call that the host's record does not contain is accepted",
    file: server('checks'),
    find: "if (!recorded) throw new ResolveError('not-on-record', `${name} is not in the record. Add it when its request is sent.`, about);",
    put: 'if (!recorded) return;',
  },
  {
    says: 'tools run before it is checked for every approved call that this server requested the approval',
    file: server('resolve'),
    find: 'for (const { asked } of here) await checkOrigin(asked, options);',
    put: 'for (const { asked } of here.slice(0, 1)) await checkOrigin(asked, options);',
  },
  {
    says: 'the canonical JSON of -0 is the same as that of 0',
    file: server('canonical-json'),
    find: "if (Object.is(value, -0)) return '-0';",
    put: '',
  },
  {
    says: 'a signature is accepted in a second encoding of the same bytes',
    file: server('signature'),
    find: 'if (base64url(bytes.buffer) !== signature) return false;',
    put: '',
  },
  {
    says: 'a misspelt option is ignored without an error',
    file: server('checks'),
    find: "refuseUnknown('resolveApprovals', options, OPTIONS);",
    put: '',
  },
  {
    says: 'an empty secret is ignored without an error',
    file: server('checks'),
    find: "if ('secret' in options && !options.secret?.length) throw",
    put: 'if (false as boolean) throw',
  },
  {
    says: 'an inherited property of the tools object counts as a tool',
    file: 'src/ts/json/own-property.ts',
    find: 'return object && Object.hasOwn(object, key) ? object[key] : undefined;',
    put: 'return object ? object[key] : undefined;',
  },
  {
    says: 'a tool runs although its schema changes the approved input',
    file: server('checks'),
    find: 'if (same(parsed, input)) return;',
    put: 'return;',
  },
  // Order and completeness.
  {
    says: 'results are written in the reverse order of their calls',
    file: server('write-results'),
    find: 'for (const call of calls) {',
    put: 'for (const call of [...step.keys(), ...calls.filter((one) => !step.has(one))].reverse()) {',
  },
  {
    says: 'results are listed in the order in which the tools finished',
    file: server('resolve'),
    find: 'return settled.sort(([a], [b]) => a.order - b.order);',
    put: 'return settled;',
  },
  {
    says: 'approvals are listed in the reverse order of their calls',
    file: server('read-history'),
    find: 'approvals.sort((a, b) => a.order - b.order);',
    put: 'approvals.sort((a, b) => a.step - b.step || b.order - a.order);',
  },
  {
    says: 'results are inserted before the tool message with the approval answers',
    file: server('write-results'),
    find: "while ((messages[at + 1] as Data)?.role === 'tool')",
    put: "while ((messages[at + 1] as Data)?.role === 'none')",
  },
  {
    says: 'at the same time, one more tool runs than `concurrency` allows',
    file: tools('call-tool'),
    find: 'Math.min(limit, tasks.length)',
    put: 'Math.min(limit + 1, tasks.length)',
  },
  {
    says: 'after a tool failed, further tools are started',
    file: tools('call-tool'),
    find: 'while (next < tasks.length && failures.length === 0) {',
    put: 'while (next < tasks.length) {',
  },
  {
    says: 'the messages that the caller passed in are modified',
    file: server('write-results'),
    find: "return { ...part, state: 'output-denied' };",
    put: "return Object.assign(part, { state: 'output-denied' });",
  },
  {
    says: 'approval parts that belong to no call reach the model',
    file: server('resolve'),
    find: 'new Set([...history.orphans, ...(strip',
    put: 'new Set([...(strip',
  },
  {
    says: "the answers to approvals of the provider's calls are removed from the messages",
    file: server('write-results'),
    find: 'call?.resolved && !call.providerExecuted ? parts : []',
    put: 'call ? parts : []',
  },
  // A tool that waits for the browser.
  {
    says: 'an answer that rejects the approval resolves the waiting tool call',
    file: server('delegate'),
    find: "if (approved === false || status === 'rejected' || status === 'denied') this",
    put: 'if (approved === false && result === undefined) this',
  },
  {
    says: 'the tool waits for a permission, and a result is accepted as one',
    file: server('delegate'),
    find: 'if (this.#asksPermission(toolCallId)) this.#receivePermission(toolCallId, answer);',
    put: 'if (answer.result === undefined && this.#asksPermission(toolCallId)) this.#receivePermission(toolCallId, answer);',
  },
  {
    says: 'a result that arrives before the wait is accepted as a permission',
    file: server('delegate'),
    find: "if (permission && !('error' in known || known.permits)) throw ambiguousAnswer(toolCallId);",
    put: '',
  },
  {
    says: 'a wait for a permission with a misspelt option accepts results instead',
    file: server('delegate'),
    find: 'refuseUnknown(`ToolDelegate.${method}`, options, known);',
    put: '',
  },
  {
    says: 'a second answer to the same call is accepted',
    file: server('delegate'),
    find: 'if (ended) throw callError(ended, toolCallId);',
    put: '',
  },
  {
    says: 'an answer to a call that is not known to the delegate is stored',
    file: server('delegate'),
    find: "if (!this.#waiting.has(toolCallId) && !this.#expected.has(toolCallId)) throw callError('unknown-call', toolCallId);",
    put: '',
  },
  {
    says: 'an approval without a result resolves the waiting tool call',
    file: server('delegate'),
    find: 'else if (result === undefined || result === null) {',
    put: 'else if (result === 0) {',
  },
  // Tools that run in the browser.
  {
    says: 'a page tool without `needsApproval: false` runs while the reply can still request an approval for its call',
    file: tools('tool-runner'),
    find: '(tool.needsApproval === false && awaited',
    put: '(tool.needsApproval !== true && awaited',
  },
  {
    says: 'after a reload, a call that may have been started before runs again',
    file: tools('tool-runner'),
    find: 'if (known.isSeen) this.#queue',
    put: 'if (known.isSeen || !known.isLost) this.#queue',
  },
  {
    says: 'a tab that is a follower runs the tool too',
    file: tools('tool-runner'),
    find: 'if (this.#registered.size === 0 || this.#isFollowing) return;',
    put: 'if (this.#registered.size === 0) return;',
  },
  {
    says: "a tool is started before its call's approval is stored",
    file: tools('tool-runner'),
    find: 'await internalsOf(this.#gate)?.persister?.claimed();',
    put: '',
  },
  {
    says: 'a call that was already started runs again',
    file: tools('tool-runner'),
    find: 'known.isStarted = true; return true;',
    put: 'return true;',
  },
  {
    says: '`stop` does not abort running tools',
    file: tools('tool-runner'),
    find: "if (event.type !== 'stopped') return;",
    put: 'if (event) return;',
  },
  {
    says: 'a running tool is not aborted when its call is closed',
    file: tools('tool-runner'),
    find: 'if (!this.#isUnsettled(call.toolCallId)) controller.abort',
    put: 'if (call.toolCallId === undefined) controller.abort',
  },
  {
    says: 'registering the same tools again aborts their running calls',
    file: tools('tool-runner'),
    find: 'if (this.#registered.has(call.toolName) || controller.signal.aborted) continue;',
    put: 'if (controller.signal.aborted) continue;',
  },
  {
    says: 'the running calls of unregistered tools are not aborted',
    file: tools('tool-runner'),
    find: 'queueMicrotask(() => this.#abortUnregistered());',
    put: '',
  },
  {
    says: 'no event is emitted for a running call that was aborted because its tool was unregistered',
    file: tools('tool-runner'),
    find: 'known.isLost = known.isStarted;',
    put: '',
  },
  {
    says: 'the event for a call that was aborted by unregistering its tool is emitted again with every registration',
    file: tools('tool-runner'),
    find: 'known.isStarted = true; known.isLost = false;',
    put: 'known.isStarted = true;',
  },
  {
    says: "a tool's result settles a later call with the same id",
    file: tools('tool-runner'),
    find: 'result !== undefined && this.#calls.get(toolCallId) === known',
    put: 'result !== undefined',
  },
];
