/**
 * Mutations of `toolgate/evidence`, and of what a server signs and seals: see README.md. With each of them, a test
 * of tests/evidence or tests/server/canonical must fail.
 */
const evidence = (name) => `src/ts/evidence/${name}.ts`;
const seals = 'src/ts/server/seal-evidence.ts';
const receipts = 'src/ts/server/resolve/receipts.ts';

export const evidenceMutations = [
  // The standards: what others read.
  {
    says: 'the keys of canonical JSON are not sorted',
    file: 'src/ts/json/canonical-text.ts',
    find: 'if (isCanonical) keys?.sort();',
    put: '',
  },
  {
    says: 'a signature is about the fields in another form than a JWS',
    file: evidence('signing'),
    find: '${headerOf(statement)}.${encoded(statement.text)}',
    put: '${headerOf(statement)}.${statement.text}',
  },
  {
    says: 'the signature of a receipt is one of a seal',
    file: evidence('signing'),
    find: "typ: 'toolgate-receipt',",
    put: "typ: 'toolgate-seal',",
  },
  {
    says: 'any header is accepted',
    file: evidence('signing'),
    find: 'if (header !== headerOf(statement)) return false;',
    put: '',
  },
  {
    says: 'unused bits of a signature are ignored',
    file: evidence('evidence-form'),
    find: '[AQgw]$',
    put: '[\\w-]$',
  },
  {
    says: 'a payload beside the fields is accepted',
    file: evidence('evidence-form'),
    find: '\\.\\.[\\w-]{85}',
    put: '\\..*\\.[\\w-]{85}',
  },
  {
    says: 'a receipt with a lone surrogate is accepted',
    file: evidence('evidence-form'),
    find: ' && !/\\p{Cs}/u.test(value)',
    put: '',
  },
  {
    says: 'a server signs a receipt that RFC 8785 cannot express',
    file: receipts,
    find: 'const fields = wellFormed({',
    put: 'const fields = ((given) => given)({',
  },
  {
    says: 'a recorder writes an entry that RFC 8785 cannot express',
    file: evidence('recorded-chain'),
    find: 'const sound = wellFormed({ ...entry, at: timeOf(entry.at) });',
    put: 'const sound = { ...entry, at: timeOf(entry.at) };',
  },
  {
    says: 'an approval with a lone surrogate in its id is not found again',
    file: evidence('story'),
    find: 'return this.#latest.get(wellFormed(approvalId));',
    put: 'return this.#latest.get(approvalId);',
  },
  {
    says: 'a call with a lone surrogate in its id is not found again',
    file: evidence('story'),
    find: 'JSON.stringify(wellFormed([approvalId, toolCallId, toolName]))',
    put: 'JSON.stringify([approvalId, toolCallId, toolName])',
  },
  {
    says: 'the digest of an output on a server is not that of the page',
    file: 'src/ts/server/resolve/canonical-json.ts',
    find: "{ $: 'object', v: entries.sort(([a], [b]) => (a < b ? -1 : 1)) }",
    put: "{ $: 'object', v: entries }",
  },
  // The chain.
  {
    says: 'a chain is not bound to its chat',
    file: evidence('chain'),
    find: "canonicalText(['toolgate-evidence', VERSION, chatId])",
    put: "canonicalText(['toolgate-evidence', VERSION])",
  },
  {
    says: 'a hash does not cover the link before',
    file: evidence('chain'),
    find: 'canonicalText([previous, entry])',
    put: 'canonicalText([previous && entry])',
  },
  {
    says: 'a wrong hash is accepted',
    file: evidence('chain'),
    find: 'if (link.hash !== hash)',
    put: 'if (link.hash === undefined)',
  },
  {
    says: 'a link is not checked for its form',
    file: evidence('chain'),
    find: 'checkLink(link, at);',
    put: '',
  },
  {
    says: 'an entry may have a field that readers read differently',
    file: evidence('evidence-form'),
    find: 'Object.keys(fields).every((name) => Object.hasOwn(form, name)) &&',
    put: '',
  },
  {
    says: 'a policy may have a user',
    file: evidence('evidence-form'),
    find: "(by === 'user' || (user ?? rule ?? tab) === undefined) &&",
    put: '',
  },
  // The limits.
  {
    says: 'a chain of any size is checked',
    file: evidence('chain'),
    find: 'if (size > MOST) throw tooLarge(at);',
    put: '',
  },
  {
    says: 'receipts count like other links',
    file: evidence('chain'),
    find: "entry.type === 'ran' ? 40 : 1",
    put: '1',
  },
  {
    says: 'ids in a request do not count',
    file: evidence('chain'),
    find: 'checks + approvalIds.length',
    put: 'checks',
  },
  {
    says: 'keys that were found do not count',
    file: evidence('chain'),
    find: ' + keys.length',
    put: '',
  },
  {
    says: 'the length of texts does not count',
    file: evidence('chain'),
    find: ' + JSON.stringify(entry).length / 200',
    put: ' + 1',
  },
  {
    says: 'a recorder continues a chain that no server seals',
    file: evidence('recorded-chain'),
    find: 'if (this.#isFull) throw tooLarge();',
    put: '',
  },
  {
    says: 'a recorder leaves out what does not fit and continues',
    file: evidence('recorded-chain'),
    find: 'if (this.#isFull) return;',
    put: '',
  },
  {
    says: 'a chain that was continued is still full',
    file: evidence('recorded-chain'),
    find: 'this.#isFull = false;',
    put: '',
  },
  {
    says: 'forged receipts in a stream fill the chain',
    file: evidence('arriving-receipts'),
    find: 'if (chain.odd >= MOST_ODD &&',
    put: 'if (chain.odd < 0 &&',
  },
  {
    says: 'a real receipt after many forged ones is dropped',
    file: evidence('arriving-receipts'),
    find: ' && (story?.ran || !story?.decision?.approved)',
    put: '',
  },
  {
    says: 'unsealed evidence is hashed before it is refused',
    file: evidence('check-evidence'),
    find: 'checkForm(evidence);\n  const { chatId, links, seal } = evidence;',
    put: 'checkForm(evidence); await checkHashes(evidence);\n  const { chatId, links, seal } = evidence;',
  },
  // The seal.
  {
    says: 'a chain of another chat is sealed',
    file: seals,
    find: 'if (evidence.chatId !== chatId)',
    put: 'if (!evidence)',
  },
  {
    says: 'a seal that was not stored is returned',
    file: seals,
    find: 'if ((await commit(seal, previous ?? undefined)) !== true)',
    put: 'if ((await commit(seal, previous ?? undefined)) === undefined)',
  },
  {
    says: 'a result of a database counts as stored',
    file: seals,
    find: 'if ((await commit(seal, previous ?? undefined)) !== true)',
    put: 'if (!(await commit(seal, previous ?? undefined)))',
  },
  {
    says: 'a chain that does not continue the last seal is sealed',
    file: seals,
    find: 'if (previous && (links[previous.count - 1]?.hash ?? first) !== previous.head)',
    put: 'if (!links)',
  },
  {
    says: 'the seal of an empty chain is one of every chat',
    file: seals,
    find: '?? first) !== previous.head)',
    put: '?? previous.head) !== previous.head)',
  },
  {
    says: 'a chain without a receipt that was issued is sealed',
    file: seals,
    find: 'if (missing)',
    put: 'if (!receipts)',
  },
  {
    says: 'keys that are not a pair seal',
    file: seals,
    find: 'if (!(await isSigned(statement, signature, publicKey)))',
    put: 'if (!statement)',
  },
  {
    says: 'a seal about fewer links counts',
    file: evidence('check-evidence'),
    find: 'if (seal.count !== links.length || seal.head !== last)',
    put: 'if (seal.count > links.length)',
  },
  {
    says: 'a seal of another server counts',
    file: evidence('check-evidence'),
    find: 'if (!(await isSigned(sealStatement(chatId, seal), seal.signature, publicKey)))',
    put: 'if (!seal.signature)',
  },
  // The receipts.
  {
    says: 'a receipt of another chat counts',
    file: evidence('check-evidence'),
    find: 'if (receipt.chatId !== chatId || !',
    put: 'if (!',
  },
  {
    says: 'a receipt counts twice',
    file: evidence('check-evidence'),
    find: 'else if (known.has(statement.text))',
    put: 'else if (!known)',
  },
  {
    says: 'a receipt of another chat is recorded',
    file: evidence('arriving-receipts'),
    find: 'if (receipt.chatId !== chatId)',
    put: 'if (!receipt)',
  },
  {
    says: 'a forged receipt is not reported',
    file: evidence('arriving-receipts'),
    find: 'if (!isValid)',
    put: 'if (isValid === undefined)',
  },
  {
    says: 'a name in an error changes the direction of text',
    file: 'src/ts/json/quoted.ts',
    find: '/[\\p{C}\\p{Zl}\\p{Zp}\\p{DI}]/gu',
    put: '/[\\p{Cc}]/gu',
  },
  // The story.
  {
    says: 'a decision about another input than the one that was shown is no problem',
    file: evidence('story'),
    find: "if (story.inputDigest !== inputDigest) story.problems.add('not-shown');",
    put: '',
  },
  {
    says: 'the last decision counts',
    file: evidence('story'),
    find: "if (story.decision) return !story.problems.add('decided-twice');",
    put: '',
  },
  {
    says: 'what ran without an approval is no problem',
    file: evidence('story'),
    find: 'if (!story.decision?.approved || receipt.inputDigest !== story.approvedDigest)',
    put: 'if (!story.decision)',
  },
  {
    says: 'a forged receipt takes the place of an approval',
    file: evidence('story'),
    find: 'if (latest) this.#latest.set(receipt.approvalId, latest);',
    put: '',
  },
  // Who decided, and when.
  {
    says: 'the user of the leader is that of a forwarded decision',
    file: evidence('deciders'),
    find: '|| command.isForwarded) return command;',
    put: ') return command;',
  },
  {
    says: 'two recorders of one chat record both',
    file: evidence('evidence-recorder'),
    find: 'this.#isRecording = !this.#inside.isPaused;',
    put: 'this.#isRecording = true;',
  },
  {
    says: 'a chain is stored before the chat with its links',
    file: evidence('evidence-recorder'),
    find: 'await persister.claimed();',
    put: '',
  },
  {
    says: 'the next leader does not continue the stored chain',
    file: evidence('evidence-recorder'),
    find: 'this.#chain.cut(this.#reported);\n    this.#attempt(() => this.#continueSaved());',
    put: '',
  },
  {
    says: 'an approval that came with a history is not recorded',
    file: evidence('evidence-recorder'),
    find: 'for (const entry of found) this.#add(entry);',
    put: '',
  },
];
