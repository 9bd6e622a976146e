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
    file: server('resolution'),
    find: 'if (found && given && (await record.claim(key, given)) === true) {',
    put: 'if (found && given) {',
  },
  {
    says: 'a denial that nobody was asked for is recorded',
    file: server('resolution'),
    find: 'if (found && given && (await record.claim(key, given)) === true) {',
    put: 'if (given && (await record.claim(key, given)) === true) {',
  },
  {
    says: 'a call that already has a result runs again',
    file: server('checks'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.providerExecuted',
  },
  {
    says: 'a result in a tool message does not settle its call',
    file: server('read-history'),
    find: 'call.resolved = true;',
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
    file: server('resolution'),
    find: 'if (record) isFirst = (await record.claim(key)) === true;',
    put: 'if (record) isFirst = (await record.claim(key)) !== undefined;',
  },
  {
    says: "the approval is claimed in the host's record a second time, after the tool has run",
    file: server('resolution'),
    find: 'await this.#options.record?.keep?.(key, result);',
    put: 'await this.#options.record?.keep?.(key, result); await this.#options.record?.claim(key);',
  },
  {
    says: "an error of the host's record loses the tool's result",
    file: server('resolution'),
    find: "this.#notRecorded('result', asked, cause);",
    put: 'throw cause;',
  },
  {
    says: "an error of the host's record is not reported in `unrecorded`",
    file: server('resolution'),
    find: "this.#notRecorded('result', asked, cause);",
    put: '',
  },
  {
    says: 'an approval of an earlier step runs its call',
    file: server('checks'),
    find: 'answer.approved && step === lastStep',
    put: 'answer.approved && step <= lastStep',
  },
  {
    says: "a call that the model's provider runs is also run here",
    file: server('checks'),
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
    find: "return claimKey(this.#store, await this.#key('call', key), value, 2 * this.#ttlMs);",
    put: "return claimKey(this.#store, await this.#key('call', key), value, this.#ttlMs);",
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
    file: server('checks'),
    find: 'answer.approved && step === lastStep',
    put: 'step === lastStep',
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
    find: 'if (call.isAnswered || (approved !== undefined && call.resolved))',
    put: 'if (approved !== undefined)',
  },
  {
    says: 'two calls of a step can use the same approval',
    file: server('read-history'),
    find: "return this.#note('Two calls of a step have this approval.', about);",
    put: 'known.call = call;',
  },
  // A call without an approval request never runs.
  {
    says: 'a call whose signature does not match is accepted',
    file: server('checks'),
    find: 'if (secret !== undefined && !(await verifyApproval(call, signature, secret))) {',
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
    find: 'if (record && !found) throw',
    put: 'if (record && found === null) throw',
  },
  {
    says: 'tools run before it is checked for every approved call that this server requested the approval',
    file: server('checks'),
    find: 'await checkOrigin(asked, options);',
    put: 'if (here.length === 0) await checkOrigin(asked, options);',
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
    file: server('resolve-options'),
    find: "checkOptions('resolveApprovals', options, OPTIONS);",
    put: '',
  },
  {
    says: 'an empty secret is ignored without an error',
    file: server('resolve-options'),
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
    find: 'if (same(await parseInput(inputSchema, given), input)) return undefined;',
    put: 'await parseInput(inputSchema, given); return undefined;',
  },
  // All is checked before the first tool runs, and what is written agrees with the record.
  {
    says: 'a denial of a call that has run is written as a denial',
    file: server('written'),
    find: "const approved = outcome !== 'denied';",
    put: 'const approved = posted.approved;',
  },
  {
    says: 'an approval of a denied call is written with its own reason',
    file: server('written'),
    find: 'const why = approved ? rest.approved && given : reason !== deniedText && reason;',
    put: 'const why = given;',
  },
  {
    says: 'a denial of a running call is written as a denial',
    file: server('resolution'),
    find: 'return kept ?? (found && !approved && record.recall ? this.#startedBefore(asked) : given);',
    put: 'return kept ?? given;',
  },
  {
    says: 'the result of a denial is stored after its claim only',
    file: server('resolution'),
    find: '(await record.claim(key, given)) === true',
    put: '(await record.claim(key)) === true',
  },
  {
    says: 'the record is not asked about calls of earlier steps',
    file: server('resolution'),
    find: 'if (!record || found instanceof ResolveError) return given;',
    put: 'if (!record || isSuperseded || found instanceof ResolveError) return given;',
  },
  {
    says: 'an invalid input of an approved call is not recorded',
    file: server('resolution'),
    find: 'await this.#keep(key, result, asked); return result;',
    put: 'if (!runnable.invalid) await this.#keep(key, result, asked); return result;',
  },
  {
    says: 'the page is not sent the recorded decision',
    file: server('result-chunks'),
    find: 'if (decision !== answer) chunks.push(',
    put: 'if (decision === undefined) chunks.push(',
  },
  {
    says: 'a page with ai 6 gets a denial beside its approval',
    file: server('result-chunks'),
    find: '} else if (decision.approved !== answer.approved)',
    put: '} else if (decision === undefined)',
  },
  {
    says: 'the page gets chunks about calls of earlier messages',
    file: server('result-chunks'),
    find: "call.form === 'ui' ? call.at === messages.length - 1 : call.at > user",
    put: 'true',
  },
  {
    says: 'a malformed last step is resolved',
    file: server('resolve'),
    find: 'if (history.problem) throw history.problem;',
    put: '',
  },
  {
    says: 'a malformed step without open decisions is refused',
    file: server('read-history'),
    find: 'problem: waits ? problem : undefined',
    put: 'problem',
  },
  {
    says: 'a malformed older step is refused',
    file: server('read-history'),
    find: 'this.problem = undefined;',
    put: '',
  },
  {
    says: 'a denial is recorded before the calls beside it were checked',
    file: server('checks'),
    find: "if (invalid && options.failureMode === 'throw') throw invalid;",
    put: '',
  },
  {
    says: 'a record that fails after a tool has begun loses the results',
    file: server('resolution'),
    find: 'if (!this.#hasBegun) throw error;',
    put: 'throw error;',
  },
  {
    says: 'a failing `errorText` loses the results',
    file: server('resolution'),
    find: '} catch { // The message may be what `errorText` was to hide.',
    put: '} catch (failed) { throw failed;',
  },
  {
    says: 'a tool can change its input in the messages',
    file: server('resolution'),
    find: 'copyOf(call.input)',
    put: 'call.input',
  },
  {
    says: 'an output that JSON cannot express is written into a UI message',
    file: server('written'),
    find: "return { state: 'output-available', output: asSent(output) };",
    put: "return { state: 'output-available', output };",
  },
  // Order and completeness.
  {
    says: 'results are written in the reverse order of their calls',
    file: server('write-results'),
    find: 'for (const call of calls) {',
    put: 'for (const call of [...calls].reverse()) {',
  },
  {
    says: 'results are listed in the order in which the tools finished',
    file: server('resolve'),
    find: '[...of].sort(([a], [b]) => a.order - b.order).map(',
    put: '[...of].map(',
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
    find: 'return { ...part, approval, ...shown,',
    put: 'return { ...Object.assign(part, { approval }), ...shown,',
  },
  {
    says: 'approval parts that belong to no call reach the model',
    file: server('write-results'),
    find: 'for (const part of orphans) changes.set(part, undefined);',
    put: '',
  },
  {
    says: "the answers to approvals of the provider's calls are removed from the messages",
    file: server('write-results'),
    find: 'if (!answer || !call || call.providerExecuted || !(call.resolved || results.has(call))) continue;',
    put: 'if (!answer || !call) continue;',
  },
  // A tool that waits for the browser.
  {
    says: 'an answer that rejects the approval resolves the waiting tool call',
    file: server('delegate'),
    find: 'if (approved === false || /^(rejected|denied)$/i.test(String(status))) {',
    put: 'if (approved === false && result === undefined) {',
  },
  {
    says: 'the tool waits for a permission, and a result is accepted as one',
    file: server('delegate'),
    find: 'const isPermission = this.#asksPermission(toolCallId);',
    put: 'const isPermission = result === undefined && this.#asksPermission(toolCallId);',
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
    find: "checkOptions('ToolDelegate.wait', options, WAIT);",
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
    find: '} else if (result === null || (result === undefined && !(isPermission && approved))) {',
    put: '} else if (result === 0) {',
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
    find: 'return (known.isStarted = true);',
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
    find: 'if (!this.#isUnsettled(call.toolCallId)) abort',
    put: 'if (call.toolCallId === undefined) abort',
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
