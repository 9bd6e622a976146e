/**
 * Converts the arguments of `sendMessage` to a user message.
 *
 * File parts precede the text. Only a `FileList` needs time, because its files are read as `data:` URLs.
 */
import type { GateMessage } from '../types/index.js';
import type { MessageForm } from './chat-host.js';
import { say } from '../types/say.js';

/** Returns the parts of a message, or a promise of them if files must be read. */
export function partsOf(form: MessageForm): readonly unknown[] | Promise<readonly unknown[]> {
  if (!('text' in form) && !('files' in form)) return form.parts ?? [];
  const text = form.text == null ? [] : [{ type: 'text', text: form.text }];
  const { files } = form;
  if (files == null) return text;
  if (Array.isArray(files)) return [...(files as unknown[]), ...text];
  return readFiles(files).then((parts) => [...parts, ...text]);
}

/** Returns the complete message. Unknown keys are preserved; `messageId` is not part of the message. */
export function toUserMessage(form: MessageForm, parts: readonly unknown[], freshId: () => string): GateMessage {
  const { messageId, ...rest } = form;
  const given: MessageForm = 'text' in form || 'files' in form ? {} : rest;
  return {
    ...given,
    parts,
    id: given.id ?? messageId ?? freshId(),
    role: given.role ?? 'user',
    metadata: form.metadata,
  } as GateMessage;
}

/** Returns the user's files as file parts with `data:` URLs. Rejects if `files` is not a `FileList`. */
async function readFiles(files: ArrayLike<unknown>): Promise<object[]> {
  const { FileList } = globalThis;
  if (FileList === undefined || !(files instanceof FileList)) {
    throw new Error(say`FileList is not supported in the current environment`);
  }
  return Promise.all(
    Array.from(files, async (file) => ({
      type: 'file',
      mediaType: file.type,
      filename: file.name,
      url: await dataUrl(file),
    })),
  );
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(say`Could not read file "${file.name}"`));
    reader.readAsDataURL(file);
  });
}
