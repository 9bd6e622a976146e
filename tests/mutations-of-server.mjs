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
    file: server('resolve/resolution'),
    find: 'if ((await record.begin(key, unrun)) === true) {',
    put: 'if (key) {',
  },
  {
    says: 'a denial that nobody was asked for is recorded',
    file: server('resolve/resolution'),
    find: 'if (found && given) {',
    put: 'if (given) {',
  },
  {
    says: 'a call that already has a result runs again',
    file: server('resolve/checks'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.providerExecuted',
  },
  {
    says: 'a result in a tool message does not settle its call',
    file: server('resolve/read-history'),
    find: 'call.resolved = true;',
    put: '',
  },
  {
    says: 'a failed or denied part of a UI message counts as an open call',
    file: server('resolve/read-history'),
    find: 'call.resolved = /^output-/.test(state);',
    put: "call.resolved = state === 'output-available';",
  },
  {
    says: 'a result of an earlier turn settles a later call with the same id',
    file: server('resolve/read-history'),
    find: 'resolved: false,',
    put: 'resolved: this.#calls.get(call.toolCallId)?.resolved === true,',
  },
  {
    says: 'a second request with the same approval runs the tool again',
    file: server('resolve/resolution'),
    find: 'if (record) isFirst = (await record.begin(key)) === true;',
    put: 'if (record) isFirst = (await record.begin(key)) !== undefined;',
  },
  {
    says: "the approval is claimed in the host's record a second time, after the tool has run",
    file: server('resolve/resolution'),
    find: 'await this.#options.record?.finish?.(key, result);',
    put: 'await this.#options.record?.finish?.(key, result); await this.#options.record?.begin(key);',
  },
  {
    says: "an error of the host's record loses the tool's result",
    file: server('resolve/resolution'),
    find: "this.#notRecorded('result', asked, cause);",
    put: 'throw cause;',
  },
  {
    says: "an error of the host's record is not reported in `unrecorded`",
    file: server('resolve/resolution'),
    find: "this.#notRecorded('result', asked, cause);",
    put: '',
  },
  {
    says: 'an approval of an earlier step runs its call',
    file: server('resolve/checks'),
    find: 'answer.approved && step === lastStep',
    put: 'answer.approved && step <= lastStep',
  },
  {
    says: "a call that the model's provider runs is also run here",
    file: server('resolve/checks'),
    find: '&& !asked.call.resolved && !asked.call.providerExecuted',
    put: '&& !asked.call.resolved',
  },
  // A record that several processes share.
  {
    says: 'Redis replaces a claim that exists',
    file: server('records/redis-store'),
    find: "String(await set(key, value, ttlMs, 'NX')) === 'OK'",
    put: "String(await set(key, value, ttlMs)) === 'OK'",
  },
  {
    says: 'values in Redis do not expire',
    file: server('records/redis-store'),
    find: "ttlMs === Infinity ? [] : ['PX', String(Math.ceil(ttlMs))]",
    put: '[]',
  },
  {
    says: 'an SQL database replaces a claim that exists',
    file: server('records/sql-stores'),
    find: '`${upsert} WHERE ${isExpired} RETURNING key`',
    put: '`${upsert} RETURNING key`',
  },
  {
    says: 'an SQL database looks for a claim and then stores it, in two statements',
    file: server('records/sql-stores'),
    find: '(await rowsOf(`${upsert} WHERE ${isExpired} RETURNING key`, values(...given))).length > 0',
    put: `(await rowsOf('SELECT key FROM toolgate_records WHERE key = ?', [given[0]])).length === 0 &&
      (await rowsOf(\`\${upsert} RETURNING key\`, values(...given))).length > 0`,
  },
  {
    says: 'an expired row of an SQL database is still returned',
    file: server('records/sql-stores'),
    find: 'WHERE key = ? AND expires_at > ${now}',
    put: 'WHERE key = ?',
  },
  {
    says: 'deleteExpired deletes claims that have not expired',
    file: server('records/sql-stores'),
    find: 'const isExpired = `toolgate_records.expires_at <= ${now}`;',
    put: 'const isExpired = `toolgate_records.expires_at <= ${now} + 90000000`;',
  },
  {
    says: 'deleteExpired stops after the first thousand rows',
    file: server('records/sql-stores'),
    find: 'count > 0; deleted += count',
    put: 'count < 0; deleted += count',
  },
  {
    says: 'a put does not renew the lifetime of a row',
    file: server('records/sql-stores'),
    find: 'DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at',
    put: 'DO UPDATE SET value = excluded.value',
  },
  {
    says: 'a stored claim counts as a first claim every time',
    file: server('records/store-keys'),
    find: '(await store.get(key)) === id',
    put: '(await store.get(key)) !== undefined',
  },
  {
    says: 'an insert that the client repeated counts as a claim of another process',
    file: server('records/store-keys'),
    find: '|| (await store.get(key)) === id',
    put: '',
  },
  {
    says: 'chats with the same approval ids share a record',
    file: server('records/stored-record'),
    find: 'storeKey(kind, [...this.#chat, id])',
    put: 'storeKey(kind, [id])',
  },
  {
    says: 'ids are joined before they are hashed',
    file: server('records/store-keys'),
    find: "digestOf(['toolgate-record-v2', kind, ...texts])",
    put: "digestOf(['toolgate-record-v2', kind, texts.join(' ')])",
  },
  {
    says: 'a stored claim expires together with its request',
    file: server('records/stored-record'),
    find: "return claimKey(this.#store, await this.#key('call', key), value, 2 * this.#ttlMs);",
    put: "return claimKey(this.#store, await this.#key('call', key), value, this.#ttlMs);",
  },
  {
    says: 'a stored result is not returned to a repeated approval',
    file: server('records/stored-record'),
    find: "text?.startsWith('{')",
    put: "text?.startsWith('[')",
  },
  {
    says: 'a missing name is accepted, so that requests without a key share a reply',
    file: server('records/store-keys'),
    find: "if (typeof value === 'string' && value !== '') return value;",
    put: "return String(value ?? '');",
  },
  // Repeated requests.
  {
    says: 'a repeated request runs again if the first one has not ended',
    file: server('records/respond-once'),
    find: 'if (await claimKey(store, key, id, ttlMs)) return',
    put: 'if ((await claimKey(store, key, id, ttlMs)) || !(await store.get(reply))) return',
  },
  {
    says: 'a repeated request runs again if the first one threw',
    file: server('records/respond-once'),
    find: 'if (run.length === 0) begun();',
    put: '',
  },
  {
    says: 'the lease of a request is not renewed while it runs',
    file: server('records/respond-once'),
    find: "const renew = (): void => void this.#store.put(this.#keys.lease, '', leaseMs).catch(this.#report);",
    put: 'const renew = (): void => {};',
  },
  {
    says: 'a repeated request does not find the lease of the first one',
    file: server('records/respond-once'),
    find: "const lease = await storeKey('lease', [id]);",
    put: "const lease = await storeKey('lease', ['']);",
  },
  {
    says: 'a reply is not stored if its client has gone',
    file: server('records/respond-once'),
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
    file: server('records/stored-reply'),
    find: 'letter.charCodeAt(0)) : null, reply)',
    put: 'letter.charCodeAt(0)) : null, { headers: reply.headers })',
  },
  {
    says: 'a reply that cannot be stored is not reported',
    file: server('records/respond-once'),
    find: 'await this.#keep(reply).catch(this.#report);',
    put: 'await this.#keep(reply).catch(() => {});',
  },
  // A call that was denied or not decided never runs.
  {
    says: 'a denied call runs',
    file: server('resolve/checks'),
    find: 'answer.approved && step === lastStep',
    put: 'step === lastStep',
  },
  {
    says: 'when a history contains two answers to one approval, the last one counts',
    file: server('resolve/read-history'),
    find: 'asked.answer ??= {',
    put: 'asked.answer = {',
  },
  {
    says: "an approval still counts after the call's approval was requested again under another id",
    file: server('resolve/read-history'),
    find: 'const approvals = reader.approvals.filter((approval) => !approval.call || approval.call.approval === approval);',
    put: 'const approvals = reader.approvals;',
  },
  {
    says: 'an approval response whose `approved` is a string counts as an approval',
    file: server('resolve/read-history'),
    find: "if (typeof approved !== 'boolean') {",
    put: 'if (approved === undefined) {',
  },
  {
    says: 'an answer in a UI message counts although its part is not in the state `approval-responded`',
    file: server('resolve/read-history'),
    find: 'if (call.isAnswered || (approved !== undefined && call.resolved))',
    put: 'if (approved !== undefined)',
  },
  {
    says: 'two calls of a step can use the same approval',
    file: server('resolve/read-history'),
    find: "return this.#note('Two calls of a step have this approval.', about);",
    put: 'known.call = call;',
  },
  // A call without an approval request never runs.
  {
    says: 'a call whose signature does not match is accepted',
    file: server('resolve/checks'),
    find: 'if (secret !== undefined && !(await verifyApproval(call, signature, secret))) {',
    put: 'if (secret !== undefined && signature === undefined) {',
  },
  {
    says: 'a call without a signature is accepted although a secret is set',
    file: server('resolve/checks'),
    find: 'if (secret !== undefined && !(await',
    put: 'if (secret !== undefined && signature !== undefined && !(await',
  },
  {
    says: "the signature of an approval does not cover the call's input",
    file: server('resolve/signature'),
    find: 'canonicalText(asSent(input))',
    put: "'input'",
  },
  {
    says: "the signature of an approval does not cover the tool's name",
    file: server('resolve/signature'),
    find: '[approvalId, toolCallId, toolName, toBase64url(',
    put: '[approvalId, toolCallId, toBase64url(',
  },
  {
    says: 'a call is accepted although its input differs from the recorded one',
    file: server('resolve/checks'),
    find: "return isSent(recorded.input, asked.input) ? undefined : 'input';",
    put: 'return undefined;',
  },
  {
    says: 'a call is accepted although its tool differs from the recorded one',
    file: server('resolve/checks'),
    find: "if (recorded.toolName !== asked.toolName) return 'tool';",
    put: '',
  },
  {
    says: "a call that the host's record does not contain is accepted",
    file: server('resolve/checks'),
    find: 'if (record && !found) throw',
    put: 'if (record && found === null) throw',
  },
  {
    says: 'tools run before it is checked for every approved call that this server requested the approval',
    file: server('resolve/checks'),
    find: 'found: await checkOrigin(asked, options)',
    put: 'found: here.length === 0 ? await checkOrigin(asked, options) : undefined',
  },
  {
    says: 'the canonical JSON of -0 is the same as that of 0',
    file: server('resolve/canonical-json'),
    find: 'if (value === undefined || Object.is(value, -0))',
    put: 'if (value === undefined)',
  },
  {
    says: 'a signature is accepted in a second encoding of the same bytes',
    file: 'src/ts/json/base64url.ts',
    find: "if (toBase64url(bytes) !== text) throw new TypeError('Not base64url.');",
    put: '',
  },
  {
    says: 'a misspelt option is ignored without an error',
    file: server('resolve/resolve-options'),
    find: "checkOptions('resolveApprovals', options, OPTIONS);",
    put: '',
  },
  {
    says: 'an empty secret is ignored without an error',
    file: server('resolve/resolve-options'),
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
    file: server('resolve/checks'),
    find: 'if (isSent(await parseInput(inputSchema, given), input)) return undefined;',
    put: 'await parseInput(inputSchema, given); return undefined;',
  },
  // All is checked before the first tool runs, and what is written agrees with the record.
  {
    says: 'a denial of a call that has run is written as a denial',
    file: server('resolve/written'),
    find: "const approved = outcome !== 'denied';",
    put: 'const approved = posted.approved;',
  },
  {
    says: 'an approval of a denied call is written with its own reason',
    file: server('resolve/written'),
    find: 'const why = approved ? rest.approved && given : reason !== deniedText && reason;',
    put: 'const why = given;',
  },
  {
    says: 'a denial of a running call is written as a denial',
    file: server('resolve/resolution'),
    find: 'return kept ?? (found && !approved && record.result ? this.#startedBefore(asked) : given);',
    put: 'return kept ?? given;',
  },
  {
    says: 'the result of a denial is stored after its claim only',
    file: server('resolve/resolution'),
    find: '(await record.begin(key, unrun)) === true',
    put: '(await record.begin(key)) === true',
  },
  {
    says: 'the record is not asked about calls of earlier steps',
    file: server('resolve/resolution'),
    find: 'if (!record || found instanceof ResolveError) return given;',
    put: 'if (!record || isSuperseded || found instanceof ResolveError) return given;',
  },
  {
    says: 'an invalid input of an approved call is not recorded',
    file: server('resolve/resolution'),
    find: 'await this.#finish(key, result, asked); return result;',
    put: 'if (!runnable.invalid) await this.#finish(key, result, asked); return result;',
  },
  {
    says: 'the page is not sent the recorded decision',
    file: server('resolve/result-chunks'),
    find: 'if (decision !== answer) chunks.push(',
    put: 'if (decision === undefined) chunks.push(',
  },
  {
    says: 'a page with ai 6 gets a denial beside its approval',
    file: server('resolve/result-chunks'),
    find: '} else if (decision.approved !== answer.approved)',
    put: '} else if (decision === undefined)',
  },
  {
    says: 'the page gets chunks about calls of earlier messages',
    file: server('resolve/result-chunks'),
    find: "call.form === 'ui' ? call.at === messages.length - 1 : call.at > user",
    put: 'true',
  },
  {
    says: 'a malformed last step is resolved',
    file: server('resolve/resolve'),
    find: 'if (history.problem) throw history.problem;',
    put: '',
  },
  {
    says: 'a malformed step without open decisions is refused',
    file: server('resolve/read-history'),
    find: 'problem: waits ? problem : undefined',
    put: 'problem',
  },
  {
    says: 'a malformed older step is refused',
    file: server('resolve/read-history'),
    find: 'this.problem = undefined;',
    put: '',
  },
  {
    says: 'a denial is recorded before the calls beside it were checked',
    file: server('resolve/checks'),
    find: "if (invalid && options.failureMode === 'throw') throw invalid;",
    put: '',
  },
  {
    says: 'a record that fails after a tool has begun loses the results',
    file: server('resolve/resolution'),
    find: 'if (!this.#hasBegun) throw error;',
    put: 'throw error;',
  },
  {
    says: 'a failing `errorText` loses the results',
    file: server('resolve/resolution'),
    find: '} catch { // The message may be what `errorText` was to hide.',
    put: '} catch (failed) { throw failed;',
  },
  {
    says: 'a tool can change its input in the messages',
    file: server('resolve/resolution'),
    find: 'copyOf(call.input)',
    put: 'call.input',
  },
  {
    says: 'an output that JSON cannot express is written into a UI message',
    file: server('resolve/written'),
    find: "return { state: 'output-available', output: asSent(output) };",
    put: "return { state: 'output-available', output };",
  },
  // Order and completeness.
  {
    says: 'results are written in the reverse order of their calls',
    file: server('resolve/write-results'),
    find: 'for (const call of calls) {',
    put: 'for (const call of [...calls].reverse()) {',
  },
  {
    says: 'results are listed in the order in which the tools finished',
    file: server('resolve/resolve'),
    find: '[...of].sort(([a], [b]) => a.order - b.order).map(',
    put: '[...of].map(',
  },
  {
    says: 'approvals are listed in the reverse order of their calls',
    file: server('resolve/read-history'),
    find: 'approvals.sort((a, b) => a.order - b.order);',
    put: 'approvals.sort((a, b) => a.step - b.step || b.order - a.order);',
  },
  {
    says: 'results are inserted before the tool message with the approval answers',
    file: server('resolve/write-results'),
    find: "while (fieldsOf(messages[at + 1]).role === 'tool')",
    put: "while (fieldsOf(messages[at + 1]).role === 'none')",
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
    file: server('resolve/write-results'),
    find: 'return { ...part, approval, ...shown,',
    put: 'return { ...Object.assign(part, { approval }), ...shown,',
  },
  {
    says: 'approval parts that belong to no call reach the model',
    file: server('resolve/write-results'),
    find: 'for (const part of orphans) changes.set(part, undefined);',
    put: '',
  },
  {
    says: "the answers to approvals of the provider's calls are removed from the messages",
    file: server('resolve/write-results'),
    find: 'if (!answer || !call || call.providerExecuted || !(call.resolved || results.has(call))) continue;',
    put: 'if (!answer || !call) continue;',
  },
  // A tool that waits for the browser.
  {
    says: 'an answer that rejects the approval resolves the waiting tool call',
    file: server('delegate/delegate'),
    find: 'if (approved === false || /^(rejected|denied)$/i.test(String(status))) {',
    put: 'if (approved === false && result === undefined) {',
  },
  {
    says: 'the tool waits for a permission, and a result is accepted as one',
    file: server('delegate/delegate'),
    find: 'const isPermission = this.#asksPermission(toolCallId);',
    put: 'const isPermission = result === undefined && this.#asksPermission(toolCallId);',
  },
  {
    says: 'a result that arrives before the wait is accepted as a permission',
    file: server('delegate/delegate'),
    find: "if (permission && !('error' in known || known.permits)) throw ambiguousAnswer(toolCallId);",
    put: '',
  },
  {
    says: 'a wait for a permission with a misspelt option accepts results instead',
    file: server('delegate/delegate'),
    find: "checkOptions('ToolDelegate.wait', options, WAIT);",
    put: '',
  },
  {
    says: 'a second answer to the same call is accepted',
    file: server('delegate/delegate'),
    find: 'if (ended) throw callError(ended, toolCallId);',
    put: '',
  },
  {
    says: 'an answer to a call that is not known to the delegate is stored',
    file: server('delegate/delegate'),
    find: "if (!this.#waiting.has(toolCallId) && !this.#expected.has(toolCallId)) throw callError('unknown-call', toolCallId);",
    put: '',
  },
  {
    says: 'an approval without a result resolves the waiting tool call',
    file: server('delegate/delegate'),
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

  // Superseded calls, ids that come again, and failures that can be sent again.
  {
    says: 'an approval runs although the user has written a message after it',
    file: server('resolve/resolve'),
    find: "userEndsStep: onUserMessage !== 'run'",
    put: 'userEndsStep: false',
  },
  {
    says: 'an id that comes again with another input gets the result of the first call',
    file: server('resolve/call-key'),
    find: 'turn, approvalId, toolCallId, text]',
    put: 'turn, approvalId, toolCallId]',
  },
  {
    says: 'the same call in another turn gets the result of the first one',
    file: server('resolve/call-key'),
    find: "['toolgate-call-v2', turn, ",
    put: "['toolgate-call-v2', ",
  },
  {
    says: 'a request is stored again after its call has begun, and outlives the record of its run',
    file: server('records/stored-record'),
    find: "if ((await this.#store.get(await this.#key('call', key))) !== undefined) return;",
    put: '',
  },
  {
    says: 'a failure keeps its key, although nothing has begun',
    file: server('records/respond-once'),
    find: 'if (status >= 400 && !this.#mayHaveBegun)',
    put: 'if (status >= 1000)',
  },
  {
    says: 'a failure releases its key, although a call has begun',
    file: server('records/respond-once'),
    find: "if (name === 'begin' && !args[1]) begun();",
    put: '',
  },
  {
    says: 'a failure is repeated to requests with the same key',
    file: server('records/respond-once'),
    find: 'if (stored && status < 500 && status !== 429)',
    put: 'if (stored)',
  },
  {
    says: 'bytes of a reply that are not text are changed',
    file: server('records/stored-reply'),
    find: 'const letters = Array.from(new Uint8Array(body), (byte) => String.fromCharCode(byte));',
    put: 'const letters = [new TextDecoder().decode(body)];',
  },
  {
    says: 'each repeated request that waits looks at the store alone',
    file: server('records/stored-reply'),
    find: 'if (!found) {',
    put: 'if (true) {',
  },
  {
    says: 'the older signature is accepted for names with a newline',
    file: server('resolve/signature'),
    find: "return !texts.some((text) => text.includes('\\n')) && (await isSigned(texts.join('\\n')));",
    put: "return isSigned(texts.join('\\n'));",
  },
  {
    says: 'a signature of ai 6 is refused',
    file: server('resolve/signature'),
    find: 'if (await isSigned(payload(texts))) return true;',
    put: 'return isSigned(payload(texts));',
  },
  {
    says: 'a refusal is not written to the log',
    file: server('resolve/resolve'),
    find: 'if (error instanceof ResolveError) onRefused(error);',
    put: '',
  },
];
