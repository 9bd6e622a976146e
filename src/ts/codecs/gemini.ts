/**
 * `gemini`: `generateContent` and its stream. Source: `src/types.ts` of `@google/genai` 2.32.
 *
 * Calls often come without an id; they get one that is left out again when it is written. What is thought carries a
 * signature that has to come back with its part. Metadata in the words of `@ai-sdk/google`: `thoughtSignature`.
 */
import type { Capabilities } from '../types.js';
import type { Call, Codec, Context, Data, Entry, Part, Reader } from './codec.js';
import { Flow } from './flow.js';
import { fileOf, isCall, objectOf, settle, split, told } from './history.js';

const capabilities: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: ['approval', 'pending', 'input', 'system', 'custom', 'file'],
};

/** How the ids begin that we make where Gemini gave none. */
const OWN = 'toolgate-';

function reader(emit: (chunk: Data) => void, fresh: () => string): Reader {
  const flow = new Flow(emit);
  let texts = 0;
  return ({ candidates, promptFeedback, error }) => {
    const { content, finishReason } = candidates?.[0] ?? {};
    if (error || promptFeedback?.blockReason) flow.fail(error?.message ?? promptFeedback.blockReason);
    else if (!candidates) return false;
    for (const part of content?.parts ?? []) {
      const { text, thought, functionCall: call, inlineData: file } = part;
      const more = signatureOf(part);
      const meta = more && { providerMetadata: more };
      if (text !== undefined) {
        const id = `${thought ? 'thought' : 'text'}-${texts}`;
        // A part with a signature stays by itself.
        if (!flow.has(id) || more) flow.hush();
        flow.say(id, text, thought ? 'reasoning' : 'text');
        if (more) {
          flow.hush(id, more);
          texts++;
        }
        continue;
      }
      flow.hush();
      texts++;
      if (call) flow.whole(call.id ?? OWN + fresh(), call.name, call.args ?? {}, meta);
      else if (file) flow.put({ type: 'file', mediaType: file.mimeType, url: `data:${file.mimeType};base64,${file.data}`, ...meta });
      else flow.put({ type: 'custom', kind: 'google.part', providerMetadata: { google: { part } } });
    }
    if (finishReason) flow.end();
    return true;
  };
}

function signatureOf({ thoughtSignature }: Data): Data {
  return thoughtSignature && { google: { thoughtSignature } };
}

/** Without what the system says first: that has its own place in a request. What it says later is said as the user. */
function write(entries: Entry[], context: Context): Data[] {
  const [system, conversation] = split(entries);
  if (system.length || conversation.some(({ role }) => role === 'system')) context.lose('system');
  return conversation.flatMap(({ role, content }) => {
    const results: Data[] = [];
    const parts = content.flatMap((part) => (isCall(part) ? writeCall(part, results, context) : writePart(part, context)));
    const contents: Data[] = parts.length ? [{ role: role === 'assistant' ? 'model' : 'user', parts }] : [];
    if (results.length) contents.push({ role: 'user', parts: results });
    return contents;
  });
}

const signed = (part: Part): Data => {
  const thoughtSignature = part.providerOptions?.['google']?.thoughtSignature;
  return thoughtSignature && { thoughtSignature };
};

function writeCall(call: Call, results: Data[], context: Context): Data[] {
  const result = told(call, context.texts);
  const { toolCallId, toolName: name } = call;
  if (!result) {
    context.lose('pending', toolCallId);
    return [];
  }
  if (call.response?.['approved']) context.lose('approval', toolCallId);
  const head = { ...(!toolCallId.startsWith(OWN) && { id: toolCallId }), name };
  const failed = result.failed || result.kind !== 'executed';
  results.push({ functionResponse: { ...head, response: failed ? { error: result.text } : { output: result.value } } });
  return [{ functionCall: { ...head, args: objectOf(call, context) }, ...signed(call) }];
}

function writePart(part: Part, context: Context): Data[] {
  const more = signed(part);
  const { text } = part as Data;
  if (part.type === 'text') return text || more ? [{ text, ...more }] : [];
  if (part.type === 'reasoning') return [{ text, thought: true, ...more }];
  const own = part.providerOptions?.['google']?.part;
  if (own) return [own];
  const { url, base64, mediaType } = fileOf(part);
  const fileUri = part['data']?.reference?.google ?? url;
  if (base64 !== undefined) return [{ inlineData: { mimeType: mediaType, data: base64 }, ...more }];
  if (fileUri) return [{ fileData: { mimeType: mediaType, fileUri }, ...more }];
  context.lose(part.type === 'custom' ? 'custom' : 'file');
  return [];
}

function read(history: readonly Data[], { texts }: Context): Entry[] {
  let open: Call[] = [];
  let count = 0;
  return history.flatMap(({ role, parts }) => {
    const content: Part[] = [];
    for (const part of parts) {
      const { functionCall: call, functionResponse: answer, text, thought, inlineData: inline, fileData } = part;
      const providerOptions = signatureOf(part);
      const more = providerOptions && { providerOptions };
      if (call) {
        const made: Call = { type: 'tool-call', toolCallId: call.id ?? OWN + count++, toolName: call.name, input: call.args ?? {}, ...more };
        open.push(made);
        content.push(made);
      } else if (answer) {
        // Without an id it answers the first open call of that name.
        const asked = open.find(({ toolCallId, toolName }) => (answer.id ? answer.id === toolCallId : answer.name === toolName));
        open = open.filter((other) => other !== asked);
        const { response = {} } = answer;
        const said = 'error' in response ? 'error' : 'output';
        if (asked) settle(asked, said in response ? response[said] : response, said === 'error', texts);
      } else if (text !== undefined) {
        content.push({ type: thought ? 'reasoning' : 'text', text, ...more });
      } else if (inline ?? fileData) {
        const { mimeType = '' } = inline ?? fileData;
        content.push({ type: 'file', mediaType: mimeType, data: inline ? `data:${mimeType};base64,${inline.data}` : fileData.fileUri, ...more });
      } else {
        content.push({ type: 'custom', kind: 'google.part', providerOptions: { google: { part } } });
      }
    }
    return content.length ? [{ role: role === 'model' ? 'assistant' : 'user', content }] : [];
  });
}

/** Google's Gemini API. */
export const gemini: Codec = {
  capabilities,
  runsHere: true,
  asks: true,
  reader,
  write,
  read,
  body(entries, context) {
    const [system, conversation] = split(entries);
    const parts = system.flatMap((part) => writePart(part, context));
    return { ...(parts.length && { systemInstruction: { parts } }), contents: write(conversation, context) };
  },
};
